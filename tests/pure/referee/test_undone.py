"""Whether requests of a long game were undone since, and how much of the log must be read to tell."""

from collections.abc import Iterator
from itertools import groupby
from uuid import UUID

import pytest

from mcmulti.domain.core.capabilities.undo.trail import DEPTH, Aftermath
from mcmulti.domain.mcmulti.commands import EndPurchases
from mcmulti.events.log.codec import event_decoder, opened_with
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.event_store import signed
from mcmulti.events.ports.game_index import TableRow
from mcmulti.projections.proof.proof import revealed_seed
from mcmulti.referee.receipts import PAGE
from mcmulti.referee.referee import Referee
from mcmulti.referee.ruling import Idempotency
from tests.golden.games import FILES, load

GAMES = [file for file in FILES if file.stem.endswith("-undo") and len(load(file)) > PAGE]
ADA = Player(UUID(int=1), "Ada")
HASH = bytes(32)


class CountingLog(MemoryLog):
    """Counts the events that are read after a moment of a game."""

    def __init__(self) -> None:
        super().__init__()
        self.behind, self.counted = 0, 0

    async def read(self, game_id: UUID, after: int = 0, limit: int | None = None) -> list[Recorded]:
        events = await super().read(game_id, after, limit)
        if self.behind and after >= self.behind:
            self.counted += len(events)
        return events


def _requests(events: list[Recorded]) -> Iterator[list[Recorded]]:
    for _, some in groupby(events, key=lambda event: event.command_id):
        yield list(some)


def _undone(events: list[Recorded]) -> dict[int, bool]:
    """Whether the moves that end with an event were taken back, according to a stack of all moves that still stand."""
    decode = event_decoder(opened_with(events[0]).name, 1)
    pile: list[int] = []
    undone: dict[int, bool] = {}
    for event in events:
        if event.type == "MoveClosed":
            undone[event.seq] = False
            pile = [] if decode(event.data).final else [*pile, event.seq]
        elif event.type == "MovesTakenBack":
            moves = decode(event.data).moves
            undone.update(dict.fromkeys(pile[-moves:], True))
            pile = pile[:-moves]
    return undone


@pytest.mark.parametrize("file", GAMES, ids=lambda file: file.stem)
async def test_each_request_of_a_long_game_is_known_for_undone_or_not_by_what_followed_soon(file: object) -> None:
    log, events = CountingLog(), load(file)  # type: ignore[arg-type]
    ruleset, game = opened_with(events[0]), events[0].game_id
    await log.create(game, ruleset.name, 1, TableRow("open"), revealed_seed(events) or bytes(32), events[:1])
    key = await log.digest_key()
    ends = []
    for some in _requests(events[1:]):
        head = (await log.game(game)).head
        receipt = signed(key, game, ADA.player_id, str(some[-1].seq), HASH, head.seq, some[-1].seq)
        await log.append(game, head, some, TableRow("running"), receipt)
        ends.append(some)
    expected, referee, most = _undone(events), Referee(log), 0
    assert True in expected.values()
    await referee.position(game)
    for some in ends:
        log.behind, log.counted = some[-1].seq, 0
        said = await referee.command(game, ADA, [EndPurchases()], None, Idempotency(str(some[-1].seq), HASH))
        assert said.repeated
        own = [expected[event.seq] for event in some if event.type == "MoveClosed"]
        assert said.undone == any(own), some[0].seq
        most = max(most, log.counted)
    assert most <= PAGE
    assert len(events) > PAGE


def test_a_request_that_took_its_own_move_back_is_not_undone_by_what_is_taken_back_later() -> None:
    file = next(file for file in GAMES if file.stem == "mcmulti-undo")
    events = load(file)
    back = next(number for number, event in enumerate(events) if event.type == "MovesTakenBack")
    closed = max(number for number in range(back) if events[number].type == "MoveClosed")
    decode = event_decoder(opened_with(events[0]).name, 1)
    assert Aftermath([decode(event.data) for event in events[closed : back + 1]]).undone is False


def test_after_as_many_moves_as_can_be_taken_back_nothing_before_them_can() -> None:
    events = load(next(file for file in GAMES if file.stem == "mcmulti-undo"))
    decode = event_decoder("mcmulti", 1)
    told = (decode(event.data) for event in events if event.type == "MoveClosed")
    closed = next(event for event in told if not event.final)
    aftermath = Aftermath([closed])
    aftermath.read([closed] * (DEPTH - 1))
    before = aftermath.undone
    aftermath.read([closed])
    assert (before, aftermath.undone) == (None, False)

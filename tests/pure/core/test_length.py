"""How long logs get: games that never end, seats that are taken again and again, endless requests."""

from collections.abc import Iterator
from random import Random
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest
from msgspec.structs import force_setattr, replace

from mcmulti.domain.core.capabilities.length import Length, longest_of
from mcmulti.domain.core.capabilities.undo import IN_A_ROW, TakeBack
from mcmulti.domain.core.commands import LeaveSeat, StartGame, TakeSeat
from mcmulti.domain.core.course.terms import terms_of
from mcmulti.domain.core.offers import MOST_EVENTS
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.table import MOST_SITTINGS, SITTINGS
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.commands import BuyAsset, EndPurchases
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.domain.oil.names import Site
from mcmulti.domain.rulesets import CURRENT, SHIPPED
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.accounts import Player
from mcmulti.projections.proof.proof import verify
from mcmulti.referee.referee import Referee
from mcmulti.referee.ruling import Refused, Ruling
from mcmulti.simulation import any_offer
from tests.profiles import profile_of
from tests.pure.properties.random_games import seats_of

PLAYERS = tuple(Player(UUID(int=seat + 1), "ABCDE"[seat]) for seat in range(5))
ADA, BEN, CLEO, *_ = PLAYERS
RIG = BuyAsset("rig", Site(0, 1, 1))
SHORT = 120


@pytest.fixture(autouse=True)
def _the_same_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """With other dice, a game can end before it gets too long."""
    monkeypatch.setattr("mcmulti.referee.opening.secrets", SimpleNamespace(token_bytes=Random(1).randbytes))


@pytest.fixture(params=sorted(SHIPPED))
def ruleset(request: pytest.FixtureRequest) -> Iterator[Ruleset[Any]]:
    """A rule set that limits games to fewer events than they would otherwise have."""
    found = SHIPPED[request.param]
    with Longest(found, profile_of(found.name).shortest):
        yield found


class Longest:
    """Limit games of a rule set to this many events during the block."""

    def __init__(self, ruleset: Ruleset[Any], longest: int) -> None:
        length = ruleset.flow.has(Length)
        assert length is not None
        self._length, self._longest, self._before = length, longest, length.longest

    def __enter__(self) -> None:
        self._set(self._longest)

    def __exit__(self, *_: object) -> None:
        self._set(self._before)

    def _set(self, longest: int) -> None:
        force_setattr(self._length, "longest", longest)
        terms_of.cache_clear()  # they hold the function that checks the length


async def _played(referee: Referee, ruleset: Ruleset[Any], players: int) -> Ruling:
    """Play a random game to its end. Return the last ruling."""
    random = Random(1)
    opened = await referee.open(ruleset, ruleset.setup(seats=players), UUID(int=1, version=4))
    game = opened.position.game_id
    for player in PLAYERS[:players]:
        done = await referee.command(game, player, [TakeSeat(str(player.player_id))])
    done = await referee.command(game, ADA, [StartGame()])
    kinds = {kind.__name__: kind for kind in ruleset.commands.moves}
    complete = profile_of(ruleset.name).fill
    while moving := ruleset.to_move(done.position.state):
        state = done.position.state
        offer = any_offer(random, ruleset.offers(state, moving[0]), ruleset.commands.weights)
        by_id = {str(player.player_id): player for player in PLAYERS}
        sitting = ruleset.players(state)[moving[0]]
        assert sitting is not None
        done = await referee.command(game, by_id[sitting], [complete(random, offer, kinds[offer.command])])
    return done


async def test_table_length__a_game_that_gets_too_long_ends_by_its_final_ranking(ruleset: Ruleset[Any]) -> None:
    log = MemoryLog()
    done = await _played(Referee(log), ruleset, min(4, seats_of(ruleset.name)[-1]))
    game = done.position.game_id
    events = await log.read(game)
    end = next(index for index, event in enumerate(events) if event.type == "LengthReached")
    group = [event.command_id for event in events[end:]]
    short = profile_of(ruleset.name).shortest
    assert events[end].seq > short
    assert sum(event.command_id != group[0] and event.seq > short for event in events) <= MOST_EVENTS
    assert (events[end].rule, events[end].actor, len(set(group))) == ("table/length", None, 1)
    assert ruleset.status(done.position.state) == "finished"
    assert done.position.state.winners
    assert ruleset.outcome(done.position.state).decided_by == "too_long"
    assert verify(events).fault is None
    assert (await log.game(game)).status == "finished"


async def test_table_length__a_proof_says_when_a_game_went_on_or_ended_too_soon() -> None:
    """A log of a game that ended at 120 events, checked by rules that allow more, and by rules that allow fewer."""
    log = MemoryLog()
    with Longest(RULESET, SHORT):
        events = await log.read((await _played(Referee(log), RULESET, 2)).position.game_id)
    end = next(event.seq for event in events if event.type == "LengthReached")
    assert verify(events).fault == f"event {end} ends a game that is not too long: 15000 events"
    with Longest(RULESET, 80):
        found = verify(events)
    assert found.fault is not None
    assert "goes on in a game that is as long as it may get: 80 events" in found.fault
    assert found.wrong is not None
    assert 81 <= found.wrong <= SHORT


def test_no_game_of_a_rule_set_is_without_end() -> None:
    assert all(longest_of(ruleset.flow) is not None for ruleset in CURRENT.values())


async def _started(referee: Referee, **setup: Any) -> UUID:
    opened = await referee.open(RULESET, Setup(seats=2, first_seat=0, **setup))
    game = opened.position.game_id
    for player in (ADA, BEN):
        await referee.command(game, player, [TakeSeat(str(player.player_id))])
    await referee.command(game, ADA, [StartGame()])
    return game


async def test_table_undo__moves_are_taken_back_ten_times_in_a_row() -> None:
    """Ada buys a rig and takes that back, again and again. When Ben has moved, she may again."""
    referee = Referee(MemoryLog())
    game = await _started(referee, undo="own")
    for _ in range(IN_A_ROW):
        done = await referee.command(game, ADA, [RIG, TakeBack(1)], [(await referee.position(game)).head])
    with pytest.raises(Refused) as refused:
        await referee.command(game, ADA, [RIG, TakeBack(1)], [done.position.head])
    assert (refused.value.rejection.code, refused.value.rejection.rule) == ("undone_too_often", "table/undo")
    assert refused.value.index == 1
    await referee.command(game, ADA, [RIG, EndPurchases()])
    assert "TakeBack" not in [offer.command for offer in RULESET.besides((await referee.position(game)).state, 0)]
    head = (await referee.position(game)).head
    await referee.command(game, BEN, [EndPurchases()], [head])
    await referee.command(game, ADA, [EndPurchases()])
    assert "TakeBack" in [offer.command for offer in RULESET.besides((await referee.position(game)).state, 0)]


async def test_table_request__a_request_has_no_further_command_beyond_256_events(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ada buys a rig, ends her purchases, and wants more than the one event that is allowed here."""
    monkeypatch.setattr("mcmulti.referee.ruling.MOST_EVENTS", 1)
    referee = Referee(MemoryLog())
    game = await _started(referee, undo="own")
    with pytest.raises(Refused) as refused:
        await referee.command(game, ADA, [RIG, EndPurchases()])
    assert (refused.value.rejection.code, refused.value.rejection.rule) == ("too_many_events", "table/request")
    assert refused.value.index == 1
    assert len((await referee.command(game, ADA, [RIG])).events) == 2


async def test_table_join__who_left_a_table_often_does_not_come_back() -> None:
    """Ada and Ben each take a seat and leave, fifty times. Cleo, who is new, may take a seat."""
    referee = Referee(MemoryLog())
    game = (await referee.open(RULESET, Setup(seats=2))).position.game_id
    for _ in range(SITTINGS // 2):
        for player in (ADA, BEN):
            await referee.command(game, player, [TakeSeat(str(player.player_id))])
            await referee.command(game, player, [LeaveSeat()])
    with pytest.raises(Refused) as refused:
        await referee.command(game, ADA, [TakeSeat(str(ADA.player_id))])
    assert (refused.value.rejection.code, refused.value.rejection.rule) == ("seated_too_often", "table/join")
    await referee.command(game, CLEO, [TakeSeat(str(CLEO.player_id))])
    state = replace((await referee.position(game)).state, sittings=MOST_SITTINGS)
    refusal: Any = RULESET.decide(state, None, TakeSeat(str(UUID(int=9))), None)  # type: ignore[arg-type]
    assert refusal.code == "seated_too_often"

"""Games in which players have arbitrary names."""

from collections.abc import Sequence
from uuid import UUID

from msgspec import Struct

from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.commands import StartGame, TakeSeat
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.events.log.codec import draft
from mcmulti.events.log.envelope import START, Head, Recorded, seal
from tests.games import OPENED


def called(names: Sequence[str]) -> dict[str, str]:
    """The names of the players in such a game."""
    return {str(UUID(int=100 + seat)): name for seat, name in enumerate(names)}


def seated(names: Sequence[str], moves: Sequence[tuple[int, Struct]] = ()) -> list[Recorded]:
    """A game in which players with these names have taken seats, started, and made these moves."""
    game_id, setup = UUID(int=7), Setup(seats=len(names), first_seat=0)
    chance = SeededChance(bytes(32), str(game_id))
    opened = RULESET.open(str(game_id), setup, chance)
    assert not isinstance(opened, Rejection)
    state, drafts = opened.state, draft(opened.facts)
    events = seal(game_id, START, drafts, OPENED)
    commands = [(seat, TakeSeat(player)) for seat, player in enumerate(called(names))]
    for number, (seat, command) in enumerate((*commands, (0, StartGame()), *moves)):
        decided = RULESET.decide(state, None if isinstance(command, TakeSeat) else seat, command, chance)
        assert not isinstance(decided, Rejection)
        state = decided.state
        head = Head(events[-1].seq, events[-1].hash)
        events += seal(game_id, head, draft(decided.facts, seat, UUID(int=number), command), OPENED)
    return events

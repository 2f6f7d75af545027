"""A game of the Millionenspiel of three rounds, by hand."""

from uuid import UUID

from msgspec import Struct

from mcmulti.domain.core.commands import StartGame, TakeSeat
from mcmulti.domain.millionenspiel import RULESET
from mcmulti.domain.millionenspiel.phases.staking import Stake
from mcmulti.domain.millionenspiel.phases.throwing import AcceptThrow
from mcmulti.domain.millionenspiel.state import Setup
from mcmulti.events.log.envelope import Recorded
from mcmulti.library.steps import Step, take
from tests.games import record
from tests.scripted_chance import ScriptedChance

ADA, BEN, CLEO = range(3)
CALLED = {f"00000000-0000-4000-9000-{seat:012x}": name for seat, name in enumerate(("Ada", "Ben", "Cleo"))}
"""The names of the players, by id."""
GAME = "00000000-0000-4000-8000-000000000001"


def three_reds() -> list[Recorded]:
    """Ben stakes everything three times, and red comes three times. The others only watch.

    From the arrow, three doubles of 6 and a 3 and 4 lead to field 43, then 1 and 3 to 47, then 1 and 2 to 50: all red.
    5 become 505, these 51005 (five 1s, ten 100s, five 10000s), these 5151505. Cleo stakes one chip once: 105.
    """
    chance = ScriptedChance((6, 5, 1, 1, 1, 2, *(6,) * 6, 3, 4, 1, 3, 1, 2))
    opened = RULESET.open(GAME, Setup(seats=3), chance)
    steps = [Step(None, None, tuple(opened.facts), opened.state)]  # type: ignore[union-attr]

    def move(seat: int | None, command: Struct) -> None:
        steps.append(take(RULESET, steps[-1].state, seat, command, chance))

    for seat in (ADA, BEN, CLEO):
        move(None, TakeSeat(f"00000000-0000-4000-9000-{seat:012x}", seat))
    move(ADA, StartGame())
    for seat, stake in ((BEN, Stake(ones=5)), (CLEO, Stake(ones=1)), (ADA, Stake())):
        move(seat, stake)
    move(ADA, AcceptThrow())
    for seat, stake in ((CLEO, Stake()), (ADA, Stake()), (BEN, Stake(ones=5, hundreds=5))):
        move(seat, stake)
    move(BEN, AcceptThrow())
    for seat, stake in ((ADA, Stake()), (BEN, Stake(ones=5, hundreds=10, ten_thousands=5)), (CLEO, Stake())):
        move(seat, stake)
    move(CLEO, AcceptThrow())
    assert chance.unused == ()
    return record(UUID(GAME), steps)

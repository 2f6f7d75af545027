"""Situations in the rules' terms, and what a round leads to in them."""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from mcmulti.domain.core.commands import Command, StartGame, TakeSeat
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.core.table import presented
from mcmulti.domain.oil.names import EconomyName
from mcmulti.domain.oil.rules.board import bit
from mcmulti.domain.oil.rules.market import Market
from mcmulti.domain.postal import RULESET
from mcmulti.domain.postal.commands import CloseRound, SubmitOrders
from mcmulti.domain.postal.names import Plot
from mcmulti.domain.postal.refereeing.carrying_out import OrdersOpened
from mcmulti.domain.postal.refereeing.refereeing import TurnBegan
from mcmulti.domain.postal.sheets.sheet import OrderSheet, SellBarrelsOrder
from mcmulti.domain.postal.state import PostalSetup, State
from tests.pure.mcmulti.situations import placed, site
from tests.scripted_chance import ScriptedChance

NAMES = ("Ada", "Ben", "Cleo", "Dan")
CALLED = {f"player-{seat}": name for seat, name in enumerate(NAMES)}
NOTHING = OrderSheet()
A, B, C, D = range(4)


def table(taken: Sequence[int] = range(4), setup: PostalSetup | None = None) -> State:
    """A table before the start."""
    opened = RULESET.open("game", setup or PostalSetup(), ScriptedChance())
    assert not isinstance(opened, Rejection)
    state = presented(opened.state, CALLED)
    for seat in taken:
        state = after(state, None, TakeSeat(f"player-{seat}", seat))
    return state


def started(setup: PostalSetup | None = None) -> State:
    """A game that waits for the sheets of round 1."""
    return after(table(setup=setup), A, StartGame())


def situation(
    *,
    round: int = 5,
    climate: EconomyName = "recovery",
    cash: Mapping[int, int] | int = 100,
    crude: Mapping[int, int] | int = 0,
    gasoline: Mapping[int, int] | int = 0,
    assets: Mapping[int, str] | None = None,
    hits: Mapping[int, str] | None = None,
    struck: Mapping[int, str] | None = None,
    consumer: int = 26,
    domestic: Market | None = None,
    foreign: Market | None = None,
    conversions: int = 0,
    changes: int = 0,
) -> State:
    """A game that waits for sheets. In round 5, the order is A, B, C, D again.

    `assets`: the assets in each seat's quadrant, as in ``"rig 1-1, refinery 4-4"`` (row-column). `hits`: what its own
    last roll hit. `struck`: the rig that it hit twice, as in ``"1-1"``.
    """
    state = started()
    return replace(
        state,
        round=round,
        order=tuple((round - 1 + place) % 4 for place in range(4)),
        economy=climate,
        players=tuple(
            replace(player, cash=_of(cash, seat), crude=_of(crude, seat), gasoline=_of(gasoline, seat))
            for seat, player in enumerate(state.players)
        ),
        quadrants=tuple(placed((assets or {}).get(seat, "")) for seat in range(4)),
        hits=tuple(placed((hits or {}).get(seat, "")) for seat in range(4)),
        struck=tuple(bit(site(struck[seat])) if struck and seat in struck else 0 for seat in range(4)),
        consumer_price=consumer,
        domestic=domestic or state.domestic,
        foreign=foreign or state.foreign,
        conversions=conversions,
        climate_changes=changes,
    )


def _of(amounts: Mapping[int, int] | int, seat: int) -> int:
    return amounts if isinstance(amounts, int) else amounts.get(seat, 0)


def plot(text: str) -> Plot:
    """A plot, as in ``plot("2-3")``: row 2, column 3."""
    row, column = text.split("-")
    return Plot(int(row), int(column))


def events(state: State, seat: int | None, command: Command, dice: Sequence[int] = ()) -> list[Struct]:
    """The events when the seat sends the command. Every given die must be used."""
    chance = ScriptedChance(dice)
    decision = RULESET.decide(state, seat, command, chance)
    assert not isinstance(decision, Rejection), decision
    assert chance.unused == ()
    return [fact.event for fact in decision.facts]


def after(state: State, seat: int | None, command: Command, dice: Sequence[int] = ()) -> State:
    """The state after the seat sent the command."""
    decision = RULESET.decide(state, seat, command, ScriptedChance(dice))
    assert not isinstance(decision, Rejection), decision
    return decision.state


def refused(state: State, seat: int | None, command: Command) -> Rejection:
    """Why the seat may not send the command."""
    decision = RULESET.decide(state, seat, command, ScriptedChance())
    assert isinstance(decision, Rejection), decision
    return decision


HARMLESS = (1, 2) * 4
"""Dice for a round: row 1 and column 2 for everybody."""


def refereed(
    state: State, sheets: Mapping[int, OrderSheet], dice: Sequence[int] = HARMLESS
) -> tuple[list[Struct], State]:
    """What the round leads to. Seats that are not named send no sheet. Every given die must be used."""
    for seat, sheet in list(sheets.items()):
        if len(sheets) < 4 or seat != max(sheets):
            state = after(state, seat, SubmitOrders(state.round, sheet))
    last: tuple[int | None, Command] = (None, CloseRound(state.round))
    if len(sheets) == 4:
        last = max(sheets), SubmitOrders(state.round, sheets[max(sheets)])
    return events(state, *last, dice), after(state, *last, dice)


def won() -> tuple[list[Struct], State]:
    """A round that A wins before any die falls, and the state after it: 995 and a barrel of crude for 5."""
    sale = OrderSheet(trades=(SellBarrelsOrder("domestic", "crude", 1),))
    return refereed(situation(cash={A: 995}, crude={A: 1}), {A: sale, B: NOTHING, C: NOTHING, D: NOTHING}, ())


def turn_of(seat: int, happened: Sequence[Struct]) -> list[Struct]:
    """The events of a seat's turn, without revealed parts of sheets."""
    begins = [index for index, event in enumerate(happened) if isinstance(event, TurnBegan)]
    (first,) = [index for index in begins if happened[index].seat == seat]  # type: ignore[attr-defined]
    end = next((index for index in begins if index > first), len(happened))
    return [event for event in happened[first + 1 : end] if not isinstance(event, OrdersOpened)]


def orders_of(seat: int, state: State, sheet: OrderSheet) -> list[Struct]:
    """What a seat's sheet does in phases 1 and 2, when everybody else sends an empty one."""
    sheets = {each: sheet if each == seat else NOTHING for each in range(4)}
    happened = turn_of(seat, refereed(state, sheets)[0])
    names = [type(event).__name__ for event in happened]
    return happened[: names.index("DiceRolled")]

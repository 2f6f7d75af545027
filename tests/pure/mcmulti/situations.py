"""Situations in the rulebook's terms, and what follows from a move in them."""

from collections.abc import Mapping, Sequence
from typing import get_args

from msgspec import Struct
from msgspec.structs import replace

from mcmulti.domain.core.capabilities.undo import Undo
from mcmulti.domain.core.commands import Command, StartGame, TakeSeat
from mcmulti.domain.core.offers import Offer, Range, Rejection
from mcmulti.domain.core.table import presented
from mcmulti.domain.mcmulti import RULESET, commands
from mcmulti.domain.mcmulti.components import NewsName
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.domain.mcmulti.state import News, State, Turn
from mcmulti.domain.oil.names import EconomyName, Site
from mcmulti.domain.oil.rules.board import bit
from mcmulti.domain.oil.rules.market import Market
from mcmulti.domain.oil.rules.quadrant import EMPTY, Quadrant
from tests.scripted_chance import ScriptedChance

NAMES = ("Ada", "Ben", "Cleo", "Dan")
CALLED = {f"player-{seat}": name for seat, name in enumerate(NAMES)}

ALL_NEWS: tuple[NewsName, ...] = get_args(NewsName)


def table(seats: int = 4, taken: Sequence[int] | None = None, opener: int | None = None, **setup: object) -> State:
    """A table before the start, with players on every seat or on those `taken`. One of them opened it."""
    chance = ScriptedChance()
    opened_by = None if opener is None else f"player-{opener}"
    opened = RULESET.open("game", Setup(seats=seats, **setup), chance, opened_by)  # type: ignore[arg-type]
    assert not isinstance(opened, Rejection), opened
    state = presented(opened.state, CALLED)
    for seat in range(seats) if taken is None else taken:
        state = after(state, None, TakeSeat(f"player-{seat}", seat))
    return state


def started(players: int = 4, dice: Sequence[int] = (1, 1), first: int | None = 0, undo: Undo = "no") -> State:
    """A game at the start of the special purchase round. `dice`: the two news cards, then those of the start."""
    return after(table(players, first_seat=first, undo=undo), 0, StartGame(), dice)


def situation(
    players: int = 4,
    *,
    quadrant: int = 0,
    economy: EconomyName = "recovery",
    cash: Mapping[int, int] | int = 100,
    crude: Mapping[int, int] | int = 0,
    gasoline: Mapping[int, int] | int = 0,
    assets: Mapping[int, str] | None = None,
    idle: Mapping[int, str] | None = None,
    consumer: int = 26,
    consumer_barrels: int = 1,
    difference: int = 0,
    domestic: Market | None = None,
    foreign: Market | None = None,
    likelier: NewsName = "long_cold_winter",
    less_likely: NewsName = "snap_inspection",
    active: tuple[NewsName, ...] = (),
    turn: int = 5,
) -> State:
    """The market phase of the turn of `quadrant`. Two players own 0+2 and 1+3. With three, quadrant 3 is the ghost's.

    `assets` lists the assets of each quadrant, as in ``"rig 1-1, refinery 4-4"`` (row-column). `idle` lists refineries
    among them that wait for their clean-up.
    """
    state = started(players)
    pile = tuple(card for card in ALL_NEWS if card not in (likelier, less_likely, *active))
    quadrants = tuple(
        replace(
            placed((assets or {}).get(index, "")),
            idle=placed((idle or {}).get(index, "")).refineries,
        )
        for index in range(4)
    )
    return replace(
        state,
        phase="market",
        purchases=(),
        players=tuple(
            replace(player, cash=_of(cash, seat), crude=_of(crude, seat), gasoline=_of(gasoline, seat))
            for seat, player in enumerate(state.players)
        ),
        quadrants=quadrants,
        turn=Turn(turn, quadrant, state.owners[quadrant]),
        economy=economy,
        domestic=domestic or state.domestic,
        foreign=foreign or state.foreign,
        consumer_price=consumer,
        consumer_barrels=consumer_barrels,
        difference=difference,
        news=News(likelier, less_likely, pile, (), active),
    )


def _of(amounts: Mapping[int, int] | int, seat: int) -> int:
    return amounts if isinstance(amounts, int) else amounts.get(seat, 0)


def placed(assets: str) -> Quadrant:
    """A quadrant with the assets listed, as in ``"rig 1-1, refinery 4-4"``."""
    quadrant = EMPTY
    for asset in filter(None, assets.split(", ")):
        kind, place = asset.split(" ")
        row, column = place.split("-")
        site = bit(Site(0, int(row), int(column)))
        assert not quadrant.occupied & site, f"{asset} stands on something"
        quadrant = Quadrant(
            quadrant.rigs | (site if kind == "rig" else 0),
            quadrant.wells | (site if kind == "well" else 0),
            quadrant.stations | (site if kind == "station" else 0),
            quadrant.refineries | (site if kind == "refinery" else 0),
        )
    return quadrant


def assets_phase(state: State, red: int = 1, black: int = 2) -> State:
    """The asset phase of the turn, as if these dice had been rolled and all production was over."""
    return replace(state, phase="assets", turn=replace(state.now, red=red, black=black))


def events(state: State, seat: int | None, command: Command, dice: Sequence[int] = ()) -> list[Struct]:
    """What happens when the seat sends the command. Every given die must be used: red, black, green, news."""
    chance = ScriptedChance(dice)
    decision = RULESET.decide(state, seat, command, chance)
    assert not isinstance(decision, Rejection), decision
    assert chance.unused == (), f"not drawn: {chance.unused}"
    return [fact.event for fact in decision.facts]


def rules(state: State, seat: int | None, command: Command, dice: Sequence[int] = ()) -> list[str]:
    """The rule that each of the events comes from."""
    decision = RULESET.decide(state, seat, command, ScriptedChance(dice))
    assert not isinstance(decision, Rejection), decision
    return [fact.rule for fact in decision.facts]


def after(state: State, seat: int | None, command: Command, dice: Sequence[int] = ()) -> State:
    """The state after the seat's command."""
    chance = ScriptedChance(dice)
    decision = RULESET.decide(state, seat, command, chance)
    assert not isinstance(decision, Rejection), decision
    assert chance.unused == (), f"not drawn: {chance.unused}"
    return decision.state


def rolled(state: State, red: int, black: int, *more: int) -> State:
    """The state after the player to move rolled these dice. `more`: the green die and news draws, in their order."""
    return after(state, state.now.seat, commands.RollDice(), (red, black, *more))


def refused(state: State, seat: int | None, command: Command) -> Rejection:
    """Why the command is refused."""
    decision = RULESET.decide(state, seat, command, ScriptedChance())
    assert isinstance(decision, Rejection), decision
    return decision


def offered(state: State, seat: int | None, command: str) -> list[Offer]:
    """The open offers of one command."""
    return [offer for offer in RULESET.offers(state, seat) if offer.command == command]


def site(text: str, quadrant: int = 0) -> Site:
    """A site, as in ``site("2-3")``: row 2, column 3."""
    row, column = text.split("-")
    return Site(quadrant, int(row), int(column))


def most(state: State, seat: int, command: str) -> int:
    """The greatest quantity offered for a production command. 0 without an offer."""
    ranges = [field for offer in offered(state, seat, command) for field in offer.fields.values()]
    assert len(ranges) <= 1, ranges
    return max((field.max for field in ranges if isinstance(field, Range)), default=0)

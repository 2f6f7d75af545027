"""Games in which the seats take turns: all that those have in common, so that a game adds only its own part.

A game that asks seats in each other's turns, or ends in another way, builds its own `Ruleset`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from importlib import import_module
from operator import attrgetter
from types import new_class
from typing import Any, Literal, Self, TypeVar, get_args, get_type_hints

from msgspec import Struct
from msgspec.structs import replace

from mcmulti.domain.core import every_table
from mcmulti.domain.core.capabilities.capability import Capability
from mcmulti.domain.core.capabilities.positions import opening_of
from mcmulti.domain.core.chance import Draw
from mcmulti.domain.core.commands import Command, StartGame
from mcmulti.domain.core.course.course import Course
from mcmulti.domain.core.course.starting import close_up
from mcmulti.domain.core.event import Event, events_of
from mcmulti.domain.core.figures import Count, GivenEntropy, Seats
from mcmulti.domain.core.flow import Carrier, GameFlow
from mcmulti.domain.core.in_turn import TableInTurn, in_turn
from mcmulti.domain.core.offers import Limit, Offer, by_code
from mcmulti.domain.core.ruleset import Books, Commands, Dice, Ruleset
from mcmulti.domain.core.shown import picture as core
from mcmulti.domain.core.shown.gauges import Die
from mcmulti.domain.core.shown.picture import Picture, Said, Unit
from mcmulti.domain.core.shown.view import ViewInTurns
from mcmulti.domain.core.table import reveal_seed
from mcmulti.domain.core.wording import phrases as common
from mcmulti.domain.core.wording.data import read, there
from mcmulti.domain.core.wording.telling import LANGUAGES, Language, Words, word
from mcmulti.domain.core.wording.texts import texts_in


class TurnTable(TableInTurn, frozen=True, gc=False, kw_only=True):
    """The state of a game in which one seat has the turn, and no other seat is asked in it.

    `phase`: ``seating``, ``over``, or a phase of the game's own. `turn`: the number of the turn, from 1, 0 before the
    first. `at_turn`: the seat that has it. `winners`: the seats that won, empty before the end.
    """

    phase: str = "seating"
    turn: int = 0
    at_turn: int = 0
    winners: tuple[int, ...] = ()

    @property
    def movers(self) -> tuple[int, ...]:
        """The seat that has the turn."""
        return (self.at_turn,)

    def begun(self, players: int) -> Self:
        """The state in which the first phase begins with this many players."""
        raise NotImplementedError(f"{type(self).__name__} does not say how it begins")

    def next_turn(self, draw: Draw | None = None) -> Self:
        """The state in which the next seat has the turn, after this draw, if there was one.

        For a vacant seat the flow gives the default answer.
        """
        draws = self.draws if draw is None else draw.number
        return replace(self, turn=self.turn + 1, at_turn=(self.at_turn + 1) % len(self.player_ids), draws=draws)


S = TypeVar("S", bound=TurnTable)


class GameBegan(Event, frozen=True):
    """The first seat has the turn. `players`: how many play. `entropy`: what they gave to the dice."""

    players: Count
    entropy: GivenEntropy

    def evolve(self, state: S) -> S:
        return replace(state.begun(self.players), turn=1, entropy=self.entropy)


class GameWon(Event, frozen=True):
    """The game is over. `winners`: of those who still play, the seats that have most."""

    winners: Seats

    def evolve(self, state: S) -> S:
        return replace(state, phase="over", winners=self.winners, decided_by="most")

    def form(self, say: object) -> Literal["one", "shared"]:
        return "one" if len(self.winners) == 1 else "shared"


class Phrases(common.Phrases, room=__name__):
    """Phrases of a game in which seats take turns. A game with more phrases extends them."""

    __slots__ = ()


def in_turns(
    package: str,
    *,
    name: str,
    state: type[S],
    view: type[ViewInTurns[Any]],
    moves: Mapping[type[Command], Carrier],
    offers: Mapping[str, Callable[[S, Any, bool], tuple[Offer, ...]]],
    defaults: Mapping[str, Callable[[S, int], Command]],
    over: Callable[[S], bool],
    turns: str,
    ends: str,
    books: Books[S],
    fewest: int = 2,
    version: int = 1,
    limits: Iterable[Limit] = (),
    capabilities: tuple[Capability, ...] = (),
    phrases: type[Phrases] | None = None,
    **facets: Any,
) -> Ruleset[S]:
    """Build the rule set of a game in which the seats take turns.

    `package`: its classes and its texts; its name in every language is a word of its own. `state`, `view`: the types of
    the state and of the view, whose fields are read from the state by name. `moves`: the handler of each command.
    `offers`, `defaults`: by phase, as in `GameFlow`. `over`: whether the game ends here; then the player with the most
    wins. `turns`, `ends`: the rules for the order of turns and the end. `limits`: the game's own. `capabilities`: in
    addition to those of `in_turn`. `facets`: anything else that a `Ruleset` can have.

    Raises `Incomplete` if a text is missing or unused.
    """

    def start(play: Course[S], seat: int, command: StartGame, offer: Offer) -> None:
        close_up(play)
        play.record(GameBegan(len(play.state.chairs), play.state.given_entropy), offer.rule)

    def finish(play: Course[S], rule: str) -> None:
        """The player with the most, out of those who still play, wins."""
        holdings = books.gauges(play.state).holdings
        has = {each.seat: each.amounts[books.money] if each.worth is None else each.worth for each in holdings}
        most = max(has[seat] for seat in play.state.taken)
        play.record(GameWon(tuple(seat for seat in play.state.taken if has[seat] == most)), rule)
        reveal_seed(play)

    def end_if_over(play: Course[S]) -> None:
        if over(play.state):
            finish(play, ends)

    flow: GameFlow[S] = GameFlow(
        capabilities=(*in_turn(opening_of(books.gauges)), *capabilities),
        limits=by_code(
            Limit("too_few_players", "table/start"),
            Limit("out_of_turn", turns),
            Limit("out_of_phase", turns),
            Limit("game_over", ends),
            *limits,
        ),
        carriers={StartGame: start, **moves},
        offers=offers,
        defaults=defaults,
        fewest=fewest,
        turn=attrgetter("turn"),
        at_turn=attrgetter("at_turn"),
        then=end_if_over,
        finish=finish,
    )
    events = events_of(*every_table.events_at(flow.capabilities), *map(import_module, (__name__, package)))
    said = phrases or new_class("Phrases", (Phrases,), {"room": package}, lambda body: body.update(__slots__=()))
    components = read(package, "components.toml") if there(package, "components.toml") else {}
    texts = texts_in(__name__, package, flow=flow, events=events, phrases=said, components=components)
    return Ruleset(
        name=name,
        version=version,
        title=texts.words[LANGUAGES[0]][name],
        setup=get_type_hints(state)["setup"],
        commands=Commands(moves=flow.moves, automatic=flow.by_itself),
        events=events,
        state_type=state,
        view_type=view,
        flow=flow,
        view=view.of,
        texts=texts,
        books=books,
        dice=facets.pop("dice", Dice(thrown=_thrown(events))),
        picture=facets.pop("picture", drawing(texts.words, books)),
        **facets,
    )


def _thrown(events: Sequence[type[Struct]]) -> Callable[[Any], tuple[Die, ...]]:
    """Reads the dice from the fields of an event, named after the fields."""
    fields: dict[type[Struct], list[str]] = {}
    for event in events:
        hints = get_type_hints(event)
        fields[event] = [
            each for each in event.__struct_fields__ if hints[each] is Draw or Draw in get_args(hints[each])
        ]

    def thrown(event: Any) -> tuple[Die, ...]:
        drawn = ((each, getattr(event, each)) for each in fields[type(event)])
        return tuple(Die(each, draw.value) for each, draw in drawn if draw is not None)

    return thrown


def drawing(words: Words, books: Books[Any]) -> Callable[[Any, Language], Picture]:
    """Draws the table of a game with these words, with the units that its books are checked against."""

    def picture(state: Any, language: Language) -> Picture:
        said = partial(word, words, language)
        has = {holding.seat: holding.amounts for holding in books.gauges(state).holdings}
        units = tuple(next(iter(has.values()), {books.money: 0}))
        return Picture(
            language=language,
            title=_title(state, said),
            subtitle=core.called(state, said, state.at_turn) if state.status == "running" else "",
            units=tuple(Unit(said(unit), f"{{}} {said(unit)}") for unit in units),
            seats=tuple(_seat(state, has, units, seat, name) for seat, name in enumerate(core.seated(state, said))),
            result=core.result(state, said, state.winners),
        )

    return picture


def _title(state: Any, said: Said) -> str:
    if state.phase == "over":
        return said("game_over")
    title = f"{said('turn')} {state.turn}" if state.turn else said(state.phase)
    return title[:1].upper() + title[1:]


def _seat(
    state: Any, has: Mapping[int, Mapping[str, int]], units: tuple[str, ...], seat: int, name: str | None
) -> core.Seat:
    amounts = tuple(has[seat][unit] if has else 0 for unit in units)
    return core.Seat(seat, name, amounts, waited_for=seat in state.to_move, rank=_rank(state, has, units[0], seat))


def _rank(state: Any, has: Mapping[int, Mapping[str, int]], money: str, seat: int) -> int | None:
    """The rank: the winners first, the others by their holdings; None before the end."""
    if not state.winners:
        return None
    key = {each: (each in state.winners, has[each][money]) for each in has}
    return 1 + sum(key[other] > key[seat] for other in key)

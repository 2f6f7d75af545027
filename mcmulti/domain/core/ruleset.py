"""Rule sets: values with pure functions, in facets. The engine above knows nothing else about a game."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import force_setattr, replace

from mcmulti.domain.core.capabilities.capability import options
from mcmulti.domain.core.capabilities.positions import BECAUSE, BadPosition, Positions, checked
from mcmulti.domain.core.capabilities.rounds import Past, RoundReport
from mcmulti.domain.core.chance import Chance
from mcmulti.domain.core.commands import TakeSeat, Worded
from mcmulti.domain.core.course.course import Decision, Fact
from mcmulti.domain.core.course.deadlines import Deadlines, Questions
from mcmulti.domain.core.course.positions import Fault, Origin
from mcmulti.domain.core.course.posting import Transfer, Unit
from mcmulti.domain.core.course.terms import Terms, terms_of
from mcmulti.domain.core.event import Opened, SeriesTable
from mcmulti.domain.core.flow import GameFlow
from mcmulti.domain.core.offers import Limit, Offer, Rejection, open_offers
from mcmulti.domain.core.shown.gauges import Columns, Die, Gauges, Luck, Tallied
from mcmulti.domain.core.shown.outcome import Outcome, outcome
from mcmulti.domain.core.shown.picture import Picture
from mcmulti.domain.core.shown.redaction import Redaction
from mcmulti.domain.core.table import Status, Table, TableSetup, slots_of
from mcmulti.domain.core.wording.sentences import Incomplete
from mcmulti.domain.core.wording.telling import Language, Words, word

S = TypeVar("S", bound=Table)
Upcaster = Callable[[dict[str, Any]], dict[str, Any]]
"""Converts the members of an event from an older format to the current one. Current events are unchanged."""


class Commands(Struct, frozen=True, kw_only=True):
    """Which commands exist, and who sends them; types of a rule set's own, tagged by their names."""

    moves: tuple[type[Struct], ...]
    """The commands that seats send."""
    joining: type[Struct] = TakeSeat
    """The command that the server makes when a player sits down: player, name, seat, entropy."""
    automatic: tuple[type[Struct], ...] = ()
    """The commands that the server sends of itself, without a seat."""
    fields: tuple[type[Struct], ...] = ()
    """Kinds of offer fields in addition to `Field`: choices of the rule set's own."""
    unions: Mapping[str, tuple[str, tuple[type[Struct], ...]]] = {}
    """Named unions of types in commands: their description, and their members."""
    forms: Mapping[str, Sequence[Any]] = {}
    """Listed values of forms, by schema, for enumerating moves. All other values of the schema are possible too."""
    worded: tuple[type[Worded], ...] = ()
    """Moves in words. They appear in no offer and no log, only the moves that they stand for do."""
    weights: Mapping[str, int] = {}
    """How likely a random player makes a move, by its name, in hundredths of the likelihood of others."""

    @property
    def logged(self) -> tuple[type[Struct], ...]:
        """All commands that can be in a log."""
        return (self.joining, *self.automatic, *self.moves)


class Texts(Struct, Generic[S], frozen=True, kw_only=True):
    """The texts of a rule set for people."""

    rules: Mapping[Language, Mapping[str, str]]
    """The text of every rule, by language and id."""
    words: Words
    """The words for names of the rule set, including reasons of transfers."""
    limits: Mapping[str, Limit]
    """Every rejection code, with its rule."""
    tell: Callable[[S | None, Any, Language], str]
    """Describes an event in a sentence, given the state before it."""
    tell_offer: Callable[[S, Offer, Language], str]
    """Describes an offer in a sentence, given the state in which it is made."""
    tell_refusal: Callable[[Rejection, Language], str]
    """Explains a refusal in a sentence."""
    components: Mapping[str, Any]
    """Cards, markets, and numbers with their sources, as published."""
    properties: Mapping[str, str] = {}
    """The description of each field by its name, whichever type of the rule set it is in."""
    rooms: tuple[str, ...] = ()
    """The packages with the files of all this, the game's own last."""


class Books(Struct, Generic[S], frozen=True, kw_only=True):
    """What the books count."""

    money: Unit
    """The unit that is money: what is earned and spent."""
    gauges: Callable[[S], Gauges]
    """The numbers that are tracked through a game."""
    priced: bool = False
    """Whether `Gauges.prices` is ever filled."""
    fetches: Callable[[S], Mapping[Unit, int]] = lambda state: {}
    """What the next piece of a unit earns, in money; empty before the start."""
    valued: bool = False
    """Whether not only money counts: `Holding.worth` is then not None."""
    periods: tuple[str, ...] = ()
    """The possible values of `Gauges.period`, from the worst times to the best; empty if all times are alike."""
    transfers: Callable[[Any], tuple[Transfer, ...]] = lambda event: event.transfers()
    """The transfers of an event in the books."""


def throws_none(event: Any) -> tuple[Die, ...]:
    """The dice of a game without any."""
    return ()


def no_luck(state: Any, event: Any) -> tuple[Luck, ...]:
    """The luck in a game without luck statistics."""
    return ()


class Dice(Struct, Generic[S], frozen=True, kw_only=True):
    """Dice and luck. Drawn cards are not dice."""

    thrown: Callable[[Any], tuple[Die, ...]] = throws_none
    """The dice that an event threw."""
    luck: Callable[[S, Any], tuple[Luck, ...]] = no_luck
    """How lucky a roll was, given the state before the event. Empty for an event that is not a roll with luck."""


class Tallies(Struct, Generic[S], frozen=True, kw_only=True):
    """Tables of numbers that are kept in addition to the books."""

    columns: Columns
    """The columns of every table."""
    tallied: Callable[[S, Any], tuple[Tallied, ...]]
    """What an event adds to them, given the state before the event."""


class Ruleset(Struct, Generic[S], frozen=True, kw_only=True, eq=False):
    """A game's rules. `(name, version)` is in the first event and decides forever what folds the log.

    `seat` is None for somebody without a seat. Every function is pure: chance is an argument. A facet that the game
    does not have is None.
    """

    name: str
    version: int
    title: str
    """The game and its edition. Its displayed name in each language is the word for its `name`."""
    setup: type[Struct]
    """What a game is created with, decoded strictly from the request."""
    commands: Commands
    events: tuple[type[Struct], ...]
    """Every event type, tagged by its name.

    The first has the `commitment` to the seed of the dice; `SeedRevealed` has the `seed`, in the end.
    """
    upcasters: Mapping[str, Upcaster] = {}
    """How to read events that were written in older formats, by type."""
    state_type: type[S]
    """What `evolve` returns."""
    view_type: type[Struct]
    """What `view` returns."""

    unfit: Callable[[Any], Rejection | None] = lambda setup: None
    """Why no game can be opened with a setup, though it was decoded; None if one can."""
    faults: Callable[[S], Iterable[Fault]] = lambda state: ()
    """Faults of a written position in which everybody plays; empty if a game can stand like that."""
    flow: GameFlow[S]
    evolve: Callable[[S | None, Any], S] = lambda state, event: event.evolve(state)
    view: Callable[[S, int | None], Struct]
    turn: Callable[[S], int] = attrgetter("turn")
    """The number of the current turn, from 1; 0 before the first."""
    outcome: Callable[[S], Outcome] = outcome
    """Who plays, and who won."""
    status: Callable[[S], Status] = attrgetter("status")
    """``open`` before the start, ``finished`` at the end, ``running`` between."""
    to_move: Callable[[S], tuple[int, ...]] = attrgetter("to_move")
    """The seats that the game is waiting for."""
    players: Callable[[S], tuple[str | None, ...]] = attrgetter("player_ids")
    """Who sits where, by seat: player ids."""
    setup_of: Callable[[S], TableSetup] = attrgetter("setup")
    """What the game was created with."""

    texts: Texts[S]
    books: Books[S]
    dice: Dice[S] = Dice()
    tallies: Tallies[S] | None = None
    picture: Callable[[S, Language], Picture] | None = None
    report: Callable[[S, Sequence[Past], Language], RoundReport] | None = None
    """A round in a referee's words, given the state before it and its events; None if rounds are not reported."""
    redactions: tuple[Redaction[S], ...] = ()
    """What must be hidden from some readers. That of capabilities need not be given."""
    seals_by_seat: bool = False
    """Whether a seat may read some events before others; follows from the redactions."""
    deadlines: Deadlines[S] | None = None
    """Its time limits; set by a capability."""
    questions: Questions[S] | None = None
    """Answers for seats that are asked in others' turns; set by a capability."""
    bots: tuple[str, ...] = ("random",)
    """The strategies with which bots of the server play it, the weakest first."""

    def __post_init__(self) -> None:
        """Raises `Incomplete` if the setup or state has no field for a capability, or one for a capability that the
        game does not have.
        """
        capabilities = self.flow.capabilities
        agreed = {field for field in self.setup.__struct_fields__ if field in options()}
        slots = {name for name, _ in slots_of(self.state_type)}
        for found, wanted, holder in (
            (agreed, {each.option for each in capabilities if each.option}, self.setup),
            (slots, {each.slot for each in capabilities if each.slot}, self.state_type),
        ):
            if found != wanted:
                raise Incomplete(f"{holder.__name__}: {sorted(found ^ wanted)} in its fields or in capabilities only")
        redactions = (*self.redactions, *(found for each in capabilities for found in each.redactions))
        force_setattr(self, "redactions", redactions)
        force_setattr(self, "seals_by_seat", any(each.by_seat for each in redactions))
        for facet in ("deadlines", "questions"):
            provided = (getattr(each, facet)(self.flow) for each in capabilities)
            force_setattr(self, facet, next(filter(None, provided), None))

    def open(
        self,
        game_id: str,
        setup: Any,
        chance: Chance,
        opened_by: str | None = None,
        origin: Origin | None = None,
        series: SeriesTable | None = None,
    ) -> Decision[S] | Rejection:
        """The first event (`chance/commitment`), given a game id, a setup, and the player who opens the table, if any.

        With an `origin`, the game is for practice. Raises `BadPosition` if it cannot begin with that. `series`: the
        place of the table in a series.
        """
        unfit = (capability.unfit(self.flow, setup) for capability in self.flow.capabilities)
        rejection = self.unfit(setup) or next((found for found in unfit if found is not None), None)
        if rejection is not None:
            return rejection
        [opening] = [event for event in self.events if issubclass(event, Opened)]
        opened = opening(game_id, self.name, self.version, setup, chance.commitment, opened_by)
        if series is not None:
            opened = replace(opened, series=series)
        state = opened.evolve(None)
        if origin is not None:
            if self.flow.has(Positions) is None or not setup.practice:
                raise BadPosition((Fault("", BECAUSE("practice_only")),), readable=True)
            origin = replace(origin, position=checked(self, state, origin.position))
            opened, state = replace(opened, origin=origin), replace(state, origin=origin)
        return Decision((Fact(opened, "chance/commitment"),), state)

    def terms(self, setup: Any) -> Terms:
        """The terms of a table with this setup."""
        return terms_of(self, setup)

    def called(self, language: Language) -> str:
        """The displayed name of the game: the word for its name, or else its title."""
        return self.texts.words[language].get(self.name, self.title)

    def amount(self, language: Language) -> str:
        """How to write an amount of money, such as ``{} florins``: the word for `amount_of_money`, or else the unit."""
        said = self.texts.words[language]
        return said.get("amount_of_money") or f"{{}} {word(self.texts.words, language, self.books.money)}"

    def redaction(self, type_: str) -> Redaction[S] | None:
        """What must be hidden of events of this type; None if nothing."""
        return next((each for each in self.redactions if each.type == type_), None)

    def offers(self, state: S, seat: int | None) -> tuple[Offer, ...]:
        """What the game asks of a seat now. Together with `besides` it is the law: what no offer admits is
        not legal.
        """
        return self.flow.open(state, seat)

    def besides(self, state: S, seat: int | None) -> tuple[Offer, ...]:
        """What a seat may also do at any time, in every game: resign, propose an end, answer a proposal."""
        return open_offers(self.flow.besides(state, seat))

    def admit(self, state: S, seat: int | None, command: Any) -> Offer | Rejection:
        """The offer that makes a command legal, or why none does. It uses no chance: a refusal cannot
        reveal the dice.
        """
        return self.flow.admit(state, seat, command)

    def carry_out(self, state: S, seat: int | None, command: Any, offer: Offer, chance: Chance) -> Decision[S]:
        """The results of a command that this offer admitted. It cannot refuse: draws are final."""
        return self.flow.carry_out(state, seat, command, offer, chance)

    def decide(self, state: S, seat: int | None, command: Any, chance: Chance) -> Decision[S] | Rejection:
        """The results of a command, which are the events up to the next decision; or why it is refused."""
        offer = self.admit(state, seat, command)
        return offer if isinstance(offer, Rejection) else self.carry_out(state, seat, command, offer, chance)

"""What a rule set is: a value with pure functions, in facets. The engine above knows nothing else about a game."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import force_setattr, replace

from mcmulti.domain.core.capabilities.capability import options
from mcmulti.domain.core.capabilities.positions import Positions
from mcmulti.domain.core.capabilities.positions.reading import BadPosition, checked
from mcmulti.domain.core.capabilities.rounds.reports import Past, RoundReport
from mcmulti.domain.core.chance import Chance
from mcmulti.domain.core.commands import StartGame, TakeSeat, Worded
from mcmulti.domain.core.course.course import Decision, Fact
from mcmulti.domain.core.course.deadlines import Deadlines
from mcmulti.domain.core.course.positions import Fault, Origin
from mcmulti.domain.core.course.posting import Transfer, Unit
from mcmulti.domain.core.course.questions import Questions
from mcmulti.domain.core.course.terms import Terms, terms_of
from mcmulti.domain.core.event import Opened, evolve, transfers
from mcmulti.domain.core.flow import GameFlow
from mcmulti.domain.core.offers import Limit, Offer, Rejection, open_offers
from mcmulti.domain.core.setup import TableSetup
from mcmulti.domain.core.shown.gauges import Gauges
from mcmulti.domain.core.shown.luck import Die, Luck
from mcmulti.domain.core.shown.outcome import Outcome, outcome
from mcmulti.domain.core.shown.picture import Picture
from mcmulti.domain.core.shown.redaction import Redaction
from mcmulti.domain.core.shown.tallies import Columns, Tallied
from mcmulti.domain.core.table import Status, Table, slots_of
from mcmulti.domain.core.wording.sentences import Incomplete
from mcmulti.domain.core.wording.telling import Language, Words, word

S = TypeVar("S", bound=Table)
Upcaster = Callable[[dict[str, Any]], dict[str, Any]]
"""From the members of an event, as they were written once, to those it has today; those of today it leaves alone."""


class Commands(Struct, frozen=True, kw_only=True):
    """What may be asked for, and by whom; types of a rule set's own, tagged by their names."""

    moves: tuple[type[Struct], ...]
    """The commands that seats send."""
    joining: type[Struct] = TakeSeat
    """The command the server makes when somebody sits down: player, name, seat, entropy."""
    starting: type[Struct] = StartGame
    """The move, without fields, that starts the game when the table is ready."""
    automatic: tuple[type[Struct], ...] = ()
    """The commands that the server sends of itself, with no seat."""
    fields: tuple[type[Struct], ...] = ()
    """What the fields of its offers may be besides `Field`: choices of the rule set's own."""
    unions: Mapping[str, tuple[str, tuple[type[Struct], ...]]] = {}
    """Unions of types in commands that have names of their own: what they are, and their members."""
    forms: Mapping[str, Sequence[Any]] = {}
    """Values of forms, by their schema, for whoever lists moves; all others of the schema may be written as well."""
    worded: tuple[type[Worded], ...] = ()
    """Moves that may be sent in words as well: what no offer names and no log holds, but the moves they stand for."""
    weights: Mapping[str, int] = {}
    """How likely a random player makes a move, by its name, in hundredths of how likely it makes others."""

    @property
    def logged(self) -> tuple[type[Struct], ...]:
        """All commands that may stand in a log."""
        return (self.joining, *self.automatic, *self.moves)


class Texts(Struct, Generic[S], frozen=True, kw_only=True):
    """What a rule set says to people."""

    rules: Mapping[Language, Mapping[str, str]]
    """The text of every rule, by language and id."""
    words: Words
    """What people call what the rule set has names for, reasons of transfers among it."""
    limits: Mapping[str, Limit]
    """Every code a rejection can have, with its rule."""
    tell: Callable[[S | None, Any, Language], str]
    """What happened, in a sentence; from the state before the event."""
    tell_offer: Callable[[S, Offer, Language], str]
    """What may be done, in a sentence; from the state that the offer is made in."""
    tell_refusal: Callable[[Rejection, Language], str]
    """Why something is refused, in a sentence."""
    components: Mapping[str, Any]
    """Cards, markets and figures with their provenance, as published."""
    properties: Mapping[str, str] = {}
    """What a field of that name is, in whichever type of the rule set it stands."""
    rooms: tuple[str, ...] = ()
    """The packages whose files say all this, the last one the game's own."""


def fetches_nothing(state: Any) -> Mapping[Unit, int]:
    """What pieces fetch in a game in which only money counts."""
    return {}


class Books(Struct, Generic[S], frozen=True, kw_only=True):
    """What is counted."""

    money: Unit
    """The unit that is money: what is earned and spent."""
    gauges: Callable[[S], Gauges]
    """The figures that are followed through a game."""
    priced: bool = False
    """Whether `Gauges.prices` has any."""
    fetches: Callable[[S], Mapping[Unit, int]] = fetches_nothing
    """What the next piece of a unit fetches, in money; empty before the start."""
    valued: bool = False
    """Whether more than money counts: `Holding.worth` is then not None."""
    periods: tuple[str, ...] = ()
    """What `Gauges.period` may be, from the worst times to the best; none where all times are alike."""
    transfers: Callable[[Any], tuple[Transfer, ...]] = transfers
    """What an event moves in the books."""


def throws_none(event: Any) -> tuple[Die, ...]:
    """The dice of a game without any."""
    return ()


def no_luck(state: Any, event: Any) -> tuple[Luck, ...]:
    """The luck of a game in which none is told."""
    return ()


class Dice(Struct, Generic[S], frozen=True, kw_only=True):
    """What is thrown, and what luck it was. Cards that are drawn are no dice."""

    thrown: Callable[[Any], tuple[Die, ...]] = throws_none
    """The dice that an event threw."""
    luck: Callable[[S, Any], tuple[Luck, ...]] = no_luck
    """How lucky a roll was; from the state before the event. Empty for what is no roll that may be lucky."""


class Tallies(Struct, Generic[S], frozen=True, kw_only=True):
    """Tables of figures that are kept beside the books."""

    columns: Columns
    """The columns of every table."""
    tallied: Callable[[S, Any], tuple[Tallied, ...]]
    """What an event adds to them; from the state before the event."""


class Ruleset(Struct, Generic[S], frozen=True, kw_only=True, eq=False):
    """A game's rules. `(name, version)` stands in the first event and decides for ever what folds the log.

    `seat` is None for somebody who has no seat. Every function is pure: chance is an argument. A facet that is None
    is one that the game does not have.
    """

    name: str
    version: int
    title: str
    """The game and its edition; what people call it in each language is the word for its `name`."""
    setup: type[Struct]
    """What a game is created with; decoded strictly from the request."""
    commands: Commands
    events: tuple[type[Struct], ...]
    """Every event there is, tagged by its name.

    The first has the `commitment` to the seed of the dice; `SeedRevealed` has the `seed`, in the end.
    """
    upcasters: Mapping[str, Upcaster] = {}
    """How the events of a type are read that were written in other shapes."""
    state_type: type[S]
    """What `evolve` returns."""
    view_type: type[Struct]
    """What `view` returns."""

    unfit: Callable[[Any], Rejection | None] = lambda setup: None
    """Why no game can be opened with a setup, though it was decoded; None if one can."""
    faults: Callable[[S], Iterable[Fault]] = lambda state: ()
    """What is wrong with a position that was written down, in which everybody plays; nothing if a game can stand so."""
    flow: GameFlow[S]
    evolve: Callable[[S | None, Any], S] = evolve
    view: Callable[[S, int | None], Struct]
    turn: Callable[[S], int] = attrgetter("turn")
    """The number of the turn that is played, from 1; 0 before the first."""
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
    """A round in a referee's words: from the state before it and its events; None where rounds are not reported."""
    redactions: tuple[Redaction[S], ...] = ()
    """What not everybody may know; that of capabilities need not be given."""
    deadlines: Deadlines[S] | None = None
    """How long it waits; a capability says so."""
    questions: Questions[S] | None = None
    """What is answered for seats that are asked in others' turns; a capability says so."""
    bots: tuple[str, ...] = ("random",)
    """The strategies by which bots of the server play it, the weakest first."""

    def __post_init__(self) -> None:
        """Raises `Incomplete` where setup or state have no place for a capability, or one for a capability that the
        game has not.
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
        for facet in ("deadlines", "questions"):
            provided = (getattr(each, facet)(self.flow) for each in capabilities)
            force_setattr(self, facet, next(filter(None, provided), None))

    def open(
        self, game_id: str, setup: Any, chance: Chance, opened_by: str | None = None, origin: Origin | None = None
    ) -> Decision[S] | Rejection:
        """From a game id and a setup to the first event (`chance/commitment`), for this player, if it is one.

        With an `origin` a practice game. Raises `BadPosition` if it cannot begin with that.
        """
        unfit = (capability.unfit(self.flow, setup) for capability in self.flow.capabilities)
        rejection = self.unfit(setup) or next((found for found in unfit if found is not None), None)
        if rejection is not None:
            return rejection
        [opening] = [event for event in self.events if issubclass(event, Opened)]
        opened = opening(game_id, self.name, self.version, setup, chance.commitment, opened_by)
        state = opened.evolve(None)
        if origin is not None:
            if self.flow.has(Positions) is None or not setup.practice:
                raise BadPosition((Fault("", "only games for practice begin from a position"),), readable=True)
            origin = replace(origin, position=checked(self, state, origin.position))
            opened, state = replace(opened, origin=origin), replace(state, origin=origin)
        return Decision((Fact(opened, "chance/commitment"),), state)

    def terms(self, setup: Any) -> Terms:
        """What a table with this setup agreed on."""
        return terms_of(self, setup)

    def called(self, language: Language) -> str:
        """What people call the game: the word for its name, or else its title."""
        return self.texts.words[language].get(self.name, self.title)

    def amount(self, language: Language) -> str:
        """How an amount of money is written, as in ``{} florins``: the word for `amount_of_money`, or else the unit."""
        said = self.texts.words[language]
        return said.get("amount_of_money") or f"{{}} {word(self.texts.words, language, self.books.money)}"

    def redaction(self, type_: str) -> Redaction[S] | None:
        """What not everybody may know of events of this type; None if it is nothing."""
        return next((each for each in self.redactions if each.type == type_), None)

    def offers(self, state: S, seat: int | None) -> tuple[Offer, ...]:
        """What the game asks of a seat now. With `besides` it is the law: what none of them admits is not legal."""
        return self.flow.open(state, seat)

    def besides(self, state: S, seat: int | None) -> tuple[Offer, ...]:
        """What a seat may do at any time besides, in every game: resign, propose an end, answer a proposal."""
        return open_offers(self.flow.besides(state, seat))

    def admit(self, state: S, seat: int | None, command: Any) -> Offer | Rejection:
        """The offer that makes a command legal, or why none does. It has no chance: a refusal cannot tell the dice."""
        return self.flow.admit(state, seat, command)

    def carry_out(self, state: S, seat: int | None, command: Any, offer: Offer, chance: Chance) -> Decision[S]:
        """What follows from a command that this offer admitted. It cannot refuse: what was drawn is kept."""
        return self.flow.carry_out(state, seat, command, offer, chance)

    def decide(self, state: S, seat: int | None, command: Any, chance: Chance) -> Decision[S] | Rejection:
        """What follows from a command: the events up to the next decision; or why it is refused."""
        offer = self.admit(state, seat, command)
        return offer if isinstance(offer, Rejection) else self.carry_out(state, seat, command, offer, chance)

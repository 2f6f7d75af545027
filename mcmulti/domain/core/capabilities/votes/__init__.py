"""Ends by agreement: one player proposes, the others vote, and the votes are secret until the game is over."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from mcmulti.domain.core.capabilities import leaving
from mcmulti.domain.core.capabilities.capability import Capability, CapabilityCarrier, Slot
from mcmulti.domain.core.capabilities.leaving.departures import departures_of
from mcmulti.domain.core.commands import Command, Place
from mcmulti.domain.core.course.course import Course
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Count, Salt, Seat
from mcmulti.domain.core.offers import Field, FlagChoice, Limit, Offer, TextChoice
from mcmulti.domain.core.shown.redaction import Redaction
from mcmulti.domain.core.table import HOUSE, Table, people, reveal_seed

if TYPE_CHECKING:
    from mcmulti.domain.core.flow import GameFlow

T = TypeVar("T", bound=Table)
How = Annotated[
    Literal["rank", "call_off"],
    Meta(
        description="How players end a game early: with the final sale and ranking now (`rank`), or without a"
        " winner (`call_off`)."
    ),
]

RULE = "table/propose-end"

ROUNDS = 4
"""By default, this many rounds of turns must be over before players may agree on a ranking."""

LIMITS = (
    Limit("ranked_too_early", RULE),
    Limit("nothing_proposed", RULE),
    Limit("already_proposed", RULE),
    Limit("proposed_before", RULE),
    Limit("already_agreed", RULE),
)
"""The limits for agreeing on an end."""


class Proposal(Struct, frozen=True, gc=False):
    """A proposal to end the game: how, in which `turn` it was made, and the seats that agree, proposer first."""

    how: How
    turn: int
    agreed: tuple[Seat, ...]


class Proposals(Slot, frozen=True, gc=False):
    """Proposals to end the game. `open`: the one that waits for answers. `proposed`: the seats that made
    one in `turn`.
    """

    open: Proposal | None = None
    turn: int = -1
    proposed: tuple[Seat, ...] = ()

    def vacated(self, seat: int) -> Self:
        """Remove the vote of a player who left."""
        if self.open is None:
            return self
        agreed = tuple(other for other in self.open.agreed if other != seat)
        return replace(self, open=replace(self.open, agreed=agreed))


NO_PROPOSALS = Proposals()


def proposals_of(state: Any) -> Proposals:
    """The proposals to end a game; empty if players cannot make any."""
    proposals: Proposals = getattr(state, "proposals", NO_PROPOSALS)
    return proposals


def open_proposal(state: Any) -> Proposal:
    """The proposal that waits for answers. Raises `LookupError` if there is none."""
    proposal = proposals_of(state).open
    if proposal is None:
        raise LookupError("nobody proposes to end the game")
    return proposal


class ProposeEnd(Command, frozen=True):
    """Propose to all players to end the game now (`table/propose-end`)."""

    how: How


class AnswerEnd(Command, frozen=True):
    """Agree to a proposal to end the game, or refuse it (`table/propose-end`).

    `accept`: whether the seat agrees.
    """

    secret: ClassVar[bool] = True
    place: ClassVar[Place | None] = "answer"

    how: How
    accept: bool

    @staticmethod
    def form(offer: Offer) -> Literal["rank", "call_off"]:
        return "rank" if offer.fields["how"].admits("rank") else "call_off"


class EndProposed(Event, frozen=True):
    """A player proposed to end the game. `turn`: the turn, or round, in which it was made and must be answered."""

    seat: Seat
    how: How
    turn: Count

    def evolve(self, state: T) -> T:
        proposals = proposals_of(state)
        before = proposals.proposed if proposals.turn == self.turn else ()
        proposal = Proposal(self.how, self.turn, (self.seat,))
        return replace(state, proposals=Proposals(proposal, self.turn, (*before, self.seat)))

    def form(self, say: object) -> Literal["rank", "call_off"]:
        return self.how


class VoteCast(Event, frozen=True):
    """A player answered a proposal. Who and how is sealed, for everybody, until the game is over.

    `seat`: whose vote it is, null if that is not known. `accept`: whether the seat agrees, null if that is not known.
    `salt`: keeps others from guessing the vote from its digest.
    """

    seat: Seat | None
    accept: bool | None
    salt: Salt

    def evolve(self, state: T) -> T:
        voted: T = replace(state, salts=state.salts + 1)
        if self.seat is None or not self.accept:
            return voted
        proposal = open_proposal(state)
        agreed = replace(proposal, agreed=(*proposal.agreed, self.seat))
        return replace(voted, proposals=replace(proposals_of(state), open=agreed))

    def about(self, actor: int | None) -> int | None:
        """None: the voter stays sealed."""
        return None


class EndAgreedTo(Event, frozen=True):
    """One more player agrees to a proposal. `agreed`: how many do now. `players`: how many play."""

    agreed: Count
    players: Count

    def evolve(self, state: T) -> T:
        return state


class EndProposalFell(Event, frozen=True):
    """A proposal to end the game failed. `why`: somebody refused it, or the turn in which it was made is over."""

    why: Literal["refused", "turn"]

    def evolve(self, state: T) -> T:
        return replace(state, proposals=replace(proposals_of(state), open=None))

    def form(self, say: object) -> Literal["refused", "turn"]:
        return self.why


class EndAgreed(Event, frozen=True):
    """All players agreed to end the game now."""

    how: How

    def evolve(self, state: T) -> T:
        off = self.how == "call_off"
        departures = replace(departures_of(state), ended="called_off" if off else "agreed")
        agreed: T = replace(state, departures=departures, proposals=NO_PROPOSALS)
        return agreed.called_off() if off else agreed

    def form(self, say: object) -> Literal["rank", "call_off"]:
        return self.how


_HOWS = TextChoice(("rank", "call_off"))
_EARLY = TextChoice(("call_off",), "ranked_too_early")


def _propose(game: "GameFlow[Any]", play: Course[T], seat: int, command: ProposeEnd, offer: Offer) -> None:
    play.record(EndProposed(seat, command.how, game.number(play.state)), offer.rule)


def _answer(game: "GameFlow[Any]", play: Course[T], seat: int, command: AnswerEnd, offer: Offer) -> None:
    play.record(VoteCast(seat, command.accept, play.chance.salt(play.state.salts + 1)), offer.rule)
    if not command.accept:
        play.record(EndProposalFell("refused"), offer.rule)
        return
    play.record(EndAgreedTo(len(open_proposal(play.state).agreed), len(people(play.state))), offer.rule)
    _end_if_agreed(game, play)


def _end_if_agreed(game: "GameFlow[Any]", play: Course[T]) -> None:
    proposal = open_proposal(play.state)
    if not set(people(play.state)) <= set(proposal.agreed):
        return
    play.record(EndAgreed(proposal.how), RULE)
    if proposal.how == "rank":
        game.finish(play, RULE)
    else:
        reveal_seed(play)


def _sealed(state: Table, event: Any, seat: int | None) -> bool:
    """Votes are sealed for everybody until the game is over (`table/propose-end`)."""
    return state.phase != "over"


def _stand_in(types: Sequence[str], seat: int | None) -> VoteCast:
    """The stand-in to fold for a sealed vote."""
    return VoteCast(None, None, "0" * 32)


_VOTES: Redaction[Any] = Redaction(type=VoteCast.__name__, sealed=_sealed, stand_in=_stand_in, by_seat=False)
"""How players answer a proposal to end the game."""


class Votes(Capability, frozen=True, kw_only=True):
    """Proposals to end the game, and votes on them.

    `rounds`: how many rounds must be over (or rounds of turns, in games without rounds) before all may agree on a
    ranking. Earlier, a ranking would say nothing about how well they play.
    """

    rounds: int = ROUNDS

    room: ClassVar[str] = __name__
    slot: ClassVar[str] = "proposals"
    needs: ClassVar[tuple[str, ...]] = (leaving.__name__,)
    events: ClassVar[tuple[type[Event], ...]] = (EndProposed, VoteCast, EndAgreedTo, EndProposalFell, EndAgreed)
    limits: ClassVar[tuple[Limit, ...]] = LIMITS
    carriers: ClassVar[Mapping[type[Command], CapabilityCarrier]] = {ProposeEnd: _propose, AnswerEnd: _answer}
    aside: ClassVar[tuple[type[Command], ...]] = (ProposeEnd, AnswerEnd)
    redactions: ClassVar[tuple[Redaction[Any], ...]] = (_VOTES,)

    def besides(self, game: "GameFlow[Any]", state: Any, seat: int) -> tuple[Offer, ...]:
        """Propose an end, or answer a proposal, including blocked offers. Early in a game it can only be called off.

        Ends are agreed on by people: house bots have no vote.
        """
        if state.player_ids[seat] in HOUSE:
            return ()
        number, proposals = game.number(state), state.proposals
        proposal = proposals.open
        may_propose = None
        if proposal is not None:
            may_propose = "already_proposed"
        elif proposals.turn == number and seat in proposals.proposed:
            may_propose = "proposed_before"
        may_answer = None
        if proposal is None:
            may_answer = "nothing_proposed"
        elif seat in proposal.agreed:
            may_answer = "already_agreed"
        hows = _EARLY if number <= self.rounds * (1 if game.turn is None else game.lap(state)) else _HOWS
        how = hows if proposal is None else TextChoice((proposal.how,), "nothing_proposed")
        answer: dict[str, Field] = {"how": how, "accept": FlagChoice((True, False))}
        return (
            Offer("ProposeEnd", RULE, {"how": hows}, blocked_by=may_propose),
            Offer("AnswerEnd", RULE, answer, blocked_by=may_answer),
        )

    def left(self, game: "GameFlow[Any]", course: Course[Any], seat: int) -> None:
        """Check whether all remaining players agree now."""
        if course.state.proposals.open is not None and course.state.status == "running":
            _end_if_agreed(game, course)

    def follow(self, game: "GameFlow[Any]", course: Course[Any], before: Any, seat: int | None, command: Any) -> None:
        """Drop a proposal that not all agreed to when the next turn has begun."""
        proposal = course.state.proposals.open
        if proposal is not None and course.state.status == "running" and proposal.turn != game.number(course.state):
            course.record(EndProposalFell("turn"), RULE)

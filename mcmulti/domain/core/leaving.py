"""Leaving a running game: resigning, who sits down instead, seats that are empty, and ends that all agree on.

It is the same in every game. What a game has of its own it says in its `GameFlow`: how it ends now, and, if it knows
that, how what a player leaves behind is sold.
"""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Literal, Protocol, TypeVar, cast

from msgspec.structs import replace

from mcmulti.domain.core.commands import Command, TakeSeat
from mcmulti.domain.core.course import Course
from mcmulti.domain.core.departures import Departures, How, Proposal
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Count, PlayerId, Salt, Seat
from mcmulti.domain.core.house import HOUSE
from mcmulti.domain.core.offers import Field, FlagChoice, Limit, NumberChoice, Offer, TextChoice, plain
from mcmulti.domain.core.table import Table, reveal_seed
from mcmulti.domain.core.tuples import put

T = TypeVar("T", bound=Table)
Why = Literal["resigned", "missed", "returned", "last"]

LIMITS = (
    Limit("seat_not_vacant", "table/substitute"),
    Limit("no_substitutes", "table/substitute"),
    Limit("entropy_late", "table/substitute"),
    Limit("reserved", "table/house"),
    Limit("nothing_proposed", "table/propose-end"),
    Limit("already_proposed", "table/propose-end"),
    Limit("proposed_before", "table/propose-end"),
    Limit("already_agreed", "table/propose-end"),
    Limit("not_sold", "table/resign"),
    Limit("house_needs_clock", "table/house"),
)
"""What keeps people from something in a game that runs, whatever is played."""


class Closing(Protocol):
    """What a game says of itself when people leave it or end it."""

    def number(self, state: Any) -> int:
        """The number of the turn, or of the round, in which a proposal stands."""

    @property
    def finish(self) -> Callable[[Any, str], None]:
        """Ends the game now by its own final ranking, under this rule, and reveals the seed."""

    @property
    def sell_out(self) -> Callable[[Any, int], None] | None:
        """Sells what a player who left has; None where a game knows no such thing."""


# Commands


class Resign(Command, frozen=True):
    """Leave the running game for good (`table/resign`)."""


class ProposeEnd(Command, frozen=True):
    """Propose to all who play to end the game now (`table/propose-end`)."""

    how: How


class AnswerEnd(Command, frozen=True):
    """Agree to a proposal to end the game, or refuse it (`table/propose-end`).

    `accept`: whether the seat agrees.
    """

    secret: ClassVar[bool] = True

    how: How
    accept: bool

    @staticmethod
    def form(offer: Offer) -> Literal["rank", "call_off"]:
        return "rank" if offer.fields["how"].admits("rank") else "call_off"


COMMANDS = (Resign, ProposeEnd, AnswerEnd)
"""What seats may send at any time while a game runs."""


# Events


class SeatVacated(Event, frozen=True):
    """A seat became empty. `why`: its player resigned, or missed too many moves; or a house bot got up, because the
    player it played for has returned, or because one player is the last.
    """

    seat: Seat
    why: Why

    def evolve(self, state: T) -> T:
        departures = state.departures
        tenants = departures.tenants or tuple((player,) for player in state.player_ids if player is not None)
        proposal = departures.proposal
        if proposal is not None:
            proposal = replace(proposal, agreed=tuple(seat for seat in proposal.agreed if seat != self.seat))
        vacated: T = state.vacated(self.seat)
        return replace(vacated, departures=replace(departures, tenants=tenants, proposal=proposal))

    def form(self, say: object) -> Why:
        return self.why


class SubstituteSatDown(Event, frozen=True):
    """Somebody sat down on a seat that was left, and plays on from there. The entropy of the dice stays as it was."""

    seat: Seat
    player: PlayerId

    def evolve(self, state: T) -> T:
        departures = state.departures
        tenants = put(departures.tenants, self.seat, (*departures.tenants[self.seat], self.player))
        known = self.player in state.everybody
        return replace(
            state,
            player_ids=put(state.player_ids, self.seat, self.player),
            everybody=state.everybody if known else (*state.everybody, self.player),
            departures=replace(departures, tenants=tenants),
            timing=state.timing.forgiven(self.seat),
        )


class LastRemained(Event, frozen=True):
    """All others have left: the one who still sits there wins."""

    seat: Seat

    def evolve(self, state: T) -> T:
        return replace(state, departures=Departures(state.departures.tenants, ended="left"))


class EndProposed(Event, frozen=True):
    """A player proposed to end the game. `turn`: in which turn, or round, which is the time that the others have."""

    seat: Seat
    how: How
    turn: Count

    def evolve(self, state: T) -> T:
        departures = state.departures
        before = departures.proposed if departures.turn == self.turn else ()
        proposal = Proposal(self.how, self.turn, (self.seat,))
        proposed = replace(departures, proposal=proposal, turn=self.turn, proposed=(*before, self.seat))
        return replace(state, departures=proposed)

    def form(self, say: object) -> Literal["rank", "call_off"]:
        return self.how


class VoteCast(Event, frozen=True):
    """A player answered a proposal: which and how is sealed, for everybody, until the game is over.

    `seat`: whose vote it is, null if that is not known. `accept`: whether the seat agrees, null if that is not known.
    `salt`: what keeps others from guessing the vote from its digest.
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
        return replace(voted, departures=replace(state.departures, proposal=agreed))

    def about(self, actor: int | None) -> int | None:
        """Nobody: whose vote it is stays sealed."""
        return None


class EndAgreedTo(Event, frozen=True):
    """One more player agrees to a proposal. `agreed`: how many do now. `players`: how many play."""

    agreed: Count
    players: Count

    def evolve(self, state: T) -> T:
        return state


class EndProposalFell(Event, frozen=True):
    """A proposal to end the game is off the table. `why`: somebody refused it, or the turn it was made in is over."""

    why: Literal["refused", "turn"]

    def evolve(self, state: T) -> T:
        return replace(state, departures=replace(state.departures, proposal=None))

    def form(self, say: object) -> Literal["refused", "turn"]:
        return self.why


class EndAgreed(Event, frozen=True):
    """All who play agreed to end the game now."""

    how: How

    def evolve(self, state: T) -> T:
        off = self.how == "call_off"
        departures = Departures(state.departures.tenants, ended="called_off" if off else "agreed")
        agreed: T = replace(state, departures=departures)
        return agreed.called_off() if off else agreed

    def form(self, say: object) -> Literal["rank", "call_off"]:
        return self.how


# Offers


RESIGN = plain("Resign", "table/resign")
_HOWS = TextChoice(("rank", "call_off"))


def open_proposal(state: Table) -> Proposal:
    """The proposal that waits for answers; raises `LookupError` where there is none."""
    if state.departures.proposal is None:
        raise LookupError("nobody proposes to end the game")
    return state.departures.proposal


def offers_besides(state: Table, seat: int, turn: int) -> tuple[Offer, ...]:
    """What a seat may do at any time of a running game, blocked offers among it; `turn` is the one that is played.

    Ends are agreed on by people: a house bot is not asked.
    """
    departures = state.departures
    if state.player_ids[seat] in HOUSE:
        return (RESIGN,)
    proposal = departures.proposal
    may_propose = None
    if proposal is not None:
        may_propose = "already_proposed"
    elif departures.turn == turn and seat in departures.proposed:
        may_propose = "proposed_before"
    may_answer = None
    if proposal is None:
        may_answer = "nothing_proposed"
    elif seat in proposal.agreed:
        may_answer = "already_agreed"
    how = _HOWS if proposal is None else TextChoice((proposal.how,), "nothing_proposed")
    return (
        RESIGN,
        Offer("ProposeEnd", "table/propose-end", {"how": _HOWS}, blocked_by=may_propose),
        Offer(
            "AnswerEnd", "table/propose-end", {"how": how, "accept": FlagChoice((True, False))}, blocked_by=may_answer
        ),
    )


def offers_vacant(state: Table) -> tuple[Offer, ...]:
    """Who has no seat may take one that was left (`table/substitute`); where house bots were agreed on, one of them may
    do so, and who left it may have it back (`table/house`).
    """
    vacant = state.vacant
    if state.setup.if_left == "bot" and len(state.people) < len(state.player_ids):
        left = [seat for seat in range(len(state.player_ids)) if seat not in state.people]
        back = [_seats("table/house", (seat,), (state.departures.tenants[seat][0],)) for seat in left]
        return (*back, *([_seats("table/house", vacant, HOUSE)] if vacant else ()))
    blocked = None
    if not vacant:
        blocked = "game_started"
    elif state.setup.if_left != "substitute":
        blocked = "no_substitutes"
    return (_seats("table/substitute", vacant, blocked=blocked),)


def _seats(
    rule: str, seats: tuple[int, ...], players: tuple[str, ...] | None = None, blocked: str | None = None
) -> Offer:
    """Seats of a running game for these players, or for anybody."""
    fields: dict[str, Field] = {
        "seat": NumberChoice(seats, "seat_not_vacant", optional=True),
        "entropy": TextChoice(("",), "entropy_late"),
    }
    if players is not None:
        fields = {"player": TextChoice(players, "reserved"), **fields}
    return Offer("TakeSeat", rule, fields, blocked_by=blocked)


# What follows


def vacate(game: Closing, play: Course[T], seat: int, why: Why, rule: str) -> None:
    """Nobody sits on this seat any more; what then follows says the setup, unless only one is left, who wins."""
    play.record(SeatVacated(seat, why), rule)
    people = play.state.people
    if len(people) == 1:
        for bot in set(play.state.taken) - set(people):
            play.record(SeatVacated(bot, "last"), "table/last")
        play.record(LastRemained(people[0]), "table/last")
        game.finish(play, "table/last")
        return
    if game.sell_out is not None and play.state.setup.if_left == "sold":
        game.sell_out(play, seat)
    if play.state.departures.proposal is not None and play.state.status == "running":
        _end_if_agreed(game, play)


def resign(game: Closing, play: Course[T], seat: int, command: Resign, offer: Offer) -> None:
    vacate(game, play, seat, "resigned", offer.rule)


def sit_down(play: Course[T], seat: int | None, command: TakeSeat, offer: Offer) -> None:
    """Take a seat that was left: the first, unless it is named. A house bot that plays there makes room."""
    taken = cast(NumberChoice, offer.fields["seat"]).options[0] if command.seat is None else command.seat
    if play.state.player_ids[taken] is not None:
        play.record(SeatVacated(taken, "returned"), offer.rule)
    play.record(SubstituteSatDown(taken, command.player), offer.rule)


def propose_end(game: Closing, play: Course[T], seat: int, command: ProposeEnd, offer: Offer) -> None:
    play.record(EndProposed(seat, command.how, game.number(play.state)), offer.rule)


def answer_end(game: Closing, play: Course[T], seat: int, command: AnswerEnd, offer: Offer) -> None:
    play.record(VoteCast(seat, command.accept, play.chance.salt(play.state.salts + 1)), offer.rule)
    if not command.accept:
        play.record(EndProposalFell("refused"), offer.rule)
        return
    play.record(EndAgreedTo(len(open_proposal(play.state).agreed), len(play.state.people)), offer.rule)
    _end_if_agreed(game, play)


CARRIERS: dict[type[Command], Callable[[Any, Any, Any, Any, Offer], None]] = {
    Resign: resign,
    ProposeEnd: propose_end,
    AnswerEnd: answer_end,
}


def sealed(state: Table, event: Any, seat: int | None) -> bool:
    """A vote is nobody's to see until the game is over (`table/propose-end`)."""
    return state.phase != "over"


def stand_in(types: Sequence[str], seat: int | None) -> VoteCast:
    """What to fold for a vote that is sealed."""
    return VoteCast(None, None, "0" * 32)


def lapse(game: Closing, play: Course[T]) -> None:
    """A proposal that not all agreed to falls when the next turn has begun."""
    proposal = play.state.departures.proposal
    if proposal is not None and play.state.status == "running" and proposal.turn != game.number(play.state):
        play.record(EndProposalFell("turn"), "table/propose-end")


def _end_if_agreed(game: Closing, play: Course[T]) -> None:
    proposal = open_proposal(play.state)
    if not set(play.state.people) <= set(proposal.agreed):
        return
    play.record(EndAgreed(proposal.how), "table/propose-end")
    if proposal.how == "rank":
        game.finish(play, "table/propose-end")
    else:
        reveal_seed(play)

"""The roller's throws: the first may be declined, a double forces another, then the pawn moves."""

from typing import Literal

from msgspec.structs import replace

from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.event import Event, Notice
from mcmulti.domain.core.figures import Count, Seat
from mcmulti.domain.core.offers import Offer, plain
from mcmulti.domain.millionenspiel.components import Colour
from mcmulti.domain.millionenspiel.state import FieldNumber, Millionenspiel, Play, Steps, Throw, throw


class AcceptThrow(Command, frozen=True):
    """Let the first throw stand (`roll/decline`)."""


class DeclineThrow(Command, frozen=True):
    """Throw once more to replace the first throw (`roll/decline`)."""


class _Thrown(Event, frozen=True):
    """Two dice were thrown, after the throws before."""

    seat: Seat
    throw: Throw

    def evolve(self, state: Millionenspiel) -> Millionenspiel:
        return replace(state, throws=(*state.throws, self.throw), draws=self.throw.second.number)


class FirstThrown(_Thrown, frozen=True):
    """The first throw of a round, which may be declined."""

    def evolve(self, state: Millionenspiel) -> Millionenspiel:
        return replace(super().evolve(state), phase="declining")


class ThrowAccepted(Notice, frozen=True):
    """The roller lets the first throw stand."""

    seat: Seat


class ThrowDeclined(Event, frozen=True):
    """The roller declined the first throw: it does not count."""

    seat: Seat

    def evolve(self, state: Millionenspiel) -> Millionenspiel:
        return replace(state, throws=())


class ReplacementThrown(_Thrown, frozen=True):
    """The throw that replaced a declined one."""


class ThrownAgain(_Thrown, frozen=True):
    """The throw after a double."""


class PawnMoved(Event, frozen=True):
    """The pawn moved N steps, to a field of this color, and `laps` times reached or passed the arrow."""

    steps: Steps
    laps: Count
    field: FieldNumber
    colour: Colour

    def evolve(self, state: Millionenspiel) -> Millionenspiel:
        return replace(state, pawn=self.field)

    def form(self, say: object) -> Literal["arrow", "lap", "plain"]:
        if not self.laps:
            return "plain"
        return "lap" if self.field else "arrow"


def offers(state: Millionenspiel, seat: int, complete: bool) -> tuple[Offer, ...]:
    """Accept or decline the first throw, even if it is a double."""
    return (
        plain("AcceptThrow", "roll/decline"),
        plain("DeclineThrow", "roll/decline"),
    )


def throw_first(play: Play) -> None:
    """All have staked: the roller throws."""
    play.record(FirstThrown(play.state.roller, throw(play)), "roll/decline")


def follow_doubles(play: Play) -> None:
    """Every double that stands forces another throw (`roll/double`)."""
    while play.state.throws[-1].double:
        play.record(ThrownAgain(play.state.roller, throw(play)), "roll/double")

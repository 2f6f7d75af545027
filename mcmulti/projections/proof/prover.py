"""Follows a log event by event, and finds the first wrong event: the steps of `proof`."""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from operator import itemgetter
from typing import Any

import msgspec
from msgspec import Struct

from mcmulti.domain.core.capabilities.capability import Watch
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.course.posting import seat_of
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.events.log.codec import current, draft, event_decoder
from mcmulti.events.log.envelope import START, Draft, Head, Recorded, broken_link
from mcmulti.projections.proof.deciding import Wrong, answered, command_of, opened
from mcmulti.projections.proof.draws import MAY_DRAW, RecordedChance, draws_in
from mcmulti.projections.proof.series import place_of

_EPOCH = datetime.fromtimestamp(0, UTC)
_MICROSECOND = timedelta(microseconds=1)


class Proof(Struct, frozen=True):
    """The result of a proof. `fault`: the first wrong event, and how it is wrong; None if everything holds.

    `events`, `commands`, and `draws`: how many were proven, up to the fault. `wrong`: the number of the wrong event.
    `seq` and `hash`: the last proven event, which is the head if there is no fault. `seed_revealed`: whether the dice
    were drawn again from the seed; before the game is over they are taken as recorded. `sealed`: the first event that
    this reader may not see yet. From there on no command is decided again. Only the chain is proven, and that the open
    events match the books.
    """

    events: int
    commands: int
    draws: int
    seed_revealed: bool
    fault: str | None = None
    wrong: int | None = None
    seq: int = 0
    hash: str = START.hash.hex()
    sealed: int | None = None


def revealed_seed(events: Sequence[Recorded], beside: bytes | None = None) -> bytes | None:
    """The seed that the first event committed to, if a later event reveals it, or it is `beside` the log, as at tables
    of a series.
    """
    for event in reversed(events):
        if event.type == "SeedRevealed":
            seed = _seed_in(event)
            if seed is not None and sha256(seed).hexdigest() == _commitment(events[0]):
                return seed
    return beside if beside is not None and sha256(beside).hexdigest() == _commitment(events[0]) else None


class Prover:
    """Follows a log from its first event. A shallow copy continues independently."""

    def __init__(self, first: Recorded, seed: bytes | None) -> None:
        self._game_id = first.game_id
        self._seed = seed
        self._commitment = _commitment(first)
        self._ruleset: Ruleset[Any] | None = None
        self._state: Any = None
        self._head = START
        self._commands = 0
        self._draws = 0
        self._watches: tuple[Watch, ...] = ()
        place = place_of(first)
        dice_id = None if place is None else place.series
        self._seeded = None if seed is None else SeededChance(seed, str(first.game_id), dice_id)
        self._balances: dict[int, dict[str, int]] = {}
        self._held: dict[int, dict[str, int]] = {}

    def prove(self, events: Sequence[Recorded]) -> Proof:
        """Follow these events, the next of the log: whole commands, up to the first wrong one."""
        wrong = fault = None
        seen = next((index for index, event in enumerate(events) if event.payload is not None), len(events))
        try:
            for group in by_command(events[:seen]):
                self._follow(group)
            self._follow_sealed(events[seen:])
        except Wrong as found:
            wrong, fault = found.seq, str(found)
        except Exception as error:  # a malicious log may make the rules do anything; the error is what counts
            wrong = self._head.seq + 1
            fault = f"event {wrong} cannot be applied: {str(error) or type(error).__name__}"
        proven = (self._head.seq, self._commands, self._draws, self._seed is not None)
        sealed = events[seen].seq if seen < len(events) else None
        return Proof(*proven, fault, wrong, self._head.seq, self._head.hash.hex(), sealed)

    def _follow(self, group: list[Recorded]) -> None:
        """Prove the events of one command."""
        if all(event.game_id == self._game_id for event in group) and broken_link(group, self._head) is None:
            self._prove(group, whole=True)
            return
        head, link = self._head, None
        linked = []
        for event in group:
            link = self._broken(event, head)
            if link:
                break
            head = Head(event.seq, event.hash)
            linked.append(event)
        if linked:
            self._prove(linked, whole=link is None)
        if link:
            raise Wrong(head.seq + 1, link)

    def _prove(self, group: list[Recorded], *, whole: bool) -> None:
        """Decide the command of the events, or of only the first of them if the group is not `whole`."""
        first = group[0]
        expected = self._decided(group)
        for event, decided in zip(group, expected, strict=False):
            self._compare(event, decided, first)
            self._fold(event)
            if MAY_DRAW in event.data:
                self._draws += sum(1 for _ in draws_in(event.data))
        self._commands += first.command is not None
        self._watches = tuple([watch.passed(_microseconds(first), self._state) for watch in self._watches])
        if len(group) > len(expected):
            seq = group[len(expected)].seq
            raise Wrong(seq, f"event {seq} neither follows from the command of event {first.seq} nor has its own")
        if whole and len(group) < len(expected):
            seq = group[-1].seq + 1
            raise Wrong(
                seq,
                f"event {seq} is missing: the command of event {first.seq} causes {len(expected)} events, "
                f"but {len(group)} are recorded",
            )

    def _follow_sealed(self, events: Sequence[Recorded]) -> None:
        """Prove chain and books after a sealed event. In a finished game nothing is sealed, and its opening
        never is.
        """
        over = self._seed is not None or any(event.type == "SeedRevealed" for event in events)
        for event in events:
            stand_in = None
            if event.payload is not None:
                redaction = None if over or self._ruleset is None else self._ruleset.redaction(event.type)
                if redaction is not None:
                    stand_in = redaction.stand_in((event.type,), event.actor)
                if stand_in is None:
                    raise Wrong(event.seq, f"event {event.seq} is sealed, although its content is public")
            if link := self._broken(event, self._head):
                raise Wrong(self._head.seq + 1, link)
            self._fold(event, stand_in)

    def _broken(self, event: Recorded, head: Head) -> str | None:
        if event.game_id != self._game_id:
            return f"event {head.seq + 1} belongs to another game, {event.game_id}"
        return broken_link([event], head)

    def _decided(self, group: Sequence[Recorded]) -> Sequence[Draft]:
        """The results of the command of the events, after checking statements of the server itself."""
        first, chance = group[0], self._seeded or RecordedChance(self._commitment, [event.data for event in group])
        if self._ruleset is None:
            self._ruleset, decision = opened(first, chance)
            self._watches = self._ruleset.terms(self._ruleset.setup_of(decision.state)).watches
            return draft(decision.facts)
        command = command_of(self._ruleset, first)
        for watch in self._watches:
            wrong = watch.wrong(first.seq, _microseconds(first), self._state, command)
            if wrong is not None:
                raise Wrong(first.seq, f"event {first.seq} {wrong}")
        return answered(self._ruleset, self._state, first, command, chance)[1]

    @property
    def _known(self) -> Ruleset[Any]:
        assert self._ruleset is not None  # set by the first event
        return self._ruleset

    def _compare(self, event: Recorded, decided: Draft, first: Recorded) -> None:
        """Check that an event is what was decided, and is recorded like all events of its command."""
        seq = event.seq
        if _drafted(event) != decided:
            event = current(self._known, event)
            if event.data != decided.data:
                raise Wrong(seq, self._otherwise(event, decided))
            for name, is_, should_be in zip(Draft._fields, _drafted(event), decided, strict=True):
                if is_ != should_be:
                    raise Wrong(
                        seq, f"event {seq} has the {name} {_shortened(is_)}, which would be {_shortened(should_be)}"
                    )
        if event.recorded_at != first.recorded_at:
            raise Wrong(seq, f"event {seq} was not recorded at the same time as event {first.seq} of its command")

    def _otherwise(self, event: Recorded, decided: Draft) -> str:
        """How an event differs from what was decided."""
        if event.type == "SeedRevealed":
            seed = _seed_in(event)
            if seed is None or sha256(seed).hexdigest() != self._commitment:
                return f"event {event.seq} reveals a seed that does not match the commitment in event 1"
        held = {str(found["number"]): found for found in draws_in(event.data)}
        for drawn in draws_in(decided.data):
            found = held.get(str(drawn["number"]))
            if found is None:
                return f"event {event.seq} does not have draw {drawn['number']} of its command"
            if found != drawn:
                return (
                    f"event {event.seq} holds a wrong die: {_shortened(found)}, "
                    f"where draw {drawn['number']} of {drawn['sides']} sides is {drawn['value']}"
                )
        return f"event {event.seq} is not what its command leads to: that would be {decided.data.decode()}"

    def _fold(self, event: Recorded, stand_in: Any = None) -> None:
        """Fold the next event, or its stand-in, and check whether everybody's holdings match the books."""
        ruleset = self._known
        happened = stand_in or event_decoder(ruleset.name, ruleset.version)(event.data)
        self._state = ruleset.evolve(self._state, happened)
        balances, moved = self._balances, set()
        transfers = ruleset.books.transfers(happened)
        if transfers:
            balances = dict(balances)
            for transfer in transfers:
                for account, amount in ((transfer.source, -transfer.amount), (transfer.target, transfer.amount)):
                    seat = seat_of(account)
                    if seat is not None:
                        if seat not in moved:
                            moved.add(seat)
                            balances[seat] = dict(balances.get(seat, ()))
                        balances[seat][transfer.unit] = balances[seat].get(transfer.unit, 0) + amount
        held: dict[int, dict[str, int]] = {}
        for holding in ruleset.books.gauges(self._state).holdings:
            seat, held[seat] = holding.seat, holding.amounts
            if seat not in moved and holding.amounts == self._held.get(seat):
                continue
            booked = balances.get(seat, {})
            for unit, has in holding.amounts.items():
                if has != booked.get(unit, 0):
                    raise Wrong(
                        event.seq,
                        f"event {event.seq} leaves seat {seat + 1} with {has} of {unit}, "
                        f"but the books say {booked.get(unit, 0)}",
                    )
        self._balances, self._held = balances, held
        self._head = Head(event.seq, event.hash)


# The members of a recorded event that a draft has, in the same order.
_drafted: Callable[[Recorded], tuple[Any, ...]] = itemgetter(*map(Recorded._fields.index, Draft._fields))


class _Committed(Struct):
    commitment: str


class _Revealed(Struct):
    seed: str


def _microseconds(event: Recorded) -> int:
    """When an event was recorded, in microseconds since 1970."""
    return (event.recorded_at - _EPOCH) // _MICROSECOND


def _commitment(first: Recorded) -> str:
    """The commitment to the game's dice; empty if the event has none."""
    try:
        return msgspec.json.decode(first.data, type=_Committed).commitment
    except (msgspec.DecodeError, ValueError, TypeError, RecursionError):
        return ""


def _seed_in(event: Recorded) -> bytes | None:
    try:
        return bytes.fromhex(msgspec.json.decode(event.data, type=_Revealed).seed)
    except (msgspec.DecodeError, ValueError, TypeError, RecursionError):
        return None


def _shortened(value: object) -> str:
    text = value.decode(errors="replace") if isinstance(value, bytes) else str(value)
    return text if len(text) <= 200 else f"{text[:199]}…"


def by_command(events: Sequence[Recorded]) -> Iterator[list[Recorded]]:
    """The events in groups, each beginning with the event that carries the command."""
    group: list[Recorded] = []
    for event in events:
        if event.command is not None and group:
            yield group
            group = []
        group.append(event)
    if group:
        yield group

"""Golden games with a change in any field of any event, and the expected findings of `verify`."""

from collections import Counter
from collections.abc import Iterator
from copy import copy
from datetime import timedelta
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from mcmulti.domain.core.event import Opened
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.log.envelope import START, Head, Recorded
from mcmulti.events.log.signing import SigningKey, is_signed
from mcmulti.projections.proof.proof import Proof, revealed_seed, verify
from mcmulti.projections.proof.prover import Prover, by_command
from tests.changes import documents, with_field
from tests.golden.forging import rehashed
from tests.golden.games import files_of, load
from tests.profiles import profile_of

FEW = 2
"""The number of changed events of each kind where it must be quick."""
OTHER = UUID(int=0xC0FFEE)
KEY = SigningKey(bytes(range(32)))


def unseen_in(name: str) -> set[str]:
    """Fields that the rules of a game do not determine.

    When a command arrived, and the id that its sender gave it. Who opened a table, whether it was for practice, and
    whether it had empty seats when its opener started the game. How long a round would have taken by the clock, which
    the rules do not read. Whether a player who got the first free seat had asked for it.
    """
    [opening] = (event.__name__ for event in CURRENT[name].events if issubclass(event, Opened))
    common = {"recorded_at", "command_id", f"{opening}.opened_by", f"{opening}.setup.practice", "TakeSeat.seat"}
    return common | profile_of(name).unseen


class Mutant(NamedTuple):
    """The event at `place`, counted from 0, with its `field` changed."""

    place: int
    field: str
    event: Recorded


class Subject:
    """A golden game, and facts about it before any change."""

    def __init__(self, name: str, most: int) -> None:
        self.name, self.most = name, most
        self.events = load(changed_file(name))
        self.groups = list(by_command(self.events))
        self.command_of = [number for number, group in enumerate(self.groups) for _ in group]
        """For each event's index, the number of the command that it follows from."""
        self.starts = [group[0].seq - 1 for group in self.groups]
        """The index of the first event of each command."""
        self.until: list[Prover] = []
        """For each command, a prover that has followed all earlier ones, so that these are proven only once."""
        prover = Prover(self.events[0], revealed_seed(self.events))
        for group in self.groups:
            self.until.append(copy(prover))
            assert prover.prove(group).fault is None

    def mutants(self) -> Iterator[Mutant]:
        """Every change of every field of every event, and of every value in its data and its command."""
        met = Counter[str]()
        for index, event in enumerate(self.events):
            met[event.type] += 1
            if met[event.type] > self.most:
                continue
            for field in Recorded._fields:
                for value in changed(field, getattr(event, field)):
                    if value != getattr(event, field):
                        yield Mutant(index, field, with_field(event, field, value))

    def path(self, mutant: Mutant) -> str:
        """The description of a change."""
        if mutant.field not in ("data", "command"):
            return mutant.field
        before, after = (
            msgspec.json.decode(getattr(event, mutant.field)) for event in (self.events[mutant.place], mutant.event)
        )
        place = str(before["type"])
        while isinstance(before, dict):
            (key,) = (key for key in before if before[key] != after[key])
            place, before, after = f"{place}.{key}", before[key], after[key]
        return place

    def proof_of(self, mutant: Mutant, forged: bool, commands: int = 2) -> Proof:
        """The findings of `verify` about the game with the change, in this many commands from the change on.

        An incomplete end is not expected: the log to check ends with the events of a command.
        """
        number = self.command_of[mutant.place]
        start = self.starts[number]
        goes_on = mutant.place > 0 and number + commands < len(self.starts)
        end = self.starts[number + commands] if goes_on else len(self.events)
        log = [*self.events[start : mutant.place], mutant.event, *self.events[mutant.place + 1 : end]]
        if forged:
            log = rehashed(log, self.head(start))
        return self.proven(mutant.place, log)

    def proven(self, place: int, log: list[Recorded]) -> Proof:
        """The findings of `verify` in a log, from the command that the event at `place` follows from."""
        number = self.command_of[place]
        if place == 0 or self.events[place].type == "SeedRevealed":
            return verify([*self.events[: self.starts[number]], *log])  # the seed itself is in question
        return copy(self.until[number]).prove(log)

    def head(self, start: int) -> Head:
        """The head after this many events."""
        return Head(start, self.events[start - 1].hash) if start else START


def changed_file(name: str) -> Path:
    """The golden game of a rule set in which everything is changed."""
    wanted = profile_of(name).changed
    return next(file for file in files_of(name) if wanted in (None, file.stem))


@cache
def subject(name: str, most: int) -> Subject:
    """The golden game of a rule set in which this many events of each kind are changed."""
    return Subject(name, most)


def changed(field: str, value: Any) -> list[Any]:
    """Other values of a field."""
    match field:
        case "data":
            return [*documents(value), value + b" ", b"null", b"", b"\xff"]
        case "command":
            return [b'{"type":"EndTurn"}'] if value is None else [*documents(value), value + b" ", b"[]", None]
        case "seq":
            return [value + 1, value - 1]
        case "actor":
            return [0, 1] if value is None else [value + 1, None]
        case "command_id":
            return [OTHER] if value is None else [OTHER, None]
        case "recorded_at":
            return [value + timedelta(microseconds=1), value - timedelta(days=1)]
        case "prev_hash" | "hash":
            return [bytes([value[0] ^ 1]) + value[1:], bytes(32)]
        case "game_id":
            return [OTHER]
        case "payload":
            return [bytes(32)]
    return [value + "x", "TurnBegan" if value != "TurnBegan" else "DiceRolled"]


def check_every_change(game: Subject) -> None:
    """Every change of every field is found, and the event is named."""
    number = 0
    for number, mutant in enumerate(game.mutants(), start=1):  # noqa: B007
        proof = game.proof_of(mutant, forged=False)
        seq = mutant.place + 1
        assert proof.wrong == seq, (mutant, proof)
        assert proof.fault is not None
        assert f"event {seq} " in proof.fault
    looked_at = sum(min(number, game.most) for number in Counter(event.type for event in game.events).values())
    assert number > 20 * looked_at


def check_every_forgery(game: Subject) -> None:
    """A forger who hashes the chain again is found by the rules, or by the signed head.

    The named event follows from the same command or the next, which contradicts the change. For fields that the rules
    do not determine, every hundredth change is followed to the head.
    """
    unseen, number = set[str](), count()
    signed = Head(game.events[-1].seq, game.events[-1].hash)
    signature = KEY.sign(game.events[0].game_id, signed)
    for mutant in game.mutants():
        if mutant.field in ("hash", "prev_hash", "payload"):
            continue  # the forger makes the hashes again; sealed data are checked below
        proof = game.proof_of(mutant, forged=True)
        if proof.fault is not None:
            assert proof.wrong is not None
            assert proof.wrong - mutant.place in (1, 2) or mutant.place == 0, (mutant, proof)
            continue
        unseen.add(game.path(mutant))
        assert len(game.groups[game.command_of[mutant.place]]) == 1, mutant
        start = game.starts[game.command_of[mutant.place]]
        rest = game.events[mutant.place + 1 :] if next(number) % 100 == 0 else []
        forged = rehashed([*game.events[start : mutant.place], mutant.event, *rest], game.head(start))
        assert forged[mutant.place - start].hash != game.events[mutant.place].hash, "it is another log from here on"
        if rest:
            head = Head(forged[-1].seq, forged[-1].hash)
            assert not is_signed(KEY.public, signature, game.events[0].game_id, head)
    assert unseen == unseen_in(game.name)
    assert is_signed(KEY.public, signature, game.events[0].game_id, signed)

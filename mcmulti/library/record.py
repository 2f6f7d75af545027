"""Recorded games: read, replay, verify, and write them."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID, uuid5

from msgspec import Struct

from mcmulti.domain.core.course.course import Fact
from mcmulti.domain.core.table import presented
from mcmulti.events.log.codec import command_decoder, draft, event_decoder, opened_with
from mcmulti.events.log.envelope import START, Draft, Head, Recorded, seal
from mcmulti.events.log.signing import SigningKey
from mcmulti.events.store.game_file import GameRecord, lines, read, record_of
from mcmulti.library.game import Game
from mcmulti.library.state import Happened, State, Trace
from mcmulti.projections.proof.proof import Proof, verify
from mcmulti.projections.proof.prover import by_command

BEGUN = datetime(2000, 1, 1, tzinfo=UTC)
"""The start time in the files of new games. It is fixed, so that the same seed makes the same bytes."""
_A_MOVE = timedelta(seconds=1)
_COMMANDS = UUID("6d636d75-6c74-5069-8172-656e61000000")
"""Namespace of the ids of commands."""


class ReplayedMove(NamedTuple):
    """A game after a command: the number of its last event, the seat that sent the command (None for the server), the
    command (None for the opening), and the state. A step that no action led to, such as a timeout, has no `player`.
    """

    seq: int
    player: int | None
    action: Struct | None
    state: State


class Record:
    """A recorded game: the events of a game file."""

    def __init__(self, content: GameRecord) -> None:
        self.content = content

    @property
    def events(self) -> Sequence[Recorded]:
        """The events as they were recorded, with their hashes."""
        return self.content.events

    def replay(self) -> Iterator[ReplayedMove]:
        """The game after its opening, and after every command. Dice of these states are explicit chance nodes.

        Raises `ValueError` for events that cannot be folded, such as events that are still sealed.
        """
        first = self.events[0]
        ruleset = opened_with(first)
        event_of, command_of = (make(ruleset.name, ruleset.version) for make in (event_decoder, command_decoder))
        game: Game | None = None
        table: Any = None
        history: Trace = None
        for group in by_command(self.events):
            facts = []
            for event in group:
                if event.payload is not None:
                    raise ValueError(f"event {event.seq} is sealed until the game goes on: what it says is not known")
                facts.append(Fact(event_of(event.data), event.rule))
                table = facts[-1].event.evolve(table)
            command = None if group[0].command is None else command_of(group[0].command)
            history = (history, Happened(group[0].actor, command, facts))
            if game is None:
                game = Game(ruleset, ruleset.setup_of(table))
            shown = presented(table, self.content.file.names)
            yield ReplayedMove(group[-1].seq, group[0].actor, command, State(game, shown, None, history))

    def state(self, seq: int | None = None) -> State:
        """The state after event number `seq`, by default the last one.

        Raises `ValueError` if the event is not the last of a command, since the game goes on there by itself.
        """
        moment = None
        for moment in self.replay():
            if moment.seq == seq:
                return moment.state
            if seq is not None and moment.seq > seq:
                raise ValueError(f"event {seq} is in the middle of what a command led to, which ends at {moment.seq}")
        if moment is None or seq is not None:
            raise ValueError(f"there is no event {seq}: they are 1 to {len(self.events)}")
        return moment.state

    def verify(self) -> Proof:
        """Verify the hashes, the dice, the rules, and the books. `fault` is None if everything holds."""
        return verify(self.events, self.content.file.seed)

    def save(self, path: str | Path) -> None:
        """Write a game file."""
        Path(path).write_bytes(bytes(self))

    def __bytes__(self) -> bytes:
        return b"".join(lines(self.content))


def load_record(source: str | Path | bytes) -> Record:
    """Read the game in a game file, given its path or its content. Raises `ValueError` if it is not a game file."""
    content = source if isinstance(source, bytes) else Path(source).read_bytes()
    return Record(read(content.splitlines(keepends=True)))


def recorded_game(steps: Sequence[Happened], table: Any, key: SigningKey | None = None) -> GameRecord:
    """These steps, from the opening on, as a game file. The same steps always make the same bytes.

    Each command takes one second, counted from `BEGUN`.
    """
    game_id = UUID(table.game_id)
    events, head, drafts = list[Recorded](), START, list[Draft]()
    for number, step in enumerate(steps):
        id_ = None if step.command is None else uuid5(_COMMANDS, f"{game_id} {number} {head.hash.hex()}")
        drafts = draft(step.facts, step.seat, id_, step.command)
        if drafts:
            events += seal(game_id, head, drafts, BEGUN + number * _A_MOVE)
            head = Head(events[-1].seq, events[-1].hash)
    return record_of(events, key, table.called)

"""Who sits where, by the names they sat down with."""

from collections.abc import Iterable
from typing import Any

from mcmulti.domain.ruleset import Ruleset
from mcmulti.events.codec import command_decoder
from mcmulti.events.envelope import Recorded


def names(ruleset: Ruleset[Any], state: Any, events: Iterable[Recorded]) -> tuple[str, ...]:
    """The players' names by seat, empty for an empty seat. `state` is what the events lead to."""
    decode = command_decoder(ruleset.name, ruleset.version)
    joining: type[Any] = ruleset.joining
    commands = (decode(event.command) for event in events if event.command is not None)
    joined = {command.player: command.name for command in commands if isinstance(command, joining)}
    return tuple(joined.get(player, "") if player else "" for player in ruleset.players(state))


def printable(text: str) -> str:
    """The text without what ends lines or moves cursors: a log from elsewhere may hold any name."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)

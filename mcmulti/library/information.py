"""What a seat has seen of a game."""

from typing import TYPE_CHECKING, Any

import msgspec

from mcmulti.domain.core.commands import Command

if TYPE_CHECKING:
    from mcmulti.library.state import State


def seen(state: "State", seat: int) -> list[dict[str, Any]]:
    """Every event since the opening, as this seat may see it now. Of a sealed event, only its type."""
    redactions = {redaction.type: redaction for redaction in state.game.ruleset.redactions}
    found: list[dict[str, Any]] = []
    for step in state.happened():
        secret = isinstance(step.command, Command) and step.command.secret
        actor = None if secret else step.seat
        for fact in step.facts:
            kind = type(fact.event).__name__
            redaction = redactions.get(kind)
            hidden = redaction is not None and redaction.sealed(state.table, fact.event, seat)
            event = {"type": kind} if hidden else msgspec.to_builtins(fact.event)
            found.append({"actor": actor, "rule": fact.rule, "event": event})
    return found

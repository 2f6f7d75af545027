"""What a table agreed on by its setup: the capabilities of its game that have an effect there."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from mcmulti.domain.core.capabilities.capability import Aftermath, Capability, Watch
from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.course.deadlines import Deadlines, Questions
from mcmulti.domain.core.course.standing import Due, Reaction, Standing, TenureChange
from mcmulti.domain.core.event import Event

if TYPE_CHECKING:
    from mcmulti.domain.core.ruleset import Ruleset


SETUPS = 1024
"""Size of caches of what follows from a setup."""


class Terms(NamedTuple):
    """What stays the same at a table from its first event to its last. An unneeded facet is None.

    `wary`: finds the seats that must say which position they decide on. `reacting`: the capabilities that react.
    `aftermath`: follows what happens to requests. `watches`: what a proof checks that no state implies.
    """

    ruleset: "Ruleset[Any]"
    deadlines: Deadlines[Any] | None
    questions: Questions[Any] | None
    wary: Callable[[Any], tuple[int, ...]] | None
    reacting: tuple[Capability, ...]
    aftermath: Callable[[Sequence[Event]], Aftermath | None] | None
    watches: tuple[Watch, ...]

    def standing(self, state: Any, seq: int = 0) -> Standing:
        """The standing of a game at the table after its event `seq`."""
        ruleset, deadlines, questions, wary, *_ = self
        return Standing(
            ruleset,
            state,
            ruleset.status(state),
            ruleset.players(state),
            ruleset.to_move(state),
            ruleset.turn(state),
            None if deadlines is None else deadlines.pace(state),
            () if deadlines is None else deadlines.banks(state),
            None if questions is None else questions.asked(state),
            () if wary is None else wary(state),
            seq,
        )

    def react(self, before: Standing | None, after: Standing, events: Sequence[Event]) -> Reaction:
        """What the server adds to events that lead from one standing to another. `before` is None for a new game."""
        due: Due | None = None
        tenures: tuple[TenureChange, ...] = ()
        follows: Command | None = None
        for capability in self.reacting:
            found = capability.react(before, after, events)
            due, tenures, follows = due or found.due, tenures or found.tenures, follows or found.follows
        return Reaction(due, tenures, follows)


@lru_cache(maxsize=SETUPS)
def terms_of(ruleset: "Ruleset[Any]", setup: Any) -> Terms:
    """The terms of a table with this setup."""
    there = [capability for capability in ruleset.flow.capabilities if capability.concerns(setup)]
    game = ruleset.flow
    return Terms(
        ruleset,
        next(filter(None, (capability.deadlines(game) for capability in there)), None),
        next(filter(None, (capability.questions(game) for capability in there)), None),
        next((capability.wary for capability in there if capability.says("wary")), None),
        tuple(capability for capability in there if capability.says("react")),
        next((capability.aftermath for capability in there if capability.says("aftermath")), None),
        tuple(filter(None, (capability.watch(game) for capability in there))),
    )

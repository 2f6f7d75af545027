"""Moves in words: what an action does, and how a seat goes on."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from mcmulti.domain.core.course.course import Fact
from mcmulti.domain.core.offers import admitting
from mcmulti.domain.core.wording.telling import Language
from mcmulti.library.state import State
from mcmulti.projections.pictures.fit import plain

LINE = 4
"""The most actions of a line."""


def line_told(state: State, actions: Sequence[Struct], player: int, language: Language) -> str:
    """Actions of a seat, one after the other, each in a sentence. If it has no fields, or draws dice or cards, this is
    the sentence of its offer. Raises like `State.apply_action`.
    """
    after, said = state.redraw(0), list[str]()
    for action in actions:
        before = after.clone()
        after.apply_action(action, player)
        if not action.__struct_fields__ or after.table.draws > before.table.draws:
            said.append(_offered(before, action, player, language))
        else:
            facts = after.happened()[-1].facts[:1]
            said.append(told(before.game.ruleset, before.table, facts, language))
    return " ".join(said)


def told(rules: Any, table: Any, facts: Iterable[Fact], language: Language) -> str:
    """What events say that happen at a table, one after the other."""
    return " ".join(_each(rules, table, facts, language))


def _each(rules: Any, table: Any, facts: Iterable[Fact], language: Language) -> Iterator[str]:
    for fact in facts:
        yield plain(rules.texts.tell(table, fact.event, language))
        table = fact.event.evolve(table)


def _offered(state: State, action: Struct, player: int, language: Language) -> str:
    """An action as it is offered, without what its dice bring."""
    offer = admitting(state.offers(player), action)
    return "" if offer is None else plain(state.game.ruleset.texts.tell_offer(state.table, offer, language))

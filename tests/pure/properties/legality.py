"""Whether a rule set decides as its offers say."""

from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from mcmulti.domain.core.chance import Chance
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.wording.telling import LANGUAGES


def assert_decided_by_offers(
    ruleset: Ruleset[Any], state: Any, seat: int | None, command: Struct, chance: Chance
) -> None:
    """A command is accepted if and only if an offer admits it.

    Otherwise it is refused with a reason, and the state stays the same.
    """
    before = msgspec.json.encode(state)
    offers = (*ruleset.offers(state, seat), *ruleset.besides(state, seat))
    admitted = any(offer.admits(command) for offer in offers)
    decision = ruleset.decide(state, seat, command, chance)
    assert isinstance(decision, Rejection) is not admitted
    if isinstance(decision, Rejection):
        assert decision.code in ruleset.texts.limits
        assert decision.rule in ruleset.texts.rules["en"]
        assert all(ruleset.texts.tell_refusal(decision, language) for language in LANGUAGES)
        assert_bounds_are_real(ruleset, state, seat, command, decision)
    assert msgspec.json.encode(state) == before


def assert_bounds_are_real(
    ruleset: Ruleset[Any], state: Any, seat: int | None, command: Struct, refused: Rejection
) -> None:
    """If a refusal names a maximum and a minimum for a number, these values themselves are not refused for it."""
    if refused.field is None or not isinstance(getattr(command, refused.field), int):
        return
    for bound in filter(None, (refused.limit, refused.least)):
        again = ruleset.admit(state, seat, replace(command, **{refused.field: bound}))
        assert not isinstance(again, Rejection) or again.field not in (None, refused.field), (command, refused, again)

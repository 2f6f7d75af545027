"""Convert refusals by the rules to problems, in the client's language."""

import re
from typing import Any

from mcmulti.api.http.problems import FIELD_PATH, MOST_FIELD, ApiError
from mcmulti.domain.core.capabilities.positions import BadPosition
from mcmulti.domain.core.capabilities.rounds import UnreadOrders
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.wording.telling import Language


def unread(error: UnreadOrders, language: Language, command: int | None = None) -> ApiError:
    """The problem for orders in words that cannot be read: where, and what was expected there."""
    return ApiError("unread_orders", error.sentences[language], line=error.line, column=error.column, command=command)


def refusal(ruleset: Ruleset[Any], rejection: Rejection, language: Language, command: int | None = None) -> ApiError:
    """The problem for a refusal by the rules; `command`: which of several it was, from 0."""
    return ApiError(
        rejection.code,
        ruleset.texts.tell_refusal(rejection, language),
        rule=rejection.rule,
        field=rejection.field,
        limit=rejection.limit,
        least=rejection.least,
        step=rejection.step,
        command=command,
    )


def unfit(bad: BadPosition, language: Language) -> ApiError:
    """The problem that tells which field of a position is wrong, and why, and the other faults after the first."""
    field = ".".join(filter(None, ("position", bad.faults[0].field)))
    known = len(field) <= MOST_FIELD and re.fullmatch(FIELD_PATH, field)
    return ApiError("bad_position", bad.told(language), field=field if known else "position")

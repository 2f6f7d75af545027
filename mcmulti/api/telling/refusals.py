"""From refusals by the rules to problems, told in the language that the client asked for."""

from typing import Any

from mcmulti.api.http.problems import ApiError
from mcmulti.domain.core.capabilities.rounds.orders import UnreadOrders
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.wording.telling import Language


def unread(error: UnreadOrders, language: Language, command: int | None = None) -> ApiError:
    """The problem that tells where orders in words cannot be read, and what was expected there."""
    return ApiError("unread_orders", error.sentences[language], line=error.line, column=error.column, command=command)


def refusal(ruleset: Ruleset[Any], rejection: Rejection, language: Language, command: int | None = None) -> ApiError:
    """The problem that tells why the rules refuse something; `command`: which of several it was, from 0."""
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

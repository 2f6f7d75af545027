"""Irreversible actions in two steps: they are announced, and done after the owner had time to notice."""

from datetime import datetime, timedelta

from mcmulti.api.http.answers import Answer
from mcmulti.api.http.contract import Call, operation, private
from mcmulti.api.http.problems import ApiError
from mcmulti.api.service import Service
from mcmulti.api.telling.wire import NewPending, PendingAction
from mcmulti.events.ports.accounts import Action, Holder, Pending, first_token

WINDOW = timedelta(days=7)
"""How long the second step can be taken."""


@operation(
    "POST",
    "/v1/players/me/pending",
    summary="Announce an action that takes two steps",
    answer=PendingAction,
    problems=("exceeds_token",),
)
async def announce_action(call: Call, body: NewPending, caller: Holder) -> Answer:
    """The first of two steps to erase yourself (`eraseMe`) or to replace the owner token (`replaceOwnerToken`).
    Nothing happens yet. `getMe` shows it. To cancel it, use any of your tokens with the scope `account`, or revoke the
    token that announced it. You have one pending action at a time: a new one replaces it. Repeating it changes nothing.
    """
    service, token = call.service, caller.token
    now, pending = service.clock(), announcement(caller, service.clock())
    if pending is None or (pending.action, pending.token_id) != (body.action, token.token_id):
        pending = Pending(body.action, token.token_id, now + service.second_step)
        if token.expires_at is not None and token.expires_at <= pending.due:
            raise ApiError(
                "exceeds_token",
                f"This token expires before {pending.due}, the earliest time for this step. Send a token "
                "that lasts longer.",
            )
        if body.action == "replace_owner_token":
            owner(caller)
        await _announce(service, caller, pending)
    return private(view(pending))


@operation("DELETE", "/v1/players/me/pending", summary="Cancel a pending action", status=204)
async def cancel_action(call: Call, caller: Holder) -> Answer:
    """Any of your tokens can cancel it. If nothing is pending, the response is the same."""
    await _announce(call.service, caller, None)
    return Answer(status_code=204, headers={"Cache-Control": "no-store", "Vary": "Authorization"})


def announcement(caller: Holder, now: datetime) -> Pending | None:
    """The announced action of a player that can be done, now or later."""
    pending = caller.pending
    return pending if pending is not None and now < pending.due + WINDOW else None


def announced(service: Service, caller: Holder, action: Action) -> Pending:
    """The pending action for its second step. Raises a problem if it cannot be done now."""
    now = service.clock()
    pending = announcement(caller, now)
    if pending is None or (pending.action, pending.token_id) != (action, caller.token.token_id):
        raise not_announced(action)
    if now < pending.due:
        seconds = int((pending.due - now).total_seconds()) + 1
        raise ApiError("too_early", f"You can do this at {pending.due} or later.", retry_after=seconds)
    return pending


def not_announced(action: Action) -> ApiError:
    """The problem of a second step without a first one."""
    return ApiError("not_announced", f"Announce {action!r} with this token first: POST /v1/players/me/pending.")


def owner(caller: Holder) -> None:
    """Raise a problem unless a token allows as much as the one from registration."""
    if not caller.token.covers(first_token(caller.token.created_at)):
        raise ApiError("exceeds_token", "Send an owner token: it has all scopes and does not expire.")


def view(pending: Pending) -> PendingAction:
    """The pending action in its wire format."""
    return PendingAction(*pending, pending.due + WINDOW)


async def _announce(service: Service, caller: Holder, pending: Pending | None) -> None:
    await service.log.announce(caller.player.player_id, pending)
    service.callers.renamed(caller.player.player_id)

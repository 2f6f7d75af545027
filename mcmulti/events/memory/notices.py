"""Webhooks, email addresses, the outbox, and preferences for messages, in memory."""

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import date, datetime
from uuid import UUID

from msgspec.structs import replace

from mcmulti.events.memory.kept import MemoryState, place_of_notice
from mcmulti.events.ports.errors import Conflict
from mcmulti.events.ports.notices import OF_TURNS, DueDigest, GamePreferences, Notification, Preferences, Webhook


class MemoryNotices(MemoryState):
    """Implements the protocols `Webhooks`, `Outbox`, and `PreferenceStore`."""

    async def add_webhook(self, webhook: Webhook, most: int, notices: Sequence[Notification] = ()) -> bool:
        self._known(webhook.player_id)
        if len(await self.webhooks([webhook.player_id])) >= most:
            return False
        if webhook.webhook_id in self._webhooks:
            raise Conflict(f"there is a webhook {webhook.webhook_id}")
        self._webhooks[webhook.webhook_id] = webhook
        self._keep_notices(notices)
        return True

    async def webhook(self, webhook_id: UUID) -> Webhook | None:
        return self._webhooks.get(webhook_id)

    async def webhooks(self, player_ids: Collection[UUID]) -> list[Webhook]:
        return [webhook for webhook in self._webhooks.values() if webhook.player_id in player_ids]

    async def any_webhooks(self) -> bool:
        return any(webhook.gone_at is None for webhook in self._webhooks.values())

    async def rotate_secret(self, webhook_id: UUID, secret: bytes, previous: bytes, until: datetime) -> None:
        self._change_webhook(webhook_id, secret=secret, previous_secret=previous, previous_until=until)

    async def end_webhook(self, webhook_id: UUID, at: datetime) -> None:
        self._change_webhook(webhook_id, gone_at=at)

    async def remove_webhook(self, player_id: UUID, webhook_id: UUID) -> None:
        webhook = self._webhooks.get(webhook_id)
        if webhook is not None and webhook.player_id == player_id:
            del self._webhooks[webhook_id]
            self._forget_notices(lambda notice: notice.webhook_id == webhook_id)

    async def post_notices(self, game_id: UUID, notices: Sequence[Notification]) -> None:
        self._keep_notices(notices)

    async def withdraw_turns(self, game_id: UUID, seq: int, to_move: Collection[UUID]) -> None:
        def over(notice: Notification) -> bool:
            about = notice.game_id == game_id and notice.kind in OF_TURNS and notice.seq <= seq
            return about and notice.player_id not in to_move

        self._forget_notices(over)

    async def notices_due(
        self, now: datetime, limit: int, each: int, away: set[str] | None = None, *, by_mail: bool = False
    ) -> list[Notification]:
        due = [
            notice
            for notice, done in self._notices.values()
            if done is None and notice.due_at <= now and notice.by_mail == by_mail
        ]
        found, of_player = list[Notification](), Counter[UUID]()
        for notice in sorted(due, key=lambda notice: (notice.due_at, notice.message_id)):
            of_player[notice.player_id] += 1
            if of_player[notice.player_id] <= each:
                found.append(notice)
        return found[:limit]

    async def take_notice(self, notice: Notification, again_at: datetime) -> bool:
        if self._notices.get(place_of_notice(notice)) != (notice, None):
            return False
        taken = replace(notice, due_at=again_at, attempts=notice.attempts + 1)
        self._notices[place_of_notice(notice)] = taken, None
        return True

    async def postpone_notice(self, notice: Notification, until: datetime) -> None:
        if kept := self._pending_notice(notice):
            self._notices[place_of_notice(notice)] = replace(kept, due_at=until), None

    async def settle_notice(self, notice: Notification, at: datetime) -> None:
        if kept := self._pending_notice(notice):
            self._notices[place_of_notice(notice)] = kept, at

    def _pending_notice(self, notice: Notification) -> Notification | None:
        kept, done = self._notices.get(place_of_notice(notice), (None, None))
        return kept if kept is not None and kept.message_id == notice.message_id and done is None else None

    async def notices_waiting(self, away: set[str] | None = None) -> int:
        return sum(done is None for _, done in self._notices.values())

    async def forget_settled(self, before: datetime) -> None:
        for place, (notice, done) in list(self._notices.items()):
            if done is not None and done < before and notice.kind not in OF_TURNS:
                del self._notices[place]

    async def preferences(
        self, player_ids: Collection[UUID], game_ids: Collection[UUID] | None = None
    ) -> dict[UUID, Preferences]:
        found = {}
        for player_id in self._preferences.keys() | self._game_preferences.keys():
            if player_id in player_ids:
                own = self._game_preferences.get(player_id, {})
                games = {game: each for game, each in own.items() if game_ids is None or game in game_ids}
                found[player_id] = self._preferences.get(player_id, (Preferences(), None))[0]._replace(games=games)
        return found

    async def set_preferences(self, player_id: UUID, preferences: Preferences, digest_at: datetime | None) -> None:
        self._known(player_id)
        self._preferences[player_id] = preferences._replace(games={}), digest_at

    async def set_game_preferences(
        self, player_id: UUID, game_id: UUID, preferences: GamePreferences, most: int
    ) -> bool:
        self._known(player_id)
        games = self._game_preferences.setdefault(player_id, {})
        if len(games.keys() - {game_id}) >= most:
            return False
        games[game_id] = preferences
        return True

    async def reset_game_preferences(self, player_id: UUID, game_id: UUID) -> None:
        self._game_preferences.get(player_id, {}).pop(game_id, None)

    async def digests_due(self, now: datetime, limit: int) -> list[DueDigest]:
        due = [
            DueDigest(player_id, at, preferences)
            for player_id, (preferences, at) in self._preferences.items()
            if at is not None and at <= now
        ]
        return sorted(due, key=lambda digest: (digest.at, digest.player_id))[:limit]

    async def plan_digest(self, digest: DueDigest, at: datetime) -> None:
        preferences, planned = self._preferences.get(digest.player_id, (Preferences(), None))
        if planned == digest.at:
            self._preferences[digest.player_id] = preferences, at


class MemoryMail(MemoryState):
    """Implements the protocol `Mailing`."""

    async def ask_to_confirm(self, webhook_id: UUID, confirmation: bytes) -> bool:
        webhook = self._webhooks.get(webhook_id)
        if webhook is None or webhook.confirmed_at is not None or webhook.gone_at is not None:
            return False
        return self._change_webhook(webhook_id, confirmation=confirmation)

    async def confirm_address(self, webhook_id: UUID, confirmation: bytes, at: datetime) -> bool:
        webhook = self._webhooks.get(webhook_id)
        if webhook is None or webhook.confirmation != confirmation or webhook.gone_at is not None:
            return False
        return self._change_webhook(webhook_id, confirmation=None, confirmed_at=at)

    async def take_mail(self, webhook_id: UUID, now: datetime, until: datetime) -> bool:
        webhook = self._webhooks.get(webhook_id)
        if webhook is None or (webhook.mail_at is not None and webhook.mail_at > now):
            return False
        return self._change_webhook(webhook_id, mail_at=until)

    async def pause_mail(self, webhook_id: UUID, until: datetime) -> None:
        self._change_webhook(webhook_id, mail_at=until)

    async def mark_refused(self, webhook_id: UUID, since: datetime | None) -> None:
        self._change_webhook(webhook_id, refused_at=since)

    async def count_mail(self, what: bytes, day: date, most: int) -> bool:
        if self._mails[what, day] >= most:
            return False
        self._mails[what, day] += 1
        return True

    async def forget_mail(self, before: datetime) -> None:
        for webhook in list(self._webhooks.values()):
            if webhook.format == "email" and webhook.confirmed_at is None and webhook.created_at < before:
                del self._webhooks[webhook.webhook_id]
        for what, day in list(self._mails):
            if day < before.date():
                del self._mails[what, day]

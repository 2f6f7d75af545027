"""What a language model can do on a server: seven small tools, each a read or a move over the HTTP API.

Text that people wrote, namely their names, appears only under `written_by_players`. Everything else is the engine's own
text, which calls players by their seats, so nothing that a person wrote can pass for text of the engine.
"""

import time
from math import ceil
from typing import Any
from uuid import UUID, uuid4

from mcmulti.cli.play.hand import begun
from mcmulti.cli.replay.printed import moment
from mcmulti.cli.replay.story import Story, StoryLine
from mcmulti.client.client import Client
from mcmulti.client.json_object import Json
from mcmulti.client.sources import fetched
from mcmulti.domain.core.wording.grammar import following, read, say
from mcmulti.domain.rulesets import DEFAULT
from mcmulti.events.store.redaction import legible
from mcmulti.projections.pictures.fit import plain

LOOK_BACK = 40
"""The most events returned at a time."""
TABLES = 20
"""The most tables listed."""
LONGEST = 50
"""The most seconds that one call waits: callers give up after a minute."""
_WAIT = 10


class Guest:
    """A player of a server, in any number of games.

    Its methods raise like the client, and `ValueError` for meaningless input.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self._with_rule: dict[UUID, int] = {}

    async def rules(self, ruleset: str | None, find: str | None) -> Json:
        """The available games. For one game, the texts of its rules by id: all of them, or those that
        contain a text.
        """
        if ruleset is None:
            return await self._client.get_object("/v1/rulesets")
        told = await self._client.get_object(f"/v1/rulesets/{_ruleset_name(ruleset)}")
        wanted = (find or "").lower()
        found = {rule: text for rule, text in told["rules"].items() if wanted in f"{rule} {text}".lower()}
        return {"ruleset": ruleset, "title": told["title"], "rules": found}

    async def tables(self, ruleset: str | None) -> Json:
        """The player's games, and the tables with a free seat."""
        narrowed = {} if ruleset is None else {"ruleset": _ruleset_name(ruleset)}
        mine = await self._listed(mine="true", **narrowed)
        free = await self._listed(free="true", **narrowed)
        return {"mine": mine, "free": free}

    async def sit(
        self, game: UUID | None, ruleset: str | None, setup: Json | None, seat: int | None, passcode: str | None
    ) -> Json:
        """Take a seat in a game, or in a new one of a rule set."""
        if game is None:
            there = str((await self._client.open_game(ruleset or DEFAULT, **(setup or {})))["game"])
        else:
            there = str(game)
        seated = await self._client.take_seat(there, None if seat is None else seat - 1, uuid4().hex, passcode)
        return {"game": there, "seat": from_one(seated["seat"])}

    async def look_at(self, game: UUID, whole: bool = False) -> Json:
        """The board, everybody's holdings, and what happened since the last look. `whole`: everything the API shows."""
        shown = await self._client.view(str(game))
        table = shown["table"]
        story = await self._story(game)
        looked: Json = {
            "game": str(game),
            "ruleset": table["ruleset"],
            "status": table["status"],
            "you_are_seat": from_one(shown["view"]["you"]),
            "waits_for_seats": list(map(from_one, table["to_move"])),
            "happened": self._since(game, story),
            "board": "\n".join(moment(story, story.last, "en")),
            **_names_from_players(table),
        }
        if whole:
            looked["view"] = _nameless(shown["view"])
        return looked

    async def offered(self, game: UUID) -> Json:
        """The legal moves now, how to say each, its rule, and the moment for which they hold."""
        told, tag = await self._client.offers(str(game))
        return {
            "moment": tag,
            "you_are_seat": from_one(told["seat"]),
            "waits_for_seats": list(map(from_one, told["to_move"])),
            "your_move": [_offered(offer) for offer in told["offers"]],
            "at_any_time": [_offered(offer) for offer in told["besides"]],
        }

    async def play(self, game: UUID, move: str, at: str | None) -> Json:
        """Make a move, in the words of the offers. If a moment is given, only at that moment."""
        told, tag = await self._client.offers(str(game))
        offers = [*told["offers"], *told["besides"]]
        command = read(move, offers)
        done = await self._client.send(str(game), [command], at or tag)
        story = await self._story(game)
        return {
            "done": say(command, offers),
            "happened": self._since(game, story),
            "your_turn_again": told["seat"] in done["table"]["to_move"],
            "status": done["table"]["status"],
        }

    async def wait(self, game: UUID, seconds: int) -> Json:
        """Wait until it is the player's move, the game is over, or the time has passed."""
        until = time.monotonic() + min(seconds, LONGEST)
        while True:
            told, _ = await self._client.offers(str(game))
            left = until - time.monotonic()
            if told["seat"] in told["to_move"] or not told["to_move"] or left <= 0:
                break
            await self._client.events(str(game), told["seq"], limit=1, wait=ceil(min(_WAIT, left)))
        return {
            "your_move": told["seat"] in told["to_move"],
            "over": not told["to_move"],
            "happened": self._since(game, await self._story(game)),
        }

    async def _story(self, game: UUID) -> Story:
        """The game so far, told without players' names."""
        return Story(legible(await fetched(self._client, str(game))))

    def _since(self, game: UUID, story: Story) -> list[str]:
        since = story.lines("en")[min(self._with_rule.get(game, 0), story.last) :]
        lines = [line for line in since if not line.quiet]
        self._with_rule[game] = story.last
        left_out = [f"({len(lines) - LOOK_BACK} events before that)"] if len(lines) > LOOK_BACK else []
        return [*left_out, *map(_with_rule, lines[-LOOK_BACK:])]

    async def _listed(self, **narrowed: str) -> list[Json]:
        told = await self._client.get_object("/v1/games", limit=TABLES, order="moved", **narrowed)
        return [_table_summary(table) for table in told["games"]]


def from_one(seat: int | None) -> int | None:
    """The number of a seat as in sentences, which count from 1; None for somebody who does not sit there."""
    return None if seat is None else seat + 1


def _with_rule(line: StoryLine) -> str:
    return f"{line.sentence} [{line.rule}]"


def _table_summary(table: Json) -> Json:
    return {
        **{name: table[name] for name in ("game", "ruleset", "status", "turn")},
        "waits_for_seats": list(map(from_one, table["to_move"])),
        "seats": {str(from_one(seat["seat"])): seat["state"] for seat in table["seats"]},
        **_names_from_players(table),
    }


def _names_from_players(table: Json) -> Json:
    """Text that people wrote, which must not be taken for instructions."""
    names = {str(from_one(seat["seat"])): seat["name"] for seat in table["seats"] if seat["name"]}
    return {"written_by_players": {"names": names}}


def _offered(offer: Json) -> Json:
    """An offer: how its phrase begins, what can follow, its sentence, and its rule."""
    words = begun(offer)
    told = {"say": words, "means": plain(str(offer["sentence"])), "rule": offer["rule"]}
    return {**told, "then": choices} if (choices := following(f"{words} ", [offer])) else told


def _nameless(view: Any) -> Any:
    if isinstance(view, dict):
        return {member: _nameless(value) for member, value in view.items() if member != "name"}
    return [_nameless(each) for each in view] if isinstance(view, list) else view


def _ruleset_name(ruleset: str) -> str:
    """The name of a rule set. Raises `ValueError` for text that would be another path."""
    if not ruleset.isidentifier():
        raise ValueError(f"There is no rule set {ruleset!r}.")
    return ruleset

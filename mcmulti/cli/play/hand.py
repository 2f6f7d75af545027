"""A player's part in a game, as it is typed: what is offered, what a line does, what came of it."""

import asyncio
import json
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from uuid import UUID, uuid4

from mcmulti.cli.replay.live import LiveStory
from mcmulti.client.client import Client, HttpProblem, Json
from mcmulti.client.following import Moved
from mcmulti.client.phrases import Unread, following, read, say, words_of
from mcmulti.domain.core.table import presented
from mcmulti.domain.core.telling import Language
from mcmulti.events.codec import event_decoder
from mcmulti.projections.board_fit import plain

UNDO = "table/undo"
"""The rule of what takes moves back."""
YES = ("y", "yes", "j", "ja")
HELP = (
    ("roll", "a move, in as few words as tell it; a space shows what may come next"),
    (":try MOVE", "what would come of a move, which is not made"),
    (":undo", "take the last move back, where the table allows it"),
    (":rule ID", "the text of a rule"),
    (":board", "the board and what everybody has"),
    (":offers", "all that may be done now"),
    (":sheet FILE", "by post: check the sheet in a file, and send it"),
    (":edit", "by post: write the sheet in an editor"),
    (":quit", "leave the program; the seat is kept"),
)


class Reply(NamedTuple):
    """What is to be said about a line. `does`: what the program itself is to do."""

    lines: tuple[str, ...] = ()
    does: str = ""


class _Pending(NamedTuple):
    """What is sent if the next line says yes, decided on what this tag stands for."""

    command: Json
    tag: str


class _Trial(NamedTuple):
    """What would happen; `undecided`: up to where chance decides."""

    lines: tuple[str, ...]
    undecided: bool


class Hand:
    """One seat of a game. `offers` is what the game asks, `besides` what may be done at any time."""

    def __init__(self, client: Client, game: UUID, language: Language) -> None:
        self.client, self.game, self.language = client, game, language
        self.live = LiveStory(client, game)
        self.seat: int | None = None
        self.offers: list[Json] = []
        self.besides: list[Json] = []
        self._tag = ""
        self._pending: _Pending | None = None
        self._reached = 0
        self.written = "{}"
        """The sheet that was looked at last, or an empty one."""

    @property
    def all_offers(self) -> list[Json]:
        """Everything that is legal now."""
        return [*self.offers, *self.besides]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.live.table.get("status") == "finished"

    @property
    def is_asked(self) -> bool:
        """Whether a line is waited for: a move, or yes or no."""
        return bool(self.offers) or self._pending is not None

    @property
    def is_confirming(self) -> bool:
        """Whether yes or no is waited for."""
        return self._pending is not None

    @property
    def is_behind(self) -> bool:
        """Whether what came of one's own move is not told yet."""
        return not self.live.begun or self.live.story.last < self._reached

    async def sit(self, seat: int | None, passcode: str | None) -> None:
        """Sit down. Raises `HttpProblem` where the seat, or any, is not to be had."""
        entropy = "" if self.live.table.get("status") == "running" else uuid4().hex
        await self.client.take_seat(str(self.game), seat, entropy, passcode)

    async def take(self, moved: Moved) -> tuple[str, ...]:
        """What came, in sentences, with the rule of each; the offers are those of now. Raises as `LiveStory` does."""
        before = self.live.story.last if self.live.begun and not moved.anew else 0
        await self.live.take(moved)
        if not self.live.away and self.live.begun:
            await self.look()
        lines = self.live.story.lines(self.language)[before:] if self.live.begun else ()
        return tuple(f"{line.sentence}  [{line.rule}]" for line in lines)

    async def look(self) -> None:
        """Ask what may be done now."""
        try:
            told, tag = await self.client.offers(str(self.game))
        except HttpProblem as problem:
            if problem.code != "no_seat":
                raise
            self.seat, self.offers, self.besides, self._tag = None, [], [], ""
            return
        self.seat, self.offers, self.besides, self._tag = told["seat"], told["offers"], told["besides"], tag
        if self._pending is not None and self._pending.tag != self._tag:
            self._pending = None

    async def enter(self, line: str) -> Reply:
        """Do what a line says. Raises `ServerAway` as the client does; what is refused is told."""
        line = line.strip()
        pending, self._pending = self._pending, None
        try:
            if pending is not None:
                return await self._answered(pending, line)
            if line.startswith(":"):
                return await self._word(line)
            return await self._move(read(line, self.all_offers), self._tag) if line else Reply()
        except Unread as unread:
            return Reply((str(unread),))
        except HttpProblem as problem:
            return Reply(tuple(self._refused(problem)))

    def next_words(self, line: str) -> list[str]:
        """What may stand for the last word of a line."""
        if line.startswith(":"):
            return [word for word in (f"{names.split()[0]}" for names, _ in HELP[1:]) if word.startswith(line)]
        return following(line, self.all_offers)

    def is_whole(self, phrase: str) -> bool:
        """Whether a phrase is a move to which nothing can be added."""
        try:
            read(phrase, self.all_offers)
        except Unread:
            return False
        return not following(f"{phrase.rstrip()} ", self.all_offers)

    def menu(self) -> list[tuple[str, str]]:
        """Every offer: how it begins to be said, and its sentence. The game's come first."""
        return [(begun(offer), plain(str(offer["sentence"]))) for offer in self.all_offers]

    async def _answered(self, pending: _Pending, line: str) -> Reply:
        if line.lower() not in YES:
            return Reply(("Not done.",))
        return await self._send(pending.command, pending.tag)

    async def _word(self, line: str) -> Reply:
        word, _, rest = line[1:].partition(" ")
        known = [names.split()[0][1:] for names, _ in HELP[1:]] + ["help"]
        found = [name for name in known if name == word] or [name for name in known if word and name.startswith(word)]
        if len(found) != 1:
            return Reply((f"There is no :{word}; there are :{', :'.join(found or known)}.",))
        match found[0]:
            case "try":
                trial = await self._tried(read(rest, self.all_offers))
                return Reply((*trial.lines, "The rest is up to chance.") if trial.undecided else trial.lines)
            case "undo":
                return await self._move(read("take back 1", self.all_offers), self._tag)
            case "rule":
                return Reply(tuple(self._rule(rest.strip())))
            case "offers":
                return Reply(tuple(f"{words:<30} {sentence}" for words, sentence in self.menu()))
            case "sheet":
                return await self._sheet_in(Path(rest.strip()))
            case "help":
                return Reply(tuple(f"{names:<14}{does}" for names, does in HELP))
            case other:
                return Reply(does=other)

    async def _move(self, command: Json, tag: str) -> Reply:
        """Make a move, or ask whether it is meant where it cannot be taken back."""
        trial = await self._tried(command)
        if not trial.undecided and not self._is_for_good(command):
            return await self._send(command, tag)
        self._pending = _Pending(command, tag)
        why = "chance decides, and it cannot be taken back" if trial.undecided else "it cannot be taken back"
        return Reply((*trial.lines, f"{say(command, self.all_offers)}: {why}. Is it meant? yes or no"))

    def _is_for_good(self, command: Json) -> bool:
        """Whether it is more than a move: resigning, proposing an end. What takes moves back is not."""
        if any(offer["command"] == command["type"] for offer in self.offers):
            return False
        return not any(offer["command"] == command["type"] and offer["rule"] == UNDO for offer in self.besides)

    async def _send(self, command: Json, tag: str) -> Reply:
        told = await self.client.send(str(self.game), [command], tag)
        self._reached = told["seq"]
        return Reply()

    async def _tried(self, command: Json) -> _Trial:
        told = await self.client.try_out(str(self.game), [command], self._tag)
        return _Trial(tuple(self._told(told["events"])), told["undecided"] is not None)

    def _told(self, events: Sequence[Json]) -> Iterator[str]:
        """What would happen, in sentences, as far as the player may know it."""
        story = self.live.story
        ruleset, state = story.ruleset, story.state(story.last)
        decode = event_decoder(ruleset.name, ruleset.version)
        for event in events:
            if "data" not in event:
                return
            try:
                fact = decode(json.dumps(event["data"]).encode())
            except ValueError:  # of a server that knows events which this build does not
                return
            yield f"{plain(ruleset.texts.tell(state, fact, self.language))}  [{event['rule']}]"
            state = presented(ruleset.evolve(state, fact), story.called)

    def _refused(self, problem: HttpProblem) -> Iterator[str]:
        if problem.status == 412:
            yield "The game moved on meanwhile: look what is offered now, and say it again."
            return
        rule, limit = problem.members.get("rule"), problem.members.get("limit")
        most = "" if limit is None else f" At most {limit}."
        yield f"{problem.detail}{most}" + (f"  [{rule}]" if rule else "")
        if isinstance(rule, str):
            yield from self._rule(rule)

    def _rule(self, rule: str) -> list[str]:
        text = self.live.story.ruleset.texts.rules[self.language].get(rule)
        return textwrap.wrap(text, 80) if text else [f"There is no rule {rule!r}."]

    def _form(self) -> Json | None:
        """The offer of writing orders."""
        return next((offer for offer in self.all_offers if "sheet" in offer.get("fields", {})), None)

    async def _sheet_in(self, path: Path) -> Reply:
        try:
            return await self.sheet(await asyncio.to_thread(path.read_text, "utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            return Reply((f"{path} cannot be read: {error}.",))

    async def sheet(self, written: str) -> Reply:
        """Look at a sheet: what the server remarks and forecasts; yes sends it."""
        offer = self._form()
        if offer is None:
            return Reply(("No sheet is asked for now.",))
        self.written = written
        try:
            sheet = json.loads(written)
        except (ValueError, RecursionError) as error:
            return Reply((f"The sheet is not JSON: {error}.",))
        try:
            told = await self.client.forecast(str(self.game), sheet)
        except HttpProblem as problem:
            return Reply(tuple(self._refused(problem)))
        command = {"type": offer["command"], "round": offer["fields"]["round"]["options"][0], "sheet": sheet}
        self._pending = _Pending(command, self._tag)
        happens = tuple(f"  {plain(event['sentence'])}  [{event['rule']}]" for event in told["events"])
        remarks = tuple(f"! line {remark['line']}: {plain(remark['sentence'])}" for remark in told["remarks"])
        nothing = () if remarks else ("Nothing in it looks like a mistake.",)
        return Reply(("Before any dice it would do:", *happens, *remarks, *nothing, "Send it? yes or no"))


def begun(offer: Json) -> str:
    """How the phrase of an offer begins: its command, and its fields up to the first that leaves a choice."""
    words = words_of(offer["command"])
    for field in offer.get("fields", {}).values():
        options = field.get("options", ())
        if len(options) != 1 or isinstance(options[0], dict):
            break
        words.append("yes" if options[0] is True else "no" if options[0] is False else str(options[0]))
    return " ".join(words)

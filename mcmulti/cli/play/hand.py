"""A player's typed game: the offers, what a line does, and the results."""

import asyncio
import json
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from uuid import UUID, uuid4

import click

from mcmulti.cli.replay.live import LiveStory
from mcmulti.client.client import Client, HttpProblem
from mcmulti.client.following import Moved
from mcmulti.client.json_object import Json
from mcmulti.client.understood import SeenTable, SentMove, SentSheets, SheetForecast, TriedMove, may_do, understood
from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.wording.grammar import Unread, following, read, say, words_of
from mcmulti.domain.core.wording.telling import Language
from mcmulti.projections.labels import PLAY, REPLAY
from mcmulti.projections.pictures.fit import plain

YES = ("y", "yes", "j", "ja")
WORDS = ("try", "undo", "rule", "board", "offers", "sheet", "write", "edit", "send", "quit", "help")
"""Words that can follow a colon, in every language."""
SHOWN = 12
"""The most completions of a line that are shown."""


class Reply(NamedTuple):
    """The response to a line. `does`: what the program itself must do."""

    lines: tuple[str, ...] = ()
    does: str = ""


class _Pending(NamedTuple):
    """What is sent if the next line says yes, bound to the state with this tag."""

    command: Json
    tag: str


class _Trial(NamedTuple):
    """What would happen. `undecided`: only up to where chance decides, or, with `ceilings`, perhaps a
    sealed ceiling.
    """

    lines: tuple[str, ...]
    undecided: bool
    ceilings: bool


class Hand:
    """One seat of a game. `offers`: what the game asks. `besides`: what you may do at any time.

    A newer server may offer moves that no phrase can express. You can send those as JSON.
    """

    def __init__(self, client: Client, game: UUID, language: Language) -> None:
        self.client, self.game, self.language = client, game, language
        self.labels = PLAY[language]
        self.live = LiveStory(client, game)
        self.seat: int | None = None
        self.offers: list[Json] = []
        self.besides: list[Json] = []
        self.all_offers: list[Json] = []
        """Everything that is legal now and can be said as a phrase."""
        self._tag = ""
        self._pending: _Pending | None = None
        self._lapsed = False
        """Whether a move that waited for yes or no is out of date, which was not said yet."""
        self._reached = 0
        self.written = ""
        """The sheet that was checked or sent last; empty if there is none."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._status == "finished"

    @property
    def _status(self) -> str:
        return understood(self.live.table, SeenTable).status if self.live.table else ""

    @property
    def is_asked(self) -> bool:
        """Whether it waits for a line: a move, or yes or no."""
        return bool(self.offers) or self._pending is not None

    @property
    def is_waited_for(self) -> bool:
        """Whether the game waits for this seat, as far as it was told."""
        return self.seat in self.live.story.to_move(self.live.story.last)

    @property
    def is_confirming(self) -> bool:
        """Whether it waits for yes or no."""
        return self._pending is not None

    @property
    def is_behind(self) -> bool:
        """Whether the results of your own move have not been shown yet."""
        return not self.live.begun or self.live.story.last < self._reached

    async def sit(self, seat: int | None, passcode: str | None) -> None:
        """Sit down. Raises `HttpProblem` if the seat is not free, or none is."""
        entropy = "" if self._status == "running" else uuid4().hex
        await self.client.take_seat(str(self.game), seat, entropy, passcode)

    async def receive(self, moved: Moved) -> tuple[str, ...]:
        """The new events as sentences, with their rules, after what happened to the connection. Updates the offers.

        Raises like `LiveStory`.
        """
        before = self.live.story.last if self.live.begun and not moved.anew else 0
        changed = await self.live.receive(moved)
        if not self.live.away and self.live.begun:
            await self.look()
        lines = self.live.story.lines(self.language)[before:] if self.live.begun else ()
        news = (f"{line.sentence}  [{line.rule}]" for line in lines if not line.quiet)
        return (*([REPLAY[self.language].said[changed]] if changed else ()), *news)

    async def look(self) -> None:
        """Fetch the current offers."""
        try:
            told, tag = await self.client.offers(str(self.game))
        except HttpProblem as problem:
            if problem.code != "no_seat":
                raise
            self.seat, self.offers, self.besides, self.all_offers, self._tag = None, [], [], [], ""
            return
        self.seat, self.offers, self.besides, self.all_offers = may_do(told)
        self._tag = tag
        if self._pending is not None and self._pending.tag != self._tag:
            self._pending, self._lapsed = None, True

    async def enter(self, line: str) -> Reply:
        """Carry out a line. Raises `ServerAway` like the client. Refusals are returned as text."""
        line = line.strip()
        pending, self._pending = self._pending, None
        lapsed, self._lapsed = self._lapsed, False
        if lapsed and line.lower() in YES:
            return Reply((self.labels.moved_on,))
        try:
            if pending is not None:
                return await self._answered(pending, line)
            if line.startswith(":"):
                return await self._word(line)
            return await self._move(read(line, self.all_offers), self._tag) if line else Reply()
        except Unread as unread:
            return Reply((self._unread(unread),))
        except HttpProblem as problem:
            return Reply(tuple(self._refused(problem)))

    def next_words(self, line: str) -> list[str]:
        """Completions of the last word of a line."""
        if line.startswith(":"):
            return [f":{word}" for word in WORDS if f":{word}".startswith(line)]
        return following(line, self.all_offers)

    def is_whole(self, phrase: str) -> bool:
        """Whether a phrase is a complete move."""
        try:
            read(phrase, self.all_offers)
        except Unread:
            return False
        return not following(f"{phrase.rstrip()} ", self.all_offers)

    def menu(self) -> list[tuple[str, str]]:
        """Every offer: how its phrase begins, and its sentence. The game's offers come first."""
        offers = (*self.offers, *self.besides)
        begin = (begun(offer) if offer in self.all_offers else f":send {_as_json(offer)}" for offer in offers)
        return [(plain(words), plain(offer["sentence"])) for words, offer in zip(begin, offers, strict=True)]

    async def _answered(self, pending: _Pending, line: str) -> Reply:
        if line.lower() not in YES:
            return Reply((self.labels.not_done,))
        return await self._send(pending.command, pending.tag)

    async def _word(self, line: str) -> Reply:
        word, _, rest = line[1:].partition(" ")
        found = [name for name in WORDS if name == word] or [name for name in WORDS if word and name.startswith(word)]
        if len(found) != 1:
            known = ", ".join(f":{name}" for name in found or WORDS)
            return Reply((self.labels.no_word.format(word=plain(word), known=known),))
        match found[0]:
            case "try":
                trial = await self._tried(read(rest, self.all_offers))
                rest = self.labels.up_to_ceilings if trial.ceilings else self.labels.up_to_chance
                return Reply((*trial.lines, rest) if trial.undecided else trial.lines)
            case "undo":
                return await self._move(self._back(), self._tag)
            case "send":
                return await self._written(rest)
            case "rule":
                return Reply(tuple(self._rule(rest.strip())))
            case "offers":
                return Reply(tuple(f"{words:<30} {sentence}" for words, sentence in self.menu()))
            case "sheet":
                return await self._sheet_in(Path(rest.strip()))
            case "write":
                return await self.sheet(rest)
            case "edit":
                self.written = self.written or await self._begun()
                return Reply(does="edit")
            case "help":
                return Reply(tuple(text.expandtabs(14) for text in self.labels.within("help").values()))
            case other:
                return Reply(does=other)

    async def _move(self, command: Json, tag: str) -> Reply:
        """Make a move. If it cannot be taken back, ask for confirmation first."""
        trial = await self._tried(command)
        if not trial.undecided and not self._is_for_good(command):
            return await self._send(command, tag)
        self._pending = _Pending(command, tag)
        labels = self.labels
        undecided = labels.ceilings_decide if trial.ceilings else labels.chance_decides
        why = undecided if trial.undecided else labels.for_good
        return Reply((*trial.lines, why.format(move=plain(say(command, self.all_offers)))))

    async def _written(self, written: str) -> Reply:
        """Send a command written as JSON for the API."""
        try:
            command = json.loads(written)
        except (ValueError, RecursionError) as error:
            return Reply((self.labels.no_json.format(error=error),))
        if not isinstance(command, dict) or not isinstance(command.get("type"), str):
            return Reply((self.labels.no_command,))
        return await self._move(command, self._tag)

    def _is_for_good(self, command: Json) -> bool:
        """Whether it is more than a move, such as resigning or proposing an end. What takes something back is not."""
        name = command["type"]
        return name not in self._taking_back and all(offer["command"] != name for offer in self.offers)

    def _back(self) -> Json:
        """The command that takes back the least that is offered. Raises `Unread` if nothing can be taken back."""
        for offer in self.besides:
            if offer["command"] in self._taking_back and offer in self.all_offers:
                least = {name: field["min"] for name, field in offer.get("fields", {}).items() if "min" in field}
                return {"type": offer["command"], **least}
        raise Unread("unfit", "undo", following("", self.all_offers))

    @property
    def _taking_back(self) -> set[str]:
        """The commands of the game that players find apart, since they take something back."""
        moves = self.live.story.ruleset.commands.moves
        return {move.__name__ for move in moves if issubclass(move, Command) and move.place == "back"}

    async def _send(self, command: Json, tag: str) -> Reply:
        told = await self.client.send(str(self.game), [command], tag)
        self._reached = understood(told, SentMove).seq
        return Reply()

    async def _tried(self, command: Json) -> _Trial:
        tried = understood(await self.client.try_out(str(self.game), [command], self._tag), TriedMove)
        lines = (f"{plain(said)}  [{plain(event.rule)}]" for said, event in zip(tried.told, tried.events, strict=False))
        undecided = tried.undecided is not None
        return _Trial(tuple(lines), undecided, undecided and await self._has_ceilings())

    async def _has_ceilings(self) -> bool:
        """Whether anybody set a ceiling for the auction, which no trial can see."""
        return bool((await self.client.view(str(self.game)))["view"].get("ceilings"))

    def _refused(self, problem: HttpProblem) -> Iterator[str]:
        if problem.status == 412:
            yield self.labels.moved_on
            return
        rule, limit = problem.members.get("rule"), problem.members.get("limit")
        most = f" {self.labels.at_most.format(limit=limit)}" if isinstance(limit, int) else ""
        yield f"{plain(problem.detail)}{most}" + (f"  [{plain(rule)}]" if isinstance(rule, str) else "")
        if isinstance(rule, str):
            yield from self._rule(rule)

    def _unread(self, unread: Unread) -> str:
        """Why a line is not a move, and what would be."""
        labels, word = self.labels, plain(unread.word or "")
        would = plain(", ".join(unread.fits[:SHOWN]) + (", ..." if len(unread.fits) > SHOWN else ""))
        if unread.code == "ambiguous":
            return labels.ambiguous.format(would=would)
        if unread.code == "missing":
            return labels.say_more.format(would=would) if would else labels.nothing_offered
        return (labels.unfit if would else labels.unfit_at_all).format(word=word, would=would)

    def _rule(self, rule: str) -> list[str]:
        text = self.live.story.ruleset.texts.rules[self.language].get(rule)
        return textwrap.wrap(text, 80) if text else [self.labels.no_rule.format(rule=plain(rule))]

    def _form(self) -> Json | None:
        """The offer to write orders."""
        return next((offer for offer in self.all_offers if "sheet" in offer.get("fields", {})), None)

    async def _sheet_in(self, path: Path) -> Reply:
        try:
            return await self.sheet(await asyncio.to_thread(path.read_text, "utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            return Reply((self.labels.cannot_read.format(path=path, error=error),))

    def in_editor(self) -> str | Reply:
        """The text from an editor, for which everything else waits; or why there is none."""
        try:
            return click.edit(self.written, extension=".txt") or Reply((self.labels.not_saved,))
        except click.ClickException as error:
            return Reply((error.message,))

    async def sheet(self, written: str) -> Reply:
        """Check a sheet: show the server's remarks and forecast. Yes sends it."""
        if self._form() is None:
            return Reply((self.labels.no_sheet,))
        self.written = written
        try:
            sheet = json.loads(written) if written.lstrip().startswith("{") else written
        except (ValueError, RecursionError) as error:
            return Reply((self.labels.no_json.format(error=error),))
        try:
            told = understood(await self.client.forecast(str(self.game), sheet), SheetForecast)
        except HttpProblem as problem:
            return Reply(tuple(self._refused(problem)))
        labels = self.labels
        self._pending = _Pending(told.command, self._tag)
        text = tuple(f"  {plain(line)}" for line in told.text.splitlines())
        happens = tuple(f"  {plain(event.sentence)}  [{plain(event.rule)}]" for event in told.events)
        remarks = tuple(f"! {self._place(remark.line, told.places)}{plain(remark.sentence)}" for remark in told.remarks)
        nothing = () if remarks else (labels.no_remarks,)
        return Reply((labels.orders_are, *text, labels.would_do, *happens, *remarks, *nothing, labels.send_it))

    def _place(self, line: int | None, places: tuple[int, ...]) -> str:
        """The line of the text that a line of the sheet came from."""
        return "" if line is None or line > len(places) else f"{self.labels.line} {places[line - 1]}: "

    async def _begun(self) -> str:
        """The initial text for the editor: the letters of the players, and the sheet that was sent, if any."""
        names = self.live.story.names(self.live.story.last)
        players = ", ".join(f"{'ABCDEFGHIJKLMNOP'[seat]} {plain(name or '-')}" for seat, name in enumerate(names))
        told = understood(await self.client.orders(str(self.game)), SentSheets)
        return f"# {self.labels.notation.format(players=players)}\n{told.orders[0].text if told.orders else ''}"


def begun(offer: Json) -> str:
    """How the phrase of an offer begins: its command, and its fields up to the first choice."""
    words = words_of(offer["command"])
    for field in offer.get("fields", {}).values():
        options = field.get("options", ())
        if len(options) != 1 or isinstance(options[0], dict):
            break
        words.append("yes" if options[0] is True else "no" if options[0] is False else str(options[0]))
    return " ".join(words)


def _as_json(offer: Json) -> str:
    """How the JSON command begins for an offer that has no phrase."""
    return json.dumps({"type": offer["command"]}, ensure_ascii=False)

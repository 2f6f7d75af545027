"""The report of a game: who won, by which rule, and why, for any rule set, in the format of `letters`."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Annotated, Literal

from msgspec import Meta, Struct

from mcmulti.domain.core.capabilities.rounds import Detail, Entry, Label, ReportTable, Section
from mcmulti.domain.core.figures import Seats, Sentence
from mcmulti.domain.core.table import NOBODY, Called
from mcmulti.domain.core.wording.data import texts
from mcmulti.domain.core.wording.telling import Language, Words, grouped, seat_name, with_point, word
from mcmulti.events.log.envelope import Recorded
from mcmulti.projections.pictures.fit import in_cells, plain
from mcmulti.projections.statistics.game import TallyRow
from mcmulti.projections.statistics.reckoning import Reckoning, Swing, Told, reckoning

_SAID: Words = texts(__package__, "games.toml")
_TOLD = 3
"""How many reasons for a difference a sentence lists."""
_TABLES = 20
"""Three, plus the rule set's own: no rule set has this many."""
_NAME = 11
"""Columns of a name that heads a column of numbers."""


class GameReport(Struct, frozen=True):
    """The result of a game, and why, as far as it has come.

    `title`: which game. `greeting`: who played, and how long. `headline`: who won, in a sentence. `summary`: when the
    winner was ahead, and what made the difference. `sections`: how the game ended, with the rules, and the events that
    moved most money. `tables`: holdings, income and spending, luck of the dice, the rule set's tallies. `closing`: how
    the letter ends. `winners`: the seats that won, empty before the end.
    """

    status: Literal["open", "running", "finished"]
    title: Label
    greeting: Sentence
    headline: Sentence
    summary: tuple[Sentence, ...]
    sections: Annotated[tuple[Section, ...], Meta(max_length=2)]
    tables: Annotated[tuple[ReportTable, ...], Meta(max_length=_TABLES)]
    closing: Sentence
    winners: Seats


def game_report(events: Sequence[Recorded], language: Language = "en", called: Called = NOBODY) -> GameReport:
    """The report of a game, from its first event on. Raises one of `game_statistics.UNSOUND`."""
    return reported(reckoning(events, language, called), language)


def reported(found: Reckoning, language: Language = "en") -> GameReport:
    """The report from a reckoning, in the same language."""
    return _Reporter(found, language).report()


class _Reporter:
    """Words a reckoning."""

    def __init__(self, found: Reckoning, language: Language) -> None:
        self._found = found
        self._language: Language = language
        self._said = _SAID[language]
        self._names = [
            seat_name(self._word, seat, plain(name or "")) for seat, name in enumerate(found.statistics.names)
        ]

    def report(self) -> GameReport:
        found = self._found.statistics
        running = "" if found.status == "finished" else "_running"
        return GameReport(
            found.status,
            self._fill(f"letter.title{running}", game=self._found.ruleset.called(self._language)),
            self._fill("letter.greeting", names=self._listed(self._names), turns=found.turns, events=found.events),
            self._headline(),
            (*self._tenures(), *self._winning()),
            tuple(self._sections()),
            tuple(self._tables()),
            self._fill("letter.closing"),
            found.winners,
        )

    def _fill(self, name: str, **said: object) -> str:
        return self._said[name].format(**said)

    def _number(self, number: int) -> str:
        return grouped(number, self._language)

    def _change(self, amount: int) -> str:
        return f"{'+' if amount > 0 else ''}{self._number(amount)}"

    def _word(self, name: str) -> str:
        return word(self._found.ruleset.texts.words, self._language, name)

    def _listed(self, said: Sequence[str]) -> str:
        *others, last = said
        return self._fill("words.and", others=", ".join(others), last=last) if others else last

    def _first(self) -> tuple[int, ...]:
        """The winners, or those who have most before the end."""
        found = self._found
        most = max(found.money, default=0)
        return found.statistics.winners or tuple(seat for seat in found.order if found.money[seat] == most)

    def _headline(self) -> str:
        found = self._found
        if not found.money:
            return self._fill("headline.open")
        first, second = self._first(), found.second
        said = {
            "winners": self._listed([self._names[seat] for seat in first]),
            "money": self._number(found.money[first[0]]),
        }
        if found.statistics.decided_by == "called_off":
            return self._fill("headline.called_off")
        if not found.statistics.winners:
            return self._fill("headline.ahead" if len(first) == 1 else "headline.level", **said)
        if len(first) > 1:
            return self._fill("headline.shared", **said)
        margin = -1 if second is None else found.money[first[0]] - found.money[second]
        if second is None or margin < 0:
            return self._fill("headline.won", **said)
        name = "won_by" if margin else "won_level"
        return self._fill(f"headline.{name}", **said, margin=self._number(margin), second=self._names[second])

    def _tenures(self) -> Iterator[str]:
        """Who left, and who took over."""
        for tenure in self._found.statistics.tenures:
            who = seat_name(self._word, tenure.seat, plain(tenure.name or ""))
            if tenure.began is not None:
                yield self._fill("tenure.came", who=who, seat=tenure.seat + 1, turn=tenure.began)
            if tenure.left is not None:
                yield self._fill("tenure.left", who=who, seat=tenure.seat + 1, turn=tenure.left)

    def _winning(self) -> Iterator[str]:
        found = self._found
        if found.statistics.decided_by == "called_off":
            return
        first = self._first()
        if len(first) != 1 or not found.leaders:
            return
        yield self._lead(first[0])
        if found.second is not None:
            yield from self._difference(first[0], found.second)

    def _lead(self, seat: int) -> str:
        found = self._found
        turns, ahead, since = len(found.leaders), found.turns_ahead(seat), found.ahead_since(seat)
        said = {"who": self._names[seat], "turns": turns, "ahead": ahead, "since": since}
        name = "never" if since is None else "late" if (since, ahead) == (turns, 1) else "since"
        return self._fill(f"lead.{name}", **said)

    def _difference(self, seat: int, second: int) -> Iterator[str]:
        """The reasons why the first got more than the second, the greatest difference first."""
        ours, theirs = self._found.net(seat), self._found.net(second)
        differences = {reason: ours.get(reason, 0) - theirs.get(reason, 0) for reason in {**ours, **theirs}}
        for name, sign in (("more", 1), ("less", -1)):
            reasons = [reason for reason, difference in differences.items() if difference * sign > 0]
            said = [
                self._fill("difference.reason", reason=self._word(reason), amount=self._change(differences[reason]))
                for reason in sorted(reasons, key=lambda reason: -abs(differences[reason]))[:_TOLD]
            ]
            if said:
                yield self._fill(f"difference.{name}", second=self._names[second], reasons=", ".join(said))

    def _sections(self) -> Iterator[Section]:
        found = self._found
        if found.endings:
            yield Section(self._fill("section.end"), None, tuple(self._ending(told) for told in found.endings))
        if found.swings:
            yield Section(self._fill("section.swings"), None, tuple(self._swing(swing) for swing in found.swings))

    def _ending(self, told: Told) -> Entry:
        text = self._found.ruleset.texts.rules[self._language][told.rule]
        return _entry(told, self._fill("section.event", turn=told.turn, seq=told.seq, rule=told.rule, text=text))

    def _swing(self, swing: Swing) -> Entry:
        told = swing.told
        changes = ", ".join(
            self._fill(
                "section.change",
                who=self._names[seat],
                amount=self._change(amount),
                left=self._number(swing.left[seat]),
            )
            for seat, amount in swing.amounts.items()
        )
        return _entry(told, self._fill("section.swing", turn=told.turn, seq=told.seq, rule=told.rule, changes=changes))

    def _tables(self) -> Iterator[ReportTable]:
        found = self._found
        if found.money:
            yield self._standing()
        if found.statistics.flows:
            yield self._flows()
        if found.statistics.luck:
            yield self._luck()
        for table, rows in groupby(found.statistics.tallies, key=lambda row: row.table):
            yield self._tally(table, tuple(rows))

    def _standing(self) -> ReportTable:
        found = self._found
        money = self._word(found.ruleset.books.money)
        ahead = [self._fill("table.ahead")]
        worth = [self._fill("table.worth")] if any(each is not None for each in found.worth) else []
        rows = tuple(
            (
                self._names[seat],
                found.money[seat],
                *([found.worth[seat]] if worth else []),
                found.turns_ahead(seat),
            )
            for seat in found.order
        )
        return ReportTable(self._fill("table.standing"), (self._fill("table.player"), money, *worth, *ahead), rows)

    def _flows(self) -> ReportTable:
        found = self._found
        nets = [found.net(seat) for seat in range(len(self._names))]
        reasons = list(dict.fromkeys(reason for net in nets for reason in net))
        reasons.sort(key=lambda reason: -sum(net.get(reason, 0) for net in nets))
        rows = [(self._word(reason), *(net.get(reason) for net in nets)) for reason in reasons]
        rows.append((self._fill("table.sum"), *(sum(net.values()) for net in nets)))
        title = self._fill("table.flows", money=self._word(found.ruleset.books.money))
        return ReportTable(title, (self._fill("table.reason"), *self._headings()), tuple(rows))

    def _luck(self) -> ReportTable:
        luck = self._found.statistics.luck
        told = {
            (each.seat, each.kind): self._fill(
                "table.of",
                actual=self._number(each.actual),
                expected=with_point(f"{each.expected:,.1f}", self._language),
            )
            for each in luck
        }
        rows = tuple(
            (self._word(kind), *(told.get((seat, kind)) for seat in range(len(self._names))))
            for kind in sorted({each.kind for each in luck})
        )
        called = self._word("luck")
        title = self._fill("table.luck", luck=called[:1].upper() + called[1:])
        return ReportTable(title, (self._fill("table.reason"), *self._headings()), rows)

    def _tally(self, table: str, rows: tuple[TallyRow, ...]) -> ReportTable:
        """A table of the rule set: its rows by name, by seat, or by both."""
        named, seated = any(row.name for row in rows), any(row.seat is not None for row in rows)
        called = self._word(table)
        headings = (
            *([called] if named else []),
            *([self._fill("table.player")] if seated else []),
            *map(self._word, rows[0].figures),
        )
        told = tuple(
            (
                *([row.name and self._word(row.name)] if named else []),
                *([None if row.seat is None else self._names[row.seat]] if seated else []),
                *row.figures.values(),
            )
            for row in rows
        )
        return ReportTable(called[:1].upper() + called[1:], headings, told)

    def _headings(self) -> Iterator[str]:
        return (in_cells(name, _NAME) for name in self._names)


def _entry(told: Told, detail: str) -> Entry:
    """An event with its sentence, and its details below."""
    return Entry(told.seq, None, None, None, "told", told.sentence, (Detail(0, detail),), told.rule)

"""What statistics say besides the words of the rule set, and how they write numbers."""

from typing import NamedTuple

from mcmulti.domain.core.telling import Language, Words, with_point, word

SAID: Words = {
    "en": {
        "lasted": "{turns} turns, {events} events, {time}",
        "game": "Game ",
        "declared": "Brought to its end by {player}, won by {winners}.",
        "nobody": "nobody yet",
        "ended": "Ended by itself, won by {winners}.",
        "and": " and ",
        "seat_of": "seat {seat}",
        "luck_of": "{luck}, of the average",
        "of": "{actual} of {expected}",
        "player": "player",
        "a_player": "a player",
        "on_average": "{table}, on average",
        "rows": "rows",
        "counted": "{games} games, {events} events.",
        "counted_but": "{games} games, of which {why}, {events} events.",
        "unreadable": "{games} cannot be read",
        "damaged": "{games} are damaged",
        "games_table": "Games",
        "status": "status",
        "players": "players",
        "games": "games",
        "turns": "turns",
        "events": "events",
        "seconds": "seconds",
        "by_seat": "Wins by seat",
        "by_strategy": "Wins by strategy",
        "seat": "seat",
        "seats": "seats",
        "strategy": "strategy",
        "wins": "wins",
        "rate": "rate",
        "fair": "fair",
        "money_of": "{money}, a player and game",
        "in": "in",
        "out": "out",
        "allowed": "allowed",
        "average": "on average",
        "length": "Length of a finished game",
        "mean": "mean",
        "deviation": "deviation",
        "least": "least",
        "most": "most",
        "dice": "Dice (p: how often fair dice are as uneven)",
        "die": "die",
        "all": "all",
        "rolls": "rolls",
    },
    "de": {
        "lasted": "{turns} Züge, {events} Ereignisse, {time}",
        "game": "Spiel ",
        "declared": "Beendet von {player}, gewonnen von {winners}.",
        "nobody": "noch niemandem",
        "ended": "Von selbst zu Ende gegangen, gewonnen von {winners}.",
        "and": " und ",
        "seat_of": "Platz {seat}",
        "luck_of": "{luck}, vom Durchschnitt",
        "of": "{actual} von {expected}",
        "player": "Spieler",
        "a_player": "ein Spieler",
        "on_average": "{table}, im Durchschnitt",
        "rows": "Zeilen",
        "counted": "{games} Spiele, {events} Ereignisse.",
        "counted_but": "{games} Spiele ({why}), {events} Ereignisse.",
        "unreadable": "{games} nicht lesbar",
        "damaged": "{games} beschädigt",
        "games_table": "Spiele",
        "status": "Stand",
        "players": "Spieler",
        "games": "Spiele",
        "turns": "Züge",
        "events": "Ereignisse",
        "seconds": "Sekunden",
        "by_seat": "Siege nach Plätzen",
        "by_strategy": "Siege nach Strategien",
        "seat": "Platz",
        "seats": "Plätze",
        "strategy": "Strategie",
        "wins": "Siege",
        "rate": "Anteil",
        "fair": "fair",
        "money_of": "{money}, je Spieler und Spiel",
        "in": "ein",
        "out": "aus",
        "allowed": "erlaubt",
        "average": "im Mittel",
        "length": "Länge eines beendeten Spiels",
        "mean": "Mittel",
        "deviation": "Abweichung",
        "least": "wenigste",
        "most": "meiste",
        "dice": "Würfel (p: wie oft faire Würfel so ungleich fallen)",
        "die": "Würfel",
        "all": "alle",
        "rolls": "Würfe",
    },
}


class StatisticsWords(NamedTuple):
    """The words of a rule set, and those of statistics, in a language."""

    words: Words
    language: Language

    def term(self, name: str) -> str:
        """What the rule set calls something."""
        return word(self.words, self.language, name)

    def title(self, name: str) -> str:
        """The same as a title."""
        called = self.term(name)
        return called[:1].upper() + called[1:]

    def text(self, name: str, **values: object) -> str:
        """What statistics say."""
        return SAID[self.language][name].format(**values)

    def number(self, number: float, form: str = ",") -> str:
        """A number, with the separators of the language. `form`: as in a format string."""
        return with_point(format(number, form), self.language)

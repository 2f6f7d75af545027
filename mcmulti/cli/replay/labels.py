"""The words around the story, in the languages it is told in."""

from msgspec import Struct

from mcmulti.domain.core.telling import Language


class ReplayLabels(Struct, frozen=True, kw_only=True):
    """What the replay calls its parts. `keys` are the lines of the help: the keys, and what they do."""

    turn: str
    event: str
    of: str
    before_turns: str
    seat: str
    worth: str
    board: str
    story: str
    changes: str
    no_picture: str
    no_changes: str
    whole_view: str
    paused: str
    by_event: str
    by_turn: str
    per_second: str
    jump: str
    jump_hint: str
    no_moment: str
    search: str
    search_hint: str
    not_found: str
    found: str
    nothing_sought: str
    away: str
    back: str
    went_back: str
    went_on: str
    over: str
    help: str
    close: str
    bar: tuple[tuple[str, str, str], ...]
    """Below the board: the key, what it does, the action."""
    keys: tuple[tuple[str, str], ...]


LABELS: dict[Language, ReplayLabels] = {
    "en": ReplayLabels(
        turn="Turn",
        event="event",
        of="of",
        before_turns="Before the first turn",
        seat="Seat",
        worth="net worth",
        board="Board",
        story="Story",
        changes="Changes",
        no_picture="This game has no picture of its board.",
        no_changes="Nothing that can be seen has changed.",
        whole_view="The game comes into being.",
        paused="paused",
        by_event="event by event",
        by_turn="turn by turn",
        per_second="a second",
        jump="Jump to",
        jump_hint="number of an event, or t and the number of a turn: 120, t7",
        no_moment="There is no such event or turn. Events go from {first} to {last}, turns to {turns}.",
        search="Search for",
        search_hint="words of a sentence, a type of event, a rule",
        not_found="“{text}” is nowhere in this story.",
        found="“{text}”: {number} of {all}",
        nothing_sought="Search for something first, with /",
        away="The connection is lost; looking for the server ...",
        back="Connected again.",
        went_back="The log went back to an earlier event: this is the game as it stands now.",
        went_on="The game goes on: {events} events behind this one. End shows the last.",
        over="The game is over.",
        help="Keys",
        close="Any key closes this.",
        bar=(
            ("← →", "step", "app.step(1)"),
            ("[ ]", "turn", "app.turn(1)"),
            ("space", "play", "app.play"),
            ("j", "jump", "app.jump"),
            ("/", "search", "app.search"),
            ("l", "Deutsch", "app.language"),
            ("?", "help", "app.help"),
            ("q", "quit", "app.quit"),
        ),
        keys=(
            ("→  ←", "one event on, one back"),
            ("]  [", "one turn on, one back; also Shift → and Shift ←"),
            ("home  end", "to the beginning, to the end"),
            ("space", "play, pause"),
            ("+  -", "play faster, slower"),
            ("b", "play event by event or turn by turn"),
            ("j", "jump to an event or a turn"),
            ("/", "search in sentences, types of events and rules"),
            ("n  N", "next find, find before"),
            ("tab  1 2 3", "board, story or changes, where there is no room for all"),
            ("↑ ↓ PgUp PgDn", "scroll"),
            ("r", "the whole text of the rule, or less of it"),
            ("l", "Deutsch"),
            ("q", "quit"),
        ),
    ),
    "de": ReplayLabels(
        turn="Zug",
        event="Ereignis",
        of="von",
        before_turns="Vor dem ersten Zug",
        seat="Platz",
        worth="Vermögen",
        board="Brett",
        story="Verlauf",
        changes="Änderungen",
        no_picture="Von diesem Spiel gibt es kein Bild.",
        no_changes="Es hat sich nichts Sichtbares geändert.",
        whole_view="Das Spiel entsteht.",
        paused="hält",
        by_event="Ereignis für Ereignis",
        by_turn="Zug für Zug",
        per_second="je Sekunde",
        jump="Springe zu",
        jump_hint="Nummer eines Ereignisses, oder z und die Nummer eines Zuges: 120, z7",
        no_moment="Das gibt es nicht. Ereignisse gehen von {first} bis {last}, Züge bis {turns}.",
        search="Suche nach",
        search_hint="Worte eines Satzes, eine Art von Ereignis, eine Regel",
        not_found="„{text}“ kommt nicht vor.",
        found="„{text}“: {number} von {all}",
        nothing_sought="Suche zuerst etwas, mit /",
        away="Die Verbindung ist weg; der Server wird gesucht ...",
        back="Wieder verbunden.",
        went_back="Das Protokoll ging auf ein früheres Ereignis zurück: so steht das Spiel jetzt.",
        went_on="Das Spiel geht weiter: {events} Ereignisse nach diesem. Ende zeigt das letzte.",
        over="Das Spiel ist aus.",
        help="Tasten",
        close="Jede Taste schließt dies.",
        bar=(
            ("← →", "Schritt", "app.step(1)"),
            ("[ ]", "Zug", "app.turn(1)"),
            ("Leer", "Lauf", "app.play"),
            ("j", "Sprung", "app.jump"),
            ("/", "Suche", "app.search"),
            ("l", "English", "app.language"),
            ("?", "Hilfe", "app.help"),
            ("q", "Ende", "app.quit"),
        ),
        keys=(
            ("→  ←", "ein Ereignis vor, eins zurück"),
            ("]  [", "ein Zug vor, einer zurück; auch Umschalt → und Umschalt ←"),
            ("Pos1  Ende", "zum Anfang, zum Ende"),
            ("Leertaste", "laufen lassen, anhalten"),
            ("+  -", "schneller, langsamer"),
            ("b", "Ereignis für Ereignis oder Zug für Zug laufen lassen"),
            ("j", "zu einem Ereignis oder Zug springen"),
            ("/", "in Sätzen, Arten von Ereignissen und Regeln suchen"),
            ("n  N", "nächster Fund, voriger Fund"),
            ("Tab  1 2 3", "Brett, Verlauf oder Änderungen, wo nicht alles Platz hat"),
            ("↑ ↓ Bild↑ Bild↓", "rollen"),
            ("r", "den ganzen Text der Regel, oder weniger davon"),
            ("l", "English"),
            ("q", "beenden"),
        ),
    ),
}

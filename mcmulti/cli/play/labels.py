"""The words around a game that is played at a terminal, in the languages it is told in."""

from msgspec import Struct

from mcmulti.domain.core.telling import Language

WORDS = ("try", "undo", "rule", "board", "offers", "sheet", "write", "edit", "send", "quit", "help")
"""What may stand behind a colon, in every language."""


class PlayLabels(Struct, frozen=True, kw_only=True):
    """What `play` says itself. `help`: what may be typed, and what it does."""

    news: str
    may: str
    goes_on: str
    keys: str
    yes_or_no: str
    your_move: str
    looking_on: str
    you_are: str
    no_connection: str
    over: str
    it_is_your_move: str
    waiting: str
    waiting_for: str
    over_leave: str
    not_done: str
    no_word: str
    up_to_chance: str
    chance_decides: str
    up_to_ceilings: str
    ceilings_decide: str
    for_good: str
    moved_on: str
    at_most: str
    ambiguous: str
    say_more: str
    nothing_offered: str
    unfit: str
    unfit_at_all: str
    no_rule: str
    cannot_read: str
    not_saved: str
    no_sheet: str
    no_json: str
    no_command: str
    line: str
    orders_are: str
    notation: str
    would_do: str
    no_remarks: str
    send_it: str
    help: tuple[tuple[str, str], ...]


PLAY_LABELS: dict[Language, PlayLabels] = {
    "en": PlayLabels(
        news="News",
        may="You may",
        goes_on="goes on with",
        keys="tab completes  ↑↓ menu  ^t tries  ^z undo  ^o board  esc clear  :help  ^q quit",
        yes_or_no="yes or no",
        your_move="your move",
        looking_on="looking on",
        you_are="you are {name}",
        no_connection="no connection",
        over="the game is over",
        it_is_your_move="it is your move",
        waiting="waiting",
        waiting_for="waiting for {names}",
        over_leave="The game is over. ^q leaves.",
        not_done="Not done.",
        no_word="There is no :{word}; there are {known}.",
        up_to_chance="The rest is up to chance.",
        chance_decides="{move}: chance decides, and it cannot be taken back. Is it meant? yes or no",
        up_to_ceilings="The rest is up to chance or to sealed ceilings.",
        ceilings_decide="{move}: chance or sealed ceilings decide, and it cannot be taken back. Is it meant? yes or no",
        for_good="{move}: it cannot be taken back. Is it meant? yes or no",
        moved_on="The game moved on meanwhile: look what is offered now, and say it again.",
        at_most="At most {limit}.",
        ambiguous="That may be several things: {would}.",
        say_more="Say more: {would}.",
        nothing_offered="Nothing is offered now.",
        unfit="'{word}' does not fit here; what does: {would}.",
        unfit_at_all="'{word}' does not fit here; nothing more does.",
        no_rule="There is no rule '{rule}'.",
        cannot_read="{path} cannot be read: {error}.",
        not_saved="Nothing was saved.",
        no_sheet="No sheet is asked for now.",
        no_json="That is not JSON: {error}.",
        no_command='A command is an object with a type: {"type": "EndTurn"}.',
        line="line",
        orders_are="The sheet:",
        notation="{players}. docs/post.md says how orders are written.",
        would_do="Before any dice it would do:",
        no_remarks="Nothing in it looks like a mistake.",
        send_it="Send it? yes or no",
        help=(
            ("roll", "a move, in as few words as tell it; a space shows what may come next"),
            (":try MOVE", "what would come of a move, which is not made"),
            (":undo", "take the last move back, where the table allows it"),
            (":rule ID", "the text of a rule"),
            (":board", "the board and what everybody has"),
            (":offers", "all that may be done now"),
            (":sheet FILE", "by post: check the sheet in a file, and send it"),
            (":write SHEET", "by post: the same with a sheet on this line, with ; between orders"),
            (":edit", "by post: write the sheet in an editor"),
            (":send JSON", "a command as the API takes it: for offers that this program does not know"),
            (":quit", "leave the program; the seat is kept"),
            ("PgUp PgDn", "scroll the board"),
        ),
    ),
    "de": PlayLabels(
        news="Neues",
        may="Möglich ist",
        goes_on="geht weiter mit",
        keys="Tab ergänzt  ↑↓ Menü  ^t Probe  ^z zurück  ^o Brett  Esc leert  :help  ^q Ende",
        yes_or_no="ja oder nein",
        your_move="dein Zug",
        looking_on="du siehst zu",
        you_are="du bist {name}",
        no_connection="keine Verbindung",
        over="das Spiel ist aus",
        it_is_your_move="du bist am Zug",
        waiting="es wird gewartet",
        waiting_for="es wird gewartet auf {names}",
        over_leave="Das Spiel ist aus. ^q beendet.",
        not_done="Nichts geschehen.",
        no_word="Es gibt kein :{word}; es gibt {known}.",
        up_to_chance="Der Rest ist Zufall.",
        chance_decides="{move}: Der Zufall entscheidet, und es gibt kein Zurück. Wirklich? ja oder nein",
        up_to_ceilings="Den Rest entscheiden der Zufall oder versiegelte Obergrenzen.",
        ceilings_decide="{move}: Zufall oder versiegelte Obergrenzen entscheiden, kein Zurück. Wirklich? ja oder nein",
        for_good="{move}: Es gibt kein Zurück. Wirklich? ja oder nein",
        moved_on="Das Spiel ging inzwischen weiter: Sieh nach, was jetzt möglich ist, und sag es noch einmal.",
        at_most="Höchstens {limit}.",
        ambiguous="Das kann mehreres heißen: {would}.",
        say_more="Sag mehr: {would}.",
        nothing_offered="Jetzt ist nichts möglich.",
        unfit="„{word}“ passt hier nicht; es passt: {would}.",
        unfit_at_all="„{word}“ passt hier nicht; mehr gehört nicht dazu.",
        no_rule="Es gibt keine Regel „{rule}“.",
        cannot_read="{path} lässt sich nicht lesen: {error}.",
        not_saved="Es wurde nichts gespeichert.",
        no_sheet="Jetzt wird kein Bogen erwartet.",
        no_json="Das ist kein JSON: {error}.",
        no_command='Ein Kommando ist ein Objekt mit einem type: {"type": "EndTurn"}.',
        line="Zeile",
        orders_are="Der Bogen:",
        notation="{players}. docs/post.md sagt, wie Aufträge geschrieben werden.",
        would_do="Vor allem Würfeln geschähe:",
        no_remarks="Nichts darin sieht nach einem Versehen aus.",
        send_it="Absenden? ja oder nein",
        help=(
            ("roll", "ein Zug, in so wenigen Worten wie nötig; ein Leerzeichen zeigt, was folgen kann"),
            (":try ZUG", "was ein Zug bewirken würde, ohne dass er geschieht"),
            (":undo", "nimmt den letzten Zug zurück, wo der Tisch es erlaubt"),
            (":rule ID", "der Text einer Regel"),
            (":board", "das Brett, und was alle haben"),
            (":offers", "alles, was jetzt möglich ist"),
            (":sheet DATEI", "per Post: prüft den Bogen in einer Datei und sendet ihn"),
            (":write BOGEN", "per Post: dasselbe mit einem Bogen in dieser Zeile, mit ; zwischen den Aufträgen"),
            (":edit", "per Post: schreibt den Bogen in einem Editor"),
            (":send JSON", "ein Kommando, wie die API es nimmt: für Angebote, die dieses Programm nicht kennt"),
            (":quit", "verlässt das Programm; der Platz bleibt"),
            ("Bild↑ Bild↓", "rollt das Brett"),
        ),
    ),
}

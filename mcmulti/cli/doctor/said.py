"""What the doctor says. What it quotes of others, as the fault of a damaged game, is in English."""

from typing import NamedTuple

from mcmulti.domain.core.telling import Language, Words, grouped, with_point

SAID: Words = {
    "en": {
        "program": "mcmulti {build}, Python {python}",
        "uvicorn": "{program}, uvicorn {version}",
        "descriptors": "a server that is started from here may have {most} files and connections open",
        "descriptors.advice": "raise the limit (ulimit -Hn, LimitNOFILE=)",
        "data": "{folder} holds {held} of PostgreSQL {major}",
        "replaced": "{folder} holds {held} that an upgrade has replaced",
        "replaced.advice": "mcmulti upgrade --remove-old deletes them",
        "free": "{free} are free on the disk that holds {folder}",
        "free.advice": "make room before it is full",
        "answers": "PostgreSQL {version} answers",
        "silent": "the database does not answer",
        "schema": "its schema and the rights of the server's role are those of this build",
        "other_schema": "the database is not as this build wants it",
        "other_schema.advice": "mcmulti migrate would do: {steps}",
        "key": "heads are signed with key {key}, since {since}; {before} before it",
        "late": "deadlines that passed more than a minute ago and were not kept: {late}",
        "late.advice": "a server keeps them once it runs; if one does, its log says why not",
        "settings": "{names} are on",
        "settings_off": "{names} is off, so that a crash loses or destroys games that were answered",
        "settings_off.advice": "set it on",
        "clock": "its clock and the one here are {seconds} s apart",
        "clock.advice": "keep both in step (NTP)",
        "connections": "{used} of {most} connections are in use",
        "connections.advice": "raise max_connections, or keep fewer (--workers, --pool-size)",
        "one_node": "all games live on this PostgreSQL",
        "nodes": "games are spread over {active} nodes",
        "nodes.advice": "{shut} more are registered and not active",
        "snapshots": "{kept} snapshots make reading quick; all could be deleted, and are made anew",
        "listed": "game {game} is listed otherwise than it stands",
        "listed.advice": "mcmulti doctor --mend puts it right",
        "listed.mended": "it was put right",
        "damaged": "game {game} is damaged: {fault}",
        "damaged.advice": "take its rows from a backup",
        "games": "games whose {events} events hang together: {told}; damaged: {damaged}",
        "none": "none",
        "open": "open",
        "running": "running",
        "finished": "finished",
    },
    "de": {
        "program": "mcmulti {build}, Python {python}",
        "uvicorn": "{program}, uvicorn {version}",
        "descriptors": "ein Server, der von hier gestartet wird, darf {most} Dateien und Verbindungen offen haben",
        "descriptors.advice": "erhöhe die Grenze (ulimit -Hn, LimitNOFILE=)",
        "data": "{folder} enthält {held} von PostgreSQL {major}",
        "replaced": "{folder} enthält {held}, die ein Upgrade ersetzt hat",
        "replaced.advice": "mcmulti upgrade --remove-old löscht sie",
        "free": "{free} sind auf dem Datenträger von {folder} frei",
        "free.advice": "schaff Platz, bevor er voll ist",
        "answers": "PostgreSQL {version} antwortet",
        "silent": "die Datenbank antwortet nicht",
        "schema": "ihr Schema und die Rechte der Rolle des Servers sind die dieser Version",
        "other_schema": "die Datenbank ist nicht so, wie diese Version sie braucht",
        "other_schema.advice": "mcmulti migrate würde tun: {steps}",
        "key": "Köpfe werden seit {since} mit dem Schlüssel {key} signiert; davor gab es {before}",
        "late": "Fristen, die seit über einer Minute vorbei sind und nicht eingehalten wurden: {late}",
        "late.advice": "ein Server holt sie nach, sobald er läuft; läuft einer, sagt sein Log, warum nicht",
        "settings": "{names} sind an",
        "settings_off": "{names} ist aus: ein Absturz verliert oder zerstört Spiele, die schon bestätigt sind",
        "settings_off.advice": "schalte es an",
        "clock": "ihre Uhr und die hier gehen {seconds} s auseinander",
        "clock.advice": "stell beide gleich (NTP)",
        "connections": "{used} von {most} Verbindungen sind belegt",
        "connections.advice": "erhöhe max_connections, oder halte weniger offen (--workers, --pool-size)",
        "one_node": "alle Spiele liegen auf diesem PostgreSQL",
        "nodes": "die Spiele sind auf {active} Knoten verteilt",
        "nodes.advice": "{shut} weitere sind eingetragen und nicht aktiv",
        "snapshots": "{kept} Zwischenstände beschleunigen das Lesen; alle sind verzichtbar und entstehen neu",
        "listed": "Spiel {game} ist anders eingetragen, als es steht",
        "listed.advice": "mcmulti doctor --mend berichtigt es",
        "listed.mended": "es wurde berichtigt",
        "damaged": "Spiel {game} ist beschädigt: {fault}",
        "damaged.advice": "nimm seine Zeilen aus einer Sicherung",
        "games": "Spiele, deren {events} Ereignisse zusammenhängen: {told}; beschädigt: {damaged}",
        "none": "keine",
        "open": "offen",
        "running": "im Gange",
        "finished": "beendet",
    },
}


class DoctorWords(NamedTuple):
    """How things are said in a language."""

    language: Language

    def __call__(self, name: str, **figures: object) -> str:
        """A phrase, with numbers in the groups of the language."""
        shown = {
            key: grouped(figure, self.language) if isinstance(figure, int) else figure
            for key, figure in figures.items()
        }
        return SAID[self.language][name].format_map(shown)

    def size(self, number: int) -> str:
        """A number of bytes."""
        told = f"{number / 2**30:,.1f} GiB" if number >= 2**30 else f"{number / 2**20:,.1f} MiB"
        return with_point(told, self.language)

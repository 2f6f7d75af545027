"""A short grammar of moves for any game: ``take seat 2`` is a command, understood from the offers alone.

A phrase is words. First come those of the command, from the first on: ``end turn`` for `EndTurn`; then a value for each
field. Prefixes of words are enough, if they identify one command.

- A number goes to the first number field that has none yet; a text, or ``yes`` and ``no``, to the first field that has
  such an option. A place is its numbers with commas, ``0,2,5``; leading ones can be omitted: ``2,5``.
- Seats count from 1, as in sentences. In commands, they count from 0.
- ``field=value`` names the field. A prefix of its name is enough.
- A field that can have only one value, and one that can be null, can be omitted.
- A free-form field, a `Form`, is JSON from ``{`` to the end, or its members:
  ``sell_from=20 refine=true``.

If a phrase can mean several commands, those count whose words were given in full, and then those without omissions. A
client that cannot import this module asks the server, as the pages do: `GET /v1/games/{game}/phrase`.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

_Json = dict[str, Any]

_SPACE = re.compile(r"[ \t\r\n]+")
_WORD = re.compile(r"[A-Z][a-z0-9]*")
_NUMBER = re.compile(r"[0-9]{1,15}")
_PLACE = re.compile(r"[0-9]{1,15}(,[0-9]{1,15})+")
_SEAT = "seat"
_NAMED = re.compile(r"([A-Za-z_]+)=(.*)", re.DOTALL)


class Unread(ValueError):
    """A phrase that is not a command. `fits`: what could be there instead, as returned by `following`.

    `code`: ``unfit`` if `word` is the first that fits no offer; ``missing`` if the phrase is incomplete; ``ambiguous``
    if `fits` are the phrases of all its possible meanings.
    """

    def __init__(self, code: Literal["unfit", "missing", "ambiguous"], word: str | None, fits: Sequence[str]) -> None:
        self.code, self.word, self.fits = code, word, list(fits)
        super().__init__(code)


class _Reading(NamedTuple):
    """An offer, as far as it was understood: a number of words of its command, and values of its fields."""

    offer: _Json
    words: int
    whole: bool
    values: _Json

    @property
    def fields(self) -> dict[str, _Json]:
        return _fields(self.offer)

    @property
    def unsaid(self) -> dict[str, _Json]:
        return {name: field for name, field in self.fields.items() if name not in self.values}


def read(phrase: str, offers: Sequence[_Json]) -> _Json:
    """The command that a phrase means, as in the API. Raises `Unread` if it means none, or several."""
    readings = _readings(_split(phrase), _from_one(offers))
    commands = [_counted(command, -1) for command in _meant(readings)]
    if not commands:
        raise Unread("missing", None, _next(readings, ""))
    if len(commands) > 1:
        raise Unread("ambiguous", None, [say(command, offers) for command in commands])
    return commands[0]


def say(command: _Json, offers: Sequence[_Json]) -> str:
    """The full phrase for a command that one of the offers admits. `read` turns it back into the command."""
    command, offers = _counted(command, 1), _from_one(offers)
    fields = [field for offer in offers if offer["command"] == command["type"] for field in _fields(offer).items()]
    forms = {name for name, field in fields if "schema" in field}
    short, long = (" ".join(_spoken(command, forms, length)) for length in ("short", "long"))
    return short if _meant(_readings(_split(short), offers)) == [command] else long


def following(phrase: str, offers: Sequence[_Json]) -> list[str]:
    """Completions of the last word of a phrase, or possible next words if the phrase is empty or ends with a space.

    Ranges are shown as ``1..6`` (followed by ``/2`` for steps of 2), forms as ``{..}``. They describe what fits, and
    are not words themselves.
    """
    if "{" in phrase:
        return []
    words, offers = _split(phrase), _from_one(offers)
    begun = words.pop() if words and not _SPACE.fullmatch(phrase[-1]) else ""
    try:
        return _next(_readings(words, offers), begun)
    except Unread:
        return []


def words_of(command: str) -> list[str]:
    """The words of the name of a command."""
    return [word.lower() for word in _WORD.findall(command)]


def _from_one(offers: Sequence[_Json]) -> list[_Json]:
    """Offers whose seats count from 1."""
    return [
        {**offer, "fields": {**fields, _SEAT: _seats_from_one(fields[_SEAT])}} if _SEAT in fields else offer
        for offer in offers
        for fields in (_fields(offer),)
    ]


def _seats_from_one(field: _Json) -> _Json:
    if "options" in field:
        return {**field, "options": [option + 1 for option in field["options"]]}
    return {**field, "min": field["min"] + 1, "max": field["max"] + 1}


def _counted(command: _Json, more: int) -> _Json:
    """A command with this much more in its seat, if it has one."""
    return command if command.get(_SEAT) is None else {**command, _SEAT: command[_SEAT] + more}


def _fields(offer: _Json) -> dict[str, _Json]:
    found: dict[str, _Json] = offer.get("fields", {})
    return found


def _split(phrase: str) -> list[str]:
    """The words. Text that begins with a brace is one word, to the end."""
    front, brace, form = phrase.partition("{")
    words = [word for word in _SPACE.split(front) if word]
    if not brace:
        return words
    named = words.pop() if words and words[-1].endswith("=") and not _SPACE.fullmatch(front[-1]) else ""
    return [*words, named + brace + form.rstrip(" \t\r\n")]


def _readings(words: Sequence[str], offers: Sequence[_Json]) -> list[_Reading]:
    readings = [_Reading(offer, 0, True, {}) for offer in offers]
    for word in words:
        further = [more for reading in readings for more in _more(reading, word)]
        if not further:
            raise Unread("unfit", word, _next(readings, ""))
        readings = further
    return readings


def _meant(readings: Iterable[_Reading]) -> list[_Json]:
    """The commands of readings in which only optional parts are missing: those that count, each once."""
    whole = [reading for reading in readings if reading.words and all(map(_may_be_left_out, reading.unsaid.values()))]
    best = max(map(_rank, whole), default=None)
    commands: list[_Json] = []
    for command in (_command(reading) for reading in whole if _rank(reading) == best):
        if command not in commands:
            commands.append(command)
    return commands


def _more(reading: _Reading, word: str) -> Iterator[_Reading]:
    """The readings after one more word."""
    command = words_of(reading.offer["command"])
    spoken = word.lower()
    if not reading.values and reading.words < len(command) and command[reading.words].startswith(spoken):
        whole = reading.whole and command[reading.words] == spoken
        yield reading._replace(words=reading.words + 1, whole=whole)
    if reading.words:
        for name, value in _placed(reading, word):
            yield reading._replace(values={**reading.values, name: value})


def _placed(reading: _Reading, word: str) -> Iterator[tuple[str, Any]]:
    """The fields, and their values, that a word can mean."""
    named = _NAMED.fullmatch(word)
    if named is None:
        for name, field in reading.unsaid.items():
            if _is_of_kind(field, word):
                yield from ((name, value) for value in _fitting(field, word))
                return
        return
    begins, said = named[1].lower(), named[2]
    fields = [name for name in reading.unsaid if name.startswith(begins)]
    for name in fields:
        yield from ((name, value) for value in _fitting(reading.fields[name], said))
    if not fields:
        form = next((name for name, field in reading.fields.items() if "schema" in field), None)
        members = {} if form is None else reading.values.get(form) or {}
        if form is not None and named[1] not in members:
            yield form, {**members, named[1]: _scalar(said)}


def _is_of_kind(field: _Json, word: str) -> bool:
    """Whether the word is of the field's kind: a number for a number field, in its range or not."""
    if "schema" in field:
        return word.startswith("{")
    if "options" not in field:
        return bool(_NUMBER.fullmatch(word))
    if any(map(_is_number, field["options"])):
        return bool(_NUMBER.fullmatch(word))
    if any(isinstance(option, dict) for option in field["options"]):
        return bool(_PLACE.fullmatch(word))
    return any(True for _ in _fitting(field, word))


def _fitting(field: _Json, word: str) -> list[Any]:
    """The values of a field that a word can mean: the exact one, or all that begin with it."""
    if "schema" in field:
        return _json_in(word)
    spoken = word.lower()
    if "options" not in field:
        return [int(word)] if _NUMBER.fullmatch(word) and _in_range(field, int(word)) else []
    exact: list[Any] = []
    begun: list[Any] = []
    for option in field["options"]:
        if isinstance(option, dict):
            if _PLACE.fullmatch(word) and f",{_option_text(option)}".endswith(f",{word}"):
                exact.append(option)
        elif _is_number(option):
            if _NUMBER.fullmatch(word) and int(word) == option:
                exact.append(option)
        elif spoken == _option_text(option).lower():
            exact.append(option)
        elif spoken and _option_text(option).lower().startswith(spoken):
            begun.append(option)
    return exact or begun


def _is_number(option: Any) -> bool:
    return isinstance(option, int) and not isinstance(option, bool)


def _in_range(field: _Json, number: int) -> bool:
    least, most, step = field["min"], field["max"], field.get("step", 1)
    return bool(least <= number <= most and (number - least) % step == 0)


def _json_in(word: str) -> list[Any]:
    try:
        written = json.loads(word, parse_constant=_none_of_json)
    except (ValueError, RecursionError):
        return []
    return [written] if isinstance(written, dict) else []


def _none_of_json(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def _scalar(said: str) -> Any:
    """A member of a form: a number, true, false, or null, or else the text itself."""
    if _NUMBER.fullmatch(said):
        return int(said)
    return {"true": True, "false": False, "null": None}.get(said, said)


def _option_text(option: Any) -> str:
    """The full text of an option."""
    if isinstance(option, dict):
        return ",".join(str(number) for number in option.values())
    if isinstance(option, bool):
        return "yes" if option else "no"
    return str(option)


def _short(option: Any, options: Iterable[Any]) -> str:
    """A place without the leading numbers that all places have in common."""
    said = _option_text(option)
    if not isinstance(option, dict):
        return said
    others = [_option_text(other) for other in options if other != option]
    while said.count(",") > 1:
        shorter = said.partition(",")[2]
        if any(other.endswith(f",{shorter}") for other in others):
            break
        said = shorter
    return said


def _may_be_left_out(field: _Json) -> bool:
    return field.get("optional", False) or len(_values(field)) == 1


def _values(field: _Json) -> Sequence[Any]:
    """All values of a field; empty for a form."""
    if "schema" in field:
        return ()
    if "options" in field:
        options: list[Any] = field["options"]
        return options
    return range(field["min"], field["max"] + 1, field.get("step", 1))


def _rank(reading: _Reading) -> tuple[bool, bool]:
    in_full = reading.whole and reading.words == len(words_of(reading.offer["command"]))
    return in_full, not reading.unsaid


def _command(reading: _Reading) -> _Json:
    values = {
        name: reading.values[name] if name in reading.values else None if field.get("optional") else _values(field)[0]
        for name, field in reading.fields.items()
    }
    return {"type": reading.offer["command"], **values}


def _spoken(command: _Json, forms: Collection[str], length: Literal["short", "long"]) -> Iterator[str]:
    yield from words_of(command["type"])
    for name, value in command.items():
        if name in forms and value is not None:
            yield json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        elif name != "type" and value is not None:
            yield _short(value, ()) if length == "short" else _option_text(value)


def _next(readings: Iterable[_Reading], begun: str) -> list[str]:
    """What can come next in any of the readings, if it begins like this; each once."""
    found: dict[str, None] = {}
    for reading in readings:
        for words in _offered(reading):
            fit = next((word for word in words if word.lower().startswith(begun.lower())), None)
            if fit is None and ".." in words[0] and begun.isascii() and begun.isdigit():
                fit = words[0]
            if fit is not None:
                found[fit] = None
        if begun and reading.words:
            found.update((f"{name}=", None) for name in reading.unsaid if name.startswith(begun.lower()))
    return list(found)


def _offered(reading: _Reading) -> Iterator[tuple[str, ...]]:
    """What can come next, each with alternative ways to say it."""
    command = words_of(reading.offer["command"])
    if not reading.values and reading.words < len(command):
        yield (command[reading.words],)
    if not reading.words:
        return
    numbered = False
    for name, field in reading.unsaid.items():
        options = field.get("options", ())
        of_numbers = "min" in field or any(map(_is_number, options))
        if of_numbers and numbered:
            continue
        numbered = numbered or of_numbers
        if "schema" in field:
            yield ("{..}",)
        elif "min" in field:
            yield (_span(field),)
        else:
            yield from (
                (_short(option, options), _option_text(option), f"{name}={_option_text(option)}") for option in options
            )


def _span(field: _Json) -> str:
    least, most, step = field["min"], field["max"], field.get("step", 1)
    return str(least) if least + step > most else f"{least}..{most}" + (f"/{step}" if step > 1 else "")

"""What a reader needs in addition to the rules: what can be sent, option by option and command by command, its labels,
and how gaps in the rulebook are interpreted.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct, inspect
from msgspec.structs import replace

from mcmulti.domain.core.commands import Command, Place
from mcmulti.domain.core.figures import MOST, RuleId, Sentence, TypeName
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.wording.data import read, texts, there
from mcmulti.domain.core.wording.introduction import introduction_of
from mcmulti.domain.core.wording.telling import Language, Words, joined

_MANUAL, _LABELS, _READINGS = "manual.toml", "labels.toml", "readings.toml"

_FieldName = Annotated[str, Meta(max_length=60, pattern="^[a-z_]+$", description="Name of a field.")]
_FieldType = Annotated[
    str, Meta(max_length=60, pattern="^[A-Za-z]+$", description="`integer`, `boolean`, `text`, or the name of a type.")
]
_Bound = Annotated[int, Meta(ge=-MOST, le=MOST)]


class FieldText(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A field of something that can be sent.

    `name`: its name. `holds`: the type of its values. `meaning`: what it is for. `many`: it is a list of these.
    `optional`: it can be omitted. `default`: its value then. `least`, `most`: bounds of a number. `options`: the
    possible values; of a number, in addition to those within its bounds. `asked`: it is one of the options of the setup
    that most tables want to choose.
    """

    name: _FieldName
    holds: _FieldType
    meaning: str = ""
    many: bool = False
    optional: bool = False
    default: Any = None
    least: _Bound | None = None
    most: _Bound | None = None
    options: tuple[str | int, ...] = ()
    asked: bool = False


class TypeText(Struct, frozen=True, omit_defaults=True):
    """A type of what can be sent, or of a part of it.

    `name`: its name. `meaning`: what it does. `fields`: its fields. `one_of`: if it is only a name for several types,
    the types that can stand in its place. `place`: where players look for a command. `answer`: first, since others wait
    for it. `ahead`: with what the game asks. `aside`: with what is possible at any time. `back`: apart, since it takes
    something back. Null where the game offers it.
    """

    name: TypeName
    meaning: str = ""
    fields: tuple[FieldText, ...] = ()
    one_of: tuple[TypeName, ...] = ()
    place: Place | None = None


class RuleReading(Struct, frozen=True, omit_defaults=True):
    """How a rule is interpreted if its source is silent or ambiguous.

    `question`: what is open. `answer`: how it is played here. `rules`: its rules. `option`: the field of the setup by
    which a table can agree on another reading.
    """

    question: Sentence
    answer: Sentence
    rules: tuple[RuleId, ...]
    option: _FieldName | None = None


_Label = Annotated[str, Meta(max_length=100, description="A few words for display.")]
_Name = Annotated[str, Meta(max_length=80, description="A name, or two joined by a dot.")]


class GameLabels(Struct, frozen=True):
    """Short labels for people. Without a label, the word for a name is used, or else the name itself.

    `types`: labels of buttons that send a command, and of parts of commands, by their names. `fields`: labels of
    fields, by name. `options`: labels of choices. A choice that has another label in only one field is named by both,
    such as ``undo.own``.
    """

    types: dict[_Name, _Label]
    fields: dict[_Name, _Label]
    options: dict[_Name, _Label]


class Manual(Struct, frozen=True):
    """What can be sent. `setup`: what a table is opened with. `commands`: what players send. `types`: parts of both."""

    setup: tuple[FieldText, ...]
    commands: tuple[TypeText, ...]
    types: tuple[TypeText, ...]


def manual_of(ruleset: Ruleset[Any], language: Language) -> Manual:
    """What can be sent to a game, and its meaning. A missing text is empty, which a test detects."""
    found = _Types(ruleset, manual_texts(ruleset)[language])
    asked = introduction_of(ruleset, language).asked
    setup = tuple(replace(each, asked=each.name in asked) for each in found.described(ruleset.setup).fields)
    commands = tuple(found.described(command) for command in (*ruleset.commands.moves, *ruleset.commands.worded))
    return Manual(setup, commands, found.parts())


def labels_of(ruleset: Ruleset[Any], language: Language) -> GameLabels:
    """The labels of a game's buttons, fields, and choices."""
    found = _texts_in((__package__, *ruleset.texts.rooms), _LABELS)[language]
    return GameLabels(
        *(
            {path.partition(".")[2]: text for path, text in found.items() if path.startswith(f"{table}.")}
            for table in GameLabels.__struct_fields__
        )
    )


def readings_of(ruleset: Ruleset[Any], language: Language) -> tuple[RuleReading, ...]:
    """How a game's rulebook is interpreted."""
    return tuple(
        RuleReading(each["question"][language], each["answer"][language], tuple(each["rules"]), each.get("option"))
        for room in ruleset.texts.rooms
        if there(room, _READINGS)
        for each in read(room, _READINGS)["reading"]
    )


def components_of(ruleset: Ruleset[Any], language: Language) -> dict[str, Any]:
    """The components of a game, with their sources in the language."""
    components = dict(ruleset.texts.components)
    if "provenance" in components:
        sources = {name: text[language] for name, text in components["provenance"]["sources"].items()}
        components["provenance"] = {**components["provenance"], "sources": sources}
    return components


@cache
def _texts_in(rooms: tuple[str, ...], name: str) -> Words:
    return joined(*(texts(room, name) for room in rooms))


def manual_texts(ruleset: Ruleset[Any]) -> Words:
    """Meanings of types and fields, by language: ``types.Clock``, ``fields.seat``, ``fields.Clock.misses``."""
    return _texts_in((__package__, *ruleset.texts.rooms), _MANUAL)


class _Types:
    """The types of what can be sent to a game, in the order in which they are found."""

    def __init__(self, ruleset: Ruleset[Any], meanings: Mapping[str, str]) -> None:
        self._meanings = meanings
        self._unions = {frozenset(members): name for name, (_, members) in ruleset.commands.unions.items()}
        self._waiting: dict[str, type[Struct] | tuple[type[Struct], ...]] = {}

    def described(self, kind: type[Struct]) -> TypeText:
        """A struct. The structs in its fields are visited later."""
        name = kind.__name__
        fields = tuple(self._field(name, field) for field in msgspec.structs.fields(kind))
        place = kind.place if issubclass(kind, Command) else None
        return TypeText(name, self._meanings.get(f"types.{name}", ""), fields, place=place)

    def parts(self) -> tuple[TypeText, ...]:
        """All types reachable from others, in the order in which they are found."""
        found: dict[str, TypeText] = {}
        while more := [name for name in self._waiting if name not in found]:
            for name in more:
                found[name] = self._part(name, self._waiting[name])
        return tuple(found.values())

    def _part(self, name: str, kinds: type[Struct] | tuple[type[Struct], ...]) -> TypeText:
        if not isinstance(kinds, tuple):
            return self.described(kinds)
        self._waiting |= {kind.__name__: kind for kind in kinds}
        return TypeText(name, self._meanings.get(f"types.{name}", ""), one_of=tuple(kind.__name__ for kind in kinds))

    def _field(self, holder: str, field: msgspec.structs.FieldInfo) -> FieldText:
        name = field.encode_name
        meaning = self._meanings.get(f"fields.{holder}.{name}", self._meanings.get(f"fields.{name}", ""))
        said: dict[str, Any] = {"name": name, "meaning": meaning, "optional": not field.required}
        if not field.required and field.default is not msgspec.NODEFAULT:
            said["default"] = msgspec.to_builtins(field.default)
        return FieldText(**said, **self._kind(inspect.type_info(field.type)))

    def _kind(self, kind: inspect.Type) -> dict[str, Any]:
        """The type of a field's values."""
        kinds = tuple(_alternatives(kind))
        structs = tuple(each.cls for each in kinds if isinstance(each, inspect.StructType))
        if structs:
            name = structs[0].__name__ if len(structs) == 1 else self._unions[frozenset(structs)]
            self._waiting[name] = structs[0] if len(structs) == 1 else structs
            return {"holds": name}
        found: dict[str, Any] = {"holds": "text"}
        options: list[str | int] = []
        for each in kinds:
            if isinstance(each, inspect.VarTupleType):
                return {**self._kind(each.item_type), "many": True}
            if isinstance(each, inspect.BoolType):
                found["holds"] = "boolean"
            elif isinstance(each, inspect.IntType):
                found |= {"holds": "integer", "least": each.ge, "most": each.le}
            elif isinstance(each, inspect.LiteralType):
                options += [value for value in each.values if isinstance(value, str | int)]
        if options and all(isinstance(each, int) for each in options):
            found["holds"] = "integer"
        return {**found, "options": tuple(options)}


def _alternatives(kind: inspect.Type) -> Iterator[inspect.Type]:
    """The possible types of a value, other than null."""
    if isinstance(kind, inspect.Metadata):
        yield from _alternatives(kind.type)
    elif isinstance(kind, inspect.UnionType):
        for each in kind.types:
            yield from _alternatives(each)
    elif not isinstance(kind, inspect.NoneType):
        yield kind

"""The rules of a game as parts of guides: only what its rule set publishes in English."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import msgspec

from mcmulti.api.operations.players import in_full
from mcmulti.domain.rulesets import CURRENT, SHIPPED


@cache
def published(name: str) -> Any:
    """The response of `GET /v1/rulesets/{name}`."""
    return msgspec.json.decode(in_full(name, CURRENT[name].version, "en"))


AIM = ("game/aim", "game/turn", "game/example")
"""Rules that summarize a game."""

OF_TABLES = ("table/", "chance/")
"""The prefixes of the rules about tables and chance, which belong to no single game."""


@cache
def common() -> Mapping[str, str]:
    """The rules of tables that all games of this package have in the same words."""
    first, *others = (published(name)["rules"] for name in SHIPPED)
    of_tables = {rule: text for rule, text in first.items() if rule.startswith(OF_TABLES)}
    return {rule: text for rule, text in of_tables.items() if all(each.get(rule) == text for each in others)}


def common_rules() -> str:
    """The rules of all games."""
    return _rules(common())


def rules_of(name: str) -> str:
    """A summary of a game, and the rules of its play."""
    rules = published(name)["rules"]
    own = {rule: text for rule, text in rules.items() if rule not in AIM and not rule.startswith(OF_TABLES)}
    return "\n\n".join([*(rules[rule] for rule in AIM if rule in rules), _rules(own)])


def table_rules_of(name: str) -> str:
    """The rules of a game's tables that not all games have."""
    rules = published(name)["rules"]
    return _rules({rule: text for rule, text in rules.items() if rule.startswith(OF_TABLES) and rule not in common()})


def _rules(rules: Mapping[str, str]) -> str:
    """Rules, in one table per group."""
    groups: dict[str, list[list[str]]] = {}
    for rule, text in rules.items():
        groups.setdefault(rule.partition("/")[0], []).append([_code(rule), text])
    return "\n\n".join(f"## {group}\n\n{_table(('rule', 'text'), rows)}" for group, rows in groups.items())


def readings_of(name: str) -> str:
    """How the game is played here where its rules are silent."""
    rows = (
        [each["question"], each["answer"], _codes(each["rules"]), _code(each.get("option"))]
        for each in published(name)["readings"]
    )
    return _table(("question", "how it is played here", "rules", "option"), rows)


def options_of(name: str) -> str:
    """The options when opening a game."""
    return _fields(published(name)["setup"])


def commands_of(name: str) -> str:
    """The commands."""
    return "\n\n".join(_form(each) for each in published(name)["commands"])


def types_of(name: str) -> str:
    """The parts of commands, without conditions."""
    return "\n\n".join(_form(each) for each in published(name)["types"] if each["name"] not in _conditions(name))


def conditions_of(name: str) -> str:
    """The parts of conditions in orders."""
    return "\n\n".join(_form(each) for each in published(name)["types"] if each["name"] in _conditions(name))


def _conditions(name: str) -> set[str]:
    unions = {each["name"]: each["one_of"] for each in published(name)["types"] if "one_of" in each}
    return {member for union in ("Condition", "Quantity") for member in (union, *unions.get(union, ()))}


def figures_of(name: str) -> str:
    """The numbers of a game, and their sources."""
    components = dict(published(name)["components"])
    provenance = components.pop("provenance", {"sources": {}, "figures": {}})
    rows = ([_code(figure), provenance["sources"][source]] for figure, source in provenance["figures"].items())
    said = "Sources. If several rows apply to a figure, the longest name counts:"
    return "\n\n".join([*_figures(components), said, _table(("figure", "source"), rows)])


def refusals_of(name: str) -> str:
    """The reasons why commands are refused."""
    view = published(name)
    rows = ([_code(code), _code(view["code_rules"].get(code)), text] for code, text in view["codes"].items())
    return _table(("code", "rule", "meaning"), rows)


PARTS = {
    "rules": rules_of,
    "table rules": table_rules_of,
    "readings": readings_of,
    "options": options_of,
    "commands": commands_of,
    "types": types_of,
    "condition types": conditions_of,
    "figures": figures_of,
    "refusals": refusals_of,
}
"""The parts of each game in the guides."""


def _form(form: Mapping[str, Any]) -> str:
    said = f"**`{form['name']}`.** {form['meaning']}"
    if "one_of" in form:
        return f"{said} One of {_codes(form['one_of'])}."
    return f"{said}\n\n{_fields(form['fields'])}" if "fields" in form else said


def _fields(fields: list[dict[str, Any]]) -> str:
    rows = ([_code(each["name"]), _kind(each), _default(each), each["meaning"]] for each in fields)
    return _table(("field", "type", "default", "meaning"), rows)


def _kind(field: Mapping[str, Any]) -> str:
    """The values of a field, such as ``integer 2 to 4``."""
    bounds = f"{field['least']:,} to {field['most']:,}" if "least" in field else ""
    options = " or ".join(_code(each) for each in field.get("options", ()))
    kind = field["holds"] if field["holds"] in ("integer", "boolean", "text") else _code(field["holds"])
    if options and not bounds:
        kind = ""
    said = " ".join(part for part in (kind, bounds) if part)
    return f"{'list of ' if field.get('many') else ''}{' or '.join(part for part in (said, options) if part)}"


def _default(field: Mapping[str, Any]) -> str:
    if not field.get("optional"):
        return ""
    default = field.get("default")
    return _code(msgspec.json.encode(default).decode()) if default is not None else "nothing"


def _figures(components: Mapping[str, Any]) -> Iterator[str]:
    """All figures by the path that leads to them. Cards have tables of their own."""
    single: dict[str, Any] = {}
    cards: dict[str, Any] = {}
    for name, value in _flat(components):
        (cards if isinstance(value, list) and isinstance(value[0], dict) else single)[name] = value
    yield _table(("figure", "value"), ([_code(name), _figure(value)] for name, value in single.items()))
    for each in cards.values():
        flat = [dict(_flat(card)) for card in each]
        columns = tuple(dict.fromkeys(column for card in flat for column in card))
        yield _table(columns, ([_figure(card.get(column, "")) for column in columns] for card in flat))


def _flat(components: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in components.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{path}{name}.")
        else:
            yield f"{path}{name}", value


def _figure(value: Any) -> str:
    if isinstance(value, str) and "\n" in value:
        return "<br>".join(_code(line) for line in value.strip().splitlines())
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _code(text: object) -> str:
    return "" if text is None else f"`{text}`"


def _codes(texts: list[str]) -> str:
    return ", ".join(map(_code, texts))


def _table(head: tuple[str, ...], rows: Any) -> str:
    lines = [" | ".join(cell.replace("|", "\\|") for cell in row) for row in rows]
    return "\n".join([f"| {' | '.join(head)} |", "|" + "---|" * len(head), *(f"| {line} |" for line in lines)])

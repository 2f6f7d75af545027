"""The rules of a game as a part of a guide: what its rule set publishes in English, and nothing else."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from mcmulti.api.operations.players import in_full
from mcmulti.domain.rulesets import CURRENT


def rules_of(name: str) -> str:
    """A game's rules: in short, rule by rule, what can be agreed on and sent, how they are read, figures, refusals."""
    return "\n\n".join(_parts(published(name)))


def published(name: str) -> Any:
    """What `GET /v1/rulesets/{name}` answers."""
    return msgspec.json.decode(in_full(name, CURRENT[name].version, "en"))


def _parts(view: Any) -> Iterator[str]:
    rules = dict(view["rules"])
    for rule in ("game/aim", "game/turn", "game/example"):
        yield rules.pop(rule)
    yield f"### Rules of {view['name']}"
    yield _table(("rule", "text"), ([_code(rule), text] for rule, text in rules.items()))
    yield f"### Readings of {view['name']}"
    rows = (
        [each["question"], each["answer"], _codes(each["rules"]), _code(each.get("option"))]
        for each in view["readings"]
    )
    yield _table(("question", "how it is played here", "rules", "option"), rows)
    yield f"### Options of {view['name']}"
    yield _fields(view["setup"])
    yield f"### Commands of {view['name']}"
    yield from (_form(each) for each in (*view["commands"], *view["types"]))
    yield f"### Figures of {view['name']}"
    components = dict(view["components"])
    provenance = components.pop("provenance")
    yield from _figures(components)
    yield "Where they are known from, the narrower name first:"
    rows = ([_code(figure), provenance["sources"][source]] for figure, source in provenance["figures"].items())
    yield _table(("figure", "source"), rows)
    yield f"### Refusals of {view['name']}"
    rows = ([_code(code), _code(view["code_rules"].get(code)), text] for code, text in view["codes"].items())
    yield _table(("code", "rule", "meaning"), rows)


def _form(form: Mapping[str, Any]) -> str:
    said = f"**`{form['name']}`.** {form['meaning']}"
    if "one_of" in form:
        return f"{said} One of {_codes(form['one_of'])}."
    return f"{said}\n\n{_fields(form['fields'])}" if "fields" in form else said


def _fields(fields: list[dict[str, Any]]) -> str:
    rows = ([_code(each["name"]), _kind(each), _default(each), each["meaning"]] for each in fields)
    return _table(("field", "type", "left out", "meaning"), rows)


def _kind(field: Mapping[str, Any]) -> str:
    """What a field takes, such as ``integer 2 to 4``."""
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
    """All figures by the names that lead to them; cards in tables of their own."""
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

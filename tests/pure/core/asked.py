"""Which texts and names are used."""

import re
from collections.abc import Iterator
from typing import Any

from mcmulti.domain.core.event import Event
from mcmulti.domain.core.wording.phrases import Phrases


class Asked(dict[str, str]):
    """Texts that remember which of them were used."""

    def __init__(self, texts: Any) -> None:
        super().__init__(texts)
        self.names: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self.names.add(name)
        return super().__getitem__(name)


def named(value: object) -> Iterator[str]:
    """Every name of the rules in a value: everything in lowercase, including keys of amounts by name."""
    if isinstance(value, str):
        if re.fullmatch("[a-z]+(_[a-z]+)*", value):
            yield value
    elif isinstance(value, list):
        for item in value:
            yield from named(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key in ("buy", "sell", "free") and isinstance(item, dict):
                yield from item
            if key != "entropy":
                yield from named(item)


def sentence_of(event: Event, say: Phrases) -> str:
    """The name of the template that describes an event."""
    form = event.form(say)
    return type(event).__name__ if form is None else f"{type(event).__name__}.{form}"

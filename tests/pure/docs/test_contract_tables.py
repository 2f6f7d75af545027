"""What the guide says about operations and views, which follows from the contract."""

import msgspec
import pytest

from mcmulti.api.app import ROUTES
from mcmulti.api.openapi import document
from mcmulti.domain.rulesets import CURRENT
from tests.docs.contract_tables import operations, view

TYPES = ("Seat number, from 0.", "Seat numbers, from 0.", "32 bytes in hexadecimal.", "Millions of dollars.")
"""Descriptions that only give the kind of a field."""


def test_every_operation_is_on_the_map() -> None:
    paths = msgspec.json.decode(document(ROUTES))["paths"]
    ids = {operation["operationId"] for methods in paths.values() for operation in methods.values()}
    assert {row.split(" | ")[1].strip("`") for row in operations().splitlines()[2:]} == ids


def test_the_map_says_which_token_an_operation_takes() -> None:
    rows = {row.split(" | ")[1]: row for row in operations().splitlines()[2:]}
    assert " | none | " in rows["`registerPlayer`"]
    assert " | [`read`] | " in rows["`getGame`"]
    assert " | `play` | `If-Match`, `Idempotency-Key` | 200 `Result` |" in rows["`sendCommands`"]
    assert " | `account` | " in rows["`makeToken`"]


@pytest.mark.parametrize("name", CURRENT)
def test_of_every_field_of_a_view_its_meaning_is_told(name: str) -> None:
    first = view(name).split("\n\n**`")[0].splitlines()[4:]
    assert len(first) == len(CURRENT[name].view_type.__struct_fields__) + 1  # and the name of the rule set
    for row in view(name).splitlines():
        assert not row.endswith("|  |"), row
    for row in first:
        assert not any(f"| {kind} |" in row for kind in TYPES), row

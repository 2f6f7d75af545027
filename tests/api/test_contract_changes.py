"""What breaks clients of the committed document, and what does not."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from mcmulti.api.app import ROUTES
from mcmulti.api.openapi import document
from mcmulti.api.openapi.changes import changes
from mcmulti.cli import cli

DOCUMENT: dict[str, Any] = msgspec.json.decode(document(ROUTES))
GAME = "/v1/games/{game}"

Edit = Callable[[Any], object]


def schemas(document: Any) -> Any:
    return document["components"]["schemas"]


def properties(document: Any, name: str) -> Any:
    return schemas(document)[name]["properties"]


def operation(document: Any, path: str = GAME, method: str = "get") -> Any:
    return document["paths"][path][method]


def parameter(document: Any, name: str) -> Any:
    (found,) = (
        parameter
        for operations in document["paths"].values()
        for operation in operations.values()
        for parameter in operation["parameters"]
        if parameter["name"] == name
    )
    return found


def renamed(document: Any, old: str, new: str) -> None:
    text = msgspec.json.encode(document).replace(f'/{old}"'.encode(), f'/{new}"'.encode())
    document.update(msgspec.json.decode(text.replace(f'"{old}":'.encode(), f'"{new}":'.encode())))


def told(*edits: Edit) -> list[str]:
    new = copy.deepcopy(DOCUMENT)
    for edit in edits:
        edit(new)
    return [str(change) for change in changes(DOCUMENT, new)]


BREAKING: dict[str, tuple[Edit, str]] = {
    "an operation goes": (lambda d: d["paths"][GAME].pop("get"), f"operations: GET {GAME} was removed"),
    "an operation gets another name": (lambda d: operation(d).update(operationId="look"), "getGame became look"),
    "a token is needed": (lambda d: operation(d).update(security=[{"token": []}]), "who may call it changed"),
    "a parameter goes": (lambda d: operation(d)["parameters"].pop(1), "query at was removed"),
    "a parameter is needed": (lambda d: parameter(d, "wait").update(required=True), "is required now"),
    "a parameter takes less": (
        lambda d: parameter(d, "wait")["schema"].update(maximum=30),
        "query wait: maximum became 30, was 60",
    ),
    "a default changes": (lambda d: parameter(d, "wait")["schema"].update(default=1), "default became 1, was 0"),
    "a body has a new field that is needed": (
        lambda d: (
            properties(d, "NewPlayer").update(mail={"type": "string"}),
            schemas(d)["NewPlayer"]["required"].append("mail"),
        ),
        "NewPlayer.mail: was added",
    ),
    "a field of a body goes": (lambda d: properties(d, "Join").pop("entropy"), "Join.entropy: was removed"),
    "a body takes fewer values": (
        lambda d: properties(d, "BuyAsset")["kind"].update(enum=["rig"]),
        "BuyAsset.kind: station is not possible any more",
    ),
    "a body takes less": (lambda d: properties(d, "BuyBarrels")["quantity"].update(minimum=2), "minimum became 2"),
    "a body takes fewer items": (lambda d: properties(d, "Commands")["commands"].update(maxItems=8), "maxItems"),
    "a text must look otherwise": (lambda d: properties(d, "NewPlayer")["name"].update(pattern="^A"), "pattern"),
    "a command goes": (
        lambda d: schemas(d)["Command"]["oneOf"].remove({"$ref": "#/components/schemas/EndTurn"}),
        "EndTurn is not possible any more",
    ),
    "a schema gets another name": (lambda d: renamed(d, "Standing", "Place"), "schemas: Standing was removed"),
    "a field of an answer goes": (lambda d: properties(d, "Offer").pop("price"), "Offer.price: was removed"),
    "a field of an answer may be missing": (
        lambda d: schemas(d)["Offers"]["required"].remove("seat"),
        "Offers.seat: may be missing now",
    ),
    "a field of an answer has another type": (
        lambda d: properties(d, "Registered")["token"].update(type="integer"),
        'type became "integer", was "string"',
    ),
    "a field of an answer may be null": (
        lambda d: properties(d, "Offer")["price"]["anyOf"].append({"type": "boolean"}),
        "boolean is possible now",
    ),
    "an answer has more values": (
        lambda d: properties(d, "TableView")["status"]["enum"].append("paused"),
        "TableView.status: paused is possible now",
    ),
    "an answer has greater figures": (lambda d: properties(d, "NewsView")["pile"].update(maximum=9), "maximum"),
    "an event is new": (
        lambda d: schemas(d)["Event"]["oneOf"].append({"$ref": "#/components/schemas/Setup"}),
        "Event: Setup is possible now",
    ),
    "an event has a new field": (
        lambda d: properties(d, "SeatLeft").update(why={"type": "string"}),
        "SeatLeft.why: was added",
    ),
    "unions are told apart otherwise": (
        lambda d: schemas(d)["Field"]["discriminator"].update(propertyName="kind"),
        "the tags changed",
    ),
    "an answer goes": (lambda d: operation(d)["responses"].pop("304"), "304 was removed"),
    "there is another success": (lambda d: operation(d)["responses"].update({"202": {}}), "202 was added"),
    "a code goes": (
        lambda d: operation(d)["responses"]["404"]["content"]["application/problem+json"]["examples"].popitem(),
        "404: codes: unknown_moment was removed",
    ),
    "a header goes": (lambda d: operation(d)["responses"]["200"]["headers"].pop("ETag"), "ETag was removed"),
    "a media type goes": (
        lambda d: operation(d)["responses"]["200"]["content"].clear(),
        "application/json was removed",
    ),
}

COMPATIBLE: dict[str, tuple[Edit, str]] = {
    "an operation is new": (lambda d: d["paths"].update({"/v2": {"get": operation(d)}}), "GET /v2 was added"),
    "anybody may call": (
        lambda d: operation(d, f"{GAME}/offers").update(security=[]),
        "who may call it changed",
    ),
    "a parameter is new": (
        lambda d: operation(d)["parameters"].append({"name": "as", "in": "query", "schema": {}}),
        "query as was added",
    ),
    "a parameter takes more": (lambda d: parameter(d, "wait")["schema"].update(maximum=90), "maximum became 90"),
    "a body has a new field": (lambda d: properties(d, "Join").update(colour={"type": "string"}), "was added"),
    "an answer has a new field": (
        lambda d: properties(d, "TableView").update(chairs={"type": "integer"}),
        "was added",
    ),
    "an answer has fewer values": (
        lambda d: properties(d, "TableView")["status"]["enum"].remove("open"),
        "open is not possible any more",
    ),
    "an answer has lesser figures": (lambda d: properties(d, "NewsView")["pile"].update(maximum=7), "maximum"),
    "a problem is new": (lambda d: operation(d)["responses"].update({"410": {}}), "410 was added"),
    "a code is new": (
        lambda d: operation(d)["responses"]["404"]["content"]["application/problem+json"]["examples"].update(gone={}),
        "gone was added",
    ),
}


@pytest.mark.parametrize(("edit", "what"), BREAKING.values(), ids=BREAKING)
def test_it_breaks_clients_when(edit: Edit, what: str) -> None:
    assert any(change.startswith("BREAKING") and what in change for change in told(edit)), told(edit)


@pytest.mark.parametrize(("edit", "what"), COMPATIBLE.values(), ids=COMPATIBLE)
def test_clients_do_not_mind_when(edit: Edit, what: str) -> None:
    assert any(what in change for change in told(edit)), told(edit)
    assert all(change.startswith("compatible") for change in told(edit))


def test_words_and_examples_are_no_part_of_the_contract() -> None:
    assert told(lambda d: operation(d).update(summary="Look"), lambda d: schemas(d)["Setup"].pop("description")) == []


def test_breaking_changes_come_first() -> None:
    first, *others = told(COMPATIBLE["a parameter is new"][0], BREAKING["a code goes"][0])
    assert first.startswith("BREAKING")
    assert others
    assert all(change.startswith("compatible") for change in others)


def test_a_breaking_document_is_written_only_when_told(tmp_path: Path) -> None:
    old = copy.deepcopy(DOCUMENT)
    operation(old)["parameters"].append({"name": "as", "in": "query", "schema": {}})
    file = tmp_path / "openapi.json"
    file.write_bytes(msgspec.json.encode(old))
    refused = CliRunner().invoke(cli, ["openapi", str(tmp_path)])
    assert refused.exit_code == 1
    assert f"BREAKING: GET {GAME}: parameters: query as was removed" in refused.output
    assert msgspec.json.decode(file.read_bytes()) == old
    assert not (tmp_path / "openapi.yaml").exists()
    written = CliRunner().invoke(cli, ["openapi", str(tmp_path), "--breaking"])
    assert written.exit_code == 0
    assert file.read_bytes() == document(ROUTES)
    assert (tmp_path / "openapi.yaml").exists()


def test_a_compatible_document_is_written(tmp_path: Path) -> None:
    old = copy.deepcopy(DOCUMENT)
    operation(old)["parameters"].pop()
    (tmp_path / "openapi.json").write_bytes(msgspec.json.encode(old))
    written = CliRunner().invoke(cli, ["openapi", str(tmp_path)])
    assert written.exit_code == 0
    assert f"compatible: GET {GAME}: parameters: header If-None-Match was added" in written.output
    assert (tmp_path / "openapi.json").read_bytes() == document(ROUTES)


def test_what_is_no_document_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "openapi.json").write_text("{}")
    refused = CliRunner().invoke(cli, ["openapi", str(tmp_path)])
    assert refused.exit_code == 1
    assert "openapi.json is not a document of this API" in refused.output
    assert (tmp_path / "openapi.json").read_text() == "{}"

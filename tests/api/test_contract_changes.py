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
from mcmulti.api.openapi.committed import listing
from mcmulti.api.openapi.narrowed import narrowed
from mcmulti.api.openapi.references import written_out
from mcmulti.cli import cli
from mcmulti.domain.rulesets import CURRENT

DOCUMENT: dict[str, Any] = msgspec.json.decode(document(ROUTES))
LISTED = set(listing(DOCUMENT, {}).decode().splitlines())
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


def edited(*edits: Edit) -> Any:
    """The document with these edits, with each response of each operation as a copy of its own."""
    new = msgspec.json.decode(msgspec.json.encode(written_out(DOCUMENT)))
    for edit in edits:
        edit(new)
    return new


def told(*edits: Edit) -> list[str]:
    return [str(change) for change in changes(DOCUMENT, edited(*edits))]


def listed(*edits: Edit) -> set[str]:
    """The removed and the added lines of the listing."""
    old, new = LISTED, set(listing(edited(*edits), {}).decode().splitlines())
    return {f"-{line}" for line in old - new} | {f"+{line}" for line in new - old}


BREAKING: dict[str, tuple[Edit, str]] = {
    "a rule set loses a command": (
        lambda d: schemas(d)["Command"]["x-rulesets"]["marracash/1"].remove("Resign"),
        "Resign is not possible anymore in marracash/1",
    ),
    "a rule set gets an event of another": (
        lambda d: schemas(d)["Event"]["x-rulesets"]["marracash/1"].append("BarrelsSold"),
        "BarrelsSold is possible now in marracash/1",
    ),
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
        "BuyAsset.kind: station is not possible anymore",
    ),
    "a body takes less": (lambda d: properties(d, "BuyBarrels")["quantity"].update(minimum=2), "minimum became 2"),
    "a body takes fewer items": (lambda d: properties(d, "Commands")["commands"].update(maxItems=8), "maxItems"),
    "a text must look otherwise": (lambda d: properties(d, "NewPlayer")["name"].update(pattern="^A"), "pattern"),
    "a command goes": (
        lambda d: schemas(d)["Command"]["oneOf"].remove({"$ref": "#/components/schemas/EndTurn"}),
        "EndTurn is not possible anymore",
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
        "open is not possible anymore",
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


def test_what_changes_in_a_shared_response_changes_in_each_operation_that_has_it() -> None:
    new = msgspec.json.decode(document(ROUTES))
    new["components"]["responses"]["Problem401Unauthenticated"]["headers"].pop("WWW-Authenticate")
    found = [str(change) for change in changes(DOCUMENT, new)]
    assert f"BREAKING: GET {GAME}: 401: headers: WWW-Authenticate was removed" in found
    assert f"BREAKING: POST {GAME}/commands: 401: headers: WWW-Authenticate was removed" in found
    lines = LISTED - set(listing(new, {}).decode().splitlines())
    assert len(lines) == len(found)


def test_whether_responses_are_shared_is_no_part_of_the_contract() -> None:
    alone = written_out(DOCUMENT)
    assert "$ref" in operation(DOCUMENT)["responses"]["401"]
    assert "$ref" not in operation(alone)["responses"]["401"]
    assert changes(DOCUMENT, alone) == changes(alone, DOCUMENT) == []
    assert set(listing(alone, {}).decode().splitlines()) == LISTED


def test_words_and_examples_are_no_part_of_the_contract() -> None:
    edits: list[Edit] = [
        lambda d: operation(d).update(summary="Look"),
        lambda d: schemas(d)["Setup"].pop("description"),
        lambda d: schemas(d)["BuyAsset"].pop("examples"),
    ]
    assert told(*edits) == []
    assert listed(*edits) == set()


@pytest.mark.parametrize("edit", [each for each, _ in (BREAKING | COMPATIBLE).values()], ids=BREAKING | COMPATIBLE)
def test_a_review_sees_it_in_the_listing(edit: Edit) -> None:
    assert listed(edit)


def test_one_change_is_one_line_of_the_listing() -> None:
    """Or two, where something became something else."""
    new = {"name": "as", "in": "query", "schema": {"type": "string", "enum": ["a", "b"]}}
    assert listed(lambda d: operation(d)["parameters"].append(new)) == {f'+GET {GAME} query as?: string enum=["a","b"]'}
    assert listed(lambda d: operation(d)["responses"]["404"]["headers"].update({"Link": {}})) == {
        f"-GET {GAME} 404: headers Cache-Control, RateLimit, RateLimit-Policy",
        f"+GET {GAME} 404: headers Cache-Control, RateLimit, RateLimit-Policy, Link",
    }
    assert listed(BREAKING["a code goes"][0]) == {f"-GET {GAME} 404 unknown_moment"}
    assert listed(lambda d: properties(d, "TableView")["turn"].update(maximum=7)) == {
        '-TableView.turn: integer minimum=0 maximum=2147483647 format="int32"',
        '+TableView.turn: integer minimum=0 maximum=7 format="int32"',
    }
    assert listed(lambda d: schemas(d)["TableView"]["required"].remove("turn")) == {
        '-TableView.turn: integer minimum=0 maximum=2147483647 format="int32"',
        '+TableView.turn?: integer minimum=0 maximum=2147483647 format="int32"',
    }
    assert listed(BREAKING["a rule set loses a command"][0]) == {"-Command of marracash/1: Resign"}


def test_the_listing_tells_what_one_rule_set_has_otherwise() -> None:
    lines = listing(DOCUMENT, {name: narrowed(DOCUMENT, name) for name in CURRENT}).decode().splitlines()
    own = [line for line in lines if line.startswith("[")]
    assert "[marracash] POST /v1/games body application/json: NewMarraCashGame" in own
    assert "[marracash] GameView.view: MarraCashView" in own
    assert "[marracash] has ShopView" in own
    assert not [line for line in own if line.startswith("[postal]") and line.endswith(" ShopView")]
    assert "[marracash] has Problem" not in own, "all have it"


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

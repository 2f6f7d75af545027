"""The document and the server keep their promises. `make fuzz` tests longer, with other examples."""

from pathlib import Path

import msgspec
import pytest

from mcmulti.api.app import ROUTES
from mcmulti.api.openapi import document
from mcmulti.domain.rulesets import PLAYED_BY_ORDERS
from tests.slow.fuzz.run import Part, fuzz

SEED = 20121


@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    ("part", "ruleset", "examples"),
    [
        ("commands", "mcmulti", 25),
        ("commands", "millionenspiel", 25),
        *(("forecast", name, 10) for name in PLAYED_BY_ORDERS),
        ("others", "mcmulti", 15),
    ],
)
async def test_the_server_keeps_to_the_document(
    database: str, tmp_path: Path, part: Part, ruleset: str, examples: int
) -> None:
    """Commands of two games in all their forms. Sheets, which have most forms, are those of forecasts."""
    findings = await fuzz(database, tmp_path, SEED, examples, part=part, ruleset=ruleset)
    assert findings.code == 0, findings.said


def test_conditions_have_one_schema_wherever_they_are() -> None:
    """So it is enough to send conditions in conditions in one place."""
    schemas = msgspec.json.decode(document(ROUTES, "postal"))["components"]["schemas"]
    one = "#/components/schemas/Condition"
    for name in ("IfOrder", "IfTrade", "IfPumps", "Not"):
        assert schemas[name]["properties"]["condition"]["$ref"] == one
    for name in ("AllOf", "AnyOf"):
        assert schemas[name]["properties"]["conditions"]["items"]["$ref"] == one

"""Guides for newcomers over HTTP."""

import pytest

from mcmulti.domain.rulesets import CURRENT
from tests.api.guests import Table
from tests.api.published import told


@pytest.mark.parametrize("name", CURRENT)
async def test_every_step_of_an_example_has_its_picture(table: Table, name: str) -> None:
    guide = told("getGuide", await table.client.get(f"/v1/rulesets/{name}/guide"))
    steps = len(guide["example"])
    pictures = [await table.client.get(f"/v1/rulesets/{name}/example.svg?step={step}") for step in range(steps + 1)]
    if steps:
        assert {picture.status_code for picture in pictures} == {200}
        assert len({picture.text for picture in pictures}) > 1
    after = await table.client.get(f"/v1/rulesets/{name}/example.svg?step={steps + 1}")
    assert (after.status_code, after.json()["code"]) == (404, "no_picture")


async def test_guides_are_told_in_german(table: Table) -> None:
    guide = told("getGuide", await table.client.get("/v1/rulesets/mcmulti/guide?language=de"))
    assert guide["lessons"][0]["title"] == "Baue deinen Konzern auf"
    assert "Ada verkauft 1 Fass Benzin" in guide["example"][2]["events"][0]["sentence"]
    picture = await table.client.get("/v1/rulesets/mcmulti/example.svg?language=de")
    assert "Inland" in picture.text


async def test_there_is_no_guide_to_a_game_that_does_not_exist(table: Table) -> None:
    for path in ("guide", "example.svg"):
        refused = await table.client.get(f"/v1/rulesets/chess/{path}")
        assert (refused.status_code, refused.json()["code"]) == (404, "unknown_ruleset")
    assert (await table.client.get("/v1/rulesets/mcmulti/example.svg?step=-1")).status_code == 400

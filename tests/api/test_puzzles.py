"""Puzzles over HTTP."""

import pytest

from mcmulti.domain.rulesets import CURRENT
from mcmulti.puzzles.kept import shipped
from tests.api.guests import Table
from tests.api.published import told


@pytest.mark.parametrize("name", CURRENT)
async def test_every_puzzle_has_one_best_move_a_picture_and_a_position_to_play_on_from(table: Table, name: str) -> None:
    ann = await table.guest("Ann")
    puzzles = told("listPuzzles", await table.client.get(f"/v1/rulesets/{name}/puzzles"))["puzzles"]
    found = shipped(name)
    assert len(puzzles) == (0 if found is None else len(found.puzzles))
    for number, puzzle in enumerate(puzzles, 1):
        assert [move["loss"]["value"] for move in puzzle["moves"]].count(0) == 1
        picture = await table.client.get(f"/v1/rulesets/{name}/puzzle.svg?puzzle={number}")
        assert (picture.status_code, picture.headers["Content-Type"]) == (200, "image/svg+xml")
        assert puzzle["names"][puzzle["seat"]] in picture.text
        document = puzzle["position"]
        request = {"ruleset": name, "setup": document["setup"], "position": document["position"]}
        opened = await ann.post("/v1/games", json=request)
        assert opened.status_code == 201, opened.text
    after = await table.client.get(f"/v1/rulesets/{name}/puzzle.svg?puzzle={len(puzzles) + 1}")
    assert (after.status_code, after.json()["code"]) == (404, "no_picture")


async def test_puzzles_are_told_in_german(table: Table) -> None:
    english, german = [
        told("listPuzzles", await table.client.get(f"/v1/rulesets/mcmulti/puzzles?language={language}"))["puzzles"][0]
        for language in ("en", "de")
    ]
    assert {move["chance"]["value"] for move in english["moves"]} == {
        move["chance"]["value"] for move in german["moves"]
    }
    assert {move["said"] for move in english["moves"]}.isdisjoint(move["said"] for move in german["moves"])
    assert english["board"] != german["board"]


async def test_there_are_no_puzzles_of_a_game_that_does_not_exist(table: Table) -> None:
    for path in ("puzzles", "puzzle.svg"):
        refused = await table.client.get(f"/v1/rulesets/chess/{path}")
        assert (refused.status_code, refused.json()["code"]) == (404, "unknown_ruleset")
    assert (await table.client.get("/v1/rulesets/mcmulti/puzzle.svg?puzzle=0")).status_code == 400

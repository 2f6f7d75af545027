"""An arena whose games begin from a position."""

import json
import os
from pathlib import Path

import mcmulti
from mcmulti.arena.store import read_game, read_plan
from mcmulti.projections.proof.proof import verify
from tests.arena.arena import reported
from tests.cli.command import done
from tests.pure.library.random_games import middle


def written(folder: Path, document: object) -> Path:
    file = folder / "position.json"
    file.write_text(json.dumps(document))
    return file


def test_all_games_begin_from_the_position_and_each_strategy_has_every_seat(tmp_path: Path) -> None:
    document = middle("millionenspiel").position()
    seats = document["setup"]["seats"]
    file, folder = written(tmp_path, document), tmp_path / "games"
    strategies = ["random"] * seats
    arguments = (*strategies, "--position", file, "--games", seats, "--folder", folder, "--duplicate")
    told = reported(*map(str, arguments))
    assert read_plan(folder).position == document["position"]
    records = [read_game(path) for path in sorted((folder / "games").iterdir())]
    assert len(records) == seats
    for record in records:
        assert verify(record.events).fault is None
        first = json.loads(record.events[0].data)
        assert first["origin"]["position"] == document["position"]
        assert first["setup"]["practice"]
    again = reported(*map(str, arguments))  # all of them are there
    assert (told["played"], again["played"]) == (seats, 0)
    assert told["duplicate"] == again["duplicate"]


def test_a_position_that_no_game_can_stand_in_is_refused_with_every_field_and_reason(tmp_path: Path) -> None:
    document = mcmulti.load_game("mcmulti", seats=2).new_initial_state(seed=1).position()
    document["position"] |= {"consumer_price": 999, "difference": 99}
    given = ["arena", "random", "random", "--position", str(written(tmp_path, document))]
    ended = done(*given, environment=dict(os.environ))
    assert ended.returncode == 2
    assert "Invalid value for --position" in ended.stderr
    assert "consumer_price: 999 is not on the track; difference: 99 is not between 0 and 7" in ended.stderr
    ended = done(*given, "--players", "2", environment=dict(os.environ))
    assert ended.returncode == 2
    assert "The position says the rule set and the setup" in ended.stderr

"""What bots know about every game, whatever its rules."""

from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from mcmulti.bots.strategies.registry import strategies_of, strategy_for
from mcmulti.bots.strategy import NoStrategy, RandomMoves
from mcmulti.cli.commands.records.demo import demo
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.rulesets import CURRENT

NUMBERS = {"type": "Range", "min": 2, "max": 6, "step": 2, "limited_by": "purse"}
FORM = {"type": "Form", "schema": "Sheet"}


def test_a_game_that_no_strategy_was_written_for_is_played_at_random() -> None:
    assert strategies_of("chess") == ("random",)
    assert isinstance(strategy_for("chess", "random")(1), RandomMoves)
    with pytest.raises(NoStrategy, match="'tycoon' does not play chess: random"):
        strategy_for("chess", "tycoon")


def test_who_plays_where_nobody_is_named() -> None:
    assert [strategies_of(ruleset)[0] for ruleset in ("mcmulti", "postal")] == ["tycoon", "postal-magnate"]


def test_every_value_that_is_offered_may_come_and_no_other() -> None:
    choose = RandomMoves(1)
    offer = {"command": "Buy", "fields": {"sacks": NUMBERS, "pen": {"options": ["east", "west"]}}}
    chosen = [command for _ in range(200) for command in choose({}, [offer])]
    assert {command["sacks"] for command in chosen} == {2, 4, 6}
    assert {command["pen"] for command in chosen} == {"east", "west"}
    assert {tuple(command) for command in chosen} == {("type", "sacks", "pen")}


def test_what_has_to_be_written_is_left_out_and_alone_it_is_too_much() -> None:
    written = {"command": "Submit", "fields": {"sheet": FORM}}
    choose = RandomMoves(1)
    assert {command["type"] for _ in range(50) for command in choose({}, [written, {"command": "Wait"}])} == {"Wait"}
    with pytest.raises(NoStrategy, match="Submit needs free-form input"):
        choose({}, [written])


@pytest.mark.parametrize("ruleset", CURRENT.values(), ids=CURRENT.keys())
def test_every_view_says_what_bots_and_the_demo_read(ruleset: Ruleset[Any]) -> None:
    fields = {field.encode_name: field for field in msgspec.structs.fields(ruleset.view_type)}
    assert fields.keys() >= {"status", "you", "to_move", "setup", "seats", "winners"}
    assert ruleset.view_type.__struct_config__.tag_field == "ruleset"
    assert ruleset.view_type.__struct_config__.tag == ruleset.name


def test_the_help_of_a_demo_names_every_strategy_of_every_rule_set() -> None:
    told = " ".join(CliRunner().invoke(demo, ["--help"], terminal_width=200).output.split())
    for ruleset in CURRENT:
        *house, wild = strategies_of(ruleset)
        assert not house or f"{' or '.join(house)} for {ruleset}" in told
        assert wild == "random"

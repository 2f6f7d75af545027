"""Which tests run with another game plugged in. Neither the code under test nor tests depend on the shipped games."""

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
OF_THE_GAME = (
    "api/test_guides.py",
    "api/test_head.py",
    "api/test_languages.py",
    "api/test_replay.py",
    "api/test_streams.py",
    "arena",
    "bots/test_judgment.py",
    "cli/test_export.py",
    "events/test_standing.py",
    "pure/bots",
    "pure/core",
    "pure/docs",
    "pure/fuzz",
    "pure/library",
    "pure/projections",
    "pure/properties",
    "pure/training",
    "training/test_turns.py",
    "web/test_audit_page.py",
    "web/test_computer.py",
    "web/test_moves.py",
)
"""What is tested for each game."""
OF_ALL_GAMES = (
    "api/test_contract_changes.py",
    "api/test_house_opponents.py",
    "api/test_openapi.py",
    "arena/test_local.py",
    "cli/test_demo.py::test_the_demo_ends_with_standings_balance_and_proof",
    "cli/test_mcp.py::test_the_rules_can_be_read_and_searched",
    "cli/test_usage.py::test_the_openapi_document_is_written",
    "examples/test_verify.py",
    "guard/test_guard.py::test_requests_cost_what_the_table_says",
    "pure/bots/test_any_game.py",
    "pure/core/test_length.py",
    "pure/core/test_manual.py",
    "pure/core/test_provenance.py",
    "pure/core/test_table_setup.py",
    "pure/evaluation/test_puzzles.py",
    "pure/fuzz/test_decoders.py",
    "pure/projections/test_board_parts.py",
    "pure/projections/test_legends.py",
    "pure/properties/test_absence.py",
    "pure/test_architecture.py",
    "pure/training/test_generic.py",
    "web/test_computer.py::test_every_game_has_all_its_levels_and_a_button_can_be_reached_by_keyboard",
    "web/test_docs_page.py",
    "web/test_guides.py",
    "web/test_rules_page.py",
)
"""What goes through all games, or is compared with files that only have the shipped ones."""
CHEAP = (
    "api/test_narrowed.py",
    "bots/test_types.py::test_the_types_follow_from_the_contract",
    "docs/test_guides.py::test_the_guide_to_the_rules_names_rules_that_there_are",
    "docs/test_guides.py::test_the_tables_of_guides_follow_from_the_code",
    "pure/docs/test_rules_guide.py",
    "pure/projections/test_board_parts.py::test_whatever_an_offer_lets_a_player_choose_on_the_board_is_found_there",
)
"""The same, for each run of all tests."""


def passes_with_the_race(*chosen: str, timeout: float) -> None:
    """Run tests with the dice race plugged in, in a process of their own, for at most `timeout` seconds."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "tests.toy.plugged", *chosen],
        cwd=TESTS,
        env={**os.environ, "TOY": "4", "PYTHONPATH": str(TESTS.parent)},
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "[100%]" in done.stdout

"""The proof finds forgeries even where the forger has hashed the whole chain again."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mcmulti.events.envelope import GENESIS, Recorded, chain_hash
from mcmulti.projections.proof import verify
from tests.golden.test_golden_games import load

GOLDEN = Path(__file__).parents[1] / "golden"
GAME = load(GOLDEN / "two-players.jsonl")


def hashed_again(events: Sequence[Recorded]) -> list[Recorded]:
    """The chain as a forger would close it: numbers and hashes fit."""
    forged: list[Recorded] = []
    before = GENESIS
    for seq, event in enumerate(events, start=1):
        linked = event._replace(seq=seq, prev_hash=before)
        before = chain_hash(linked)
        forged.append(linked._replace(hash=before))
    return forged


def first(type_: str) -> int:
    """Where the first event of a type stands, counted from 0."""
    return next(index for index, event in enumerate(GAME) if event.type == type_)


def replaced(type_: str, change: Callable[[Recorded], Recorded]) -> tuple[int, list[Recorded]]:
    """The game with its first event of a type changed, and that event's number."""
    index = first(type_)
    return index + 1, hashed_again([*GAME[:index], change(GAME[index]), *GAME[index + 1 :]])


def data(**changes: Any) -> Callable[[Recorded], Recorded]:
    """Changes members of an event's data."""

    def change(event: Recorded) -> Recorded:
        return event._replace(data=msgspec.json.encode({**msgspec.json.decode(event.data), **changes}))

    return change


def test_the_game_itself_is_sound() -> None:
    assert verify(GAME).fault is None
    assert verify(hashed_again(GAME)).fault is None


@pytest.mark.parametrize(
    ("type_", "change"),
    [
        ("DiceRolled", data(red={"number": 12, "sides": 6, "value": 6})),
        ("NewsTurnedOver", data(card="foreign_embargo")),
        ("AssetBought", data(price=4)),
        ("BarrelsSold", data(prices=[60])),
        ("DifferenceAdvanced", data(to=7)),
        ("SeatTaken", data(entropy="loaded")),
        ("GameStarted", data(cash=301)),
        ("TurnBegan", data(seat=None)),
        ("DiceRolled", lambda event: event._replace(rule="market/buy")),
        ("DiceRolled", lambda event: event._replace(type="EconomyChanged")),
        ("DifferenceAdvanced", lambda event: event._replace(actor=None)),
        ("DifferenceAdvanced", lambda event: event._replace(command_id=None)),
        ("DifferenceAdvanced", lambda event: event._replace(recorded_at=event.recorded_at + timedelta(days=1))),
        ("DiceRolled", lambda event: event._replace(command=b'{"type":"EndTurn"}')),
        ("DiceRolled", lambda event: event._replace(command=b"no command")),
    ],
)
def test_a_forged_event_is_found_though_the_chain_holds(type_: str, change: Callable[[Recorded], Recorded]) -> None:
    """The fault names the event, or a later one that cannot follow from it, and never an earlier one."""
    seq, forged = replaced(type_, change)
    fault = verify(forged).fault
    assert fault is not None
    named = [int(word.rstrip(",:")) for word in fault.split() if word.rstrip(",:").isdigit()]
    assert "cannot be read" in fault or named[0] >= seq


def test_a_missing_an_added_and_a_moved_event_are_found() -> None:
    index = first("DiceRolled")
    for forged in (
        [*GAME[:index], *GAME[index + 1 :]],
        [*GAME[:index], GAME[index], *GAME[index:]],
        [*GAME[:index], GAME[index + 1], GAME[index], *GAME[index + 2 :]],
    ):
        assert verify(hashed_again(forged)).fault is not None


def test_another_seed_is_found() -> None:
    _, forged = replaced("SeedRevealed", data(seed="00" * 32))
    fault = verify(forged).fault
    assert fault is not None
    assert "not the one event 1 committed to" in fault


def test_a_log_that_is_empty_or_of_unknown_rules_is_no_proof() -> None:
    assert verify([]).fault == "the log is empty"
    _, forged = replaced("GameOpened", data(ruleset="chess"))
    assert "chess" in str(verify(forged).fault)


def test_an_unfinished_game_is_proven_as_far_as_it_goes() -> None:
    """Without the seed nobody can say of the dice; the chain, the fold and the books are proven all the same."""
    proof = verify(GAME[:200])
    assert (proof.fault, proof.seed_revealed, proof.events) == (None, False, 200)

"""Recorded games must fold and verify in every later build."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from mcmulti.domain.marracash.state import Bazaar
from mcmulti.domain.mcmulti.state import State
from mcmulti.events.log.codec import fold, opened_with
from mcmulti.events.log.envelope import Recorded
from mcmulti.projections.books.ledger import balanced, entries
from mcmulti.projections.proof.proof import verify
from tests.golden.games import FILES, load

GOLDEN = Path(__file__).parents[2] / "golden"


def end_of(name: str) -> State:
    events = load(GOLDEN / f"{name}.jsonl")
    state = fold(opened_with(events[0]), events)
    assert isinstance(state, State)
    return state


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_golden_game_is_proven(file: Path) -> None:
    events = load(file)
    proof = verify(events)
    assert proof.fault is None
    assert proof.seed_revealed
    assert proof.events == len(events)
    assert events[-1].type == "SeedRevealed"
    assert not any(balanced(entries(events)).units.values())


def test_there_is_a_game_for_each_number_of_players() -> None:
    assert {len(end_of(f"{number}-players").players) for number in ("two", "three", "four")} == {2, 3, 4}


def test_there_is_a_game_for_each_way_a_game_ends() -> None:
    """A player declares and wins, or is overtaken.

    If cash is equal, barrels decide. If they are equal, too, victory is shared.
    """
    won = end_of("four-players")
    assert won.winners == (won.declared_by,)
    overtaken = end_of("declarer-overtaken")
    assert overtaken.declared_by not in overtaken.winners
    barrels = end_of("barrels-decide")
    assert (barrels.standings[0].cash, barrels.standings[0].rank) == (barrels.standings[1].cash, 1)
    assert barrels.standings[0].barrels > barrels.standings[1].barrels
    assert len(barrels.winners) == 1
    both = end_of("shared-victory")
    assert both.winners == (0, 1)
    assert both.standings[0].barrels == both.standings[1].barrels
    still = end_of("standstill")
    assert (still.declared_by, still.stood_still) == (None, True)
    assert still.winners
    assert end_of("long-game").setup.target == 1000


def last_turn_of(name: str) -> list[str]:
    """The types of the events from the last `TurnBegan` on."""
    types = [event.type for event in load(GOLDEN / f"{name}.jsonl")]
    return types[len(types) - 1 - types[::-1].index("TurnBegan") :]


def test_there_is_a_game_for_each_way_a_game_by_post_is_won() -> None:
    """By sales before any dice, or in production, where only pumps bring cash (`postal/target`)."""
    sales, pumps = last_turn_of("by-post-sales"), last_turn_of("by-post-pumps")
    assert "DiceRolled" not in sales
    assert {"AssetSold", "BarrelsSold"} & set(sales)
    assert "GasolineSold" in pumps[pumps.index("DiceRolled") :]
    for last in (sales, pumps):
        assert last[-2:] == ["GameFinished", "SeedRevealed"]


def test_there_is_a_game_by_post_that_stood_still() -> None:
    """Its last round, like nine before it, has neither a sale nor a purchase, until everything is sold."""
    types = [event.type for event in load(GOLDEN / "by-post-standstill.jsonl")]
    stood = types.index("GameStoodStill")
    tenth = [index for index, type_ in enumerate(types) if type_ == "RoundBegan"][-10]
    assert {"AssetsLiquidated", "GameFinished", "SeedRevealed"} == set(types[stood + 1 :])
    moving = {"BarrelsBought", "BarrelsSold", "AssetBought", "AssetSold", "GasolineSold", "CrudeRefined", "CrudePumped"}
    assert not moving & set(types[tenth:stood])
    assert moving & set(types[:tenth])


def test_there_is_a_game_by_post_that_did_not_wait_for_a_sheet() -> None:
    """A round that the server closed, with a command without an actor, and the seats that had sent nothing."""
    events = load(GOLDEN / "by-post-deadline.jsonl")
    closed = [event for event in events if event.type == "RoundClosed" and event.command is not None]
    assert closed
    assert all(event.actor is None for event in closed)
    assert any(msgspec.json.decode(event.data)["missing"] for event in closed)
    assert "OrdersMissing" in {event.type for event in events}


def changes(events: list[Recorded]) -> Iterator[tuple[int, list[Recorded]]]:
    """The log with one byte of one event's data changed, and the number of that event."""
    for index in range(0, len(events), 97):
        event = events[index]
        data = bytearray(event.data)
        data[-2] ^= 1
        yield event.seq, [*events[:index], event._replace(data=bytes(data)), *events[index + 1 :]]


def test_a_changed_byte_is_found_where_it_was_changed() -> None:
    events = load(GOLDEN / "two-players.jsonl")
    for seq, changed in changes(events):
        fault = verify(changed).fault
        assert fault is not None
        assert f"event {seq} was changed" in fault or "cannot be read" in fault


def bazaar(name: str) -> Bazaar:
    events = load(GOLDEN / f"marracash-{name}.jsonl")
    state = fold(opened_with(events[0]), events)
    assert isinstance(state, Bazaar)
    return state


def test_there_is_a_game_of_marracash_for_each_number_of_players_and_each_way_it_ends() -> None:
    """Most cash, equal cash, and a standstill with visitors left outside."""
    three, four, shared, still = map(bazaar, ("three-players", "four-players", "shared-victory", "standstill"))
    assert (len(three.cash), len(four.cash)) == (3, 4)
    assert [len(game.winners) for game in (three, four, shared)] == [1, 1, 2]
    assert len({shared.cash[seat] for seat in shared.winners}) == 1
    assert (three.queue, still.quiet) == ((), 10)
    assert len(still.queue) == 45

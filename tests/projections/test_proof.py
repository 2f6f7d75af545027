"""The proof finds forgeries even if the forger has hashed the whole chain again."""

from collections.abc import Callable, Sequence
from copy import copy
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from mcmulti.domain.core.shown.gauges import Gauges, Holding
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.rulesets import BY_VERSION
from mcmulti.events.log.codec import fold
from mcmulti.events.log.envelope import GENESIS, START, Head, Recorded
from mcmulti.projections.proof.proof import claims, revealed_seed, verify
from mcmulti.projections.proof.prover import Prover
from tests.golden.forging import chain_hash, rehashed
from tests.golden.games import load

GOLDEN = Path(__file__).parents[1] / "golden"
GAME = load(GOLDEN / "two-players.jsonl")


def hashed_again(events: Sequence[Recorded]) -> list[Recorded]:
    """The chain as a forger would complete it: numbers and hashes fit."""
    forged: list[Recorded] = []
    before = GENESIS
    for seq, event in enumerate(events, start=1):
        linked = event._replace(seq=seq, prev_hash=before)
        before = chain_hash(linked)
        forged.append(linked._replace(hash=before))
    return forged


def first(type_: str) -> int:
    """The position of the first event of a type, counted from 0."""
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
    """The fault names the event, or the next one of its command if the two contradict.

    Nothing after it counts as proven.
    """
    seq, forged = replaced(type_, change)
    proof = verify(forged)
    assert proof.wrong in (seq, seq + 1)
    assert f"event {proof.wrong} " in str(proof.fault)
    assert (proof.seq, proof.events) == (proof.wrong - 1, proof.wrong - 1)


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
    assert "not match the commitment in event 1" in fault


def test_a_log_that_is_empty_or_of_unknown_rules_is_no_proof() -> None:
    assert verify([]).fault == "the log is empty"
    _, forged = replaced("GameOpened", data(ruleset="chess"))
    assert "chess" in str(verify(forged).fault)


def test_a_wrong_die_is_called_a_wrong_die() -> None:
    index = first("DiceRolled")
    black = msgspec.json.decode(GAME[index].data)["black"]
    other = black["value"] % 6 + 1
    _, forged = replaced("DiceRolled", data(black={**black, "value": other}))
    proof = verify(forged)
    assert proof.wrong == index + 1
    assert f"holds a wrong die: {{'number': {black['number']}, 'sides': 6, 'value': {other}}}" in str(proof.fault)
    assert str(proof.fault).endswith(f"where draw {black['number']} of 6 sides is {black['value']}")


def until(seq: int) -> list[Recorded]:
    """The game up to the end of the command that led to event `seq`."""
    end = next(index for index in range(seq, len(GAME)) if GAME[index].command is not None)
    return GAME[:end]


def test_an_unfinished_game_is_proven_as_far_as_it_goes() -> None:
    """Without the seed, nobody can check the dice. It is still proven that the rules were kept, given the dice."""
    game = until(200)
    proof = verify(game)
    assert (proof.fault, proof.seed_revealed, proof.events) == (None, False, len(game))
    assert (proof.seq, proof.hash) == (len(game), game[-1].hash.hex())
    assert [claim.holds for claim in claims(proof)] == [True, True, None, True]
    assert "not revealed yet" in claims(proof)[2].what


def test_before_the_seed_is_revealed_only_a_die_can_be_forged() -> None:
    """The rules must follow from the recorded dice: another price is found at once, another die only at the end."""
    length = len(until(200))
    price = replaced("AssetBought", data(price=4))
    assert verify(price[1][:length]).wrong == price[0]
    rolls = msgspec.json.decode(GAME[first("StartRolled")].data)["rolls"]
    loser = min(rolls, key=lambda roll: roll["die"]["value"])["seat"]
    winning, losing = rolls[1 - loser]["die"]["value"], rolls[loser]["die"]["value"]
    rolls[loser]["die"]["value"] = next(value for value in range(1, winning) if value != losing)
    seq, forged = replaced("StartRolled", data(rolls=rolls))
    assert verify(forged[:length]).fault is None
    assert verify(forged).wrong == seq


def test_a_finished_game_whose_seed_is_withheld_is_no_proof() -> None:
    proof = verify(GAME[:-1])
    assert (proof.wrong, proof.seed_revealed) == (len(GAME), False)
    assert "is missing" in str(proof.fault)


def test_nothing_may_follow_on_the_end_of_a_game() -> None:
    last = GAME[-1]
    roll = GAME[first("DiceRolled")]
    for after in (last, roll, roll._replace(command=None), GAME[0]):
        proof = verify(hashed_again([*GAME, after]))
        assert proof.wrong == len(GAME) + 1
        assert proof.events == len(GAME)


def test_a_seed_that_is_revealed_early_is_not_in_the_rules() -> None:
    index = first("DiceRolled")
    for early in (GAME[-1], GAME[-1]._replace(command=b'{"type":"RollDice"}', actor=0, command_id=UUID(int=1))):
        proof = verify(hashed_again([*GAME[:index], early, *GAME[index:]]))
        assert proof.wrong == index + 1


def test_events_of_another_game_do_not_belong() -> None:
    index = first("DiceRolled")
    proof = verify(hashed_again([*GAME[:index], GAME[index]._replace(game_id=UUID(int=9)), *GAME[index + 1 :]]))
    assert (proof.wrong, "belongs to another game" in str(proof.fault)) == (index + 1, True)


def with_bytes(event: Recorded, field: str, content: bytes) -> Recorded:
    """The event with other data, or with another command."""
    return event._replace(data=content) if field == "data" else event._replace(command=content)


HOSTILE = [
    b"",
    b"\x00\xff",
    b"null",
    b"[]",
    b"1e400",
    b'{"type":7}',
    b'{"type":"DiceRolled"}',
    b"[" * 200_000,
    b'{"sides":' * 100_000,
    b'{"type":"SeedRevealed","seed":"zz"}',
    b'{"type":"SeedRevealed","seed":' + b"9" * 5000 + b"}",
    b'{"type":"GameOpened","ruleset":"mcmulti","version":1,"commitment":[],"setup":{"seats":1e99}}',
    b'{"type":"DiceRolled","seat":0,"red":{"number":"sides","sides":{},"value":null},"black":0}',
    b'{"type":"TakeSeat","player":"","name":"","seat":4}',
    b'{"type":"BuyBarrels","market":"domestic","good":"crude","quantity":99999999999999999999}',
]


@pytest.mark.parametrize("index", [0, 1, 4, first("DiceRolled"), len(GAME) - 1])
def test_whatever_stands_in_a_log_is_answered(index: int) -> None:
    """There is no exception, and the event is named, with and without the seed. Earlier commands are proven once."""
    start = max((number for number in range(index + 1) if GAME[number].command is not None), default=0)
    before = dict[bytes | None, Prover]()
    for seed in (revealed_seed(GAME), None):
        before[seed] = Prover(GAME[0], seed)
        assert before[seed].prove(GAME[:start]).fault is None
    head = Head(start, GAME[start - 1].hash) if start else START
    for number, (field, content) in enumerate(product(("data", "command"), HOSTILE)):
        hostile = with_bytes(GAME[index], field, content)
        rest = rehashed([*GAME[start:index], hostile, *GAME[index + 1 :]], head)
        for end in (len(GAME), max(index + 1, len(until(200)))):
            log = [*GAME[:start], *rest][:end]
            whole = start == 0 or number == 0
            proof = verify(log) if whole else copy(before[revealed_seed(log)]).prove(log[start:])
            assert proof.wrong == index + 1
            assert len(str(proof.fault)) < 2000


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_logs_made_at_random_are_answered(drawn: st.DataObject) -> None:
    """Events omitted, doubled, moved, cut, and filled with bytes, in some cases with the chain completed again."""
    game = GAME[:60]
    for _ in range(drawn.draw(st.integers(1, 4))):
        index, other = drawn.draw(st.integers(0, len(game) - 1)), drawn.draw(st.integers(0, len(GAME) - 1))
        event = GAME[other]
        if drawn.draw(st.booleans()):
            name = drawn.draw(st.sampled_from(["data", "command"]))
            event = with_bytes(event, name, drawn.draw(st.binary(max_size=40)))
        game = [*game[:index], event, *game[index + drawn.draw(st.integers(0, 2)) :]]
    proof = verify(hashed_again(game) if drawn.draw(st.booleans()) else game)
    assert (proof.fault is None) == (proof.wrong is None)
    assert proof.fault is not None or proof.events == len(game)


def test_holdings_that_the_books_do_not_explain_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a rule set gave a player a barrel without a transfer, this would be found at once."""

    def one_more(state: Any) -> Gauges:
        """Any player with three or more barrels of crude gets one more that nobody booked."""
        found = RULESET.books.gauges(state)

        def lucky(held: Holding) -> Holding:
            crude = held.amounts["crude"]
            return replace(held, amounts={**held.amounts, "crude": crude + (crude > 2)})

        return replace(found, holdings=tuple(map(lucky, found.holdings)))

    monkeypatch.setitem(
        BY_VERSION, (RULESET.name, RULESET.version), replace(RULESET, books=replace(RULESET.books, gauges=one_more))
    )
    state: Any = None
    for event in GAME:
        state = fold(RULESET, [event], state)
        seats = [held.seat for held in RULESET.books.gauges(state).holdings if held.amounts["crude"] > 2]
        if seats:
            break
    crude = RULESET.books.gauges(state).holdings[seats[0]].amounts["crude"]
    assert verify(GAME).fault == (
        f"event {event.seq} leaves seat {seats[0] + 1} with {crude + 1} of crude, but the books say {crude}"
    )

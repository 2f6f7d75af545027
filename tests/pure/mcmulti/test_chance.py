"""Chance: committed to before the first draw, revealed at the end, recomputed here without the engine's code."""

import hmac
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import replace

from mcmulti.domain.core.chance import Chance, Draw, SeededChance
from mcmulti.domain.core.commands import Command, StartGame, TakeSeat
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.core.table import SeedRevealed
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.commands import DeclareVictory, EndPurchases, EndTurn, RollDice
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.mcmulti.table import GameOpened
from mcmulti.domain.mcmulti.view import view

SEED = sha256(b"a secret that nobody knows before the end").digest()
GAME = "0197-game"
ENTROPY = ("Kiwi", "", "x_9-", "42")


def _recomputed(seed: bytes, game: str, number: int, sides: int, entropy: str) -> int:
    """The published scheme, implemented again:

    HMAC-SHA256 in blocks of eight big-endian words, the surplus rejected.
    """
    surplus_from = 2**32 // sides * sides
    block = 0
    while True:
        digest = hmac.new(seed, f"{game}:{number}:{block}:{entropy}".encode(), sha256).digest()
        words = [int.from_bytes(digest[index : index + 4], "big") for index in range(0, 32, 4)]
        for word in words:
            if word < surplus_from:
                return word % sides + 1
        block += 1


class _Game:
    """A game with the players' entropy, which records every event."""

    def __init__(self, chance: Chance, entropy: tuple[str, ...] = ENTROPY) -> None:
        self.chance = chance
        opened = RULESET.open(GAME, Setup(), chance)
        assert not isinstance(opened, Rejection)
        self.state: State = opened.state
        self.facts = list(opened.facts)
        for seat, word in enumerate(entropy):
            self.do(None, TakeSeat(f"player-{seat}", seat, word))

    def do(self, seat: int | None, command: Command) -> None:
        decision = RULESET.decide(self.state, seat, command, self.chance)
        assert not isinstance(decision, Rejection), decision
        self.state = decision.state
        self.facts += decision.facts

    def play(self) -> None:
        """From the start to the end: many turns without deals, then the players are given cash for a declaration."""
        self.do(0, StartGame())
        for _ in range(4):
            self.do(RULESET.to_move(self.state)[0], EndPurchases())
        for _ in range(30):
            self.do(self.state.now.seat, RollDice())
            self.do(self.state.now.seat, EndTurn())
        self.state = replace(self.state, players=tuple(replace(player, cash=800) for player in self.state.players))
        self.do(self.state.now.seat, RollDice())
        self.do(self.state.now.seat, DeclareVictory())
        while self.state.phase != "over":
            self.do(self.state.now.seat, RollDice())
            self.do(self.state.now.seat, EndTurn())

    @property
    def events(self) -> list[Struct]:
        return [fact.event for fact in self.facts]


def _draws(value: Any) -> Iterator[Draw]:
    """Every draw in an event, at any depth."""
    if isinstance(value, Draw):
        yield value
    elif isinstance(value, Struct):
        for field in value.__struct_fields__:
            yield from _draws(getattr(value, field))
    elif isinstance(value, tuple):
        for item in value:
            yield from _draws(item)


@pytest.fixture(scope="module")
def played() -> _Game:
    """A finished game."""
    game = _Game(SeededChance(SEED, GAME))
    game.play()
    return game


# Commitment


def test_chance_commitment__the_first_event_publishes_the_hash_of_the_seed(played: _Game) -> None:
    opened = played.events[0]
    assert isinstance(opened, GameOpened)
    assert opened.commitment == sha256(SEED).hexdigest()
    assert played.facts[0].rule == "chance/commitment"
    assert list(_draws(opened)) == []


def test_chance_commitment__every_draw_follows_from_seed_game_number_and_entropy(played: _Game) -> None:
    """Two news cards, four or more starting dice, two dice for each of 34 turns, and what news and economy drew."""
    draws = [draw for event in played.events for draw in _draws(event)]
    assert len(draws) > 2 + 4 + 2 * 34
    assert {draw.sides for draw in draws} >= {6, 7, 8}
    for draw in draws:
        assert draw.value == _recomputed(SEED, GAME, draw.number, draw.sides, "Kiwi,,x_9-,42")


def test_chance_commitment__draws_are_numbered_from_1_through_the_whole_game(played: _Game) -> None:
    numbers = [draw.number for event in played.events for draw in _draws(event)]
    assert numbers == list(range(1, len(numbers) + 1))


def test_chance_commitment__each_player_changes_the_dice_with_its_own_entropy() -> None:
    def first_draws(entropy: tuple[str, ...]) -> list[int]:
        game = _Game(SeededChance(SEED, GAME), entropy)
        game.play()
        return [draw.value for event in game.events for draw in _draws(event)][:40]

    usual = first_draws(ENTROPY)
    assert first_draws(ENTROPY) == usual
    for seat in range(4):
        other = tuple("other" if index == seat else word for index, word in enumerate(ENTROPY))
        assert first_draws(other) != usual


def test_chance_commitment__a_draw_does_not_depend_on_the_draws_before_it() -> None:
    chance = SeededChance(SEED, GAME)
    forwards = [chance.value(number, 6, "e") for number in range(1, 50)]
    assert [chance.value(number, 6, "e") for number in range(49, 0, -1)] == forwards[::-1]


@pytest.mark.parametrize("sides", [1, 2, 3, 6, 7, 8, 2**31 + 1, 3 * 2**30, 2**32 - 1])
def test_chance_commitment__words_above_the_largest_multiple_are_rejected(sides: int) -> None:
    """With 2^31 + 1 sides every other word is rejected: of 1000 draws about four need a second block of eight."""
    chance = SeededChance(SEED, GAME)
    for number in range(1, 1001):
        assert chance.value(number, sides, "e") == _recomputed(SEED, GAME, number, sides, "e")


@pytest.mark.parametrize("sides", [2, 3, 4, 5, 6, 7, 8])
def test_chance_commitment__no_value_is_likelier_than_another(sides: int) -> None:
    """Chi-squared of 7000 draws: with up to seven degrees of freedom, 30 is exceeded less than once in 10,000 times."""
    chance = SeededChance(SEED, GAME)
    counts = Counter(chance.value(number, sides, "") for number in range(1, 7001))
    assert sorted(counts) == list(range(1, sides + 1))
    expected = 7000 / sides
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < 30


def test_chance_commitment__one_draw_tells_nothing_of_the_next() -> None:
    """Chi-squared of 36,000 pairs of consecutive dice: 36 cells, mean 35. 85 is exceeded once in 100,000."""
    chance = SeededChance(SEED, GAME)
    dice = [chance.value(number, 6, "") for number in range(1, 36002)]
    counts = Counter(pairwise(dice))
    assert len(counts) == 36
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 85


# Reveal


def test_chance_reveal__the_last_event_publishes_the_seed_and_it_fits_the_commitment(played: _Game) -> None:
    revealed = played.events[-1]
    assert isinstance(revealed, SeedRevealed)
    assert sha256(bytes.fromhex(revealed.seed)).hexdigest() == played.state.commitment
    assert played.facts[-1].rule == "chance/reveal"
    assert played.state.seed == SEED.hex()
    assert view(played.state, None).seed == SEED.hex()


def test_chance_reveal__before_the_end_nobody_can_see_the_seed(played: _Game) -> None:
    for event in played.events[:-1]:
        written = msgspec.json.encode(event)
        assert SEED.hex().encode() not in written
        assert SEED not in written


def test_chance_reveal__until_then_neither_players_nor_onlookers_are_shown_it() -> None:
    game = _Game(SeededChance(SEED, GAME))
    game.do(0, StartGame())
    for seat in (None, 0, 1, 2, 3):
        seen = view(game.state, seat)
        assert seen.seed is None
        assert seen.commitment == sha256(SEED).hexdigest()
        assert SEED.hex().encode() not in msgspec.json.encode(seen)

"""The golden games of the box game: one for each number of players and each way it can end."""

from collections.abc import Iterator
from functools import partial
from itertools import count
from random import Random

from msgspec import Struct

from mcmulti.domain.core.capabilities.leaving import SeatVacated
from mcmulti.domain.core.capabilities.leaving.departures import EndedBy
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.offers import Choice, Offer
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.commands import BuyAsset, DeclareVictory, EndTurn, Instruct, OperatingOrders
from mcmulti.domain.mcmulti.components import ECONOMY
from mcmulti.domain.mcmulti.news.warming import IdleRefinerySold
from mcmulti.domain.mcmulti.phases.ending import GameFinished
from mcmulti.domain.mcmulti.phases.selling_out import HoldingsSold
from mcmulti.domain.mcmulti.setup import ConsumerTrack, Setup
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.oil.rules.ending import AssetsLiquidated, GameStoodStill
from mcmulti.library.steps import Step, set_up, take
from mcmulti.simulation import carry_on, fill_in, play
from tests.golden import sources

SHORT = 700
"""Steps. Longer games are skipped to keep the files small."""
PASSES = ("RollDice", "EndProduction", "EndCleanUp", "EndTurn")


def finish(steps: list[Step]) -> GameFinished | None:
    """How a game ended."""
    return next((f.event for f in reversed(steps[-1].facts) if isinstance(f.event, GameFinished)), None)


def declarer_wins(steps: list[Step]) -> bool:
    """The player who declared victory has most cash."""
    end = finish(steps)
    return end is not None and end.decided_by == "cash" and end.winners == (steps[-1].state.declared_by,)


def declarer_overtaken(steps: list[Step]) -> bool:
    """Another player had more cash after the last round."""
    end = finish(steps)
    return end is not None and end.decided_by == "cash" and end.winners != (steps[-1].state.declared_by,)


def barrels_decide(steps: list[Step]) -> bool:
    """Equal cash: the barrels decide."""
    end = finish(steps)
    return end is not None and end.decided_by == "barrels"


def shared(steps: list[Step]) -> bool:
    """Equal cash and equal barrels."""
    end = finish(steps)
    return end is not None and end.decided_by == "shared"


def stood_still(steps: list[Step]) -> bool:
    """Nothing changed for ten rounds, and there was something to sell at the end."""
    happened = {type(fact.event) for fact in steps[-1].facts}
    return {GameStoodStill, AssetsLiquidated} <= happened


OTHER_READINGS = Setup(
    seats=2,
    consumer_track=ConsumerTrack(
        red_fields=(5, 9, 13, 17, 21, 24, 27, 30, 33, 36, 39, *range(41, 66, 2), *range(66, 81))
    ),
    refinery_sales="postal",
    unpaid_clean_up="sold",
    last_turns="one",
)
"""All disputed rules read the other way, on a board whose red fields are the key steps by post."""


def sold_unpaid(steps: list[Step]) -> bool:
    """A refinery was sold whose clean-up nobody paid for, and the player who declared victory has most cash."""
    happened = {type(fact.event) for step in steps for fact in step.facts}
    return IdleRefinerySold in happened and declarer_wins(steps)


def random_games(setup: Setup, first: int = 0) -> Iterator[list[Step]]:
    """Short random games, from this seed on."""
    for seed in count(first):
        yield list(play(RULESET, setup, seed, most_steps=SHORT))


def close_games(setup: Setup) -> Iterator[list[Step]]:
    """Random games of two in which the poorer player declares, and the other one drops to a tie in the last turn."""
    for seed in count():
        yield list(_close_game(setup, seed))


def _close_game(setup: Setup, seed: int) -> Iterator[Step]:
    random = Random(seed)
    game_id = f"00000000-0000-4000-8000-{seed:012x}"
    chance = SeededChance(random.randbytes(32), game_id)
    opening = list(set_up(RULESET, setup, game_id, chance))
    yield from opening
    state: State = opening[-1].state
    for _ in range(3 * SHORT):
        if state.phase == "over":
            return
        (seat,) = RULESET.to_move(state)
        offered = {offer.command for offer in RULESET.offers(state, seat)}
        if "DeclareVictory" in offered and _worth(state, seat) <= _worth(state, 1 - seat):
            step = take(RULESET, state, seat, DeclareVictory(), chance)
        elif state.phase == "assets" and state.last_turns == ():
            step = take(RULESET, state, seat, _toward_a_tie(state, seat), chance)
        else:
            (step,) = carry_on(RULESET, state, chance, random, _thriftily, most_steps=1)
        state = step.state
        yield step


def idle_games(setup: Setup) -> Iterator[list[Step]]:
    """Games in which players only do what they must once the special purchase round is over."""
    for seed in count():
        yield list(play(RULESET, setup, seed, _idly, most_steps=SHORT))


def _idly(random: Random, offers: tuple[Offer, ...]) -> Offer:
    """Anything in the special purchase round. After it, only what ends a phase, except for raising money for taxes."""
    if "EndPurchases" in {offer.command for offer in offers}:
        return random.choice(offers)
    return next((offer for offer in offers if offer.command in PASSES), offers[0])


def _thriftily(random: Random, offers: tuple[Offer, ...]) -> Offer:
    """Any offer but a declaration, made by players who keep what they have."""
    weights = {"DeclareVictory": 0.0, "SellAsset": 0.1, "EndProduction": 0.1, "EndTurn": 4.0, "RollDice": 4.0}
    return random.choices(offers, [weights.get(offer.command, 1.0) for offer in offers])[0]


def _toward_a_tie(state: State, seat: int) -> Struct:
    lead = _worth(state, seat) - _worth(state, 1 - seat)
    for offer in sorted(RULESET.offers(state, seat), key=lambda offer: offer.price or 0, reverse=True):
        kind = offer.fields.get("kind")
        if offer.command == "BuyAsset" and isinstance(kind, Choice) and offer.price is not None:
            loss = offer.price - ECONOMY["depression"].sell[kind.options[0]]
            if loss <= lead:
                return fill_in(Random(0), offer, BuyAsset)
    return EndTurn()


def _worth(state: State, seat: int) -> int:
    """Cash after liquidation."""
    prices = ECONOMY["depression"].sell
    pieces = sum(number * prices[kind] for kind, number in state.pieces(seat).items())
    return state.players[seat].cash + pieces


def instructed() -> Iterator[list[Step]]:
    """Random games in which a seat set instructions before the first turn for others' turns."""
    for seed in count():
        random, game_id = Random(seed), f"00000000-0000-4000-8000-{seed:012x}"
        chance = SeededChance(random.randbytes(32), game_id)
        opening = list(set_up(RULESET, Setup(seats=3, instructions=5), game_id, chance))
        orders = OperatingOrders(sell_from=20, pump=True)
        opening.append(take(RULESET, opening[-1].state, 1, Instruct(orders), chance))
        yield [*opening, *carry_on(RULESET, opening[-1].state, chance, random, most_steps=sources.SHORT)]


def sold(steps: list[Step]) -> bool:
    """The assets of a player who left were sold, and the last one who stayed won."""
    return _ended(steps, "left") and HoldingsSold in sources.happened(steps)


def called_off(steps: list[Step]) -> bool:
    """One player left, and all who stayed agreed that nobody wins."""
    return _ended(steps, "called_off") and SeatVacated in sources.happened(steps)


def _ended(steps: list[Step], how: EndedBy) -> bool:
    ended: EndedBy | None = steps[-1].state.departures.ended
    return ended == how


_LEFT = partial(sources.left_games, RULESET.name)
GAMES: sources.Games = {
    "two-players": (partial(random_games, Setup(seats=2), 24), declarer_wins),
    "three-players": (partial(random_games, Setup(seats=3)), declarer_wins),
    "four-players": (partial(random_games, Setup(seats=4)), declarer_wins),
    "long-game": (partial(random_games, Setup(seats=3, target=1000)), declarer_wins),
    "declarer-overtaken": (partial(random_games, Setup(seats=4)), declarer_overtaken),
    "barrels-decide": (partial(close_games, Setup(seats=2)), barrels_decide),
    "shared-victory": (partial(close_games, Setup(seats=2)), shared),
    "standstill": (partial(idle_games, Setup(seats=3)), stood_still),
    "other-readings": (partial(random_games, OTHER_READINGS), sold_unpaid),
    "clock": (partial(sources.timed_games, RULESET.name, 2), sources.all_of_clocks),
    "substitute": (_LEFT, sources.substituted),
    "sold": (_LEFT, sold),
    "called-off": (_LEFT, called_off),
    "house": (_LEFT, sources.kept),
    "mcmulti-undo": (partial(sources.sociable_games, RULESET.name, 2), sources.taken_back),
    "instructions": (instructed, sources.won),
    "fewer-players": (partial(sources.fewer, RULESET.name, 1), sources.won),
}

"""The merchant in MarraCash: among random players, among its like, and its knowledge of the town."""

from random import Random
from typing import Any, Union

import msgspec
import pytest

from benchmarks.contests import contest, played
from mcmulti.bots.strategies.bazaar import BESIDE, COLOUR, STREETS, Town, commission, ends, income, paid_by
from mcmulti.bots.strategies.merchant import Merchant, limit
from mcmulti.bots.strategies.registry import strategies_of
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.marracash import RULESET, components, town
from mcmulti.domain.marracash.commands import Bid, BidUpTo, PassBid
from mcmulti.domain.marracash.components import SHOPS
from mcmulti.domain.marracash.phases.turns import LastRoundStarted
from mcmulti.domain.marracash.state import Bazaar, Crowd, MarraCashSetup, Souvenir
from mcmulti.library.steps import set_up, take
from tests.pure.marracash.situations import ADA, BEN, CLEO, after, empty_town, happened, situation, with_souvenirs

MOVES: Any = Union[RULESET.commands.moves]  # noqa: UP007
NOBODY = Crowd()


def chosen(state: Bazaar, seat: int, seed: int = 0) -> Any:
    """The choice of a merchant with this seed on this seat."""
    wire = msgspec.json.encode((RULESET.view(state, seat), RULESET.offers(state, seat)))
    view, offers = msgspec.json.decode(wire)
    [command] = Merchant(seed)(view, offers)
    assert msgspec.json.encode((view, offers)) == wire, "a strategy leaves alone what it is shown"
    return msgspec.convert(command, MOVES)


def test_it_is_the_strategy_that_plays_marracash_best() -> None:
    assert strategies_of("marracash") == ("merchant", "random")


@pytest.mark.parametrize("seats", [3, 4])
def test_a_merchant_wins_far_more_than_its_share_among_random_players(seats: int) -> None:
    """In 200 games far more than 160: here 10, and at least 7 of them."""
    assert sum(contest(RULESET, Merchant, seats, 10)) >= 7


@pytest.mark.parametrize("seats", [3, 4])
def test_merchants_among_themselves_come_to_an_end_because_the_queue_does(seats: int) -> None:
    chance = SeededChance(Random(seats).randbytes(32), "game")
    state: Bazaar = list(set_up(RULESET, MarraCashSetup(seats=seats), "game", chance))[-1].state
    last_rounds = []
    while moving := RULESET.to_move(state):
        step = take(RULESET, state, moving[0], chosen(state, moving[0]), chance)
        last_rounds += [fact.event for fact in step.facts if isinstance(fact.event, LastRoundStarted)]
        state = step.state
    [last_round] = last_rounds
    assert not last_round.standstill
    assert min(state.cash) > components.CASH


def test_the_same_seed_gives_the_same_game() -> None:
    one, again = (played(RULESET, [Merchant(seed) for seed in range(3)], 5) for _ in range(2))
    assert one == again


def test_its_streets_are_those_of_the_town() -> None:
    assert STREETS.keys() == town.NEIGHBOURS.keys()
    for start, streets in STREETS.items():
        assert tuple(streets) == town.NEIGHBOURS[start]
        for to, passed in streets.items():
            # Two doors at the same step are of two colors: their order decides nothing.
            assert sorted(passed) == sorted(town.STREETS[start, to].shops)
            for color in "RBGYP":
                of_color = [shop for shop in town.STREETS[start, to].shops if shop[0] == color]
                assert [shop for shop in passed if shop[0] == color] == of_color
    assert BESIDE == town.BESIDE
    assert all(COLOUR[shop[0]] == town.colour_of(shop) for shop in SHOPS)


def test_its_prices_are_those_of_the_rules() -> None:
    for before in range(8):
        for customers in range(1, 8):
            taken = components.income(before, customers)
            assert income(before, customers) == taken
            assert commission(customers, taken) == components.customer_commission(customers, taken)


def test_it_leads_customers_into_its_own_shop_rather_than_into_another_players() -> None:
    """At 12 are two purple visitors: toward 11 is P5, Ada's; nobody passes Ben's B5 who wants to enter it."""
    state = situation(
        shops={"P5": (ADA, 2), "R4": (BEN, 0)}, groups={12: Crowd(purple=2, red=2), 1: NOBODY, 8: NOBODY, 16: NOBODY}
    )
    move = chosen(state, ADA)
    assert (move.fountain, move.to) == (12, 11)
    _, [_, entered, *_] = happened(state, ADA, move)
    assert (entered.shop, entered.income) == ("P5", 700)  # type: ignore[attr-defined]


def test_it_passes_where_a_shop_cannot_bring_what_it_costs() -> None:
    """Nobody wants to enter a red shop anymore."""
    state = empty_town(groups={3: Crowd(blue=2)}, seat=ADA, cash=1000)
    state = after(state, ADA, _put_up("R1", 100))
    assert type(chosen(state, BEN)).__name__ == "PassBid"


def beside_b1(**more: Any) -> Bazaar:
    """The last round. Four wait next to B1, and pay 100 + 200 + 300 + 400 at once: it is worth 1000."""
    return empty_town(groups={3: Crowd(blue=4)}, seat=ADA, **more)


def test_it_goes_as_far_as_a_shop_is_worth() -> None:
    """Ada has 2000, and so has Ben."""
    state = beside_b1(cash={ADA: 2000, BEN: 2000, CLEO: 0})
    assert chosen(after(state, ADA, _put_up("B1", 100)), BEN) == BidUpTo(1000)
    assert chosen(after(state, ADA, _put_up("B1", 975)), BEN) == BidUpTo(1000)
    assert chosen(after(state, ADA, _put_up("B1", 1000)), BEN) == PassBid()


def test_it_pays_for_what_those_who_wait_spend_on_souvenirs() -> None:
    """Of four blue customers two buy the blue cards, for 225 and 125: B1 is worth 1350. Red and green cards do not
    count.
    """
    state = beside_b1(cash={ADA: 2000, BEN: 2000, CLEO: 0})
    blue, others = (Souvenir("blue", 225), Souvenir("blue", 125)), (Souvenir("red", 150), Souvenir("green", 200))
    for cards, most in (blue, 1350), (others, 1000):
        open_ = with_souvenirs(state, *cards)
        assert chosen(after(open_, ADA, _put_up("B1", 100)), BEN) == BidUpTo(most)


def test_it_leads_customers_to_the_shop_that_sells_them_a_souvenir() -> None:
    """One red and one purple visitor stand at 12. P5, toward 11 and 16, and R4, toward 13, are Ada's."""
    for card, to in ((Souvenir("red", 150), {13}), (Souvenir("purple", 150), {11, 16})):
        state = situation(
            shops={"P5": (ADA, 0), "R4": (ADA, 0)},
            groups={12: Crowd(purple=1, red=1), 1: NOBODY, 8: NOBODY, 16: NOBODY},
            left=1,
        )
        move = chosen(with_souvenirs(state, card, Souvenir("blue", 225)), ADA)
        assert move.fountain == 12
        assert move.to in to


def test_it_has_no_more_than_its_cash() -> None:
    state = beside_b1(cash={ADA: 2000, BEN: 640, CLEO: 0})
    assert chosen(after(state, ADA, _put_up("B1", 100)), BEN) == BidUpTo(625)


def test_an_auctioneer_forgoes_its_commission() -> None:
    """If Ben has it for 525 or more Ada gets 200; of three players, that is 200 more for her and 67 less behind Cleo:
    she goes no further than 1000 - 133, which is 850 in steps of 25."""
    state = after(beside_b1(cash=2000), ADA, _put_up("B1", 100))
    state = after(after(state, BEN, Bid(125)), CLEO, PassBid())
    assert chosen(state, ADA) == BidUpTo(850)


def test_it_raises_by_two_steps_where_that_saves_the_last_one() -> None:
    """Ada, the only rival, has 975. From 875 on, step by step, Ben would bid 900 and 950, Ada 925 and 975, and he would
    have to pay 1000. He bids 925: Ada 950, he 975, which she cannot raise. With 950 in her purse he need not jump."""
    for purse, answer in ((975, Bid(925)), (950, BidUpTo(1000))):
        state = after(beside_b1(cash={ADA: purse, BEN: 2000, CLEO: 0}), ADA, _put_up("B1", 875))
        assert chosen(state, BEN) == answer


def test_it_keeps_cash_for_later_auctions() -> None:
    """What is earned later counts 680 / 1.36 = 500 while all 45 wait outside, 680 when nobody does; what those who
    wait beside a shop pay comes back at once, and counts in full."""
    early, late = (Town(0, 3, {}, {}, ("red",) * number) for number in (45, 0))
    assert [round(limit(*one)) for one in ((early, 0, 680), (early, 300, 680), (late, 300, 680))] == [500, 800, 980]


def test_others_do_not_know_how_far_it_goes() -> None:
    """In the middle of a game, whims of 10 % leave ceilings some steps apart; the same seed has the same whim."""
    state = after(situation(cash=9000, queue=("red",) * 8 + ("blue",) * 20), ADA, _put_up("R5", 100))
    ceilings = [chosen(state, BEN, seed).most for seed in range(20)]
    assert len(set(ceilings)) > 5
    assert chosen(state, BEN, 7).most == ceilings[7]


def test_where_visitors_end_who_are_led_at_random() -> None:
    """Both streets from 14 pass G4, so all green ones enter it. From 2 both streets pass G2; where G2 is not sold they
    walk on. Nobody enters two shops."""
    assert ends(("G4",))["G4"][14] == 1
    assert ends(("G2", "G4"))["G2"][2] == 1
    assert ends(("G4",))["G4"][2] < 1
    every = ends(tuple(f"G{number}" for number in range(1, 6)))
    for fountain in STREETS:
        assert 0.8 < sum(chances[fountain] for chances in every.values()) <= 1


def test_what_customers_pay_on_average() -> None:
    """The first pays 100, the second 200, and half of the third 150."""
    assert [paid_by(number) for number in (0, 0.5, 1, 2.5)] == [0, 50, 100, 450]


def _put_up(shop: str, bid: int) -> Any:
    return msgspec.convert({"type": "PutUp", "shop": shop, "bid": bid}, MOVES)

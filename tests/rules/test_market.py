"""Phase 1: the two markets."""

from mcmulti.domain.mcmulti.commands import BuyBarrels, SellBarrels
from mcmulti.domain.mcmulti.events import BarrelsBought
from mcmulti.domain.mcmulti.state import Market
from mcmulti.domain.offers import Choice
from tests.rules.situations import after, events, offered, refused, situation


def test_market_buy__two_barrels_of_gasoline_with_the_cheapest_at_6_cost_14() -> None:
    """The rulebook's example: the cheapest barrel stands on 6, so two cost 6 + 8 = 14."""
    state = situation(cash=100, domestic=Market(crude=5, gasoline=2))
    happened = events(state, 0, BuyBarrels("domestic", "gasoline", 2))
    assert happened == [BarrelsBought(0, "domestic", "gasoline", (6, 8))]
    bought = after(state, 0, BuyBarrels("domestic", "gasoline", 2))
    assert bought.players[0].cash == 86
    assert bought.players[0].gasoline == 2
    assert bought.domestic == Market(crude=5, gasoline=4)


def test_market_one_per_turn__the_second_market_is_refused() -> None:
    state = after(situation(cash=100), 0, BuyBarrels("domestic", "crude", 1))
    rejection = refused(state, 0, BuyBarrels("foreign", "crude", 1))
    assert rejection.code == "other_market"
    assert rejection.rule == "market/one-per-turn"
    assert {offer.fields["market"] for offer in offered(state, 0, "BuyBarrels")} == {Choice(("domestic",))}


def test_market_sell__a_barrel_goes_on_the_dearest_free_field() -> None:
    """Crude fields 1 to 5 are free at the start, so three barrels bring 5 + 4 + 3 = 12."""
    sold = after(situation(cash=0, crude=3), 0, SellBarrels("foreign", "crude", 3))
    assert sold.players[0].cash == 12
    assert sold.players[0].crude == 0
    assert sold.foreign == Market(crude=2, gasoline=7)

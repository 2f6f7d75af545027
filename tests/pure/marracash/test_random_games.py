"""Random games: only what is offered is accepted, money and visitors are conserved, and games end."""

from collections import Counter
from functools import cache
from itertools import product

from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.offers import Choice, Offer, Range, Rejection
from mcmulti.domain.marracash import RULESET
from mcmulti.domain.marracash.commands import Bid, BidUpTo, LetIn, MoveGroup, PassBid, PutUp, WithdrawCeiling
from mcmulti.domain.marracash.components import ENDS, SHOPS
from mcmulti.domain.marracash.state import Bazaar, MarraCashSetup
from mcmulti.library.steps import Step
from mcmulti.simulation import play
from tests.thorough import examples

players = st.integers(3, 4)
seeds = st.integers(0, 29)
moments = st.integers(5, 140)
relaxed = examples(40)

MOVES = {command.__name__: command for command in (PutUp, Bid, PassBid, BidUpTo, WithdrawCeiling, MoveGroup, LetIn)}


@cache
def game(number: int, seed: int) -> tuple[Step, ...]:
    """With souvenirs in every other game."""
    return tuple(play(RULESET, MarraCashSetup(seats=number, souvenirs="open" if seed % 2 else "none"), seed))


def _moment(number: int, seed: int, moment: int) -> Bazaar:
    steps = game(number, seed)
    state: Bazaar = steps[min(moment, len(steps) - 1)].state
    return state


def _every_move(offer: Offer) -> set[Struct]:
    """Every command that an offer lists."""
    values = [field.options for field in offer.fields.values() if isinstance(field, Choice | Range)]
    command = MOVES[offer.command]
    return {command(**dict(zip(offer.fields, chosen, strict=True))) for chosen in product(*values)}


def _thinkable() -> list[Struct]:
    """Every possible command, with bids up to 2000."""
    fountains, bids = range(1, 17), range(0, 2001, 25)
    return [
        PassBid(),
        WithdrawCeiling(),
        *(Bid(bid) for bid in bids),
        *(BidUpTo(bid) for bid in bids),
        *(PutUp(shop, bid) for shop in SHOPS for bid in (75, 100, 500, 1000, 1500)),
        *(MoveGroup(start, to) for start in fountains for to in fountains),
        *(LetIn(entrance, end, number) for entrance in fountains for end in ENDS for number in (1, 2, 3, 4)),
    ]


THINKABLE = _thinkable()


@relaxed
@given(players, seeds, moments)
def test_a_move_is_accepted_if_and_only_if_it_is_offered(number: int, seed: int, moment: int) -> None:
    state = _moment(number, seed, moment)
    for seat in range(number):
        offered = {command for offer in RULESET.offers(state, seat) for command in _every_move(offer)}
        assert (seat in RULESET.to_move(state)) == bool(offered)
        besides = [offer for offer in RULESET.besides(state, seat) if offer.command in MOVES]
        offered |= {command for offer in besides for command in _every_move(offer)}
        for command in offered | set(THINKABLE):
            refused = isinstance(RULESET.admit(state, seat, command), Rejection)
            assert refused is (command not in offered), (seat, command)


@relaxed
@given(players, seeds, moments)
def test_what_an_offer_promises_is_what_comes(number: int, seed: int, moment: int) -> None:
    """The customers, income and commission of every street of every group."""
    state = _moment(number, seed, moment)
    for seat in RULESET.to_move(state):
        for offer in RULESET.offers(state, seat):
            if offer.command != "MoveGroup":
                continue
            streets = offer.fields["to"]
            for prospect in streets.prospects:  # type: ignore[attr-defined]
                command = MoveGroup(offer.fields["fountain"].options[0], prospect.to)  # type: ignore[attr-defined]
                decision = RULESET.carry_out(state, seat, command, offer, SeededChance(bytes(32), "game"))
                gained = Counter(dict.fromkeys(range(number), 0))
                for each in prospect.entering:
                    souvenirs = sum(card.dirham for card in each.souvenirs)
                    gained[each.owner] += each.income + souvenirs - each.commission
                    gained[seat] += each.commission
                    assert decision.state.shop(each.shop).customers - state.shop(each.shop).customers == each.customers
                for each_seat in range(number):
                    assert decision.state.cash[each_seat] - state.cash[each_seat] == gained[each_seat]


@relaxed
@given(players, seeds)
def test_no_visitor_and_no_dirham_is_lost(number: int, seed: int) -> None:
    """After every event, 54 visitors are in the queue, at fountains, or in shops, as the books say."""
    balances: Counter[tuple[str, str]] = Counter()
    state = None
    for step in game(number, seed):
        for fact in step.facts:
            state = RULESET.evolve(state, fact.event)
            for moved in RULESET.books.transfers(fact.event):
                balances[moved.source, moved.unit] -= moved.amount
                balances[moved.target, moved.unit] += moved.amount
            for fountain, group in enumerate(state.groups, start=1):
                assert balances[f"fountain:{fountain}", "visitors"] == len(group)
            assert balances["queue", "visitors"] == len(state.queue)
            for unit in ("dirham", "visitors", "shops"):
                assert sum(amount for (_, what), amount in balances.items() if what == unit) == 0
            if state.turn:
                inside = sum(shop.customers for shop in state.shops)
                assert len(state.queue) + sum(map(len, state.groups)) + inside == 54


@relaxed
@given(players, seeds)
def test_games_end_in_the_end(number: int, seed: int) -> None:
    last = game(number, seed)[-1].state
    assert RULESET.status(last) == "finished"
    assert 3 <= last.turn <= 60

"""From any situation, likely or not, the game continues to its end, and nothing is lost."""

from random import Random

from hypothesis import assume, given
from hypothesis import strategies as st

from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.course.posting import seat_of
from mcmulti.domain.marracash import RULESET
from mcmulti.domain.marracash.components import COLOURS, SHOPS, SIGNS, STANDSTILL
from mcmulti.domain.marracash.state import NOBODY, Bazaar, Crowd
from mcmulti.domain.marracash.town import FOUNTAINS
from mcmulti.simulation import carry_on
from tests.pure.marracash.situations import situation
from tests.thorough import examples

crowds = st.builds(Crowd, **dict.fromkeys(COLOURS, st.integers(0, 2)))


@st.composite
def situations(draw: st.DrawFn) -> Bazaar:
    """Any cash, up to six shops each, groups anywhere or nowhere, a queue of any length."""
    players = draw(st.integers(3, 4))
    names = iter(draw(st.permutations(SHOPS)))
    owned = [draw(st.integers(0, SIGNS)) for _ in range(players)]
    shops: dict[str, tuple[int, int]] = {
        next(names): (seat, draw(st.integers(0, 6))) for seat, number in enumerate(owned) for _ in range(number)
    }
    groups = dict.fromkeys(FOUNTAINS, NOBODY) | draw(
        st.dictionaries(st.sampled_from(tuple(FOUNTAINS)), crowds, max_size=4)
    )
    return situation(
        players,
        seat=draw(st.integers(0, players - 1)),
        cash={seat: draw(st.sampled_from((0, 75, 100, 125, 500, 2000))) for seat in range(players)},
        shops=shops,
        groups=groups,
        queue=draw(st.lists(st.sampled_from(COLOURS), max_size=12)),
        left=draw(st.integers(1, 2)),
    )


def _visitors(state: Bazaar) -> int:
    return len(state.queue) + sum(map(len, state.groups)) + sum(shop.customers for shop in state.shops)


@examples(60)
@given(situations(), st.integers(0, 2**16))
def test_it_ends_with_all_visitors_and_all_money_where_the_books_say(state: Bazaar, seed: int) -> None:
    visitors, cash = _visitors(state), list(state.cash)
    random = Random(seed)
    assume(RULESET.offers(state, state.seat))  # a player who can do nothing is skipped at once
    quiet = 0
    for step in carry_on(RULESET, state, SeededChance(bytes(32), "game"), random):
        for fact in step.facts:
            for moved in RULESET.books.transfers(fact.event):
                for account, amount in ((moved.source, -moved.amount), (moved.target, moved.amount)):
                    seat = seat_of(account)
                    if seat is not None and moved.unit == RULESET.books.money:
                        cash[seat] += amount
        after: Bazaar = step.state
        assert tuple(cash) == after.cash
        assert min(cash) >= 0
        assert _visitors(after) == visitors
        assert all(after.owned(seat) <= SIGNS for seat in range(len(cash)))
        assert len(RULESET.to_move(after)) == (after.phase != "over")
        quiet = max(quiet, after.quiet)
        state = after
    assert state.phase == "over"
    assert quiet <= STANDSTILL
    assert {state.cash[seat] for seat in state.winners} == {max(state.cash)}

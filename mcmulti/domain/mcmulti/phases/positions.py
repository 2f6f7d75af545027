"""The positions in which a game of McMulti can stand between two commands."""

from collections import Counter
from collections.abc import Iterator

from mcmulti.domain.core.course.positions import Fault, Reasons, differs, no_seat, outside, repeats
from mcmulti.domain.core.figures import MOST
from mcmulti.domain.mcmulti.components import ECONOMY_CHANGES_AT, FIELDS, NEWS
from mcmulti.domain.mcmulti.news.track import prices_of
from mcmulti.domain.mcmulti.state import State, Turn
from mcmulti.domain.mcmulti.table import owners_at_start
from mcmulti.domain.oil import positions as oil

_BECAUSE = Reasons("mcmulti.domain.mcmulti")

_ROLLED = {"market": False, "production": True, "neighbours": True, "assets": True, "news": True}
"""Whether the dice are on the table, by phase."""


def faults(state: State) -> Iterator[Fault]:
    """The faults of a position in which everybody plays."""
    seats = state.setup.seats
    missing = list(oil.lists(state, seats)) or list(
        differs("owners", state.owners, owners_at_start(tuple(range(seats))))
    )
    if missing:
        yield from missing
        return
    yield from oil.board(state, FIELDS)
    prices = prices_of(state.setup.consumer_track)
    if state.consumer_price not in prices:
        yield Fault("consumer_price", _BECAUSE("off_the_track", price=state.consumer_price))
    yield from outside("consumer_barrels", state.consumer_barrels, 1, MOST)
    yield from outside("difference", state.difference, 0, ECONOMY_CHANGES_AT - 1)
    yield from outside("first", state.first, 0, 3)
    yield from no_seat("declared_by", state.declared_by, seats)
    if (state.declared_by is None) != (state.last_turns is None):
        yield Fault("last_turns", _BECAUSE("last_turns"))
    for place, quadrant in enumerate(state.last_turns or ()):
        yield from outside(f"last_turns[{place}]", quadrant, 0, 3)
    yield from _cards(state)
    if state.turn is None:
        yield from _purchases(state)
    else:
        yield from differs("purchases", state.purchases, ())
        yield from _turn(state, state.turn)


def _cards(state: State) -> Iterator[Fault]:
    news = state.news
    open_ = [card for card in (news.likelier, news.less_likely) if card is not None]
    found = Counter((*open_, *news.pile, *news.under, *news.active))
    for name in NEWS:
        if found[name] != 1:
            yield Fault("news", _BECAUSE("card_count", card=name, found=found[name]))


def _purchases(state: State) -> Iterator[Fault]:
    yield from differs("phase", state.phase, "purchase")
    yield from repeats("purchases", state.purchases)
    for place, quadrant in enumerate(state.purchases):
        yield from outside(f"purchases[{place}]", quadrant, 0, 3)
        if quadrant in range(4) and state.owners[quadrant] is None:
            yield Fault(f"purchases[{place}]", _BECAUSE("no_owner", quadrant=quadrant))
    if not state.purchases:
        yield Fault("purchases", _BECAUSE("no_purchases"))


def _turn(state: State, turn: Turn) -> Iterator[Fault]:
    if state.phase not in _ROLLED:
        yield Fault("phase", _BECAUSE("idle_phase", phase=state.phase))
        return
    yield from outside("turn.number", turn.number, 1, MOST)
    for name, value, most in (
        ("quadrant", turn.quadrant, 3),
        ("operating", turn.operating, 3),
        ("done", turn.done, 4),
        ("used", turn.used, MOST),
        ("fresh_crude", turn.fresh_crude, MOST),
        ("fresh_gasoline", turn.fresh_gasoline, MOST),
    ):
        yield from outside(f"turn.{name}", value, 0, most)
    if turn.quadrant in range(4):
        yield from differs("turn.seat", turn.seat, state.owners[turn.quadrant])
    for name, die in (("red", turn.red), ("black", turn.black)):
        yield from outside(f"turn.{name}", die, *((1, 6) if _ROLLED[state.phase] else (0, 0)))
    for place, due in enumerate(turn.dues):
        yield from no_seat(f"turn.dues[{place}].seat", due.seat, state.setup.seats)
    if (turn.card is None) != (state.phase != "news"):
        yield Fault("turn.card", _BECAUSE("card_phase"))
    elif turn.card is not None and turn.card not in state.news.active:
        yield Fault("turn.card", _BECAUSE("active_card"))

"""The wool fair: a game for two to five traders who buy and sell wool at the price of the day, for florins."""

from mcmulti.domain.core.ruleset import Books, Commands, Dice, Ruleset
from tests.toy.fair.days import thrown
from tests.toy.fair.flow import FLOW
from tests.toy.fair.state import Fair, Setup
from tests.toy.fair.texts import EVENTS, TEXTS
from tests.toy.fair.view import WoolFairView, fetches, gauges, view

RULESET: Ruleset[Fair] = Ruleset(
    name="wool_fair",
    version=1,
    title="The wool fair",
    setup=Setup,
    commands=Commands(moves=FLOW.moves),
    events=EVENTS,
    state_type=Fair,
    view_type=WoolFairView,
    flow=FLOW,
    view=view,
    turn=lambda state: state.day,
    texts=TEXTS,
    books=Books(money="florins", gauges=gauges, fetches=fetches, priced=True, valued=True),
    dice=Dice(thrown=thrown),
)

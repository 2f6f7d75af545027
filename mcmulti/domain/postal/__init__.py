"""McMulti by post: sealed, conditional orders, refereed round by round."""

from typing import get_args

from mcmulti.domain.core.ruleset import Books, Commands, Dice, Ruleset
from mcmulti.domain.core.shown.redaction import Redaction
from mcmulti.domain.postal.commands import WEIGHTS
from mcmulti.domain.postal.conditions.conditions import CONDITIONS
from mcmulti.domain.postal.conditions.quantities import QUANTITIES
from mcmulti.domain.postal.flow import FLOW
from mcmulti.domain.postal.refereeing.positions import faults
from mcmulti.domain.postal.refereeing.refereeing import OrdersSubmitted
from mcmulti.domain.postal.rounds import WriteOrders, sealed, stand_in
from mcmulti.domain.postal.sheets.plain import PlainSheets
from mcmulti.domain.postal.sheets.sheet import AssetOrder, OpenedOrder, OrderSheet, PumpOrder, TradeOrder
from mcmulti.domain.postal.shown.gauges import PERIODS, fetches, gauges, luck, thrown
from mcmulti.domain.postal.shown.picture import picture
from mcmulti.domain.postal.shown.report import report
from mcmulti.domain.postal.shown.view import PostalView, view
from mcmulti.domain.postal.state import PostalSetup, State
from mcmulti.domain.postal.telling import EVENTS, TEXTS

RULESET: Ruleset[State] = Ruleset(
    name="postal",
    version=1,
    title="McMulti by post, postal rules 4.0",
    setup=PostalSetup,
    commands=Commands(
        moves=FLOW.moves,
        automatic=FLOW.by_itself,
        unions={
            "Condition": ("What may be asked of the game in an order sheet.", CONDITIONS),
            "Quantity": ("What a condition can compare.", QUANTITIES),
            "AssetOrder": ("A line of an order sheet for phase 1.", get_args(AssetOrder)),
            "TradeOrder": ("A line of an order sheet for phase 2.", get_args(TradeOrder)),
            "PumpOrder": ("What pumps do in phase 3.", get_args(PumpOrder)),
            "OpenedOrder": ("What stands in a line that a round reached.", get_args(OpenedOrder)),
        },
        forms={OrderSheet.__name__: PlainSheets(assets=4, trades=3)},
        worded=(WriteOrders,),
        weights=WEIGHTS,
    ),
    events=EVENTS,
    state_type=State,
    view_type=PostalView,
    flow=FLOW,
    faults=faults,
    view=view,
    turn=lambda state: state.turn.number if state.turn else 0,
    texts=TEXTS,
    books=Books(money="dollars", gauges=gauges, fetches=fetches, priced=True, valued=True, periods=PERIODS),
    dice=Dice(thrown=thrown, luck=luck),
    picture=picture,
    report=report,
    redactions=(Redaction(type=OrdersSubmitted.__name__, sealed=sealed, stand_in=stand_in),),
    bots=("random", "postal-tycoon", "postal-magnate"),
)

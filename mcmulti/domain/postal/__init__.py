"""McMulti by post: sealed, conditional orders, refereed round by round."""

from mcmulti.domain.core.deadlines import Deadlines
from mcmulti.domain.core.redaction import Redaction
from mcmulti.domain.core.ruleset import Books, Commands, Dice, Orders, Rounds, Ruleset
from mcmulti.domain.postal.checking import check
from mcmulti.domain.postal.commands import WEIGHTS
from mcmulti.domain.postal.conditions import CONDITIONS
from mcmulti.domain.postal.flow import FLOW, pace, sealed, stand_in, timeout
from mcmulti.domain.postal.forecast import forecast
from mcmulti.domain.postal.gauges import PERIODS, gauges, outcome
from mcmulti.domain.postal.in_words import WriteOrders, sending, sent
from mcmulti.domain.postal.limits import DEADLINE_PASSED
from mcmulti.domain.postal.luck import luck, thrown
from mcmulti.domain.postal.picture import picture
from mcmulti.domain.postal.quantities import QUANTITIES
from mcmulti.domain.postal.reading import read_sheet
from mcmulti.domain.postal.refereeing import OrdersSubmitted, RoundClosed
from mcmulti.domain.postal.report import report
from mcmulti.domain.postal.setup import PostalSetup
from mcmulti.domain.postal.sheet import ASSET_ORDERS, OPENED_ORDERS, PUMP_ORDERS, TRADE_ORDERS, OrderSheet
from mcmulti.domain.postal.state import State
from mcmulti.domain.postal.telling import EVENTS, TEXTS
from mcmulti.domain.postal.view import PostalView, view
from mcmulti.domain.postal.writing import sheet_text

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
            "AssetOrder": ("A line of an order sheet for phase 1.", ASSET_ORDERS),
            "TradeOrder": ("A line of an order sheet for phase 2.", TRADE_ORDERS),
            "PumpOrder": ("What pumps do in phase 3.", PUMP_ORDERS),
            "OpenedOrder": ("What stands in a line that a round reached.", OPENED_ORDERS),
        },
        worded=(WriteOrders,),
        weights=WEIGHTS,
    ),
    events=EVENTS,
    state_type=State,
    view_type=PostalView,
    flow=FLOW,
    view=view,
    turn=lambda state: state.turn.number if state.turn else 0,
    outcome=outcome,
    texts=TEXTS,
    books=Books(money="dollars", gauges=gauges, priced=True, valued=True, periods=PERIODS),
    dice=Dice(thrown=thrown, luck=luck),
    picture=picture,
    rounds=Rounds(number=lambda state: state.round, report=report),
    orders=Orders(
        sheet=OrderSheet,
        forecast=forecast,
        check=check,
        read=read_sheet,
        write=sheet_text,
        sending=sending,
        sent=sent,
        closes=RoundClosed,
    ),
    redactions=(Redaction(type=OrdersSubmitted.__name__, sealed=sealed, stand_in=stand_in),),
    deadlines=Deadlines(
        pace=pace,
        timeout=timeout,
        late=DEADLINE_PASSED,
        misses={RoundClosed: lambda state, closed: state.missing},
    ),
    bots=("random", "postal-tycoon", "postal-magnate"),
)

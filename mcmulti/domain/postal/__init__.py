"""McMulti by post: sealed, conditional orders, refereed round by round."""

from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.postal.checking import check
from mcmulti.domain.postal.commands import AUTOMATIC, LEANINGS, MOVES, StartGame, TakeSeat
from mcmulti.domain.postal.components import COMPONENTS, RULES
from mcmulti.domain.postal.conditions import CONDITIONS
from mcmulti.domain.postal.events import EVENTS
from mcmulti.domain.postal.flow import (
    VERSION,
    admit,
    carry_out,
    offers,
    open_game,
    pace,
    sealed,
    stand_in,
    status,
    timeout,
    to_move,
)
from mcmulti.domain.postal.fold import evolve
from mcmulti.domain.postal.forecast import forecast
from mcmulti.domain.postal.gauges import PERIODS, gauges, outcome
from mcmulti.domain.postal.limits import DEADLINE_PASSED, LIMITS
from mcmulti.domain.postal.luck import dice, luck
from mcmulti.domain.postal.picture import picture
from mcmulti.domain.postal.report import report
from mcmulti.domain.postal.setup import PostalSetup
from mcmulti.domain.postal.sheet import ASSET_ORDERS, OPENED_ORDERS, PUMP_ORDERS, TRADE_ORDERS, OrderSheet
from mcmulti.domain.postal.state import State
from mcmulti.domain.postal.telling import WORDS, tell
from mcmulti.domain.postal.transfers import transfers
from mcmulti.domain.postal.view import PostalView, view

RULESET: Ruleset[State] = Ruleset(
    name="postal",
    version=VERSION,
    title="McMulti by post, postal rules 4.0",
    setup=PostalSetup,
    moves=MOVES,
    joining=TakeSeat,
    starting=StartGame,
    automatic=AUTOMATIC,
    events=EVENTS,
    view_type=PostalView,
    state_type=State,
    unions={
        "Condition": ("What may be asked of the game in an order sheet.", CONDITIONS),
        "AssetOrder": ("A line of an order sheet for phase 1.", ASSET_ORDERS),
        "TradeOrder": ("A line of an order sheet for phase 2.", TRADE_ORDERS),
        "PumpOrder": ("What pumps do in phase 3.", PUMP_ORDERS),
        "OpenedOrder": ("What stands in a line that a round reached.", OPENED_ORDERS),
    },
    components=COMPONENTS,
    rules=RULES,
    words=WORDS,
    limits=LIMITS,
    open=open_game,
    offers=offers,
    admit=admit,
    carry_out=carry_out,
    evolve=evolve,
    view=view,
    transfers=transfers,
    tell=tell,
    turn=lambda state: state.turn.number if state.turn else 0,
    gauges=gauges,
    periods=PERIODS,
    picture=picture,
    luck=luck,
    dice=dice,
    outcome=outcome,
    sealed=sealed,
    stand_in=stand_in,
    pace=pace,
    timeout=timeout,
    late=DEADLINE_PASSED,
    orders=OrderSheet,
    forecast=forecast,
    check=check,
    round=lambda state: state.round,
    report=report,
    setup_of=lambda state: state.setup,
    to_move=to_move,
    players=lambda state: state.player_ids,
    leanings=LEANINGS,
    status=status,
)

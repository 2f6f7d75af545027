"""McMulti, the box game of 2012, for two to four players."""

from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.mcmulti.commands import LEANINGS, MOVES, StartGame, TakeSeat
from mcmulti.domain.mcmulti.components import COMPONENTS, RULE_TEXTS
from mcmulti.domain.mcmulti.events import EVENTS
from mcmulti.domain.mcmulti.flow import VERSION, admit, carry_out, offers, open_game, players, status, to_move
from mcmulti.domain.mcmulti.fold import evolve
from mcmulti.domain.mcmulti.gauges import PERIODS, gauges, outcome
from mcmulti.domain.mcmulti.limits import LIMITS
from mcmulti.domain.mcmulti.luck import dice, luck
from mcmulti.domain.mcmulti.picture import picture
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.mcmulti.telling import WORDS, tell
from mcmulti.domain.mcmulti.transfers import transfers
from mcmulti.domain.mcmulti.view import McMultiView, view

RULESET: Ruleset[State] = Ruleset(
    name="mcmulti",
    version=VERSION,
    title="McMulti (Crude), edition of 2012",
    setup=Setup,
    moves=MOVES,
    joining=TakeSeat,
    starting=StartGame,
    automatic=(),
    events=EVENTS,
    view_type=McMultiView,
    state_type=State,
    unions={},
    components=COMPONENTS,
    rules=RULE_TEXTS,
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
    sealed=None,
    stand_in=None,
    pace=lambda state: None,
    timeout=None,
    late=None,
    orders=None,
    forecast=None,
    check=None,
    round=None,
    report=None,
    setup_of=lambda state: state.setup,
    to_move=to_move,
    players=players,
    leanings=LEANINGS,
    status=status,
)

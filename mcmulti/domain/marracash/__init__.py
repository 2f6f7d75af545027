"""MarraCash, the box game of 1996, for three or four players."""

from mcmulti.domain.core.event import evolve, transfers
from mcmulti.domain.core.ruleset import Books, Commands, Ruleset, Texts
from mcmulti.domain.marracash.commands import MOVES, StartGame, TakeSeat
from mcmulti.domain.marracash.components import COMPONENTS, PROPERTIES, RULE_TEXTS
from mcmulti.domain.marracash.flow import NAME, VERSION, admit, carry_out, offers, open_game, status, to_move
from mcmulti.domain.marracash.gauges import gauges, outcome
from mcmulti.domain.marracash.limits import LIMITS
from mcmulti.domain.marracash.moves import StreetChoice
from mcmulti.domain.marracash.phrases import WORDS
from mcmulti.domain.marracash.picture import picture
from mcmulti.domain.marracash.state import Bazaar, MarraCashSetup
from mcmulti.domain.marracash.tallies import TALLIES
from mcmulti.domain.marracash.telling import EVENTS, OFFERS, REFUSALS, tell
from mcmulti.domain.marracash.view import MarraCashView, view

RULESET: Ruleset[Bazaar] = Ruleset(
    name=NAME,
    version=VERSION,
    title="MarraCash, edition of 1996",
    setup=MarraCashSetup,
    commands=Commands(moves=MOVES, joining=TakeSeat, starting=StartGame, fields=(StreetChoice,)),
    events=EVENTS,
    state_type=Bazaar,
    view_type=MarraCashView,
    open=open_game,
    offers=offers,
    admit=admit,
    carry_out=carry_out,
    evolve=evolve,
    view=view,
    status=status,
    to_move=to_move,
    turn=lambda state: state.turn,
    outcome=outcome,
    texts=Texts(
        rules=RULE_TEXTS,
        words=WORDS,
        limits=LIMITS,
        tell=tell,
        tell_offer=OFFERS.tell,
        tell_refusal=REFUSALS.tell,
        components=COMPONENTS,
        properties=PROPERTIES,
    ),
    books=Books(transfers=transfers, money="dirham", gauges=gauges),
    tallies=TALLIES,
    picture=picture,
)

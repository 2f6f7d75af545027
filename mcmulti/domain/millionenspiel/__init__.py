"""The Millionenspiel of 1982, for three to five players."""

from mcmulti.domain.core.commands import StartGame, TakeSeat
from mcmulti.domain.core.event import evolve, transfers
from mcmulti.domain.core.ruleset import Books, Commands, Dice, Ruleset, Texts
from mcmulti.domain.millionenspiel.components import COMPONENTS, PROPERTIES
from mcmulti.domain.millionenspiel.flow import (
    NAME,
    VERSION,
    admit,
    carry_out,
    offers,
    open_game,
    status,
    to_move,
)
from mcmulti.domain.millionenspiel.limits import LIMITS
from mcmulti.domain.millionenspiel.luck import luck, thrown
from mcmulti.domain.millionenspiel.picture import picture
from mcmulti.domain.millionenspiel.state import Millionenspiel, Setup
from mcmulti.domain.millionenspiel.texts import EVENTS, MOVES, OFFERS, REFUSALS, RULES, WORDS, tell
from mcmulti.domain.millionenspiel.view import MillionenspielView, gauges, outcome, view

RULESET: Ruleset[Millionenspiel] = Ruleset(
    name=NAME,
    version=VERSION,
    title="Millionenspiel, edition of 1982",
    setup=Setup,
    commands=Commands(moves=MOVES, joining=TakeSeat, starting=StartGame),
    events=EVENTS,
    state_type=Millionenspiel,
    view_type=MillionenspielView,
    open=open_game,
    offers=offers,
    admit=admit,
    carry_out=carry_out,
    evolve=evolve,
    view=view,
    status=status,
    to_move=to_move,
    turn=lambda state: state.round,
    outcome=outcome,
    texts=Texts(
        rules=RULES,
        words=WORDS,
        limits=LIMITS,
        tell=tell,
        tell_offer=OFFERS.tell,
        tell_refusal=REFUSALS.tell,
        components=COMPONENTS,
        properties=PROPERTIES,
    ),
    books=Books(transfers=transfers, money="money", gauges=gauges),
    dice=Dice(thrown=thrown, luck=luck),
    picture=picture,
)

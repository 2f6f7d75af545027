"""A new capability, the ante, is plugged into the toy: a game lists it, and the engine does not know it."""

from typing import Any, ClassVar

import msgspec
import pytest
from msgspec.structs import replace

from mcmulti.domain.core.capabilities.capability import Capability
from mcmulti.domain.core.commands import StartGame, TakeSeat
from mcmulti.domain.core.flow import Carrier
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.core.wording.manual import manual_of
from mcmulti.domain.core.wording.sentences import Incomplete
from mcmulti.domain.core.wording.telling import LANGUAGES
from mcmulti.library.steps import take
from tests.scripted_chance import ScriptedChance
from tests.toy import fair
from tests.toy.ante import AntePaid
from tests.toy.anted_fair import RULESET, Fair, Setup
from tests.toy.fair.flow import FLOW as WITHOUT
from tests.toy.fair.trading import BuyWool, Wait


def _begun(ante: int) -> Fair:
    """Ada and Ben at a fair of three days. The die shows 3 each morning: a sack costs 5 florins from then on."""
    chance = ScriptedChance()
    opened = RULESET.open("a game", Setup(seats=2, days=3, ante=ante), chance)
    assert not isinstance(opened, Rejection)
    state = opened.state
    for player in ("a", "b"):
        state = take(RULESET, state, None, TakeSeat(player), chance).state
    begun: Fair = take(RULESET, state, 0, StartGame(), chance).state
    return begun


def test_everybody_pays_each_round() -> None:
    """20 florins each, and 4 on each of three mornings. Ada, who buys three sacks for 15 on the first day, has 1 left,
    and pays no more than that on the second."""
    state = _begun(4)
    assert [trader.florins for trader in state.traders] == [16, 16]
    assert state.pot.paid == 8
    state = take(RULESET, state, 0, BuyWool(3), ScriptedChance()).state
    step = take(RULESET, state, 1, Wait(), ScriptedChance([3]))
    paid = [fact.event for fact in step.facts if isinstance(fact.event, AntePaid)]
    assert paid == [AntePaid(0, 1, 0), AntePaid(1, 4, 12)]
    assert [fact.rule for fact in step.facts][-2:] == ["ante/pay", "ante/pay"]
    assert step.state.pot.paid == 13


def test_what_is_paid_lies_in_the_pot() -> None:
    moved = [(each.source, each.target, each.amount) for each in AntePaid(1, 4, 12).transfers()]
    assert moved == [("seat:1:purse", "pot", 4)]


def test_where_nothing_was_agreed_nobody_pays() -> None:
    state = _begun(0)
    assert (state.pot.paid, [trader.florins for trader in state.traders]) == (0, [20, 20])


def test_a_table_can_agree_on_it_where_the_game_has_it_alone() -> None:
    assert msgspec.convert({"ante": 3}, Setup).ante == 3
    with pytest.raises(msgspec.ValidationError, match="unknown field `ante`"):
        msgspec.convert({"ante": 3}, fair.RULESET.setup)
    refused = RULESET.open("a game", Setup(ante=6), ScriptedChance())
    assert isinstance(refused, Rejection)
    assert (refused.code, refused.rule, refused.field, refused.limit) == ("ante_too_high", "ante/pay", "ante", 5)
    assert RULESET.texts.tell_refusal(refused, "en") == "Nobody could pay this ante. At most 5."


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_brings_its_own_words(language: str) -> None:
    assert "ante/pay" in RULESET.texts.rules[language]  # type: ignore[index]
    assert "ante/pay" not in fair.RULESET.texts.rules[language]  # type: ignore[index]
    state = replace(_begun(4), called={"a": "Ada", "b": "Ben"})
    told = RULESET.texts.tell(state, AntePaid(1, 4, 12), language)  # type: ignore[arg-type]
    assert (
        told
        == {
            "en": "Ben pays the ante of 4, and has 12.",
            "de": "Ben zahlt den Einsatz von 4 und hat noch 12.",
        }[language]
    )
    assert all(field.meaning for field in manual_of(RULESET, language).setup if field.name == "ante")  # type: ignore[arg-type]


def test_an_import_fails_where_setup_or_state_have_no_place_for_it() -> None:
    with pytest.raises(Incomplete, match=r"Setup: \['ante'\] in its fields or in capabilities only"):
        replace(RULESET, setup=fair.RULESET.setup)
    with pytest.raises(Incomplete, match=r"Fair: \['pot'\] in its fields or in capabilities only"):
        replace(RULESET, state_type=fair.RULESET.state_type)
    with pytest.raises(Incomplete, match=r"Setup: \['ante'\] in its fields or in capabilities only"):
        replace(RULESET, flow=WITHOUT)


def test_an_import_fails_where_it_lacks_one_that_it_needs() -> None:
    leaving, votes, *_ = WITHOUT.capabilities
    assert replace(WITHOUT, capabilities=(leaving, votes))
    with pytest.raises(Incomplete, match=r"capabilities\.votes needs mcmulti\.domain\.core\.capabilities\.leaving"):
        replace(WITHOUT, capabilities=(votes,))


def test_an_import_fails_where_nothing_starts_the_game() -> None:
    carriers = {kind: carrier for kind, carrier in WITHOUT.carriers.items() if kind is not StartGame}
    with pytest.raises(Incomplete, match="StartGame has no handler"):
        replace(WITHOUT, carriers=carriers)


def test_a_capability_starts_the_game_once_however_often_its_flow_is_replaced() -> None:
    """A copy of a flow works like the flow: the copy does not wrap the start of the game again."""
    begun: list[str] = []

    class Herald(Capability, frozen=True):
        room: ClassVar[str] = __name__

        def starting(self, start: Carrier) -> Carrier:
            def begin(*about: Any) -> None:
                begun.append("the fair begins")
                start(*about)

            return begin

    flow = replace(replace(WITHOUT, capabilities=(*WITHOUT.capabilities, Herald())))
    ruleset = replace(fair.RULESET, flow=flow)
    opened = ruleset.open("a game", fair.RULESET.setup(seats=2), ScriptedChance())
    assert not isinstance(opened, Rejection)
    state = opened.state
    for player in ("a", "b"):
        state = take(ruleset, state, None, TakeSeat(player), ScriptedChance()).state
    take(ruleset, state, 0, StartGame(), ScriptedChance())
    assert begun == ["the fair begins"]

"""The sources of the figures of every game."""

from typing import Any

import pytest

from mcmulti.domain.mcmulti.components import COMPONENTS as BOX
from mcmulti.domain.mcmulti.components import ECONOMY
from mcmulti.domain.postal.components import CLIMATES
from mcmulti.domain.rulesets import CURRENT, SHIPPED

COMPONENTS = {name: each.texts.components for name, each in CURRENT.items() if each.texts.components}
every = pytest.mark.parametrize("components", COMPONENTS.values(), ids=COMPONENTS)


@every
def test_every_figure_has_a_source_that_is_told_and_every_source_has_figures(components: dict[str, Any]) -> None:
    provenance = components["provenance"]
    assert set(provenance["figures"].values()) == set(provenance["sources"])


@every
def test_every_component_has_a_provenance(components: dict[str, Any]) -> None:
    told = {figure.partition(".")[0] for figure in components["provenance"]["figures"]}
    assert told == set(components) - {"provenance"}


def test_every_game_of_the_package_has_components() -> None:
    assert COMPONENTS.keys() >= SHIPPED.keys()


def test_prices_that_differ_from_the_postal_ones_are_of_another_source() -> None:
    """Only refineries, in three economies: 90 and 80, 120 and 100, 80 and 65."""
    differ = {
        f"economy.sell.{name}.{kind}": (price, CLIMATES[name].sell[kind])
        for name, card in ECONOMY.items()
        for kind, price in card.sell.items()
        if price != CLIMATES[name].sell[kind]
    }
    assert differ == {
        "economy.sell.rapid_growth.refinery": (90, 80),
        "economy.sell.prosperity.refinery": (120, 100),
        "economy.sell.downturn.refinery": (80, 65),
    }
    figures = BOX["provenance"]["figures"]
    assert {figures[figure] for figure in differ} == {"reimplementations"}
    assert figures["economy.sell"] == "postal"
    assert all(card.buy == CLIMATES[name].buy for name, card in ECONOMY.items())


def test_what_the_rulebook_does_not_print_is_not_said_to_be_the_rulebooks() -> None:
    """30 fields per good, prices to 80, and the cards."""
    figures = BOX["provenance"]["figures"]
    assert figures["market.fields"] == figures["consumer.highest_price"] == "older_edition"
    assert "rulebook" not in {source for figure, source in figures.items() if figure.startswith(("economy.", "news."))}

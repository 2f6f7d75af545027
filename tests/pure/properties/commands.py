"""All possible commands, legal or not."""

from typing import get_args

from hypothesis import strategies as st

from mcmulti.domain.core.commands import Command, LeaveSeat, StartGame, TakeSeat
from mcmulti.domain.mcmulti import commands as c
from mcmulti.domain.oil.names import Buyable, Good, Kind, MarketName, Site

_goods = st.sampled_from(get_args(Good))
_markets = st.sampled_from(get_args(MarketName))
_kinds = st.sampled_from(get_args(Kind))
_sites = st.builds(Site, st.integers(0, 3), st.integers(1, 6), st.integers(1, 6))
_quantities = st.integers(1, 144)

any_command: st.SearchStrategy[Command] = st.one_of(
    st.sampled_from(
        [
            LeaveSeat(),
            StartGame(),
            c.EndPurchases(),
            c.RollDice(),
            c.EndProduction(),
            c.EndCleanUp(),
            c.EndTurn(),
            c.DeclareVictory(),
        ]
    ),
    st.builds(c.BuyBarrels, _markets, _goods, _quantities),
    st.builds(c.SellBarrels, _markets, _goods, _quantities),
    st.builds(c.SellGasoline, _quantities),
    st.builds(c.RefineCrude, _quantities),
    st.builds(c.PumpCrude, _quantities),
    st.builds(c.StrikeOil, _sites),
    st.builds(c.BuyAsset, st.sampled_from(get_args(Buyable)), _sites),
    st.builds(c.SellAsset, _kinds, _sites),
    st.builds(c.CleanUp, _sites),
    st.builds(TakeSeat, st.text(), st.none() | st.integers(0, 3)),
)

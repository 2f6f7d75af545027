"""Every rule set as a subject, built once: its own if it has one, else the generic one."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from mcmulti.domain.rulesets import CURRENT
from mcmulti.training.actions import ActionSpace
from mcmulti.training.encoders import games
from mcmulti.training.encoders.generic import Subject, subject_of
from mcmulti.training.layout import SeatLayout

OWN: dict[str, Subject] = {
    module.name: import_module(f"{games.__name__}.{module.name}").SUBJECT for module in iter_modules(games.__path__)
}
"""Subjects written for a game, by its name."""


@cache
def subject_named(ruleset: str) -> Subject:
    """Raises `ValueError` if there is no such rule set."""
    if ruleset not in CURRENT:
        raise ValueError(f"{ruleset!r} is not a rule set to train on: {', '.join(CURRENT)}")
    return OWN.get(ruleset) or subject_of(CURRENT[ruleset])


@cache
def actions_of(ruleset: str) -> ActionSpace:
    """The actions of a rule set."""
    return ActionSpace(subject_named(ruleset).families)


@cache
def layout_of(ruleset: str, seats: int) -> SeatLayout:
    """The observation layout of a rule set for a number of players."""
    return SeatLayout(subject_named(ruleset).parts(seats))

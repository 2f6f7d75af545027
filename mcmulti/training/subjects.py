"""Every rule set that can be learned, by name, and what is made of it once."""

from functools import cache

from mcmulti.training import box, marracash, millionenspiel, postal
from mcmulti.training.actions import ActionSpace
from mcmulti.training.layout import SeatLayout
from mcmulti.training.subject import Subject

SUBJECTS: dict[str, Subject] = {
    subject.ruleset.name: subject
    for subject in (box.SUBJECT, postal.SUBJECT, millionenspiel.SUBJECT, marracash.SUBJECT)
}


def subject_named(ruleset: str) -> Subject:
    """Raises `ValueError` if there is no such rule set."""
    if ruleset not in SUBJECTS:
        raise ValueError(f"{ruleset!r} is no rule set to train on: {', '.join(SUBJECTS)}")
    return SUBJECTS[ruleset]


@cache
def actions_of(ruleset: str) -> ActionSpace:
    """The actions of a rule set."""
    return ActionSpace(subject_named(ruleset).families)


@cache
def layout_of(ruleset: str, seats: int) -> SeatLayout:
    """What a seat sees where so many play."""
    return SeatLayout(subject_named(ruleset).parts(seats))

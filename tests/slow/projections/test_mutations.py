"""Every field of every event of a golden game of each rule set is changed (tests/projections/test_mutations.py)."""

import pytest

from mcmulti.domain.rulesets import SHIPPED
from tests.profiles import profile_of
from tests.projections.mutants import check_every_change, check_every_forgery, subject

every = pytest.mark.parametrize("name", SHIPPED)
ALL = 10_000


@every
def test_every_change_of_every_field_is_found_and_the_event_is_named(name: str) -> None:
    check_every_change(subject(name, profile_of(name).changes or ALL))


@every
def test_a_forger_who_hashes_the_chain_again_is_found_by_the_rules_or_by_the_signed_head(name: str) -> None:
    check_every_forgery(subject(name, profile_of(name).changes or ALL))

"""The ledger: every dollar, barrel and piece, by double entry."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from mcmulti.domain.posting import Posting
from mcmulti.events.codec import event_decoder, opened_with
from mcmulti.events.envelope import Recorded


class Entry(Struct, frozen=True):
    """One event's lines: its number, its rule, and the postings, which sum to zero in every unit."""

    seq: int
    type: str
    rule: str
    postings: tuple[Posting, ...]


class TrialBalance(Struct, frozen=True):
    """`accounts`: account to unit to balance. `units`: unit to the sum over all accounts, zero in sound books."""

    accounts: dict[str, dict[str, int]]
    units: dict[str, int]


def entries(events: Iterable[Recorded]) -> Iterator[Entry]:
    """The ledger entries of a game's log from its first event on; events that move nothing have none."""
    state: Any = None
    ruleset = decode = None
    for event in events:
        if ruleset is None or decode is None:
            ruleset = opened_with(event)
            decode = event_decoder(ruleset.name, ruleset.version)
        happened = decode(event.data)
        postings = ruleset.postings(state, happened)
        if postings:
            yield Entry(event.seq, event.type, event.rule, postings)
        state = ruleset.evolve(state, happened)


def trial_balance(events: Iterable[Recorded]) -> TrialBalance:
    """Every account's balance after the events."""
    accounts: defaultdict[str, defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))
    units: defaultdict[str, int] = defaultdict(int)
    for entry in entries(events):
        for posting in entry.postings:
            accounts[posting.account][posting.unit] += posting.amount
            units[posting.unit] += posting.amount
    return TrialBalance(
        {account: dict(sorted(balances.items())) for account, balances in sorted(accounts.items())},
        dict(sorted(units.items())),
    )

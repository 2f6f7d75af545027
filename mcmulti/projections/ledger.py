"""The ledger: every dollar, barrel and piece, by double entry."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from msgspec import Struct

from mcmulti.domain.posting import Transfer
from mcmulti.events.codec import event_decoder, opened_with
from mcmulti.events.envelope import Recorded


class Entry(Struct, frozen=True):
    """What one event moved. `turn` is the turn it happened in, 0 before the first."""

    seq: int
    turn: int
    type: str
    rule: str
    transfers: tuple[Transfer, ...]


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
        state = ruleset.evolve(state, happened)
        transfers = ruleset.transfers(happened)
        if transfers:
            yield Entry(event.seq, ruleset.turn(state), event.type, event.rule, transfers)


def trial_balance(events: Iterable[Recorded]) -> TrialBalance:
    """Every account's balance after the events."""
    accounts: defaultdict[str, defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))
    units: defaultdict[str, int] = defaultdict(int)
    for entry in entries(events):
        for posting in chain.from_iterable(transfer.postings for transfer in entry.transfers):
            accounts[posting.account][posting.unit] += posting.amount
            units[posting.unit] += posting.amount
    return TrialBalance(
        {account: dict(sorted(balances.items())) for account, balances in sorted(accounts.items())},
        dict(sorted(units.items())),
    )

"""Any outside input is accepted, or refused with the expected errors, within bounds."""

import time
import tracemalloc
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.pure.fuzz.decoders import FUZZED, OURS
from tests.pure.fuzz.entries import decoders
from tests.pure.fuzz.mutations import MOST, mutated
from tests.thorough import examples

SECONDS = 10.0
"""The maximum CPU time of decoding."""
MEMORY = 64 * 2**20
"""The maximum memory in bytes at a time. Input has up to `MOST` bytes."""


@pytest.mark.parametrize("what", FUZZED)
def test_it_is_taken_or_clearly_refused(what: str) -> None:
    decoder = FUZZED[what]
    valid = decoder.valid()

    @examples(15)
    @given(st.data())
    def fuzz(data: st.DataObject) -> None:
        sent = data.draw(mutated(valid))
        assert len(sent) <= MOST
        began = time.process_time()
        tracemalloc.start()  # only for the decoder: tracing slows everything down
        try:
            with suppress(*decoder.raises):
                decoder.decode(sent)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert time.process_time() - began < SECONDS
        assert peak < MEMORY

    fuzz()


@pytest.mark.parametrize("what", FUZZED)
def test_what_is_valid_is_taken(what: str) -> None:
    for sent in FUZZED[what].valid():
        FUZZED[what].decode(sent)


def test_every_decoder_is_fuzzed() -> None:
    """A new one must be added to the table, or to those that only we write."""
    fuzzed = {place for decoder in FUZZED.values() for place in decoder.covers}
    ours = {place for places in OURS.values() for place in places}
    assert fuzzed & ours == set()
    assert fuzzed | ours == decoders()

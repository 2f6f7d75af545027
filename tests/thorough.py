"""How much is tested: everything, or with ``TESTS=quick`` (`make check`) a twentieth of the random examples."""

import os

from hypothesis import settings

QUICK = os.environ.get("TESTS") == "quick"


def examples(number: int, *, derandomize: bool = True) -> settings:
    """This many examples, the same in every run by default."""
    return settings(max_examples=max(number // 20, 3) if QUICK else number, deadline=None, derandomize=derandomize)

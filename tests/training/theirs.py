"""PettingZoo's own tests. Where pygame is installed they import games of theirs in a way that they warn of."""

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, parallel_api_test, render_test

__all__ = ["api_test", "parallel_api_test", "render_test"]

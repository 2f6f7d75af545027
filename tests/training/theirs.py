"""PettingZoo's own tests. If pygame is installed, they import games in a way that PettingZoo itself warns about."""

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, parallel_api_test, render_test

__all__ = ["api_test", "parallel_api_test", "render_test"]

"""The browser of the tests of pages."""

from tests.web.conftest import browser

__all__ = ["browser"]

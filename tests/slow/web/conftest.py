"""The browser of the tests of pages, and their servers."""

from tests.web.conftest import browser, listener, table

__all__ = ["browser", "listener", "table"]

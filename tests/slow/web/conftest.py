"""The browser of the tests of pages, and their servers."""

from tests.web.conftest import browser, place, table

__all__ = ["browser", "place", "table"]

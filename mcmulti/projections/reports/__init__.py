"""Games in words: replay, reports, forecasts."""

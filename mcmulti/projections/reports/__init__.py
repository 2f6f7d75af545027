"""A game told: replay, reports, forecasts."""

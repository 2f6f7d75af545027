"""Order sheets as data, and what happens to one before and after a round."""

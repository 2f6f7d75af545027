"""Order sheets as data, and what is done with one before and after a round."""

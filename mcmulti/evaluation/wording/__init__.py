"""Reviews in words."""

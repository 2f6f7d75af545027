"""Commands for recorded games: play some, look at them, check them, keep them."""

"""The common parts of this family of games: sites, assets, barrels, two markets, seats.

A rule of only one game never belongs here.
"""

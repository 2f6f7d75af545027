"""What every game of this family is played with: sites, assets, barrels, two markets, seats.

Rule sets take from here what they have in common; a rule of one game alone never stands here.
"""

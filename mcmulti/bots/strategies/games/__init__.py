"""What plays each game, in a module that has the name of its rule set.

`STRATEGIES` there makes a strategy of a seed, by its name; the first plays where none is named.
"""

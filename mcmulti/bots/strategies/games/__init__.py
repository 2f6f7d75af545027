"""The strategies for each game, in a module with the name of its rule set.

`STRATEGIES` there maps names to functions that make a strategy from a seed; the first is the default.
"""

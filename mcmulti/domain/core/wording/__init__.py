"""Texts for people: sentences, offers, refusals, rules, the manual, the grammar of moves."""

"""What games say to people: sentences, offers, refusals, rules, the manual, the grammar of moves."""

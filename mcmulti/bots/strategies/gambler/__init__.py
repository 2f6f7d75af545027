"""A gambler: a strategy for the Millionenspiel that foresees the stakes and the throws of a round."""

"""A gambler: a strategy for the Millionenspiel that foresees the stakes and throws of a round."""

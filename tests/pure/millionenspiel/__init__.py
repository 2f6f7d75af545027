"""The Millionenspiel by its rules."""

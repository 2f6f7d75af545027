"""Commands about games that were played: playing some, looking at them, checking them, keeping them."""

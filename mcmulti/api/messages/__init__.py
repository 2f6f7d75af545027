"""Operations on messages to players outside the game."""

"""Operations that read what happened in a game."""

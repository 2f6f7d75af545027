"""Operations for players: accounts, tables, moves."""

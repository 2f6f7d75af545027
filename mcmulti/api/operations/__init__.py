"""Operations of people who play: accounts, tables, moves."""

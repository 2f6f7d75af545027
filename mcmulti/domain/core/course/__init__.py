"""How games go on: start, decisions, standing, questions, deadlines, and moves that nobody made."""

"""The course of games: start, decisions, standing, questions, deadlines, and default answers."""

"""What several games may have besides rules of their own: each in one place, and a game lists those that it has."""

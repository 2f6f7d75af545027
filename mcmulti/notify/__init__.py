"""Messages to players outside the game, such as webhooks. It follows the log, and nothing in play waits for it."""

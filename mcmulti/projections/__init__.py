"""Pure functions of recorded events. Their results can be deleted and computed again."""

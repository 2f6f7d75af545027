"""Complete games as files: one, or all that are finished."""

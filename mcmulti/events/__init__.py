"""The log: envelope, hash chain, and stores."""

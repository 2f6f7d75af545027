"""Games that leave their server: verified, exported, imported."""

"""Games that leave their server: proven, written to files, brought in from files."""

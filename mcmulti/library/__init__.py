"""Games as a library: no server, no database. What is public, `mcmulti.__all__` lists, and docs/library.md explains."""

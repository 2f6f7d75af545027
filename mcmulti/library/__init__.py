"""Games as a library, without a server or a database. `mcmulti.__all__` lists the public names."""

"""The commands of ``mcmulti``: one thin module each."""

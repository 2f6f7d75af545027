"""What stores can do: one protocol for each kind of thing that is kept, with what it takes and gives."""

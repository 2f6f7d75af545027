"""What goes on beside commands at tables whose terms need it."""

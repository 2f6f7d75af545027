"""What the commands for recorded games do: play some, look at them, check and count them."""

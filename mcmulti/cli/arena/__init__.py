"""What ``arena`` does and prints."""

"""What pictures of boards have in common, on pages and on terminals."""

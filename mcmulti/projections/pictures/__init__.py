"""The common parts of pictures of boards, on pages and terminals."""

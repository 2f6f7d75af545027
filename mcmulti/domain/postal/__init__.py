"""McMulti by post: sealed, conditional orders, refereed round by round."""

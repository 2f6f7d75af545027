"""What is kept of answers, by clients and by the server, and by which tags they are told apart."""

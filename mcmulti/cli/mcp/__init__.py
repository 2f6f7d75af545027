"""A server's games for language models, over the Model Context Protocol."""

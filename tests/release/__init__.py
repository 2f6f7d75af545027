"""What is published with a version: packages, what they contain, and what they were built from."""

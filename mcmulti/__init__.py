"""An event-sourced rules engine with a REST API for the board game McMulti (also known as Crude)."""

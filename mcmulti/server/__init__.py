"""The process: sockets, workers, HTTP on the wire."""

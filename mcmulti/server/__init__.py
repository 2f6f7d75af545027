"""The process: sockets, workers, HTTP as it goes over the wire."""

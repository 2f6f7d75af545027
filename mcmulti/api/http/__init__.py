"""HTTP: strict reading of requests, writing of responses, and problems."""

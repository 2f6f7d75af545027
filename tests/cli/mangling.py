"""A proxy before our server that changes its responses."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx

Change = Callable[[str, Any], Any]
"""Takes a path and the JSON of a response, and returns the JSON to send instead."""


class _Handler(BaseHTTPRequestHandler):
    server: "_Mangling"

    def do_GET(self) -> None:
        self._pass_on()

    def do_POST(self) -> None:
        self._pass_on()

    def _pass_on(self) -> None:
        content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        kept = {name: value for name, value in self.headers.items() if name not in ("Host", "Accept-Encoding")}
        path = self.path.partition("?")[0]
        with (
            suppress(httpx.TransportError, OSError),
            httpx.stream(
                self.command, self.server.behind + self.path, headers=kept, content=content, timeout=60
            ) as answer,
        ):
            lines = answer.headers["Content-Type"].startswith("application/x-ndjson")
            self.send_response(answer.status_code)
            for name in ("Content-Type", "ETag", "Retry-After"):
                if name in answer.headers:
                    self.send_header(name, answer.headers[name])
            self.end_headers()
            for part in answer.iter_lines() if lines else [answer.read().decode()]:
                self.wfile.write(self._changed(path, part) + (b"\n" if lines else b""))
                self.wfile.flush()

    def _changed(self, path: str, text: str) -> bytes:
        changed = self.server.change(path, json.loads(text))
        return changed if isinstance(changed, bytes) else json.dumps(changed).encode()

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""


class _Mangling(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, behind: str, change: Change) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.behind, self.change = behind, change


@contextmanager
def mangling(behind: str, change: Change) -> Iterator[str]:
    """The address of such a proxy. `change` gets each path and the response of the server at `behind`."""
    server = _Mangling(behind, change)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()

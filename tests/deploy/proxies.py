"""The proxies of the guide, each with its file in `deploy`, with ports and a certificate for tests."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from mcmulti.server.process import bound
from tests.deploy.certificate import Certificate
from tests.needs import found

DEPLOY = Path(__file__).parents[2] / "deploy"
HOST = "mcmulti.example.org"
SERVER = "127.0.0.1:8000"

NGINX = """
daemon off; user root; pid {folder}/pid; error_log {folder}/errors; worker_processes 2;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    include {folder}/mcmulti.conf;
}}
"""
CADDY = """
{{
    admin off
    auto_https disable_redirects
    http_port {plain}
    storage file_system {folder}/caddy
}}
"""


def _put(text: str, *changes: tuple[str, str]) -> str:
    """A file with these replacements, each of which must match."""
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


def nginx(folder: Path, server: str, port: int, plain: int, certificate: Certificate) -> list[str]:
    """The command that runs nginx with the file."""
    said = (DEPLOY / "nginx" / "mcmulti.conf").read_text()
    changed = _put(
        said,
        (f"server {SERVER};", f"server {server};"),
        ("    listen [::]:80;\n", ""),
        ("    listen [::]:443 ssl;\n", ""),
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;"),
        (HOST, "localhost"),
        ("/etc/ssl/mcmulti", str(certificate.chain.parent)),
    )
    (folder / "mcmulti.conf").write_text(changed)
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder))
    return [found("nginx"), "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "errors")]


def caddy(folder: Path, server: str, port: int, plain: int, certificate: Certificate) -> list[str]:
    """The command that runs Caddy with the file."""
    said = (DEPLOY / "caddy" / "Caddyfile").read_text()
    address = f"https://localhost:{port}"
    changed = _put(
        said,
        (f"reverse_proxy {SERVER}", f"reverse_proxy {server}"),
        (f"{HOST} {{", f"{address} {{\n\tbind 127.0.0.1\n\ttls {certificate.chain} {certificate.key}"),
    )
    (folder / "Caddyfile").write_text(CADDY.format(folder=folder, plain=plain) + changed)
    return [found("caddy"), "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


def haproxy(folder: Path, server: str, port: int, plain: int, certificate: Certificate) -> list[str]:
    """The command that runs HAProxy with the file."""
    said = (DEPLOY / "haproxy" / "haproxy.cfg").read_text()
    both = folder / "both.pem"
    both.write_bytes(certificate.chain.read_bytes() + certificate.key.read_bytes())
    changed = _put(
        said,
        ("bind :80", f"bind 127.0.0.1:{plain}"),
        ("bind :443", f"bind 127.0.0.1:{port}"),
        ("/etc/ssl/mcmulti/both.pem", str(both)),
        (f"server mcmulti {SERVER}", f"server mcmulti {server}"),
    )
    (folder / "haproxy.cfg").write_text(changed)
    return [found("haproxy"), "-db", "-f", str(folder / "haproxy.cfg")]


PROXIES: dict[str, Callable[[Path, str, int, int, Certificate], list[str]]] = {
    "nginx": nginx,
    "caddy": caddy,
    "haproxy": haproxy,
}


@asynccontextmanager
async def proxied(name: str, server: str, folder: Path, certificate: Certificate) -> AsyncIterator[str]:
    """Run a proxy before `server` for the block. Return its address."""
    with bound("127.0.0.1", 0) as one, bound("127.0.0.1", 0) as other:
        port, plain = one.getsockname()[1], other.getsockname()[1]
    command = PROXIES[name](folder, server.removeprefix("http://"), port, plain, certificate)
    async with AsyncExitStack() as stack:
        out = stack.enter_context((folder / "said").open("wb"))
        process = await asyncio.create_subprocess_exec(
            *command, stdout=out, stderr=out, env={**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
        )
        try:
            await listening(port, process, folder)
            yield f"https://localhost:{port}"
        finally:
            if process.returncode is None:
                process.terminate()
            await process.wait()


async def listening(port: int, process: asyncio.subprocess.Process, folder: Path) -> None:
    """Wait until a process listens at a port. If it ends instead, this fails with what it printed into `said`."""
    async with asyncio.timeout(20):
        while True:
            assert process.returncode is None, (folder / "said").read_text()
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except ConnectionError:
                await asyncio.sleep(0.05)
            else:
                writer.close()
                return

"""The guide to notifications works as printed."""

import os
import re
import socket
import sys
from pathlib import Path

from tests.cli.command import running
from tests.docs.manual import page
from tests.docs.transcript import as_printed, commands, run

GUIDE = page("how-to/get-notifications")


def test_the_guide_to_notifications_works_as_printed(tmp_path: Path) -> None:
    guide = GUIDE
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    [options] = re.findall(r"^mcmulti serve (.* --private-webhooks)$", guide, re.MULTILINE)
    folder = str(tmp_path / "data")
    with running("serve", "--port", "0", "--folder", folder, *options.split(), temporary=tmp_path) as serve:
        address = serve.line("Serving at ")
        text = guide.replace("http://127.0.0.1:8000", address).replace("8100", port)
        [program] = re.findall(r"```python\n# receiver.py\n(.*?)```", text, re.DOTALL)
        (tmp_path / "receiver.py").write_text(program, "utf-8")
        transcript = commands(text)
        assert len(transcript) == 17
        environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
        for command, output in zip(transcript, run(transcript, tmp_path, environment), strict=True):
            told = f"$ {command.typed}\n{output}\ninstead of\n{command.prints}\n{serve.said}"
            assert as_printed(command.prints, output), told

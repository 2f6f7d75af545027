"""What the guides show at a console works as printed, again and again at the same server."""

from pathlib import Path

import pytest

from tests.docs.typed import lay_out, serving, type_guides


@pytest.mark.needs("curl")
@pytest.mark.timeout(900)
def test_the_guides_work_as_printed_and_again(tmp_path: Path) -> None:
    lay_out(tmp_path)
    with serving(tmp_path) as port:
        for _ in range(2):
            type_guides(port, tmp_path)

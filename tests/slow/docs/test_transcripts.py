"""What the guides show at a console works as printed, and tutorials work again at the same server."""

from pathlib import Path

import pytest

from tests.docs.typed import lay_out, serving, type_guides


@pytest.mark.needs("curl")
@pytest.mark.timeout(900)
def test_the_guides_work_as_printed_and_again(tmp_path: Path) -> None:
    lay_out(tmp_path)
    with serving(tmp_path) as port:
        type_guides(port, tmp_path)
        type_guides(port, tmp_path, tutorials=True)

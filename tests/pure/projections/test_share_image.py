"""The picture that links show: a PNG of the usual size, whatever is in it, with letters everywhere."""

import struct

import pytest
from msgspec.structs import replace

from mcmulti.domain.core.shown.picture import Picture
from mcmulti.projections.pictures.share_image import HEIGHT, WIDTH, drawn
from tests.projections.boards import ALL, NASTY

PNG = b"\x89PNG\r\n\x1a\n"


def size(image: bytes) -> tuple[int, int]:
    """Width and height of a PNG, in pixels."""
    assert image.startswith(PNG)
    across, down = struct.unpack(">II", image[16:24])
    return across, down


@pytest.mark.parametrize("shown", ALL.values(), ids=ALL)
def test_every_board_is_a_picture_of_one_size(shown: Picture) -> None:
    image = drawn(shown)
    assert size(image) == (WIDTH, HEIGHT) == (600, 315)
    assert 5_000 < len(image) < 300_000
    assert drawn(shown) == image


def test_letters_are_drawn_without_any_font_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another title makes another picture. A title in letters that the font lacks differs from no title."""
    monkeypatch.setenv("HOME", "/nonexistent")
    images = {
        drawn(replace(ALL["bare"], title=title)) for title in ("", "Turn 1", "Turn 2", "Žluťoučký", "Ход", "Ὀδός")
    }
    assert len(images) == 6


@pytest.mark.parametrize("name", NASTY)
def test_no_name_breaks_the_picture(name: str) -> None:
    shown = ALL["ring"]
    seats = tuple(replace(seat, name=name) for seat in shown.seats)
    assert size(drawn(replace(shown, seats=seats, title=name, subtitle=name, result=name))) == (600, 315)


def test_of_many_seats_some_are_named() -> None:
    """Seven fit. Of nine, the first six are shown, and how many more there are."""
    shown = ALL["bare"]
    seat = replace(shown.seats[0], name="Ada")
    images = {count: drawn(replace(shown, seats=(seat,) * count)) for count in (1, 6, 7, 9, 10)}
    assert len(set(images.values())) == 5

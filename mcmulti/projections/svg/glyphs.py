"""The drawings of pieces, by name."""

from collections.abc import Mapping

GLYPHS: Mapping[str, tuple[tuple[str, bool], ...]] = {
    "derrick": (("M5 21 12 3 19 21M6.6 17H17.4M8.6 12H15.4M6.6 17 15.4 12M17.4 17 8.6 12", True),),
    "drop": (("M12 2.5C15.5 8 18.8 11.6 18.8 15.4A6.8 6.8 0 0 1 5.2 15.4C5.2 11.6 8.5 8 12 2.5Z", False),),
    "pump": (
        ("M5 21V5.5A2 2 0 0 1 7 3.5H12.5A2 2 0 0 1 14.5 5.5V21ZM7 5.8V10.5H12.5V5.8Z", False),
        ("M14.5 13H16V17.6A1.6 1.6 0 0 0 19.2 17.6V9L16.6 6.2", True),
    ),
    "factory": (
        ("M3 21V12L8 9V12L13 9V12L15.2 10.7V4.5H18.8V21ZM6 15V17.5H8V15ZM10.5 15V17.5H12.5V15Z", False),
        ("M17.4 2.4Q19 .8 20.4 2.2T23 1.6", True),
    ),
    "house": (("M3 11.5 12 3.5 21 11.5H18.5V20.5H5.5V11.5ZM10 20.5H14V14H10Z", False),),
    "shop": (("M4 4H20L22 10H2ZM4 11.5H20V20.5H4ZM6 13.5V17.5H12V13.5ZM14.5 13.5V20.5H18V13.5Z", False),),
    "person": (
        ("M12 3A4 4 0 0 1 12 11A4 4 0 0 1 12 3Z", False),
        ("M4.5 21.5A7.5 9 0 0 1 19.5 21.5Z", False),
    ),
    "pawn": (("M12 2.5A4.2 4.2 0 0 1 14.6 10L18 19H19V21.5H5V19H6L9.4 10A4.2 4.2 0 0 1 12 2.5Z", False),),
    "coin": (
        ("M12 3A9 9 0 0 1 12 21A9 9 0 0 1 12 3ZM12 5.4A6.6 6.6 0 0 0 12 18.6A6.6 6.6 0 0 0 12 5.4Z", False),
        ("M12 8.5V15.5", True),
    ),
    "note": (("M2 6H22V18H2ZM4 8V16H20V8ZM12 9.2A2.8 2.8 0 0 1 12 14.8A2.8 2.8 0 0 1 12 9.2Z", False),),
    "card": (
        (
            "M6 2.5H18A1.5 1.5 0 0 1 19.5 4V20A1.5 1.5 0 0 1 18 21.5H6A1.5 1.5 0 0 1 4.5 20V4A1.5 1.5 0 0 1 6 2.5Z",
            False,
        ),
    ),
    "cube": (("M12 2.5 20.5 7 12 11.5 3.5 7ZM3 8.6 11.2 13V21.8L3 17.4ZM21 8.6 12.8 13V21.8L21 17.4Z", False),),
    "fountain": (
        ("M3 15H21L18.5 21H5.5Z", False),
        ("M12 14V6M12 6Q8 2.5 6.5 8M12 6Q16 2.5 17.5 8", True),
    ),
    "gate": (("M3 21V9A9 6.5 0 0 1 21 9V21H17V11.5A5 4.5 0 0 0 7 11.5V21Z", False),),
    "flag": (("M5 2.5H7.2V4H19L16 8.2 19 12.5H7.2V21.5H5Z", False),),
}
"""Paths in a box of 24 by 24, and whether they are lines."""

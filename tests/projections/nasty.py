"""Pictures with all that people may write."""

from mcmulti.domain.core.picture import Asset, Card, Field, Picture, Seat, Track

NASTY = (
    "<b>&\"'</b>",
    "]]><script>alert(1)</script>",
    "\x00\x07\x1b[31m\u202eevil\ufffe\ud7ff",
    "W" * 40,
    "\N{OIL DRUM}\N{VARIATION SELECTOR-16}\N{ROCKET}" * 13,
    "\N{CJK UNIFIED IDEOGRAPH-6CB9}" * 40,
    "a" + "\N{COMBINING ACUTE ACCENT}" * 39,
    "\n\t \u3000x",
)


OTHER = Picture(
    "en",
    "Round 3",
    "orders are sealed",
    tuple(
        Field(name, across, down, owner=index, assets=(Asset("well", 6, index + 1),))
        for index, (name, across, down) in enumerate(
            (("Alaska", 0, 0), ("Texas", 1, 0), ("Brunei", 0, 1), ("Norway", 1, 1)),
        )
    ),
    tuple(
        Seat(index, name, 40, 1, 2, waited_for=index > 1) for index, name in enumerate(("Ada", "Ben", "Cleo", "Dan"))
    ),
    {"rig": "exploration", "well": "oil well", "station": "gas station", "refinery": "refinery"},
    {"crude": "crude oil", "gasoline": "petrol"},
    tracks=(
        Track("London crude", "crude", tuple(range(3, 81, 3)), 12, 23, buy=12, sell=9),
        Track("New York petrol", "gasoline", tuple(range(5, 135, 5)), None, 0, sell=130),
    ),
    cards=(Card("climate", "Mild"),),
)
"""A game by post with other fields, other prices, and neither dice nor counters nor a sum to be reached."""

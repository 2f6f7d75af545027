"""Names of the town's components: colors, shops, ends of the queue."""

from typing import Literal, get_args

Colour = Literal["red", "blue", "green", "yellow", "purple"]
# fmt: off
ShopName = Literal[
    "R1", "R2", "R3", "R4", "R5",
    "B1", "B2", "B3", "B4", "B5",
    "G1", "G2", "G3", "G4", "G5",
    "Y1", "Y2", "Y3", "Y4", "Y5",
    "P1", "P2", "P3", "P4", "P5",
]
# fmt: on
QueueEnd = Literal["front", "back"]

COLOURS: tuple[Colour, ...] = get_args(Colour)
SHOPS: tuple[ShopName, ...] = get_args(ShopName)
ENDS: tuple[QueueEnd, ...] = get_args(QueueEnd)

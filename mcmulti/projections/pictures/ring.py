"""Positions of the spaces of a ring."""


def around(spaces: int) -> tuple[int, list[tuple[float, float]]]:
    """The side length of a square in steps, and the positions of the spaces on it, clockwise from its top left.

    The sides share the spaces as evenly as possible; sides with fewer have larger distances.
    """
    side = max(1, -(-spaces // 4))
    corners = (((0, 0), (1, 0)), ((side, 0), (0, 1)), ((side, side), (-1, 0)), ((0, side), (0, -1)))
    places = []
    for number, ((x, y), (across, down)) in enumerate(corners):
        on_side = spaces // 4 + (number < spaces % 4)
        places += [(x + across * step * side / on_side, y + down * step * side / on_side) for step in range(on_side)]
    return side, places

"""Rendering of games."""

from io import BytesIO
from typing import Any

import numpy as np
from PIL import Image

from mcmulti.projections.pictures import share_image
from mcmulti.projections.terminal import board as board_text
from mcmulti.training.layout import Vector
from mcmulti.training.match import Match

MODES = ("human", "ansi", "rgb_array")
"""Printed; as text; as pixels (height × width × 3, uint8)."""
Rendered = str | Vector | None


def metadata(ruleset: str) -> dict[str, Any]:
    """The environment's metadata."""
    return {"name": f"{ruleset}_v0", "render_modes": list(MODES), "render_fps": 1, "is_parallelizable": False}


def known_mode(mode: str | None) -> str | None:
    """Check a render mode. Raises `ValueError` if it is unknown."""
    if mode not in (None, *MODES):
        raise ValueError(f"{mode!r} is not a render mode: {', '.join(MODES)}")
    return mode


class Rendering:
    """Environments whose game can be looked at."""

    match: Match
    render_mode: str | None

    def render(self) -> Rendered:
        """Render the game by `render_mode`: printed (human), as text (ansi), or as pixels (rgb_array).

        Raises `ValueError` without a mode.
        """
        draw = self.match.ruleset.picture
        if self.render_mode is None or draw is None:
            raise ValueError(f"make the environment with a render_mode to look at it: {', '.join(MODES)}")
        picture = draw(self.match.state, "en")
        if self.render_mode == "rgb_array":
            return np.array(Image.open(BytesIO(share_image.drawn(picture))).convert("RGB"))
        text = board_text.drawn(picture).plain
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""

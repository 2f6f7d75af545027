"""Games as something to look at."""

from io import BytesIO
from typing import Any

import numpy as np
from PIL import Image

from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.projections import board_text, share_image
from mcmulti.training.layout import Vector

MODES = ("human", "ansi", "rgb_array")
"""Printed; a text; pixels: height × width × 3, uint8."""
Rendered = str | Vector | None


def rendered(ruleset: Ruleset[Any], state: Any, mode: str | None) -> Rendered:
    """The game in one of the modes. Raises `ValueError` without one."""
    if mode is None or ruleset.picture is None:
        raise ValueError(f"make the environment with a render_mode to look at it: {', '.join(MODES)}")
    picture = ruleset.picture(state, "en")
    if mode == "rgb_array":
        return np.array(Image.open(BytesIO(share_image.drawn(picture))).convert("RGB"))
    text = board_text.drawn(picture).plain
    if mode == "ansi":
        return text
    print(text)
    return None

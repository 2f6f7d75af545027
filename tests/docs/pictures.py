"""The pictures of the README: a game of the examples as its page shows it. Run as ``python -m tests.docs.pictures``."""

import asyncio
from pathlib import Path
from subprocess import run
from sys import executable
from tempfile import TemporaryDirectory
from typing import Literal

from playwright.async_api import async_playwright

from tests.needs import found

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "pictures"
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
MOST = 150_000
"""Maximum size of a picture, in bytes. Everybody who looks at the README loads one."""
_MOMENT = 410
_SIZE = {"width": 1280, "height": 900}


async def _photographed(page: Path) -> None:
    """The page at that moment, in the light and the dark scheme."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=found("chromium"), args=["--no-sandbox"])
        for scheme in SCHEMES:
            context = await browser.new_context(viewport=_SIZE, color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
            shown = await context.new_page()
            await shown.goto(f"{page.as_uri()}?at={_MOMENT}")
            await shown.get_by_role("button", name="Proven").wait_for()
            await shown.screenshot(path=PICTURES / f"game-{scheme}.jpg", type="jpeg", quality=60)
        await browser.close()


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "game.html"
        game = ROOT / "examples" / "game.mcmulti.jsonl"
        command = [executable, "-m", "mcmulti", "export", "--format", "html", "--output", str(file), str(game)]
        run(command, check=True, capture_output=True)
        asyncio.run(_photographed(file))

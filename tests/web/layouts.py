"""The page of a game in windows of all sizes: what is visible and reachable, and what covers or cuts it."""

from typing import Any

from playwright.async_api import Page

from tests.web.browsing import overflow

SIZES = [(360, 640), (390, 844), (844, 390), (768, 1024), (1280, 720), (1920, 1080), (3840, 2160)]
TOUCHED = SIZES[:4]
PART = """
  const board = document.querySelector(".board");
  const picture = board.shadowRoot;
  // The part of an element that is inside the window and that nothing covers, by points on it.
  const part = (element) => {
    const box = element.getBoundingClientRect();
    let free = 0;
    for (let row = 0; row < 5; row++)
      for (let column = 0; column < 5; column++) {
        const [x, y] = [box.left + ((column + 0.5) * box.width) / 5, box.top + ((row + 0.5) * box.height) / 5];
        const hit = document.elementFromPoint(x, y);
        const on = element.getRootNode() === picture ? board : element; // what is in it, is the board from outside
        free += Boolean(hit && (on.contains(hit) || hit.closest("label")?.contains(on)));
      }
    return free / 25;
  };
  const shown = (element) => element.checkVisibility({ visibilityProperty: true });
  const all = (css, where = document) => [...where.querySelectorAll(css)].filter(shown);
"""
LOOK = (
    "() => {"
    + PART
    + """
  const wrong = [];
  const [room, actions] = [".room", ".actions"].map((css) => document.querySelector(css));
  const name = ({ dataset, textContent }) => `${textContent} ${dataset.part ?? ""}`;
  const reached = (element) => {
    element.scrollIntoView({ block: "nearest" });
    return part(element) >= 0.6;
  };

  const asked = all(":is(.asks, ol.moves) .move :is([data-part], .sentence), .post .sending button");
  const first = all(".post .sending button, :is(.asks, ol.moves) .move [data-part]:not([data-part=try])")[0];
  if (!first) wrong.push("nothing is asked");
  else {
    actions.scrollTop = 0;
    if (part(first) < 0.6) wrong.push(`not seen at once: ${name(first)}`);
    for (const each of asked) if (!reached(each)) wrong.push(`cannot be seen: ${name(each)}`);
    if (document.scrollingElement.scrollTop || room.scrollTop) wrong.push("what is asked scrolls with something else");
    actions.scrollTop = 0;
    room.scrollTop = room.scrollHeight;
    if (part(first) < 0.6) wrong.push("what is asked is scrolled away with the board");
    room.scrollTop = 0;
  }

  const rooms = all(".room, .actions, .bar, .title").filter((each) => each.getBoundingClientRect().width);
  if (getComputedStyle(room).display === "contents") rooms.push(board, document.querySelector(".side"));
  for (const [index, one] of rooms.entries())
    for (const other of rooms.slice(index + 1)) {
      const [a, b] = [one, other].map((each) => each.getBoundingClientRect());
      const apart = a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
      if (!apart) wrong.push(`${one.className} and ${other.className} lie over each other`);
    }
  for (const each of all(".replay .scrubber, .replay .live, .replay .steps button"))
    if (part(each) < 0.6) wrong.push(`the replay is covered: ${each.className || each.title}`);

  const stage = picture.querySelector(".stage").getBoundingClientRect();
  for (const each of all("g.table, g.beside > *, g.track, g.legend > .entry", picture)) {
    const { left, right, width } = each.getBoundingClientRect();
    const what = each.querySelector("title, text")?.textContent ?? each.getAttribute("class");
    if (width && (left < stage.left - 1 || right > stage.right + 1)) wrong.push(`cut off on the board: ${what}`);
    if (width && !each.matches(".table") && !reached(each)) wrong.push(`cannot be seen on the board: ${what}`);
  }
  const story = document.querySelector(".story");
  if (!reached(story) || story.clientHeight < 60) wrong.push(`the story has ${story.clientHeight} pixels`);
  room.scrollTop = picture.querySelector(".stage").scrollTop = 0;
  const { width, height } = picture.querySelector("g.table").getBoundingClientRect();
  return { wrong, width, height };
}"""
)
LIGHTS = (
    "() => {"
    + PART
    + """
  return all(".light", picture).map((light) => {
    light.scrollIntoView({ block: "center", inline: "center" });
    const { width, height } = light.getBoundingClientRect();
    return { least: Math.min(width, height), part: part(light) };
  });
}"""
)
FINGER = 44
"""The minimum size of a touch target in either direction, in pixels."""


async def settled(page: Page) -> None:
    """Wait until the board has adapted to the size of the window."""
    await page.evaluate("() => new Promise((on) => requestAnimationFrame(() => requestAnimationFrame(on)))")


async def at_every_size(page: Page, where: str) -> list[str]:
    """Faults of the page in windows of all sizes."""
    wrong = []
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        await settled(page)
        seen: Any = await page.evaluate(LOOK)
        found = list(seen["wrong"])
        if wider := await overflow(page):
            found.append(f"{wider} pixels wider than the window")
        least = {360: 0.85, 390: 0.85, 768: 0.5}.get(width, 0.4)  # on a tablet, the whole board is above the moves
        if seen["width"] < least * width and seen["height"] < 0.7 * height:
            found.append(f"the board is {seen['width']:.0f} by {seen['height']:.0f} pixels")
        wrong += [f"{where}, {width} by {height}: {each}" for each in found]
    return wrong

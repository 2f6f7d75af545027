// Moves the parts of a board picture to where there is space. Nothing in the picture is redrawn.

import { compose } from "./compose.js";

/** Pixels around the parts, for their outlines; between two lines of the legend, and between its entries. */
const [EDGE, LINE, APART] = [6, 28, 14];

/**
 * Moves the parts of a picture so that the board is as large as possible.
 *
 * @param {SVGSVGElement} svg
 * @param {number} width Pixels.
 * @param {number} height
 * @param {number} bar Pixels of the width that are lost if the height is not enough.
 * @param {number} corner Pixels in the top right that stay free.
 * @returns {import("./compose.js").Sheet}
 */
export function layOut(svg, width, height, bar, corner) {
  const found = {
    heading: [...svg.querySelectorAll(':scope > [data-part="heading"]')],
    dice: [...svg.querySelectorAll(':scope > [data-part^="die-"]')],
    table: [...svg.querySelectorAll(":scope > g.table, :scope > g.seats")],
    beside: [...svg.querySelectorAll(":scope > g.beside")],
    tracks: [...svg.querySelectorAll(":scope > g.tracks")],
    legend: [...svg.querySelectorAll(":scope > g.legend")],
  };
  const entries = [.../** @type {NodeListOf<SVGGraphicsElement>} */ (svg.querySelectorAll("g.legend > .entry"))];
  const boxes = Object.fromEntries(Object.entries(found).map(([name, shapes]) => [name, around(/** @type {SVGGraphicsElement[]} */ (shapes))]));
  const wide = entries.map((each) => each.getBBox());
  const flowed = (/** @type {number} */ within) => flow(wide, within);
  const { legend, ...sizes } = boxes;
  const all = { ...sizes, ...(entries.length && legend ? { legend: flowed } : {}) };
  let sheet = compose(all, width, height, corner);
  if (sheet.height > height) sheet = compose(all, width - bar, height, corner);
  for (const [name, shapes] of Object.entries(found)) {
    const [place, box] = [sheet.places[/** @type {import("./compose.js").Part} */ (name)], boxes[name]];
    for (const shape of place && box ? /** @type {SVGGraphicsElement[]} */ (shapes) : []) {
      if (!place || !box) continue;
      const by = shape.transform.baseVal.consolidate()?.matrix;
      const [x, y] = [by?.e ?? 0, by?.f ?? 0];
      const [left, top] = name === "legend" ? [place.x, place.y] : [place.x + (x - box.x) * place.scale, place.y + (y - box.y) * place.scale];
      move(shape, `translate(${left}px, ${top}px) scale(${place.scale})`);
    }
  }
  const { places } = flowed(sheet.legend);
  for (const [index, each] of entries.entries()) move(each, `translate(${places[index]?.x}px, ${places[index]?.y}px)`);
  const size = { viewBox: `0 0 ${sheet.width} ${sheet.height}`, width: String(sheet.width), height: String(sheet.height) };
  for (const [name, value] of Object.entries(size)) if (svg.getAttribute(name) !== value) svg.setAttribute(name, value);
  return sheet;
}

/** @type {WeakMap<Element, string>} Where shapes are: setting the same place again would lay out everything in them. */
const moved = new WeakMap();

/**
 * @param {SVGGraphicsElement} shape
 * @param {string} transform
 */
function move(shape, transform) {
  if (moved.get(shape) === transform) return;
  moved.set(shape, transform);
  shape.style.transform = transform;
}

/**
 * The box around shapes, in the picture's coordinates; undefined around nothing.
 *
 * @param {SVGGraphicsElement[]} shapes
 */
function around(shapes) {
  const boxes = shapes.map((shape) => ({ box: shape.getBBox(), by: shape.transform.baseVal.consolidate()?.matrix })).filter(({ box }) => box.width);
  if (!boxes.length) return undefined;
  const edges = boxes.map(({ box, by }) => ({ x: box.x + (by?.e ?? 0), y: box.y + (by?.f ?? 0), right: box.x + (by?.e ?? 0) + box.width, bottom: box.y + (by?.f ?? 0) + box.height }));
  const [x, y] = [Math.min(...edges.map((edge) => edge.x)) - EDGE, Math.min(...edges.map((edge) => edge.y)) - EDGE];
  return { x, y, width: Math.max(...edges.map(({ right }) => right)) + EDGE - x, height: Math.max(...edges.map(({ bottom }) => bottom)) + EDGE - y };
}

/**
 * Entries of a legend, in as many lines as necessary.
 *
 * @param {readonly DOMRect[]} entries
 * @param {number} width
 */
function flow(entries, width) {
  let [x, y] = [0, 0];
  const places = entries.map((entry) => {
    if (x && x + entry.width > width) [x, y] = [0, y + LINE];
    const place = { x: x - entry.x, y };
    x += entry.width + APART;
    return place;
  });
  return { width, height: y + LINE, places };
}

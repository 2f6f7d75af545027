// Moves the parts of a board picture to where there is space. Nothing in the picture is redrawn.

import { compose } from "./compose.js";

/** Pixels around the parts, for their outlines; between two lines of the legend, and between its entries. */
const [EDGE, LINE, APART] = [6, 28, 14];
/** @typedef {{x: number, y: number, right: number, bottom: number}} Edges */
/**
 * The space that the parts of earlier pictures took. It is kept free, so that the board stays in its place from moment to moment.
 *
 * @typedef {{edges: Map<string, Edges>, entries: readonly Entry[]}} Space
 */
/** @typedef {Pick<DOMRect, "x" | "width">} Entry Of the legend. */

/** @returns {Space} None. */
export const noSpace = () => ({ edges: new Map(), entries: [] });

/**
 * Moves the parts of a picture so that the board is as large as possible.
 *
 * @param {SVGSVGElement} svg
 * @param {Space} space It grows.
 * @param {number} width Pixels.
 * @param {number} height
 * @param {number} bar Pixels of the width that are lost if the height is not enough.
 * @param {number} corner Pixels in the top right that stay free.
 * @returns {import("./compose.js").Sheet}
 */
export function layOut(svg, space, width, height, bar, corner) {
  const found = {
    heading: [...svg.querySelectorAll(':scope > [data-part="heading"]')],
    dice: [...svg.querySelectorAll(':scope > [data-part^="die-"]')],
    table: [...svg.querySelectorAll(":scope > g.table, :scope > g.seats")],
    beside: [...svg.querySelectorAll(":scope > g.beside")],
    tracks: [...svg.querySelectorAll(":scope > g.tracks")],
    legend: [...svg.querySelectorAll(":scope > g.legend")],
  };
  const entries = [.../** @type {NodeListOf<SVGGraphicsElement>} */ (svg.querySelectorAll("g.legend > .entry"))];
  const boxes = Object.fromEntries(Object.entries(found).map(([name, shapes]) => [name, around(/** @type {SVGGraphicsElement[]} */ (shapes), space, name)]));
  const wide = entries.map((each) => each.getBBox()).map(({ x, width: most }) => ({ x, width: Math.ceil(most) }));
  if (total(wide) > total(space.entries)) space.entries = wide;
  const { legend, ...sizes } = boxes;
  const all = { ...sizes, ...(legend ? { legend: (/** @type {number} */ width) => ({ width, height: Math.max(flow(wide, width).height, flow(space.entries, width).height) }) } : {}) };
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
  const { places } = flow(wide, sheet.legend);
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
 * The space of a part, with that of the shapes that are there now, in the picture's coordinates; undefined if it never had any.
 * It is in whole pixels, since texts have slightly different sizes at each scale.
 *
 * @param {SVGGraphicsElement[]} shapes
 * @param {Space} space
 * @param {string} part
 */
function around(shapes, { edges }, part) {
  for (const shape of shapes) {
    const { x, y, width, height } = shape.getBBox();
    if (!width) continue;
    const by = shape.transform.baseVal.consolidate()?.matrix;
    const [left, top] = [x + (by?.e ?? 0), y + (by?.f ?? 0)];
    const was = edges.get(part) ?? { x: Infinity, y: Infinity, right: -Infinity, bottom: -Infinity };
    edges.set(part, {
      x: Math.min(was.x, Math.floor(left)),
      y: Math.min(was.y, Math.floor(top)),
      right: Math.max(was.right, Math.ceil(left + width)),
      bottom: Math.max(was.bottom, Math.ceil(top + height)),
    });
  }
  const all = edges.get(part);
  return all && { x: all.x - EDGE, y: all.y - EDGE, width: all.right - all.x + 2 * EDGE, height: all.bottom - all.y + 2 * EDGE };
}

/** @param {readonly Entry[]} entries */
const total = (entries) => entries.reduce((sum, { width }) => sum + width + APART, 0);

/**
 * Entries of a legend, in as many lines as necessary.
 *
 * @param {readonly Entry[]} entries
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
  return { height: y + LINE, places };
}

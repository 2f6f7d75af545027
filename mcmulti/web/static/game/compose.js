// The layout of a board picture's parts: the board itself is as large as the space allows.

/** @typedef {{width: number, height: number}} Size */
/** @typedef {{x: number, y: number, scale: number}} Place From the top left of the sheet, in its pixels. */
/** @typedef {"heading" | "dice" | "table" | "beside" | "tracks" | "legend"} Part */
/**
 * `legend` is given as it would be at a width, since its entries flow. `corner`: a square in the top right stays free.
 *
 * @typedef {Partial<Record<Exclude<Part, "legend">, Size>> & {legend?: ((width: number) => Size) | undefined}} Sizes
 */
/** @typedef {Size & {places: Partial<Record<Part, Place>>, legend: number}} Sheet `legend`: the width that its entries flow in. */

/** Pixels between parts. */
const GAP = 12;
/** The fewest pixels of the column next to the board, which must be readable; and its share of the space. */
const [LEAST, SHARE] = [250, 0.2];
/** Pixels of a well readable column, if it must be scrolled anyway. */
const READABLE = 340;
/** The least share of its largest size for the board, if anything is next to it. */
const ENOUGH = 0.7;
/** From this width of a sheet on, its parts are side by side, in pixels. */
export const TWO = 560;
/** The largest zoom of text. */
const LARGEST = 2.5;
/** The most pixels of a column in which a heading keeps its size, or a legend that is not below tracks. */
const HEADING = 330;
/** The same for a legend below tracks. */
const LEGEND = 500;

/**
 * @param {Sizes} sizes
 * @param {number} width Of the room, in pixels.
 * @param {number} height Infinity if it grows with what is in it.
 * @param {number} corner Pixels in the top right that stay free.
 * @returns {Sheet}
 */
export function compose(sizes, width, height, corner) {
  const { table } = sizes;
  if (!table) return below(sizes, width, height, corner);
  const tallest = Math.min(width, (height * table.width) / table.height);
  const least = Math.max(LEAST, SHARE * width);
  const most = fitting({ ...sizes, legend: undefined }, height, corner, least, width - GAP - least);
  const column = Math.max(least, Math.min(most > least ? most : READABLE, width - GAP - tallest));
  const beside = Math.min(tallest, width - GAP - column);
  return height === Infinity || beside < ENOUGH * tallest ? below(sizes, width, height, corner) : besides(sizes, beside, column, corner);
}

/**
 * The widest column that does not exceed this height; the narrowest if none fits.
 *
 * @param {Sizes} sizes
 * @param {number} height
 * @param {number} corner
 * @param {number} least
 * @param {number} most
 */
function fitting(sizes, height, corner, least, most) {
  let [low, high] = [least, Math.max(least, most)];
  if (columnOf(sizes, 0, 0, low, corner).height > height) return least;
  for (let tries = 0; tries < 12; tries++) {
    const middle = (low + high) / 2;
    if (columnOf(sizes, 0, 0, middle, corner).height > height) high = middle;
    else low = middle;
  }
  return low;
}

/**
 * The board on the left, everything else in a column on its right.
 *
 * @param {Sizes} sizes
 * @param {number} wide Of the board.
 * @param {number} column Of what is beside it.
 * @param {number} corner
 * @returns {Sheet}
 */
function besides(sizes, wide, column, corner) {
  const table = /** @type {Size} */ (sizes.table);
  const scale = wide / table.width;
  const right = columnOf(sizes, wide + GAP, 0, column, corner);
  return {
    width: wide + GAP + column,
    height: Math.max(table.height * scale, right.height),
    places: { ...right.places, table: { x: 0, y: 0, scale } },
    legend: right.legend,
  };
}

/**
 * The board across the whole space, everything else above and below it.
 *
 * @param {Sizes} sizes
 * @param {number} width
 * @param {number} height
 * @param {number} corner
 * @returns {Sheet}
 */
function below(sizes, width, height, corner) {
  const { heading, dice, table, ...more } = sizes;
  const top = columnOf({ heading, dice }, 0, 0, width, corner);
  const places = top.places;
  let y = top.height;
  if (table) {
    const wide = Math.min(width, ((height - y) * table.width) / table.height);
    const scale = wide / table.width;
    places.table = { x: (width - wide) / 2, y, scale };
    y += table.height * scale + GAP;
  }
  if (width < TWO) {
    const rest = columnOf(more, 0, y, width, 0);
    return { width, height: y + rest.height, places: { ...places, ...rest.places }, legend: rest.legend };
  }
  const half = (width - 2 * GAP) / 2;
  const { beside, tracks, legend } = more;
  const left = columnOf({ beside }, 0, y, half, 0);
  const right = columnOf({ tracks, legend }, half + 2 * GAP, y, half, 0);
  return { width, height: y + Math.max(left.height, right.height), places: { ...places, ...left.places, ...right.places }, legend: right.legend };
}

/**
 * Parts below each other, each as wide as the column.
 *
 * @param {Sizes} sizes
 * @param {number} left
 * @param {number} top
 * @param {number} width
 * @param {number} corner
 * @returns {{places: Partial<Record<Part, Place>>, height: number, legend: number}}
 */
function columnOf({ heading, dice, beside, tracks, legend }, left, top, width, corner) {
  /** @type {Partial<Record<Part, Place>>} */
  const places = {};
  let y = top;
  if (heading || dice) {
    const room = width - corner - (dice ? GAP : 0);
    const scale = Math.min(LARGEST, Math.max(1, width / HEADING), room / ((heading?.width ?? 0) + (dice?.width ?? 0)));
    const high = Math.max(heading?.height ?? 0, dice?.height ?? 0) * scale;
    if (heading) places.heading = { x: left, y: y + (high - heading.height * scale) / 2, scale };
    if (dice) places.dice = { x: left + width - corner - dice.width * scale, y: y + (high - dice.height * scale) / 2, scale };
    y += Math.max(high, corner) + GAP / 2;
  }
  if (beside) {
    const scale = Math.min(LARGEST, width / beside.width);
    places.beside = { x: left, y, scale };
    y += beside.height * scale + GAP;
  }
  if (tracks) {
    const scale = Math.min(LARGEST, width / tracks.width);
    places.tracks = { x: left, y, scale };
    y += tracks.height * scale + GAP;
  }
  const scale = Math.max(1, Math.min(LARGEST, width / (tracks ? LEGEND : HEADING)));
  if (legend) {
    places.legend = { x: left, y, scale };
    y += legend(width / scale).height * scale + GAP;
  }
  return { places, height: y - top, legend: width / scale };
}

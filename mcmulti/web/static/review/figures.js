// The figures of a review: as text, and as a chart of everybody's chance to win.

import { drawn, fill } from "../lib/dom.js";
import { language } from "../lib/words.js";

/** @typedef {import("../lib/api.js").Schemas["Review"]} Review */
/** @typedef {Review["moves"][number]} Move */

const whole = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat(language, { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 });
const signed = new Intl.NumberFormat(language, { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: "exceptZero" });

/** @param {number} chance */
export const percent = (chance) => whole.format(chance);
/** @param {number} cost To a tenth of a percent. */
export const points = (cost) => fine.format(cost);
/** @param {number} change With its sign. */
export const change = (change) => signed.format(change);

/** As `mcmulti review` lists them: decisions that cost this much, and more than twice their standard error. */
const LEAST = 0.005;
const SHOWN = 8;

/**
 * The decisions that cost most, the costliest first.
 *
 * @param {Review} review
 */
export function costliest({ moves }) {
  const cost = (/** @type {Move} */ move) => move.cost?.value ?? 0;
  const clear = moves.filter((move) => cost(move) >= LEAST && cost(move) > 2 * (move.cost?.error ?? 0));
  return clear.sort((one, other) => cost(other) - cost(one)).slice(0, SHOWN);
}

/**
 * The typical standard error of a chance.
 *
 * @param {Review} review
 */
export function typicalError({ moves }) {
  const errors = moves.slice(0, -1).flatMap(({ chances }) => chances.map(({ error }) => error ?? 0)).sort((one, other) => one - other);
  return errors[Math.floor(errors.length / 2)] ?? 0;
}

const TALL = 260;
const [LEFT, RIGHT, TOP, BELOW] = [44, 10, 22, 24];

/**
 * Draws the chart as wide as an element is.
 *
 * @param {HTMLElement} place
 * @param {Review} review
 * @param {string} label What the picture is.
 * @param {(move: number) => void} chosen Called with the index of the move that was clicked.
 * @returns {(move: number) => void} Marks a move, or none for -1.
 */
export function charted(place, review, label, chosen) {
  let [width, marked] = [0, -1];
  let mark = (/** @type {number} */ _move) => {};
  new ResizeObserver(() => {
    const wide = Math.floor(place.clientWidth);
    if (wide === 0 || wide === width) return;
    width = wide;
    const made = chart(review, Math.max(240, wide), label, chosen);
    mark = made.mark;
    fill(place, made.svg);
    mark(marked);
  }).observe(place);
  return (move) => mark((marked = move));
}

/**
 * A line for each seat.
 *
 * @param {Review} review
 * @param {number} width Pixels.
 * @param {string} label
 * @param {(move: number) => void} chosen
 * @returns {{svg: SVGSVGElement, mark: (move: number) => void}}
 */
function chart({ players, moves, turning_points }, width, label, chosen) {
  const [first, last] = [moves[0]?.seq ?? 0, moves.at(-1)?.seq ?? 1];
  const x = (/** @type {number} */ seq) => LEFT + ((seq - first) / Math.max(1, last - first)) * (width - LEFT - RIGHT);
  const y = (/** @type {number} */ chance) => TOP + (1 - chance) * (TALL - TOP - BELOW);
  const grid = [0, 0.25, 0.5, 0.75, 1].map((chance) => [
    drawn("path", { class: "grid", d: `M${LEFT},${y(chance)}H${width - RIGHT}` }),
    drawn("text", { x: LEFT - 6, y: y(chance) + 4, "text-anchor": "end" }, percent(chance)),
  ]);
  const ends = [first, last].map((seq, end) => drawn("text", { x: x(seq), y: TALL - 6, "text-anchor": end ? "end" : "start" }, seq));
  const lines = players.map((_, seat) =>
    drawn("path", { class: `line of-${seat}`, d: moves.map(({ seq, chances }, index) => `${index ? "L" : "M"}${x(seq).toFixed(1)},${y(chances[seat]?.value ?? 0).toFixed(1)}`).join("") }));
  const turns = turning_points.map(({ seq, said }, index) =>
    drawn("g", { class: "point" }, drawn("title", {}, said), drawn("path", { d: `M${x(seq)},${TOP}V${TALL - BELOW}` }), drawn("text", { x: x(seq), y: TOP - 7, "text-anchor": "middle" }, index + 1)));
  const cursor = drawn("path", { class: "cursor" });
  const svg = drawn("svg", { class: "chances", width, height: TALL, viewBox: `0 0 ${width} ${TALL}`, role: "img", "aria-label": label }, grid, ends, lines, turns, cursor);
  svg.addEventListener("click", ({ clientX }) => {
    const at = clientX - svg.getBoundingClientRect().left;
    const far = (/** @type {number} */ index) => Math.abs(x(moves[index]?.seq ?? 0) - at);
    chosen(moves.reduce((best, _, index) => (far(index) < far(best) ? index : best), 0));
  });
  const mark = (/** @type {number} */ index) => {
    const move = moves[index];
    cursor.setAttribute("d", move ? `M${x(move.seq)},${TOP}V${TALL - BELOW}` : "");
  };
  return { svg, mark };
}

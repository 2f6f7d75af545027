// A Sankey diagram of flows: from whom, for what, to whom. The width of a flow is its amount.

import { drawn } from "../lib/dom.js";
import { number } from "../lib/words.js";
import { bySeat, parties, seatOf } from "../lib/names.js";

/** @typedef {import("../lib/api.js").Schemas["Flow"]} Flow */
/** @typedef {{key: string, label: string, value: number, y: number, size: number, used: [number, number]}} Place */

const BAR = 10;
const PITCH = 19;
const TALL = 340;

/**
 * @param {readonly Flow[]} flows Of one unit; what a party moves between accounts of its own is left out.
 * @param {import("../lib/names.js").Names} names
 * @param {string} label What the picture is.
 * @param {number} width Pixels.
 * @returns {SVGSVGElement | null} None of nothing.
 */
export function sankey(flows, names, label, width) {
  const party = parties(flows.flatMap(({ source, target }) => [source, target]));
  /** @type {Map<string, {from: string, why: string, to: string, amount: number}>} */
  const ribbons = new Map();
  for (const { source, target, reason, amount } of flows) {
    const [from, to] = [party(source), party(target)];
    if (from === to) continue;
    const key = `${from} ${reason} ${to}`;
    const known = ribbons.get(key) ?? { from, why: reason, to, amount: 0 };
    ribbons.set(key, { ...known, amount: known.amount + amount });
  }
  const all = [...ribbons.values()];
  const total = all.reduce((sum, { amount }) => sum + amount, 0);
  if (!total) return null;

  const scale = TALL / total;
  const columns = /** @type {const} */ (["from", "why", "to"]).map((end) => {
    /** @type {Map<string, number>} */
    const sums = new Map();
    for (const each of all) sums.set(each[end], (sums.get(each[end]) ?? 0) + each.amount);
    const order = [...sums].sort(([a, x], [b, y]) => bySeat(a, b) || y - x);
    let y = 0;
    return new Map(order.map(([key, value]) => {
      const size = Math.max(1, value * scale);
      /** @type {Place} */
      const place = { key, value, label: end === "why" ? names.word(key) : names.account(key), y, size, used: [0, 0] };
      y += Math.max(size + 5, PITCH);
      return [key, place];
    }));
  });
  const [givers, reasons, takers] = /** @type {[Map<string, Place>, Map<string, Place>, Map<string, Place>]} */ (columns);
  const height = Math.max(...columns.flatMap((column) => [...column.values()].map(({ y, size }) => Math.max(y + size, y + PITCH))));
  const x = [0, (width - BAR) / 2, width - BAR];
  const rank = (/** @type {Map<string, Place>} */ column, /** @type {string} */ key) => column.get(key)?.y ?? 0;

  /** @param {Place | undefined} place @param {0 | 1} side @param {number} thick Where a ribbon meets it: its middle. */
  const meet = (place, side, thick) => {
    if (!place) return 0;
    place.used[side] += thick;
    return place.y + place.used[side] - thick / 2;
  };
  const half = (/** @type {(typeof all)[number]} */ each, /** @type {0 | 1} */ side) => {
    const thick = each.amount * scale;
    const ends = side ? [meet(reasons.get(each.why), 1, thick), meet(takers.get(each.to), 0, thick)] : [meet(givers.get(each.from), 1, thick), meet(reasons.get(each.why), 0, thick)];
    const [left, right] = [(x[side] ?? 0) + BAR, x[side + 1] ?? 0];
    const middle = (left + right) / 2;
    const seat = seatOf(each.from) ?? seatOf(each.to);
    return drawn(
      "path",
      { class: seat === null ? "ribbon" : `ribbon of-${seat}`, d: `M${left},${ends[0]}C${middle},${ends[0]} ${middle},${ends[1]} ${right},${ends[1]}`, "stroke-width": Math.max(0.75, thick) },
      drawn("title", {}, `${names.account(each.from)} → ${names.account(each.to)}: ${names.word(each.why)}, ${number(each.amount)}`),
    );
  };
  const first = [...all].sort((a, b) => rank(givers, a.from) - rank(givers, b.from) || rank(reasons, a.why) - rank(reasons, b.why) || rank(takers, a.to) - rank(takers, b.to));
  const second = [...all].sort((a, b) => rank(reasons, a.why) - rank(reasons, b.why) || rank(takers, a.to) - rank(takers, b.to) || rank(givers, a.from) - rank(givers, b.from));
  const room = Math.floor((width / 3 - BAR) / 6.6);
  const bars = columns.flatMap((column, index) =>
    [...column.values()].map(({ key, label, value, y, size }) => {
      const last = index === 2;
      const seat = seatOf(key);
      const figure = ` ${number(value)}`;
      const short = label.length + figure.length > room ? `${label.slice(0, Math.max(3, room - figure.length - 1))}…` : label;
      return drawn(
        "g",
        { class: seat === null ? "party" : `party of-${seat}` },
        drawn("rect", { x: x[index] ?? 0, y, width: BAR, height: size }),
        drawn("text", { x: last ? (x[2] ?? 0) - 5 : (x[index] ?? 0) + BAR + 5, y: y + Math.max(12, size / 2 + 4), "text-anchor": last ? "end" : "start" }, short, drawn("tspan", {}, figure)),
        drawn("title", {}, `${label}: ${number(value)}`),
      );
    }),
  );
  return drawn(
    "svg",
    { class: "sankey", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label },
    first.map((each) => half(each, 0)),
    second.map((each) => half(each, 1)),
    bars,
  );
}

// A game in a page: every moment, described and drawn when the page was written.

import { spliced } from "../game/pictures.js";

/** @typedef {import("../game/source.js").Source} Source */
/** @typedef {import("../lib/api.js").Schemas} Schemas */
/** @typedef {Schemas["Splice"]} Splice */
/** @typedef {[turn: number, patch: Schemas["Frame"]["patch"], holdings: Schemas["Frame"]["holdings"], flows: Schemas["Flow"][],
 *  about: number | null]} Step */
/** @typedef {{sentences: string[], rules: Record<string, string>, boards: Splice[][], charts: Record<string, string>}} Told */
/** @typedef {{seq: number, hash: string, table: Schemas["TableView"], view: any, steps: Step[], pieces: string[],
 *  told: Record<import("../lib/words.js").Language, Told>}} Moments */

/** The distance between complete pictures: the others are made from the nearest one before. */
const APART = 50;

/**
 * @param {string[]} lines Those of the game file.
 * @param {Moments} moments
 * @param {import("../lib/words.js").Language} language
 * @returns {Source}
 */
export function fileSource(lines, moments, language) {
  const { seq, hash, table, view, steps, pieces } = moments;
  const { sentences, rules, boards, charts } = moments.told[language];
  const whole = kept(boards);
  const { game } = JSON.parse(lines[0] ?? "");

  /** @param {number} at @returns {Schemas["Frame"]} */
  const frame = (at) => {
    const { type, data, rule, actor, recorded_at } = JSON.parse(lines[at] ?? "");
    const [turn, patch, holdings, , about] = /** @type {Step} */ (steps[at - 1]);
    const sentence = sentences[at - 1] ?? "";
    return { seq: at, turn, patch, holdings, happened: [{ seq: at, type, data, rule, actor, about, recorded_at, sentence, rule_text: rules[rule] ?? "" }] };
  };

  return {
    game,
    online: false,
    follow: null,
    async open() {
      return { game: { game, seq, hash, table, view }, ahead: 0 };
    },
    async frames(after, limit) {
      const last = Math.min(seq, after + limit);
      const frames = Array.from({ length: Math.max(0, last - after) }, (_, index) => frame(after + 1 + index));
      return { game, seq, hash, frames, next: last < seq ? last : null };
    },
    async boards(after, limit) {
      const near = Math.floor(after / APART);
      let numbers = whole[near] ?? [];
      for (let next = near * APART + 1; next <= after + 1; next++) numbers = spliced(numbers, boards[next - 1] ?? []);
      const first = { seq: after + 1, changes: [{ at: 0, removed: 0, added: numbers }] };
      const others = boards.slice(after + 1, after + limit).map((changes, index) => ({ seq: after + 2 + index, changes }));
      return { pieces, boards: [first, ...others] };
    },
    async flows(at) {
      return steps[at - 1]?.[3] ?? [];
    },
    async charts() {
      return Object.keys(charts);
    },
    async chart(name) {
      return charts[name] ?? "";
    },
  };
}

/** Complete pictures at intervals, the first before any event. @param {Splice[][]} boards */
function kept(boards) {
  /** @type {number[][]} */
  const whole = [];
  /** @type {number[]} */
  let numbers = [];
  for (const [index, changes] of boards.entries()) {
    if (index % APART === 0) whole.push(numbers);
    numbers = spliced(numbers, changes);
  }
  if (boards.length % APART === 0) whole.push(numbers);
  return whole;
}

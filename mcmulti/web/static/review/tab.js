// The review of a game beside its replay: the chances as a curve, with the moment that is shown, and what the review found there.

import { fill, h } from "../lib/dom.js";
import { language } from "../lib/words.js";
import { chart } from "./figures.js";
import { aboutGame, aboutMove, keys } from "./parts.js";
import { t } from "./words.js";

/** @typedef {import("./figures.js").Review} Review */

/**
 * @param {HTMLElement} element
 * @param {Review} review
 * @param {import("../game/moment.js").Moment} moment
 * @param {boolean} online Whether there are guides to link to.
 * @returns {() => void} Shows the current moment.
 */
export function reviewed(element, review, moment, online) {
  const { moves, players } = review;
  const picture = h("div", { class: "picture" });
  const found = h("div", { class: "found" });
  const everybody = new Intl.ListFormat(language).format(players.map(({ name }) => name));
  const go = (/** @type {number} */ seq) => moment.go(seq, true);
  /** @type {import("./parts.js").Link} */
  const link = (seq, ...said) => h("button", { type: "button", class: "chosen", onclick: () => go(seq) }, ...said);
  let mark = (/** @type {number} */ _move) => {};
  let width = 0;

  /** The command that the shown event belongs to; -1 if it was not reviewed. */
  const here = () => moves.findIndex(({ seq, before }) => before < moment.at && moment.at <= seq);

  const show = () => {
    const index = here();
    const move = moves[index];
    mark(index);
    if (!move) fill(found, h("p", { class: "muted" }, t.notHere));
    else fill(found, h("h3", {}, t.at(move.seq)), aboutMove(review, move));
  };
  new ResizeObserver(() => {
    const wide = Math.floor(picture.clientWidth);
    if (wide === 0 || wide === width) return;
    width = wide;
    const made = chart(review, Math.max(240, wide), t.chartBeside(everybody), (index) => go(moves[index]?.seq ?? 1));
    mark = made.mark;
    fill(picture, made.svg);
    mark(here());
  }).observe(picture);
  fill(element, keys(review), picture, found, aboutGame(review, "h3", link, online));
  return show;
}

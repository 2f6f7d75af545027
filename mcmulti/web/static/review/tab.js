// The review of a game beside its replay: the chances as a curve, with the moment that is shown, and what the review found there.

import { fill, h } from "../lib/dom.js";
import { language } from "../lib/words.js";
import { charted } from "./figures.js";
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
  const mark = charted(picture, review, t.chartBeside(everybody), (index) => go(moves[index]?.seq ?? 1));

  const show = () => {
    const index = moves.findIndex(({ seq, before }) => before < moment.at && moment.at <= seq); // -1 if it was not reviewed
    const move = moves[index];
    mark(index);
    if (!move) fill(found, h("p", { class: "muted" }, t.notHere));
    else fill(found, h("h3", {}, t.at(move.seq)), aboutMove(review, move));
  };
  fill(element, keys(review), picture, found, aboutGame(review, "h3", link, online));
  return show;
}

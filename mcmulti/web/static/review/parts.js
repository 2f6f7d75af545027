// What a review found, about a move and about the whole game: for its own page, and for the replay of a game.

import { drawn, h, table } from "../lib/dom.js";
import { change, costliest, percent, points, typicalError } from "./figures.js";
import { common } from "../lib/words.js";
import { t } from "./words.js";

/** @typedef {import("./figures.js").Review} Review */
/** @typedef {import("./figures.js").Move} Move */
/** @typedef {(seq: number, ...said: import("../lib/dom.js").Child[]) => Node} Link Shows a move, given the number of its last event. */
/** @typedef {"h2" | "h3"} Heading */

/** @param {Review} review @param {number} seat */
const who = ({ players }, seat) => h("span", { class: "seat name", "data-seat": seat }, players[seat]?.name);

/** The lines of the chart. @param {Review} review */
export const keys = (review) =>
  h("ul", { class: "keys" }, review.players.map((_, seat) => h("li", {}, who(review, seat), drawn("svg", { width: 36, height: 10, "aria-hidden": "true" }, drawn("path", { class: `of-${seat}`, d: "M0,5H36" })))));

/**
 * What a move changed, and what would have been better.
 *
 * @param {Review} review
 * @param {Move} move
 */
export function aboutMove(review, { player, said, chances, better, cost, luck }) {
  return [
    h("p", {}, player !== null && h("span", { class: "seat", "data-seat": player }), said),
    h("ul", { class: "keys small" }, chances.map((chance, seat) => h("li", {}, who(review, seat), " ", percent(chance.value), chance.error ? h("span", { class: "muted" }, ` ± ${points(chance.error)}`) : null))),
    better !== null && h("p", {}, h("strong", {}, t.better), " ", better, cost && h("span", { class: "muted" }, ` (${t.cost}: ${points(cost.value)})`)),
    luck !== null && h("p", { class: "muted" }, t.lucky(review.players[player ?? 0]?.name ?? "", change(luck[player ?? 0] ?? 0))),
  ];
}

/**
 * The turning points, the costliest decisions, what decisions and luck did for each player, and how far to trust it.
 *
 * @param {Review} review
 * @param {Heading} heading
 * @param {Link} link
 * @param {boolean} online Whether there are guides to link to.
 */
export function aboutGame(review, heading, link, online) {
  const { players, turning_points, examined, commands, policy } = review;
  const costly = costliest(review);
  const section = (/** @type {string} */ id, /** @type {string} */ title, /** @type {import("../lib/dom.js").Child[]} */ ...content) =>
    h("section", { "aria-labelledby": id }, h(heading, { id }, title), ...content);
  return [
    section("points", t.points, turning_points.length ? h("ol", { class: "moves" }, turning_points.map(({ seq, said }) => h("li", {}, link(seq, said)))) : h("p", {}, t.noPoints)),
    section("costly", t.costly, costly.length ? h("ol", { class: "moves" }, costly.map((move) => h("li", {}, link(move.seq,
      h("span", { class: "seat", "data-seat": move.player }), t.costs(players[move.player ?? 0]?.name ?? "", points(move.cost?.value ?? 0), move.cost?.error ? points(move.cost.error) : ""), " ", move.said,
      move.better !== null && [h("br"), h("strong", {}, t.better), " ", move.better])))) : h("p", {}, t.noCostly)),
    section("players", t.players, figures(review), h("p", { class: "small muted" }, t.meaning)),
    section("trust", t.trust,
      h("p", {}, t.trusted(points(typicalError(review)), examined, commands), " ", t.bots(policy)),
      online && h("p", {}, h("a", { href: "/docs/explanation/winning-chances#calibration" }, t.calibration))),
  ];
}

/** What decisions and luck did for each player. @param {Review} review */
function figures(review) {
  const cell = (/** @type {string | number} */ text) => h("td", { class: "figure" }, text);
  return table(t.players, [common.player, t.decisions, t.rate, t.result, t.luck, t.adjusted], 1, review.players.map((player, seat) => h("tr", {},
    h("th", { scope: "row" }, who(review, seat)), cell(player.decisions), cell(points(player.error_rate)), cell(percent(player.result)), cell(change(player.luck)), cell(percent(player.adjusted)))));
}

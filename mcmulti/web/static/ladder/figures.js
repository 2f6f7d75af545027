// Ratings next to names.

import { h, table } from "../lib/dom.js";
import { common, number, titled } from "../lib/words.js";
import { t } from "./words.js";

/** @typedef {import("contract").components["schemas"]["RatingView"]} RatingView */

/** The ratings from the server, of players at tables. */
/** @type {Map<string, RatingView>} */
const known = new Map();

/** @param {readonly import("contract").components["schemas"]["SeatedRating"][]} told */
export const note = (told) => told.forEach(({ player, rating }) => known.set(`${player} ${rating.ruleset}`, rating));

/**
 * @param {string | null} player
 * @param {string} ruleset
 * @returns {RatingView | undefined}
 */
export const ratingOf = (player, ruleset) => known.get(`${player} ${ruleset}`);

/**
 * @param {RatingView} rating
 * @returns {HTMLElement}
 */
export const figure = (rating) =>
  h("span", { class: "figure small muted", title: `${t.rating} ± ${number(Math.round(rating.uncertainty))}${rating.provisional ? `, ${t.provisional}` : ""}` },
    h("span", { class: "unseen" }, `${t.rating} `), number(Math.round(rating.rating)), rating.provisional && "?");

/**
 * Rows of numbers: the rating, its uncertainty, the sort key of the ladder, and the number of games.
 *
 * @param {string} label
 * @param {readonly {name: Node | string, rating: RatingView}[]} rows
 * @returns {import("../lib/dom.js").Child}
 */
export const ratings = (label, rows) => [
  table(label, [label, t.rating, "±", t.score, t.games], 1, rows.map(({ name, rating }) =>
    h("tr", {}, h("th", { scope: "row" }, name), [rating.rating, rating.uncertainty, rating.score, rating.games].map((each, index) =>
      h("td", { class: "figure" }, number(Math.round(each)), index === 0 && rating.provisional && "?"))))),
  rows.some(({ rating }) => rating.provisional) && h("p", { class: "small muted" }, t.fewGames),
];

/**
 * A player's ratings, by game.
 *
 * @param {readonly RatingView[]} found
 */
export const ratingsOf = (found) =>
  found.length > 0 && h("div", {}, h("h3", {}, t.title), ratings(common.game, found.map((rating) => ({ name: titled(rating.ruleset), rating }))));

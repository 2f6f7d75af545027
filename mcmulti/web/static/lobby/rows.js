// A table as a row of a list.

import { h } from "../lib/dom.js";
import { t as ratings } from "../ladder/words.js";
import { ago, common, moment, titled } from "../lib/words.js";
import { mySeat, namesOf, seated } from "./seats.js";
import { t } from "./words.js";

/** @typedef {import("./seats.js").TableView} TableView */

/** @param {TableView} table */
export const myTurn = (table) => {
  const seat = mySeat(table);
  return table.status === "running" && seat !== null && table.to_move.includes(seat);
};

/**
 * @param {TableView} table
 * @returns {boolean} Whether somebody can sit down there.
 */
export const hasRoom = (table) => table.seats.some((seat) => seat.state === "free" || seat.state === "vacant");

/**
 * A game in one line.
 *
 * @param {TableView} table
 * @param {boolean} invited Whether the reader is, by name.
 * @returns {HTMLElement}
 */
export function row(table, invited) {
  const { game, status } = table;
  const mine = mySeat(table) !== null;
  const action = mine && status !== "finished" ? (status === "open" ? t.toTable : t.play)
    : hasRoom(table) ? (status === "open" ? t.sit : t.substitute) : t.view;
  return h(
    "li",
    { class: "game panel", "data-game": game, "data-status": status },
    h(
      "h3",
      {},
      h("a", { href: `/games/${game}` }, titled(table.ruleset)),
      " ",
      myTurn(table) && h("span", { class: "tag turn" }, t.yourTurn),
      invited && !mine && status === "open" && h("span", { class: "tag turn" }, t.invited),
      table.closed && status === "open" && h("span", { class: "tag" }, t.closed),
      !table.listed && h("span", { class: "tag" }, t.unlisted),
      table.rated && h("span", { class: "tag" }, ratings.rated),
      table.practice && h("span", { class: "tag" }, ratings.practice),
      table.bots.length > 0 && h("span", { class: "tag" }, t.asksBots(table.bots.length)),
    ),
    h("p", { class: "state" }, standing(table)),
    h("ul", { class: "seats", "aria-label": t.seats }, table.seats.map((seat) => h("li", {}, seated(seat, table.ruleset)))),
    h(
      "p",
      { class: "foot small muted" },
      h("time", { datetime: table.moved_at, title: moment(table.moved_at) },
        status === "open" ? t.opened(ago(table.created_at)) : t.moved(ago(table.moved_at))),
      h("a", { class: mine || hasRoom(table) ? "button" : "button second", href: `/games/${game}`,
        "aria-label": `${action}: ${titled(table.ruleset)}` }, action),
    ),
  );
}

/** @param {TableView} table */
function standing(table) {
  if (table.status === "open") return t.starting;
  if (table.status === "finished") {
    const winners = table.outcome?.winners ?? [];
    return h("strong", {}, winners.length ? [t.won, " ", namesOf(table, winners)] : t.noWinner);
  }
  const until = table.deadline && mySeat(table) !== null && t.until(moment(table.deadline));
  return [
    table.turn > 0 && `${common.turn(table.turn)} · `,
    table.to_move.length > 0 && [t.asked, " ", namesOf(table, table.to_move)],
    until && ` · ${until}`,
  ];
}

// The players at a table, and a dialog about each of them.

import { get } from "../lib/api.js";
import { account } from "../lib/account.js";
import { figure, ratingOf, ratingsOf } from "../ladder/figures.js";
import { modal } from "../lib/dialog.js";
import { fill, h, styled, table } from "../lib/dom.js";
import { telling } from "../lib/shell.js";
import { common, number, titled } from "../lib/words.js";
import { t } from "./words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */
/** @typedef {Schemas["TableView"]} TableView */
/** @typedef {Schemas["TableSeat"]} TableSeat */

styled(new URL("pieces.css", import.meta.url));

/**
 * @param {TableSeat} seat
 * @returns {string} What to call who sits there, or the seat.
 */
export const called = (seat) => seat.name ?? common.seat(seat.seat);

/**
 * @param {TableView} table
 * @param {readonly number[]} seats
 * @returns {HTMLElement} Who sits there, each kept apart from what is written around it.
 */
export const namesOf = (table, seats) => {
  const some = table.seats.filter((each) => seats.includes(each.seat));
  return h("span", {}, some.map((each, index) => [index > 0 && ", ", h("bdi", { class: "name" }, called(each))]));
};

/**
 * @param {TableView} table
 * @returns {number | null} Where the reader sits.
 */
export function mySeat(table) {
  const me = account()?.player;
  return me ? (table.seats.find((seat) => seat.player === me)?.seat ?? null) : null;
}

/**
 * A player's name, which opens a dialog about them.
 *
 * @param {string} player
 * @param {string} name
 */
export const person = (player, name) =>
  h("button", { type: "button", class: "name quiet", "aria-haspopup": "dialog", onclick: () => void about(player) }, name);

/**
 * A seat: its shape, its player, and details.
 *
 * @param {TableSeat} seat
 * @param {string} ruleset What is played there.
 */
export function seated(seat, ruleset) {
  const { player, state } = seat;
  const me = player !== null && player === account()?.player;
  const rating = ratingOf(player, ruleset);
  return h(
    "span",
    { class: "seat", "data-seat": seat.seat },
    player && state !== "companion" ? person(player, called(seat)) : player ? h("span", { class: "name" }, called(seat)) : h("span", { class: "muted" }, state === "free" ? t.freeSeat : t.vacant),
    rating && figure(rating),
    me && h("span", { class: "tag" }, t.you),
    state === "house" ? h("span", { class: "tag" }, t.house) : seat.kind === "bot" && h("span", { class: "tag" }, t.bot),
  );
}

/**
 * Shows a dialog about a player.
 *
 * @param {string} player
 */
async function about(player) {
  const body = h("div", {});
  const dialog = modal({ class: "about", "aria-label": common.player },
    body, h("button", { type: "button", class: "second", onclick: () => dialog.close() }, common.close));
  await telling(body, async () => {
    /** @type {Schemas["Profile"]} */
    const profile = (await get(`/v1/players/${player}`)).body;
    fill(
      body,
      h("h2", {}, h("span", { class: "name" }, profile.name ?? t.erased)),
      h("p", { class: "muted" }, t.kinds[profile.kind]),
      ratingsOf(profile.ratings),
      profile.record && recordOf(profile.record),
      h("p", { class: "row" }, h("a", { href: `/players/${player}` }, t.toProfile), h("a", { href: `/#player=${player}` }, t.theirGames)),
    );
  });
}

/**
 * A player's results.
 *
 * @param {Schemas["PlayerRecord"]} record
 * @returns {HTMLElement}
 */
export function recordOf(record) {
  const columns = ["", t.running_, t.played, t.wonAlone, t.shared, t.lostGames, t.leftGames];
  const rows = record.rulesets.flatMap((each) => {
    /** @type {[string, Schemas["ResultTally"]][]} */
    const tallies = [[t.withPeople, each.with_people], [t.withBots, each.with_bots], [t.asSubstitute, each.as_substitute]];
    const shown = tallies.filter(([, tally], index) => tally.played > 0 || index === 0);
    return shown.map(([which, tally], index) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, index === 0 && `${titled(each.ruleset)} `, h("span", { class: "muted small" }, which)),
        [index === 0 ? each.running : null, tally.played, tally.won, tally.shared, tally.lost, tally.left].map((figure) =>
          h("td", { class: "figure" }, figure === null ? "" : number(figure)),
        ),
      ),
    );
  });
  const reliable = (/** @type {string} */ which, /** @type {Schemas["Reliability"]} */ each) =>
    each.games > 0 && h("li", {}, `${which}, ${t.reliable(each)}`);
  return h(
    "div",
    {},
    h("h3", {}, t.record),
    rows.length === 0
      ? h("p", { class: "muted" }, t.noRecord)
      : table(t.record, columns, 1, rows),
    rows.length > 0 && h("h3", {}, t.reliability),
    rows.length > 0 && h("ul", {}, reliable(t.withPeople, record.with_people), reliable(t.withBots, record.with_bots)),
    record.incomplete && h("p", { class: "muted" }, t.incomplete),
  );
}

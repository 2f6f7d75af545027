// The game is hidden between two people who share a device: the page shows nothing of it until the next one takes over.

import { actFor } from "../lib/account.js";
import { fill, h } from "../lib/dom.js";
import { here, numberOf } from "./people.js";
import { t } from "./words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */

/** The current player at the device in this tab, by game: the number of a companion, 0 for the account itself. */
const held = (/** @type {string} */ game) => `mcmulti.holds.${game}`;
/** To whom it is being passed. */
const passed = (/** @type {string} */ game) => `mcmulti.passes.${game}`;

/**
 * Hides the game, and asks the next one to take over.
 *
 * @param {string} game
 * @param {number} number
 */
export function pass(game, number) {
  sessionStorage.setItem(passed(game), String(number));
  location.reload(); // so that nothing of it stays in memory either
}

/**
 * Waits until somebody who plays at this device has taken over, for whom the page acts from then on; not where nobody
 * shares it.
 *
 * @param {HTMLElement} main
 * @param {Schemas["TableView"]} table
 * @returns {Promise<boolean>} Whether it acts for another one than the account.
 */
export async function takenOver(main, table) {
  const { game } = table;
  const seats = here(table);
  if (!seats.length || table.status !== "running") return false;
  const by = (/** @type {string | null} */ kept) => seats.find((seat) => String(numberOf(seat)) === kept);
  const [holds, next] = [by(sessionStorage.getItem(held(game))), by(sessionStorage.getItem(passed(game)))];
  const wanted = next ?? holds ?? seats.find((seat) => table.to_move.includes(seat.seat)) ?? seats[0];
  if (!wanted) return false;
  if (wanted !== holds || next) {
    await asked(main, wanted.name ?? "");
    sessionStorage.setItem(held(game), String(numberOf(wanted)));
    sessionStorage.removeItem(passed(game));
  }
  actFor(game, numberOf(wanted));
  return numberOf(wanted) > 0;
}

/**
 * @param {HTMLElement} main
 * @param {string} name
 * @returns {Promise<void>} Until the person of this name confirms.
 */
function asked(main, name) {
  return new Promise((resolve) => {
    const button = h("button", { type: "button", onclick: () => {
      fill(main);
      resolve();
    } }, t.takeOver(name));
    fill(main, h("section", { class: "panel pass", "aria-labelledby": "pass" },
      h("h1", { id: "pass" }, t.givenTo(name)), h("p", {}, t.hidden), h("p", {}, button)));
    button.focus();
  });
}

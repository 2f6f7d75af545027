// The people who share this device at a table: its opener, and companions, who play with the same account.

import { account } from "../lib/account.js";
import { address, newKey } from "../client/requests.js";
import { inLanguage, post } from "../lib/api.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */
/** @typedef {Schemas["TableView"]} TableView */
/** @typedef {Schemas["TableSeat"]} TableSeat */

/** How many companions an account may have at a table. */
export const MOST = 5;

/**
 * @param {TableSeat} seat
 * @returns {number} The number under which somebody acts who plays at this device; 0 for the account itself.
 */
export const numberOf = ({ state, player }) => (state === "companion" ? Number(player?.at(-1)) : 0);

/**
 * @param {TableView} table
 * @returns {boolean} Whether the reader may bring companions there.
 */
export const isHost = (table) => table.practice && account()?.player === table.opened_by;

/**
 * @param {TableView} table
 * @returns {readonly TableSeat[]} The seats that are played at this device: none, or two at least.
 */
export function here(table) {
  if (!isHost(table)) return [];
  const mine = table.seats.filter((seat) => seat.state === "companion" || seat.player === account()?.player);
  return mine.length > 1 ? mine : [];
}

/**
 * Lets a person sit down who shares this device.
 *
 * @param {string} game
 * @param {string} name
 * @param {number} companion A number that nobody has at the table.
 * @param {string} [key]
 * @param {number} [wanted] The seat; otherwise any.
 * @returns {Promise<Schemas["Result"]>}
 */
export async function seat(game, name, companion, key = newKey(), wanted) {
  const body = { name, ...(wanted === undefined ? {} : { seat: wanted }) };
  return (await post(address(`/v1/games/${game}/seats`, inLanguage()), body, { companion, key })).body;
}

/**
 * Begins the rematch of a game for the people who shared this device: on the same seats, and at once if nobody else played.
 *
 * @param {TableView} before The game that is over.
 * @param {string} game The rematch.
 * @param {string} key However often it is sent under the same one, everybody sits down once.
 */
export async function again(before, game, key) {
  const people = [...here(before)].sort((one, other) => numberOf(one) - numberOf(other));
  if (!people.length) return;
  const path = `/v1/games/${game}`;
  for (const each of people) {
    const number = numberOf(each);
    if (number) await seat(game, each.name ?? "", number, `${key}-${number}`, each.seat);
    else await post(address(`${path}/seats`, inLanguage()), { seat: each.seat }, { key: `${key}-0` });
  }
  if (people.length === before.seats.length) await post(address(`${path}/commands`, inLanguage()), { commands: [{ type: "StartGame" }] }, { key: `${key}-start` });
}

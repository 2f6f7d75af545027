// The people who share this device at a table: its opener, and companions, who play with the same account.

import { account } from "../lib/account.js";
import { send, sit } from "../lib/tables.js";

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
 * Lets people sit down who share this device.
 *
 * @param {string} game
 * @param {readonly {number: number, name?: string, seat?: number}[]} people `number`: 0 for the account itself; for others one
 *   that nobody has at the table. `name`: of a companion. `seat`: any, unless given.
 * @param {boolean} starts Whether the game starts then.
 * @param {string} key However often it is sent under the same one, everybody sits down once.
 */
export async function seatAll(game, people, starts, key) {
  for (const { number, ...wish } of people) await sit(game, wish, { companion: number, key: `${key}-${number}` });
  if (starts) await send(game, [{ type: "StartGame" }], { key: `${key}-start` });
}

/**
 * Begins the rematch of a game for the people who shared this device: on the same seats, and at once if nobody else played.
 *
 * @param {TableView} before The game that is over.
 * @param {string} game The rematch.
 * @param {string} key However often it is sent under the same one, everybody sits down once.
 */
export async function again(before, game, key) {
  const people = here(before).map((each) => ({ number: numberOf(each), seat: each.seat, ...(numberOf(each) && { name: each.name ?? "" }) }));
  await seatAll(game, people.sort((one, other) => one.number - other.number), people.length === before.seats.length, key);
}

// Against whom the reader plays in a practice game from a position: the own seat, and bots at a level or people at this device
// on the others.

import { h } from "../lib/dom.js";
import { opened } from "../lib/tables.js";
import { seatAll } from "./people.js";
import { t } from "./words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */
/**
 * `seat`: the reader's. `level`: that of the bots on the other seats; "" for people at this device.
 *
 * @typedef {{seat: number, level: string}} Sides
 */

/**
 * @param {Schemas["RulesetSummary"] | undefined} summary It says at which levels bots of the server play.
 * @param {readonly string[]} seats What each seat is called.
 * @param {number} mine The reader's, unless another is chosen.
 * @returns {{fields: Node[], first: HTMLElement, read: () => Sides}}
 */
export function against(summary, seats, mine) {
  const own = h("select", {}, seats.map((name, seat) => h("option", { value: seat, selected: seat === mine }, name)));
  const levels = [...(summary?.house_bots ?? [])].reverse();
  const others = h(
    "select",
    {},
    levels.map((level) => h("option", { value: level }, summary?.levels?.[level]?.called ?? level)),
    h("option", { value: "" }, t.device),
  );
  return {
    fields: [h("p", {}, h("label", { class: "field" }, t.youPlay, own)), h("p", {}, h("label", { class: "field" }, t.others, others))],
    first: own,
    read: () => ({ seat: Number(own.value), level: others.value }),
  };
}

/**
 * Opens the practice table, and sits everybody down.
 *
 * @param {string} path What opens it.
 * @param {object} wish What is wanted there, apart from bots and the seat that they leave free.
 * @param {number} seats
 * @param {Sides} sides
 * @param {string} key However often it is sent under the same one, it opens one table.
 * @returns {Promise<string>} The id of the game.
 */
export async function begun(path, wish, seats, { seat, level }, key) {
  const others = [...Array(seats).keys()].filter((number) => number !== seat);
  const sent = `${key}-${seat}-${level || "device"}`;
  const { game } = await opened({ ...wish, house_bots: level ? others.map(() => level) : [], seat }, sent, path);
  const people = level ? [] : others.map((other, index) => ({ number: index + 1, name: t.person(other + 1) }));
  await seatAll(game, [{ number: 0, seat }, ...people], !level, sent);
  return game;
}

// Requests to tables: open one, sit down there, and move.

import { inLanguage, post } from "./api.js";

/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("./api.js").Options} Options */

/**
 * Opens a table.
 *
 * @param {object} wish
 * @param {string} key However often it is sent under the same one, it opens one table.
 * @param {string} [path] What opens it.
 * @returns {Promise<Schemas["NewlyOpened"]>}
 */
export const opened = async (wish, key, path = "/v1/games") => (await post(path, wish, { key, query: inLanguage() })).body;

/**
 * @param {string} game
 * @param {object} wish
 * @param {Options} [more]
 * @returns {Promise<Schemas["Result"]>}
 */
export const sit = async (game, wish, more) => (await post(`/v1/games/${game}/seats`, wish, { query: inLanguage(), ...more })).body;

/**
 * @param {string} game
 * @param {readonly {type: string}[]} commands
 * @param {Options} [more]
 * @returns {Promise<Schemas["Result"]>}
 */
export const send = async (game, commands, { query, ...more } = {}) =>
  (await post(`/v1/games/${game}/commands`, { commands }, { query: { ...query, ...inLanguage() }, ...more })).body;

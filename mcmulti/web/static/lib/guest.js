// Visitors who only want to play: a name is enough for an account, and not even that is required.

import { signIn } from "./account.js";
import { post, Problem } from "./api.js";
import { words } from "./words.js";

/** @typedef {import("./api.js").Schemas} Schemas */

/** The name of visitors who give none, before their number. */
export const GUEST = words({ en: "Guest", de: "Gast" });
/** How many names are tried if others may do as well. */
const NAMES = 5;

/**
 * Creates an account for a visitor, kept in this browser.
 *
 * @param {string} given What to be called; "" for any name.
 * @param {boolean} [numbered] Whether a number may follow a name that is taken: 2, 3, and 4, then a random one.
 */
export async function register(given, numbered) {
  for (let tried = 1; ; tried++) {
    const number = given && tried < NAMES ? tried : 10_000 + Math.floor(Math.random() * 90_000);
    const name = number === 1 ? given : `${given || GUEST} ${number}`;
    try {
      /** @type {Schemas["Registered"]} */
      const who = (await post("/v1/players", { name })).body;
      return signIn({ player: who.player, name: who.name, token: who.token }, true);
    } catch (error) {
      if ((given && !numbered) || tried === NAMES || !(error instanceof Problem) || error.code !== "name_taken") throw error;
    }
  }
}

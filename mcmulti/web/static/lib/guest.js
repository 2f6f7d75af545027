// Visitors who only want to play: a name is enough for an account, and not even that is required.

import { signIn } from "./account.js";
import { post, Problem } from "./api.js";
import { words } from "./words.js";

/** @typedef {import("./api.js").Schemas} Schemas */

/** The name of visitors who give none, before their number. */
export const GUEST = words({ en: "Guest", de: "Gast" });
/** How many names are tried for a visitor who gave none. */
const NAMES = 5;

/**
 * Creates an account for a visitor, kept in this browser.
 *
 * @param {string} given What to be called; "" for any name.
 */
export async function register(given) {
  for (let tried = 1; ; tried++) {
    const name = given || `${GUEST} ${10_000 + Math.floor(Math.random() * 90_000)}`;
    try {
      /** @type {Schemas["Registered"]} */
      const who = (await post("/v1/players", { name })).body;
      return signIn({ player: who.player, name: who.name, token: who.token }, true);
    } catch (error) {
      if (given || tried === NAMES || !(error instanceof Problem) || error.code !== "name_taken") throw error;
    }
  }
}

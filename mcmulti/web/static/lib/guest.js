// Visitors who only want to play: a name is enough for an account, and not even that is required.

import { Refused } from "../client/errors.js";
import { account, signIn } from "./account.js";
import { post } from "./api.js";
import { h } from "./dom.js";
import { words } from "./words.js";

/** @typedef {import("./api.js").Schemas} Schemas */

const t = words({
  en: { guest: "Guest", name: "Your name", hint: "Optional. An account with this name is created in this browser. You can rename it on the Account page." },
  de: { guest: "Gast", name: "Dein Name", hint: "Du kannst ihn weglassen. In diesem Browser wird ein Konto dieses Namens für dich angelegt; umbenennen kannst du es auf der Seite Konto." },
});
/** How many names are tried if others may do as well. */
const NAMES = 5;

/**
 * A field for the name of a visitor, in forms that need an account.
 *
 * @returns {{field: HTMLElement | null, enter: () => Promise<void>}} `field`: null for readers who have an account. `enter`
 *   creates one for all others.
 */
export function guest() {
  const name = h("input", { maxlength: 40, autocomplete: "nickname", placeholder: t.guest });
  return {
    field: account() ? null : h("label", { class: "field" }, t.name, name, h("span", { class: "hint" }, t.hint)),
    enter: async () => void (account() || (await register(name.value.trim()))),
  };
}

/**
 * Creates an account for a visitor, kept in this browser.
 *
 * @param {string} given What to be called; "" for any name.
 * @param {boolean} [numbered] Whether a number may follow a name that is taken: 2, 3, and 4, then a random one.
 */
export async function register(given, numbered) {
  for (let tried = 1; ; tried++) {
    const number = given && tried < NAMES ? tried : 10_000 + Math.floor(Math.random() * 90_000);
    const name = number === 1 ? given : `${given || t.guest} ${number}`;
    try {
      /** @type {Schemas["Registered"]} */
      const who = (await post("/v1/players", { name })).body;
      return signIn({ player: who.player, name: who.name, token: who.token }, true);
    } catch (error) {
      if ((given && !numbered) || tried === NAMES || !(error instanceof Refused) || error.code !== "name_taken") throw error;
    }
  }
}

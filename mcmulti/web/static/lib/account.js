// The account in this browser. The token is kept as the user chose: until the tab is closed, or until signing out.

import { kept } from "./kept.js";

/** @typedef {{player: string, name: string, token: string}} Account */

const KEY = "mcmulti.account";
const UNKNOWN = "mcmulti.unknown";
const CHANGED = "mcmulti:account";
const LEAVING = "mcmulti:leaving";

/** @returns {Account | null} */
const read = () => [sessionStorage, localStorage].map((storage) => kept(KEY, null, storage)).find((found) => typeof found?.token === "string") ?? null;

let known = read();

/** @returns {Account | null} */
export const account = () => known;

/** For whom this page asks about a game: for the account's own seat (0), or for that of a companion. */
let acting = { game: "", companion: 0 };

/**
 * @param {string} game
 * @param {number} companion Its number at the game; 0 for the account itself.
 */
export function actFor(game, companion) {
  acting = { game, companion };
}

/**
 * The header that authenticates the user, if signed in.
 *
 * @param {string} path Of what is asked.
 * @param {number} [companion] For whom, unless for the one that the page acts for.
 * @returns {Record<string, string>}
 */
export function bearer(path, companion = acting.game && path.startsWith(`/v1/games/${acting.game}`) ? acting.companion : 0) {
  return known ? { Authorization: `Bearer ${known.token}${companion ? `~${companion}` : ""}` } : {};
}

/**
 * @param {Account} who
 * @param {boolean} keep Beyond this tab.
 */
export function signIn(who, keep) {
  if (known && known.player !== who.player) signOut();
  else forget();
  (keep ? localStorage : sessionStorage).setItem(KEY, JSON.stringify(who));
  tell(who);
}

/**
 * @returns {"tab" | "device"} Where the token is kept.
 */
export const keptFor = () => (localStorage.getItem(KEY) === null ? "tab" : "device");

/** @param {() => void} act Done before the reader signs out, while the token is still known. */
export function onSignOut(act) {
  addEventListener(LEAVING, act);
}

/** Forgets the token, which stays valid. */
export function signOut() {
  if (known) dispatchEvent(new Event(LEAVING));
  forget();
  tell(null);
}

function forget() {
  for (const name of [KEY, UNKNOWN]) sessionStorage.removeItem(name);
  localStorage.removeItem(KEY);
}

/** The server does not accept the token, or not anymore. */
export function signedOut() {
  if (!known) return;
  forget();
  sessionStorage.setItem(UNKNOWN, "");
  tell(null);
}

/** Whether this tab had a token that the server no longer accepted. */
export const unknown = () => !known && sessionStorage.getItem(UNKNOWN) !== null;

/** @param {string} name What the account is called from now on. */
export function renamed(name) {
  if (!known) return;
  signIn({ ...known, name }, keptFor() === "device");
}

/** @param {() => void} told Called when somebody signs in or out, in whichever tab. */
export function onAccount(told) {
  addEventListener(CHANGED, told);
}

/** @param {Account | null} who */
function tell(who) {
  known = who;
  dispatchEvent(new Event(CHANGED));
}

addEventListener("storage", (event) => {
  if (event.key === KEY && event.storageArea === localStorage) tell(read());
});

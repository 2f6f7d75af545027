// What the game asks of the reader now, for other parts of the page.

import { Listeners } from "../lib/listeners.js";

/** @type {Listeners<readonly string[]>} */
const listeners = new Listeners();
/** @type {readonly string[]} */
let latest = [];

/** @param {readonly string[]} commands The names of the offered commands; none if others are to move. */
export function tellOffered(commands) {
  latest = commands;
  listeners.tell(commands);
}

/**
 * @param {(commands: readonly string[]) => void} listener It is called at once, too.
 * @returns {() => void} Ends it.
 */
export function onOffered(listener) {
  listener(latest);
  return listeners.add(listener);
}

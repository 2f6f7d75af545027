// What the game asks of the reader now, for other parts of the page.

/** @type {Set<(commands: readonly string[]) => void>} */
const listeners = new Set();
/** @type {readonly string[]} */
let latest = [];

/** @param {readonly string[]} commands The names of the offered commands; none if others are to move. */
export function tellOffered(commands) {
  latest = commands;
  for (const listener of [...listeners]) listener(commands);
}

/**
 * @param {(commands: readonly string[]) => void} listener It is called at once, too.
 * @returns {() => void} Ends it.
 */
export function onOffered(listener) {
  listeners.add(listener);
  listener(latest);
  return () => void listeners.delete(listener);
}

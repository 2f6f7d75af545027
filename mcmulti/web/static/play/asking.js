// What to confirm, and whether single keys do something.

import { keep, kept } from "../lib/kept.js";

const KEY = "mcmulti.asking";

/**
 * What to confirm: commands with chance, commands that end the move, all others. `keys`: single-key shortcuts.
 *
 * @typedef {{chance: boolean, passing: boolean, all: boolean, keys: boolean}} Asking
 */

/** @returns {Asking} */
export const asking = () => ({ chance: true, passing: true, all: false, keys: true, ...kept(KEY) });

/** @param {Partial<Asking>} changed */
export const ask = (changed) => keep(KEY, { ...asking(), ...changed });

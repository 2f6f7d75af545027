// Whether a coach explains what a game asks: switched on and off by game, in this browser.

import { keep, kept } from "../lib/kept.js";

const KEY = "mcmulti.coach";

/** @param {string} ruleset @returns {boolean} */
export const coached = (ruleset) => kept(KEY)[ruleset] === true;

/** Whether nobody here has switched a coach off yet. */
export const wanted = () => !Object.values(kept(KEY)).includes(false);

/**
 * @param {string} ruleset
 * @param {boolean} on
 */
export const coach = (ruleset, on) => keep(KEY, { ...kept(KEY), [ruleset]: on });

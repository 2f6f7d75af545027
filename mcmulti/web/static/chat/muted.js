// Players whose messages this browser does not show.

import { keep, kept } from "../lib/kept.js";

const KEY = "mcmulti.muted";

/** @returns {Record<string, string>} Their names when they were muted, by id. */
export const muted = () => kept(KEY);

/**
 * @param {string} player
 * @param {string | null} name Null to show their messages again.
 */
export function mute(player, name) {
  const { [player]: _, ...others } = muted();
  keep(KEY, name === null ? others : { ...others, [player]: name });
}

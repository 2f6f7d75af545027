// Players whose messages this browser does not show.

const KEY = "mcmulti.muted";

/** @returns {Record<string, string>} Their names when they were muted, by id. */
export function muted() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}

/**
 * @param {string} player
 * @param {string | null} name Null to show their messages again.
 */
export function mute(player, name) {
  const { [player]: _, ...others } = muted();
  localStorage.setItem(KEY, JSON.stringify(name === null ? others : { ...others, [player]: name }));
}

// Whether a coach explains what a game asks: switched on and off by game, in this browser.

const KEY = "mcmulti.coach";

/** @returns {Record<string, boolean>} By rule set. */
function settings() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {string} ruleset */
export const coached = (ruleset) => settings()[ruleset] === true;

/** Whether nobody here has switched a coach off yet. */
export const wanted = () => !Object.values(settings()).includes(false);

/**
 * @param {string} ruleset
 * @param {boolean} on
 */
export function coach(ruleset, on) {
  localStorage.setItem(KEY, JSON.stringify({ ...settings(), [ruleset]: on }));
}

// Words of the pages in the reader's language. Texts of the engine (offers, rules, stories) come from the API.

/** @typedef {"en" | "de"} Language */

const KEY = "mcmulti.language";

/** @returns {Language} */
function chosen() {
  const wanted = [localStorage.getItem(KEY) ?? "", ...navigator.languages];
  for (const each of wanted) {
    const language = each.slice(0, 2).toLowerCase();
    if (language === "en" || language === "de") return language;
  }
  return "en";
}

/** The language of the page while it is open. */
export const language = chosen();

/**
 * Shows all pages in another language from now on.
 *
 * @param {Language} other
 */
export function choose(other) {
  localStorage.setItem(KEY, other);
  location.reload();
}

/**
 * The words of the page's language.
 *
 * @template T
 * @param {{en: T, de: NoInfer<T>}} both
 * @returns {T}
 */
export const words = (both) => both[language];

/** Words of many pages. */
export const common = words({
  en: {
    cancel: "Cancel",
    close: "Close",
    game: "Game",
    player: "Player",
    seat: (/** @type {number} */ seat) => `Seat ${seat + 1}`,
    turn: (/** @type {number} */ turn) => `Turn ${turn}`,
  },
  de: {
    cancel: "Abbrechen",
    close: "Schließen",
    game: "Spiel",
    player: "Spieler",
    seat: (seat) => `Platz ${seat + 1}`,
    turn: (turn) => `Zug ${turn}`,
  },
});

/**
 * @param {string} iso
 * @returns {string} Date and time of day where the reader is.
 */
export const moment = (iso) =>
  new Date(iso).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });

/**
 * A relative time: "3 minutes ago".
 *
 * @param {string} iso
 * @returns {string}
 */
export function ago(iso) {
  const seconds = (Date.parse(iso) - Date.now()) / 1000;
  /** @type {[Intl.RelativeTimeFormatUnit, number][]} */
  const units = [["day", 86400], ["hour", 3600], ["minute", 60]];
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  for (const [unit, size] of units)
    if (Math.abs(seconds) >= size) return format.format(Math.round(seconds / size), unit);
  return format.format(Math.round(seconds), "second");
}

/**
 * @param {number} amount
 * @returns {string} As a number is written in the reader's language.
 */
export const number = (amount) => amount.toLocaleString(language);

/**
 * @param {string} text
 * @returns {string} As it begins a line.
 */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The server's games, by their names, from the head of every page. */
/** @type {Record<string, DOMStringMap>} */
const KNOWN = Object.fromEntries([...document.querySelectorAll('meta[name="game"]')].map((each) =>
  [each.getAttribute("content") ?? "", /** @type {HTMLElement} */ (each).dataset]));

/** The names of all games that can be opened here. */
export const games = Object.keys(KNOWN);

/**
 * @param {string} ruleset
 * @returns {string} What people call it; a game that the server does not know anymore, by its name.
 */
export const titled = (ruleset) => KNOWN[ruleset]?.[words({ en: "calledEn", de: "calledDe" })] ?? ruleset;

/**
 * @param {string} ruleset
 * @returns {string} What it is about, how many play, and how long.
 */
export const about = (ruleset) => KNOWN[ruleset]?.[words({ en: "aboutEn", de: "aboutDe" })] ?? "";

/**
 * @param {string} ruleset
 * @param {import("./api.js").Schemas["RulesetView"]["parts"][number]} part
 * @returns {boolean} Whether pages show this part, too.
 */
export const has = (ruleset, part) => (KNOWN[ruleset]?.["parts"] ?? "").split(" ").includes(part);

/**
 * @param {string} ruleset
 * @param {number} amount
 * @returns {string} An amount of its money.
 */
export const money = (ruleset, amount) =>
  (KNOWN[ruleset]?.[words({ en: "amountEn", de: "amountDe" })] ?? "{}").replace("{}", () => number(amount));

// Playing on from a position: paste its text, say against whom, and a practice table is ready.

import { Refused } from "../client/errors.js";
import { newKey } from "../client/requests.js";
import { get, inLanguage } from "../lib/api.js";
import { fill, h, submitting } from "../lib/dom.js";
import { guest } from "../lib/guest.js";
import { against, begun } from "../hotseat/against.js";
import { telling, told, trying } from "../lib/shell.js";
import { common, titled } from "../lib/words.js";
import { t } from "./words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */
/** @typedef {Schemas["PositionDocument"]} Document */

/** Under which another page leaves a position to play on from. */
const PASTED = "mcmulti.position";
/** How positions are written. */
const FORMAT = 1;

/**
 * The position in a text.
 *
 * @param {string} text
 * @param {readonly Schemas["RulesetSummary"][]} rulesets
 * @returns {{document: Document, summary: Schemas["RulesetSummary"]} | string} Why it cannot be read, if it cannot.
 */
export function readPosition(text, rulesets) {
  /** @type {any} */
  let document;
  try {
    document = JSON.parse(text);
  } catch {
    return t.notJson;
  }
  if (document === null || typeof document !== "object" || Array.isArray(document)) return t.notJson;
  const missing = ["format", "ruleset", "version", "setup", "position"].find((field) => document[field] === undefined);
  if (missing) return t.fieldMissing(missing);
  if (document.format !== FORMAT) return t.fieldWrong("format", String(document.format), String(FORMAT));
  const summary = rulesets.find(({ name }) => name === document.ruleset);
  if (!summary) return t.fieldWrong("ruleset", String(document.ruleset), rulesets.map(({ name }) => name).join(", "));
  if (document.version !== summary.version) return t.fieldWrong("version", String(document.version), String(summary.version));
  if (!Number.isInteger(document.setup?.seats) || document.setup.seats < 1) return t.fieldMissing("setup.seats");
  return { document, summary };
}

/**
 * Shows the form.
 *
 * @param {HTMLElement} place
 */
export async function pasting(place) {
  await telling(place, async () => {
    /** @type {Schemas["Rulesets"]} */
    const { rulesets } = (await get("/v1/rulesets", inLanguage())).body;
    const text = h("textarea", { rows: 6, spellcheck: "false", autocomplete: "off", "aria-describedby": "position-hint position-said", oninput: () => look() });
    const said = h("p", { id: "position-said", role: "status" });
    const sides = h("div", {});
    const visitor = guest();
    const problem = h("div", {});
    const start = h("button", {}, t.playOn);
    const key = newKey();
    /** How often another position was pasted: each opens a table of its own. */
    let pasted = 0;
    /** @type {{document: Document, chosen: ReturnType<typeof against>} | null} */
    let found = null;

    const look = () => {
      pasted++;
      fill(problem);
      const read = text.value.trim() ? readPosition(text.value, rulesets) : "";
      found = null;
      fill(sides);
      text.setAttribute("aria-invalid", String(typeof read === "string" && read !== ""));
      said.classList.toggle("refused", typeof read === "string");
      if (typeof read === "string") return void fill(said, read);
      const { document, summary } = read;
      const seats = Number(document.setup["seats"]);
      const chosen = against(summary, [...Array(seats).keys()].map((seat) => common.seat(seat)), 0);
      found = { document, chosen };
      fill(said, t.isPosition(titled(summary.name), seats));
      fill(sides, chosen.fields);
    };

    const begin = async () => {
      if (!text.value.trim()) fill(said, t.nothingPasted);
      if (!found) return text.focus();
      const { document, chosen } = found;
      try {
        await visitor.enter();
        const wish = { ruleset: document.ruleset, setup: document.setup, position: document.position, listed: false };
        const game = await begun("/v1/games", wish, Number(document.setup["seats"]), chosen.read(), `${key}-${pasted}`);
        fill(place);
        location.assign(`/games/${game}`);
      } catch (error) {
        fill(problem, refused(error));
      }
    };

    const form = h(
      "form",
      { class: "panel opening", "aria-labelledby": "pasting", onsubmit: submitting(() => trying(problem, begin, [start])) },
      h("h2", { id: "pasting" }, t.fromPosition),
      h("p", { id: "position-hint" }, t.positionHow),
      h("label", { class: "field" }, t.position, text),
      said,
      sides,
      visitor.field,
      problem,
      h("p", { class: "row" }, start, h("button", { type: "button", class: "second", onclick: () => fill(place) }, common.cancel)),
    );
    fill(place, form);
    text.value = sessionStorage.getItem(PASTED) ?? "";
    sessionStorage.removeItem(PASTED);
    if (text.value) look();
    text.focus();
  });
}

/** Which field no game can stand with, and why. @param {unknown} error */
function refused(error) {
  const field = error instanceof Refused ? error.problem.field : null;
  if (!field) return told(error);
  return h("div", { class: "problem", role: "alert" }, h("p", {}, t.cannotStand, " ", h("code", {}, field)), h("p", {}, /** @type {Refused} */ (error).message));
}

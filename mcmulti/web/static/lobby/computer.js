// Playing the computer: a game and a level, and the table is there, with everybody who plays at it.

import { account, signIn } from "../lib/account.js";
import { address, get, inLanguage, newKey, post, Problem } from "../lib/api.js";
import { fill, h } from "../lib/dom.js";
import { told } from "../lib/shell.js";
import { titled, words } from "../lib/words.js";
import { de, en } from "./words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */

const t = words({ en, de });
/** How many play: every game can be played by so many. */
const SEATS = 4;
/** How many names are tried for a visitor who gave none. */
const NAMES = 5;

/**
 * Shows the games, with a button for each level.
 *
 * @param {HTMLElement} place
 */
export async function playing(place) {
  try {
    /** @type {Schemas["Rulesets"]} */
    const { rulesets } = (await get("/v1/rulesets")).body;
    const played = rulesets.filter((each) => each.house_bots.length > 0);
    const name = h("input", { maxlength: 40, autocomplete: "nickname", placeholder: t.guest });
    const problem = h("div", {});
    const close = h("button", { type: "button", class: "second", onclick: () => fill(place) }, t.cancel);
    const panel = h(
      "section",
      { class: "panel computer", "aria-labelledby": "computer", tabindex: -1 },
      h("h2", { id: "computer" }, t.playComputer),
      h("p", {}, played.length ? t.pickLevel : t.noComputer),
      played.length > 0 && !account() && h("label", { class: "field" }, t.guestName, name, h("span", { class: "hint" }, t.guestHint)),
      h("div", { class: "levels" }, played.map(({ name: ruleset, house_bots: levels }) =>
        h("div", { class: "row", role: "group", "aria-label": titled(ruleset) }, h("strong", {}, titled(ruleset)), levels.map((level) =>
          h("button", { type: "button", title: t.levelHints[level] ?? "", onclick: () => void begin(ruleset, level) }, levelName(level)))))),
      problem,
      h("p", {}, close),
    );
    /** Under one key however often it is pressed: so it opens one table. */
    const key = newKey();

    /**
     * @param {string} ruleset
     * @param {string} level
     */
    const begin = async (ruleset, level) => {
      fill(problem);
      const buttons = panel.querySelectorAll("button");
      for (const button of buttons) button.disabled = true;
      try {
        if (!account()) await register(name.value.trim());
        const wish = { ruleset, setup: { seats: SEATS }, listed: false, house_bots: Array(SEATS - 1).fill(level) };
        /** @type {Schemas["NewlyOpened"]} */
        const { game } = (await post(address("/v1/games", inLanguage()), wish, { key: `${key}-${ruleset}-${level}` })).body;
        await post(address(`/v1/games/${game}/seats`, inLanguage()), {}, { key: `${key}-seat` });
        fill(place); // whoever comes back to this page finds it as it was
        location.assign(`/games/${game}`);
      } catch (error) {
        fill(problem, told(error));
        for (const button of buttons) button.disabled = false;
      }
    };
    fill(place, panel);
    panel.focus();
  } catch (error) {
    fill(place, told(error));
  }
}

/**
 * Makes an account for a visitor, kept in this browser.
 *
 * @param {string} given What to be called; "" for any name.
 */
async function register(given) {
  for (let tried = 1; ; tried++) {
    const name = given || `${t.guest} ${10_000 + Math.floor(Math.random() * 90_000)}`;
    try {
      /** @type {Schemas["Registered"]} */
      const who = (await post("/v1/players", { name })).body;
      return signIn({ player: who.player, name: who.name, token: who.token }, true);
    } catch (error) {
      if (given || tried === NAMES || !(error instanceof Problem) || error.code !== "name_taken") throw error;
    }
  }
}

/** @param {string} level */
export const levelName = (level) => t.levels[level] ?? level;

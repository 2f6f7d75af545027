// Playing the computer: choose a game and a level, and the table is ready with all its players.

import { coach, wanted } from "../coach/setting.js";
import { newKey } from "../client/requests.js";
import { get, inLanguage } from "../lib/api.js";
import { fill, h } from "../lib/dom.js";
import { guest } from "../lib/guest.js";
import { telling, trying } from "../lib/shell.js";
import { opened, sit } from "../lib/tables.js";
import { common, titled } from "../lib/words.js";
import { t } from "./words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */

/** How many play: every game can be played by this many. */
const SEATS = 4;

/**
 * Shows the games, with a button for each level.
 *
 * @param {HTMLElement} place
 */
export async function playing(place) {
  await telling(place, async () => {
    /** @type {Schemas["Rulesets"]} */
    const { rulesets } = (await get("/v1/rulesets", inLanguage())).body;
    const played = rulesets.filter((each) => each.house_bots.length > 0);
    const visitor = guest();
    const explain = h("input", { type: "checkbox", checked: wanted() });
    const problem = h("div", {});
    const close = h("button", { type: "button", class: "second", onclick: () => fill(place) }, common.cancel);
    const panel = h(
      "section",
      { class: "panel computer", "aria-labelledby": "computer", tabindex: -1 },
      h("h2", { id: "computer" }, t.playComputer),
      h("p", {}, played.length ? t.pickLevel : t.noComputer),
      played.length > 0 && visitor.field,
      played.length > 0 && h("label", {}, explain, t.explain),
      h("div", { class: "levels" }, played.map(({ name: ruleset, house_bots, levels }) =>
        h("div", { class: "row", role: "group", "aria-label": titled(ruleset) }, h("strong", {}, titled(ruleset)), house_bots.map((level) =>
          h("button", { type: "button", title: levels?.[level]?.plays ?? "", onclick: () => void begin(ruleset, level) }, levels?.[level]?.called ?? level))))),
      problem,
      h("p", {}, close),
    );
    /** With the same key however often it is pressed, so that it opens one table. */
    const key = newKey();

    /**
     * @param {string} ruleset
     * @param {string} level
     */
    const begin = (ruleset, level) => trying(problem, async () => {
      await visitor.enter();
      const wish = { ruleset, setup: { seats: SEATS }, listed: false, house_bots: Array(SEATS - 1).fill(level) };
      const { game } = await opened(wish, `${key}-${ruleset}-${level}`);
      await sit(game, {}, { key: `${key}-seat` });
      coach(ruleset, explain.checked);
      fill(place); // whoever comes back to this page finds it as it was
      location.assign(`/games/${game}`);
    }, panel.querySelectorAll("button"));
    fill(place, panel);
    panel.focus();
  });
}

// Begin a game of people who share this device: choose a game, enter names, and it starts.

import { account } from "../lib/account.js";
import { newKey } from "../client/requests.js";
import { get, inLanguage } from "../lib/api.js";
import { fill, h, submitting } from "../lib/dom.js";
import { contractOf, Forms } from "../lib/form.js";
import { register } from "../lib/guest.js";
import { telling, trying } from "../lib/shell.js";
import { opened } from "../lib/tables.js";
import { common, titled } from "../lib/words.js";
import { MOST, seatAll } from "./people.js";
import { t } from "./words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */

/**
 * How many people may play a game, and whether there is a way to take moves back.
 *
 * @param {string} ruleset
 * @returns {Promise<{least: number, most: number, undo: boolean}>}
 */
async function termsOf(ruleset) {
  const contract = await contractOf(ruleset);
  const forms = new Forms(contract, { label: String, explain: () => null, option: (_, value) => String(value) });
  const wanted = forms.whole(contract.paths["/v1/games"]?.["post"].requestBody.content["application/json"].schema);
  const setup = forms.whole(wanted["properties"].setup)["properties"];
  const { enum: listed, minimum, maximum } = forms.whole(setup.seats);
  const [least, most] = listed ? [Math.min(...listed), Math.max(...listed)] : [minimum, maximum];
  return { least, most: Math.min(most, MOST + 1), undo: "undo" in setup };
}

/**
 * Shows the form.
 *
 * @param {HTMLElement} place
 */
export async function sharing(place) {
  await telling(place, async () => {
    /** @type {Schemas["Rulesets"]} */
    const { rulesets } = (await get("/v1/rulesets", inLanguage())).body;
    const choice = h("select", {}, rulesets.map((each) => h("option", { value: each.name }, titled(each.name))));
    const hint = h("p", { class: "hint" });
    const people = h("div", {});
    const problem = h("div", {});
    const start = h("button", {}, t.begin);
    const names = [...Array(MOST + 1).keys()].map((index) => h("input", { maxlength: 40, autocomplete: "off", value: index === 0 ? (account()?.name ?? "") : "", disabled: index === 0 && account() !== null }));
    /** With the same key however often it is pressed, so that it opens one table. */
    let key = newKey();
    const choose = async () => {
      const chosen = choice.value;
      const { least, most } = await termsOf(chosen);
      if (chosen !== choice.value) return;
      key = newKey();
      hint.textContent = t.needed(least, most);
      fill(people, names.slice(0, most).map((name, index) => {
        name.required = index < least;
        return h("label", { class: "field" }, t.person(index + 1), name);
      }));
    };
    choice.addEventListener("change", () => void trying(problem, choose));
    const form = h(
      "form",
      { class: "panel opening", "aria-labelledby": "sharing", onsubmit: submitting(() => trying(problem, begin, [start])) },
      h("h2", { id: "sharing" }, t.start),
      h("p", {}, t.explain),
      h("p", {}, h("label", {}, common.game, " ", choice)),
      hint,
      people,
      problem,
      h("p", { class: "row" }, start, h("button", { type: "button", class: "second", onclick: () => fill(place) }, common.cancel)),
    );

    const begin = async () => {
      const [mine = "", ...others] = names.filter((name) => name.isConnected).map((name) => name.value.trim()).filter(Boolean);
      try {
        const ruleset = choice.value;
        const { undo } = await termsOf(ruleset);
        if (!account()) await register(mine, true);
        const wish = { ruleset, setup: { seats: others.length + 1, practice: true, ...(undo && { undo: "own" }) }, listed: false, invited: [] };
        const { game } = await opened(wish, `${key}-${wish.setup.seats}`);
        await seatAll(game, [{ number: 0 }, ...others.map((name, index) => ({ number: index + 1, name }))], true, key);
        fill(place);
        location.assign(`/games/${game}`);
      } catch (error) {
        key = newKey(); // whoever sat down already stays at the other table, which nobody sees
        throw error;
      }
    };
    await choose();
    fill(place, form);
    choice.focus();
  });
}

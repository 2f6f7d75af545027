// More players at this device, while a practice table waits for its players.

import { address } from "../client/requests.js";
import { inLanguage, post } from "../lib/api.js";
import { fill, h } from "../lib/dom.js";
import { told } from "../lib/shell.js";
import { isHost, MOST, numberOf, seat } from "./people.js";
import { t } from "./words.js";

/** @typedef {import("../game/context.js").Context} Context */

/**
 * @param {HTMLElement} element
 * @param {Context} context
 * @returns {() => void} Ends it.
 */
export function mount(element, context) {
  const { game } = context;
  const name = h("input", { maxlength: 40, autocomplete: "off", required: true });
  const problem = h("div", {});
  const there = h("div", { class: "row" });
  const form = h("form", { class: "row", onsubmit: (event) => {
    event.preventDefault();
    const taken = context.table().seats.map(numberOf);
    const free = [...Array(MOST).keys()].map((index) => index + 1).find((number) => !taken.includes(number));
    void doing(async () => {
      if (free) context.sent(await seat(game, name.value.trim(), free));
      name.value = "";
    });
  } }, h("label", { class: "field" }, t.newName, name), h("button", { class: "second" }, t.add));

  /** @param {() => Promise<void>} act */
  const doing = async (act) => {
    fill(problem);
    try {
      await act();
    } catch (error) {
      fill(problem, told(error));
    }
  };
  const show = () => {
    const table = context.table();
    form.hidden = !isHost(table) || !table.seats.some((each) => each.state === "free");
    fill(there, table.seats.filter((each) => each.state === "companion" && isHost(table)).map((each) =>
      h("button", { type: "button", class: "quiet", onclick: () => void doing(async () => {
        const body = { commands: [{ type: "LeaveSeat" }] };
        context.sent((await post(address(`/v1/games/${game}/commands`, inLanguage()), body, { companion: numberOf(each) })).body);
      }) }, t.remove(each.name ?? ""))));
  };
  fill(element, h("section", { class: "panel" }, h("p", {}, t.explain), there, form, problem));
  show();
  const end = context.onChange(show);
  return () => {
    end();
    fill(element);
  };
}

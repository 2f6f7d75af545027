// More players at this device, while a practice table waits for its players.

import { fill, h, submitting } from "../lib/dom.js";
import { trying } from "../lib/shell.js";
import { send, sit } from "../lib/tables.js";
import { isHost, MOST, numberOf } from "./people.js";
import { t } from "./words.js";

/** @type {import("../game/context.js").Mount} */
export function mount(element, context) {
  const { game } = context;
  const name = h("input", { maxlength: 40, autocomplete: "off", required: true });
  const problem = h("div", {});
  const there = h("div", { class: "row" });
  const add = async () => {
    const taken = context.table().seats.map(numberOf);
    const free = [...Array(MOST).keys()].map((index) => index + 1).find((number) => !taken.includes(number));
    if (free) context.sent(await sit(game, { name: name.value.trim() }, { companion: free }));
    name.value = "";
  };
  const form = h("form", { class: "row", onsubmit: submitting(() => trying(problem, add)) }, h("label", { class: "field" }, t.newName, name), h("button", { class: "second" }, t.add));

  const show = () => {
    const table = context.table();
    form.hidden = !isHost(table) || !table.seats.some((each) => each.state === "free");
    fill(there, table.seats.filter((each) => each.state === "companion" && isHost(table)).map((each) =>
      h("button", { type: "button", class: "quiet", onclick: () => void trying(problem, async () =>
        context.sent(await send(game, [{ type: "LeaveSeat" }], { companion: numberOf(each) }))) }, t.remove(each.name ?? ""))));
  };
  fill(element, h("section", { class: "panel" }, h("p", {}, t.explain), there, form, problem));
  show();
  return context.onChange(show);
}

// A standing instruction: what to do in others' turns or while you are away, and when that ends.

import { fill, h, submitting } from "../lib/dom.js";
import { choiceLabel, fieldLabel } from "./labels.js";
import { t } from "./words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */

/**
 * @param {HTMLElement} place
 * @param {Schemas["Offers"]} offers
 * @param {string} member The field of the command that holds the orders.
 * @param {readonly Schemas["FieldText"][]} asked The fields of the orders.
 * @param {(orders: object | null) => void} set Null for nothing anymore.
 */
export function instruction(place, offers, member, asked, set) {
  const { instruction: now } = offers;
  const said = JSON.stringify(now ?? null);
  if (place.dataset["said"] === said) return; // what is being written there stays
  place.dataset["said"] = said;
  const orders = /** @type {Record<string, any>} */ (/** @type {any} */ (now?.command)?.[member] ?? {});
  /** @type {(() => [string, any])[]} */
  const inputs = [];
  const fields = asked.map(({ name, holds, options, default: unsaid }) => {
    const label = fieldLabel(name);
    if (holds === "boolean") {
      const input = h("input", { type: "checkbox", checked: orders[name] === true });
      inputs.push(() => [name, input.checked]);
      return h("label", {}, input, label);
    }
    const input = options?.length
      ? h("select", {}, ["", ...options].map((each) => h("option", { value: each, selected: each === (orders[name] ?? "") }, each && choiceLabel(name, String(each)))))
      : h("input", { type: "number", inputmode: "numeric", min: 0, step: 1, value: orders[name] });
    inputs.push(() => [name, input.value === "" ? (unsaid ?? null) : options?.length ? input.value : Number(input.value)]);
    return h("label", { class: "field" }, label, input);
  });
  fill(
    place,
    h("summary", {}, t.instruct, " ", now ? h("span", { class: "tag" }, now.off ? t.off(now.off) : t.standing) : null),
    h(
      "form",
      { class: "orders", onsubmit: submitting(() => set(Object.fromEntries(inputs.map((input) => input())))) },
      fields,
      h("p", {}, h("button", {}, t.set), " ", now && h("button", { type: "button", class: "second", onclick: () => set(null) }, t.unset)),
    ),
  );
}

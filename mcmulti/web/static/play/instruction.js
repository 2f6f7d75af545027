// A standing instruction of the box game: what is operated in others' turns or while one is away, and when that ends.

import { fill, h } from "../lib/dom.js";
import { t } from "./labels.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */
/** @typedef {Schemas["OperatingOrders"]} Orders */

/** What is either so or not; all else are numbers. */
const FLAGS = ["refine", "pump", "away_operates", "away_cleans_up"];
/** What names a kind of asset, or none. */
const KIND = "away_sells";
const KINDS = /** @type {const} */ (["rig", "station", "refinery", "well"]);
/** Numbers that count as 0 where nothing is said. */
const KEPT = ["keep_gasoline", "keep_crude"];

/**
 * @param {HTMLElement} place
 * @param {Schemas["Offers"]} offers
 * @param {(orders: Orders | null) => void} set Null for nothing any more.
 */
export function instruction(place, offers, set) {
  const { instruction: now } = offers;
  const said = JSON.stringify(now ?? null);
  if (place.dataset["said"] === said) return; // what is being written there stays
  place.dataset["said"] = said;
  const orders = /** @type {Record<string, any>} */ ((now?.command && "orders" in now.command && now.command.orders) || {});
  /** @type {Record<string, HTMLInputElement | HTMLSelectElement>} */
  const inputs = {};
  const fields = Object.entries(t.orders).map(([name, label]) => {
    const flag = FLAGS.includes(name);
    if (name === KIND) {
      const kinds = ["", ...KINDS].map((kind) => h("option", { value: kind, selected: kind === (orders[name] ?? "") }, t.values[kind] ?? ""));
      const select = h("select", {}, kinds);
      inputs[name] = select;
      return h("label", { class: "field" }, label, select);
    }
    const input = h("input", flag ? { type: "checkbox", checked: orders[name] === true } : { type: "number", inputmode: "numeric", min: 0, step: 1, value: orders[name] });
    inputs[name] = input;
    return flag ? h("label", {}, input, label) : h("label", { class: "field" }, label, input);
  });
  const read = () =>
    Object.fromEntries(
      Object.entries(inputs).map(([name, input]) => {
        if (input instanceof HTMLSelectElement) return [name, input.value || null];
        if (FLAGS.includes(name)) return [name, input.checked];
        return [name, input.value === "" ? (KEPT.includes(name) ? 0 : null) : Number(input.value)];
      }),
    );
  const submitted = (/** @type {Event} */ event) => {
    event.preventDefault();
    set(read());
  };
  fill(
    place,
    h("summary", {}, t.instruct, " ", now ? h("span", { class: "tag" }, now.off ? t.off(now.off) : t.standing) : null),
    h(
      "form",
      { class: "orders", onsubmit: submitted },
      fields,
      h("p", {}, h("button", {}, t.set), " ", now && h("button", { type: "button", class: "second", onclick: () => set(null) }, t.unset)),
    ),
  );
}

// The fields of a move: numbers as steppers, choices as radio buttons or lists, free-form fields as JSON.

import { h } from "../lib/dom.js";
import { number } from "../lib/words.js";
import { choiceLabel, fieldLabel, optionLabel } from "./labels.js";
import { stepped, written } from "./offers.js";
import { t } from "./words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */
/**
 * Shows a field that may have any of these values. `chosen` is called with what was chosen: undefined if what stands there is
 * no value. A choice returns what shows another of its values.
 *
 * @template [F=any]
 * @typedef {(name: string, field: F, value: any, chosen: (value: any) => void) => {element: HTMLElement, set?: (value: any) => void}} Show
 */

/** Choices with more options than this are lists. */
export const FEW = 6;

let made = 0;

/** @type {Show<Schemas["Field"]>} */
export function shown(name, field, value, chosen) {
  if (field.type === "Range") return stepper(name, field, value, chosen);
  if (field.type === "Form") return writing(name, field, value, chosen);
  return field.options.length > FEW || field.type === "SiteChoice" ? list(name, field, value, chosen) : radios(name, field, value, chosen);
}

/** @type {Show<Schemas["Range"]>} */
function stepper(name, range, value, chosen) {
  const { min, max, step = 1 } = range;
  const id = `field-${++made}`;
  const input = h("input", { id, type: "number", inputmode: "numeric", min, max, step, value, "data-part": name, required: true });
  const input_ = () => chosen(input.value === "" ? undefined : Number(input.value));
  const move = (/** @type {number} */ steps) => {
    input.value = String(stepped(range, Number(input.value), steps));
    input_();
  };
  input.addEventListener("input", input_);
  input.addEventListener("keydown", (event) => {
    const steps = { PageUp: max, PageDown: -max }[event.key];
    if (steps === undefined) return;
    event.preventDefault();
    move(steps);
  });
  const button = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {number} */ steps) =>
    h("button", { type: "button", class: "second", tabindex: -1, "aria-label": `${fieldLabel(name)}: ${label}`, onclick: () => move(steps) }, sign);
  const element = h(
    "div",
    { class: "stepper" },
    h("label", { for: id }, fieldLabel(name)),
    h("span", { class: "steps" }, button("−", t.less, -1), input, button("+", t.more, 1)),
    h("span", { class: "bounds" }, t.of(number(min), number(max))),
  );
  return { element };
}

/** @type {Show} */
function list(name, field, value, chosen) {
  const select = h("select", { "data-part": name, required: true });
  const option = (/** @type {any} */ each, /** @type {string} */ label) => h("option", { value: written(each) }, label);
  select.append(h("option", { value: "" }, t.choose));
  if (field.type === "SiteChoice")
    for (const [quadrant, sites] of byQuadrant(field.options))
      select.append(
        h("optgroup", { label: choiceLabel("quadrant", String(quadrant)) }, sites.map((site) => option(site, optionLabel(name, field, site)))),
      );
  else select.append(...field.options.map((/** @type {any} */ each) => option(each, optionLabel(name, field, each))));
  const set = (/** @type {any} */ other) => {
    select.value = other === undefined ? "" : written(other);
    chosen(other);
  };
  select.value = value === undefined ? "" : written(value);
  select.addEventListener("change", () => chosen(field.options.find((/** @type {any} */ each) => written(each) === select.value)));
  return { element: h("label", { class: "field" }, fieldLabel(name), select), set };
}

/** @param {Schemas["Site"][]} sites @returns {Map<number, Schemas["Site"][]>} */
function byQuadrant(sites) {
  /** @type {Map<number, Schemas["Site"][]>} */
  const found = new Map();
  for (const site of sites) found.set(site.quadrant, [...(found.get(site.quadrant) ?? []), site]);
  return found;
}

/** @type {Show} */
function radios(name, field, value, chosen) {
  const group = `field-${++made}`;
  const inputs = field.options.map((/** @type {any} */ option) =>
    h("input", {
      type: "radio",
      name: group,
      value: written(option),
      required: true,
      checked: value !== undefined && written(option) === written(value),
      "data-part": name,
      onchange: () => chosen(option),
    }),
  );
  const element = h(
    "fieldset",
    { class: "radios" },
    h("legend", {}, fieldLabel(name)),
    field.options.map((/** @type {any} */ option, /** @type {number} */ index) =>
      h("label", {}, inputs[index], optionLabel(name, field, option)),
    ),
  );
  return {
    element,
    set: (other) => {
      for (const input of inputs) input.checked = other !== undefined && input.value === written(other);
      chosen(other);
    },
  };
}

/** @type {Show} */
function writing(name, _, value, chosen) {
  const area = h("textarea", { rows: 6, spellcheck: "false", "data-part": name, required: true });
  area.value = value === undefined ? "" : JSON.stringify(value, null, 1);
  area.addEventListener("input", () => {
    const found = parsed(area.value);
    area.setCustomValidity(area.value && found === undefined ? t.noJson : "");
    chosen(found);
  });
  return { element: h("label", { class: "field" }, `${fieldLabel(name)} (${t.json})`, area) };
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// A move that is offered: its sentence, what there is to choose, and the buttons that do it or try it out.

import { fill, h } from "../lib/dom.js";
import { ruleLink } from "../lib/rule.js";
import { money } from "../lib/words.js";
import { FEW, shown } from "./fields.js";
import { optionLabel, t, verb } from "./labels.js";
import { admits, beginning, command, total, written } from "./offers.js";

/** @typedef {import("./offers.js").Control} Control */
/** @typedef {import("./offers.js").Values} Values */
/** @typedef {import("./offers.js").Command} Command */
/**
 * A move as it is shown. `focus` goes to its part of that name, else to its first; `choose` takes over what was picked on
 * the board, and goes to what does it, or to what is to be chosen still.
 *
 * @typedef {{control: Control, element: HTMLElement, focus: (part: string) => void, choose: (values: Values) => void}} Move
 */

/**
 * @param {Control} control
 * @param {string} ruleset
 * @param {Map<string, Values>} kept What was chosen before, by control: it stays chosen while it is offered.
 * @param {(command: Command, tryOnly: boolean) => void} act
 * @returns {Move}
 */
export function move(control, ruleset, kept, act) {
  const open = Object.entries(control.open);
  const [alone] = open;
  if (!alone) return plain(control, ruleset, act);
  const [name, field] = alone;
  const few = open.length === 1 && "options" in field && field.type !== "SiteChoice" && field.options.length <= FEW;
  return few ? buttons(control, ruleset, name, field, act) : form(control, ruleset, kept, act);
}

/**
 * Something that leaves no choice: one button.
 *
 * @param {Control} control
 * @param {string} ruleset
 * @param {(command: Command, tryOnly: boolean) => void} act
 * @returns {Move}
 */
function plain(control, ruleset, act) {
  const made = /** @type {Command} */ (command(control));
  const price = total(control);
  const amount = price === null ? "" : money(ruleset, price);
  const more = amount && !control.offer.sentence.includes(amount) ? ` (${amount})` : "";
  const button = h("button", { type: "button", class: "whole", "data-part": "go", onclick: () => act(made, false) }, control.offer.sentence, more);
  const element = row(control, button, tryOut(control, () => act(made, true)), ruleBy(ruleset, control));
  return { control, element, focus: () => button.focus(), choose: () => button.focus() };
}

/**
 * One choice of a few: a button each.
 *
 * @param {Control} control
 * @param {string} ruleset
 * @param {string} name
 * @param {any} field
 * @param {(command: Command, tryOnly: boolean) => void} act
 * @returns {Move}
 */
function buttons(control, ruleset, name, field, act) {
  const each = field.options.map((/** @type {any} */ option) => {
    const made = /** @type {Command} */ (command(control, { [name]: option }));
    return h("button", { type: "button", "data-part": written(option), onclick: () => act(made, false) }, optionLabel(name, field, option));
  });
  const element = row(control, h("p", { class: "sentence" }, control.offer.sentence, " ", ruleBy(ruleset, control)), h("div", { class: "choices" }, each));
  element.setAttribute("role", "group");
  element.setAttribute("aria-label", control.offer.sentence);
  const focus = (/** @type {string} */ part) =>
    (each.find((/** @type {HTMLElement} */ button) => button.dataset["part"] === part) ?? each[0]).focus();
  return { control, element, focus, choose: (values) => focus(written(values[name])) };
}

/**
 * @param {Control} control
 * @param {string} ruleset
 * @param {Map<string, Values>} kept
 * @param {(command: Command, tryOnly: boolean) => void} act
 * @returns {Move}
 */
function form(control, ruleset, kept, act) {
  const values = beginning(control);
  for (const [name, value] of Object.entries(kept.get(control.key) ?? {})) {
    const field = control.open[name];
    if (field && admits(field, value)) values[name] = value;
  }
  kept.set(control.key, values);
  const sum = h("output", { class: "sum" });
  const count = () => {
    const amount = total(control, values);
    fill(sum, amount === null ? null : t.sum(money(ruleset, amount)));
  };
  const fields = Object.fromEntries(
    Object.entries(control.open).map(([name, field]) => {
      const chosen = (/** @type {any} */ value) => {
        values[name] = value;
        count();
      };
      return [name, shown(name, field, values[name], chosen)];
    }),
  );
  const send = (/** @type {boolean} */ tryOnly) => {
    const made = command(control, values);
    if (made) act(made, tryOnly);
    else element.reportValidity();
  };
  const go = h("button", { type: "submit", "data-part": "go" }, verb(control.offer.command));
  const element = h(
    "form",
    {
      ...about(control),
      "aria-label": control.offer.sentence,
      onsubmit: (event) => {
        event.preventDefault();
        send(false);
      },
    },
    h("p", { class: "sentence" }, control.offer.sentence, " ", ruleBy(ruleset, control), " ", tryOut(control, () => send(true))),
    h("div", { class: Object.keys(fields).length > 1 ? "fields" : "fields lone" }, Object.values(fields).map((field) => field.element), sum, go),
  );
  count();
  const part = (/** @type {string} */ name) => /** @type {HTMLElement | null} */ (element.querySelector(`[data-part="${CSS.escape(name)}"]`));
  const missing = () => Object.entries(control.open).find(([name, field]) => values[name] === undefined || !admits(field, values[name]))?.[0];
  return {
    control,
    element,
    focus: (name) => (part(name === "go" ? (missing() ?? "go") : name) ?? part(Object.keys(control.open)[0] ?? "go"))?.focus(),
    choose: (picked) => {
      for (const [name, value] of Object.entries(picked)) fields[name]?.set(value);
      part(missing() ?? "go")?.focus();
    },
  };
}

/**
 * @param {Control} control
 * @param {import("../lib/dom.js").Child[]} children
 */
const row = (control, ...children) => h("div", about(control), ...children);

/** @param {Control} control */
const about = ({ key, offer }) => ({ class: "move", "data-key": key, "data-command": offer.command, "data-rule": offer.rule });

/**
 * @param {Control} control
 * @param {() => void} act
 */
const tryOut = (control, act) =>
  h("button", { type: "button", class: "quiet", "data-part": "try", "aria-label": t.tryLong(control.offer.sentence), onclick: act }, t.try);

/**
 * The rule for mouse and finger; who has neither reads it below, where the focus is.
 *
 * @param {string} ruleset
 * @param {Control} control
 */
function ruleBy(ruleset, { offer }) {
  const link = ruleLink(ruleset, offer.rule);
  link.tabIndex = -1;
  return link;
}

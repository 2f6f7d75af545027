// An offered move: its sentence, its choices, and the buttons to make it or try it out.

import { fill, h, submitting } from "../lib/dom.js";
import { ruleLink } from "../lib/rule.js";
import { money } from "../lib/words.js";
import { FEW, shown } from "./fields.js";
import { optionLabel, verb } from "./labels.js";
import { admits, beginning, command, total, written } from "./offers.js";
import { t } from "./words.js";

/** The length of sentences that go below their fields on small screens. */
const LONG = 140;

/** @typedef {import("./offers.js").Control} Control */
/** @typedef {import("./offers.js").Values} Values */
/** @typedef {import("./offers.js").Command} Command */
/**
 * Where moves are shown.
 *
 * @typedef {object} Place
 * @property {string} ruleset
 * @property {Map<string, Values>} chosen What was chosen so far, by control: it stays chosen while it is offered.
 * @property {(control: Control, commands: Command[], tryOnly: boolean) => void} act
 * @property {(control: Control) => void} aimed What is picked on the board is meant for this move from now on.
 * @property {() => void} changed Other sites are picked.
 */
/**
 * Sites that are picked one after the other, and confirmed at once. `toggle` picks one, or leaves it again; `commands` are
 * those of all that are picked.
 *
 * @typedef {{has: (site: any) => boolean, toggle: (site: any) => void, commands: () => Command[], aim: (on: boolean) => void}} Picks
 */
/**
 * A move as it is shown. `focus` goes to its part of that name, else to its first; `choose` takes over what was picked on
 * the board, and goes to what does it, or to what must still be chosen. `picks`: of a move that is made at a site, of
 * which there may be several at once.
 *
 * @typedef {{control: Control, element: HTMLElement, focus: (part: string) => void, choose: (values: Values) => void, picks?: Picks}} Move
 */

/** @type {(control: Control, place: Place) => Move} */
export function move(control, place) {
  const open = Object.entries(control.open);
  const [alone] = open;
  if (!alone) return plain(control, place);
  const [name, field] = alone;
  if (open.length === 1 && field.type === "SiteChoice") return sites(control, place, name, field);
  const few = open.length === 1 && "options" in field && field.options.length <= FEW;
  return few ? buttons(control, place, name, field) : form(control, place);
}

/** A move without a choice: one button. @type {(control: Control, place: Place) => Move} */
function plain(control, { ruleset, act }) {
  const made = /** @type {Command} */ (command(control));
  const price = total(control);
  const amount = price === null ? "" : money(ruleset, price);
  const more = amount && !control.offer.sentence.includes(amount) ? ` (${amount})` : "";
  const button = h("button", { type: "button", class: "whole", "data-part": "go", onclick: () => act(control, [made], false) }, control.offer.sentence, more);
  const element = row(control, button, tryOut(control, () => act(control, [made], true)), ruleBy(ruleset, control));
  return { control, element, focus: () => button.focus(), choose: () => button.focus() };
}

/** A choice of a few: one button for each. @type {(control: Control, place: Place, name: string, field: any) => Move} */
function buttons(control, { ruleset, act }, name, field) {
  const each = field.options.map((/** @type {any} */ option) => {
    const made = /** @type {Command} */ (command(control, { [name]: option }));
    return h("button", { type: "button", "data-part": written(option), onclick: () => act(control, [made], false) }, optionLabel(name, field, option));
  });
  const element = row(control, h("p", { class: "sentence" }, control.offer.sentence, " ", ruleBy(ruleset, control)), h("div", { class: "choices" }, each));
  element.setAttribute("role", "group");
  element.setAttribute("aria-label", control.offer.sentence);
  const focus = (/** @type {string} */ part) =>
    (each.find((/** @type {HTMLElement} */ button) => button.dataset["part"] === part) ?? each[0]).focus();
  return { control, element, focus, choose: (values) => focus(written(values[name])) };
}

/** @type {(control: Control, place: Place) => Move} */
function form(control, { ruleset, chosen: before, act }) {
  const values = beginning(control);
  for (const [name, value] of Object.entries(before.get(control.key) ?? {})) {
    const field = control.open[name];
    if (field && admits(field, value)) values[name] = value;
  }
  before.set(control.key, values);
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
    if (made) act(control, [made], tryOnly);
    else element.reportValidity();
  };
  const go = h("button", { type: "submit", "data-part": "go" }, verb(control.offer.command));
  const element = whole(
    control,
    ruleset,
    send,
    control.offer.sentence.length > LONG,
    h("div", { class: Object.keys(fields).length > 1 ? "fields" : "fields lone" }, Object.values(fields).map((field) => field.element), sum, go),
  );
  count();
  const part = partsOf(element);
  const missing = () => Object.entries(control.open).find(([name, field]) => values[name] === undefined || !admits(field, values[name]))?.[0];
  return {
    control,
    element,
    focus: (name) => (part(name === "go" ? (missing() ?? "go") : name) ?? part(Object.keys(control.open)[0] ?? "go"))?.focus(),
    choose: (picked) => {
      for (const [name, value] of Object.entries(picked)) fields[name]?.set?.(value);
      part(missing() ?? "go")?.focus();
    },
  };
}

/**
 * The form of a move with choices: its sentence, and below it what is chosen.
 *
 * @param {Control} control
 * @param {string} ruleset
 * @param {(tryOnly: boolean) => void} send Makes the move as it is chosen, or tries it out.
 * @param {boolean} long Whether the sentence goes below the choices on small screens.
 * @param {...HTMLElement} choices
 * @returns {HTMLElement & {reportValidity: () => boolean}}
 */
function whole(control, ruleset, send, long, ...choices) {
  return h(
    "form",
    {
      ...about(control),
      "aria-label": control.offer.sentence,
      onsubmit: submitting(() => send(false)),
    },
    h("p", { class: long ? "sentence long" : "sentence" }, control.offer.sentence, " ", ruleBy(ruleset, control), " ", tryOut(control, () => send(true))),
    choices,
  );
}

/**
 * Finds the parts of a form by name.
 *
 * @param {HTMLElement} element
 * @returns {(name: string) => HTMLElement | null}
 */
function partsOf(element) {
  return (name) => element.querySelector(`[data-part="${CSS.escape(name)}"]`);
}

/**
 * A move at a site: several are picked, on the board or from a list, and confirmed together.
 *
 * @param {Control} control
 * @param {Place} place
 * @param {string} name
 * @param {import("../lib/api.js").Schemas["SiteChoice"]} field
 * @returns {Move}
 */
function sites(control, { ruleset, chosen: kept, act, aimed, changed }, name, field) {
  const before = kept.get(control.key) ?? {};
  const values = { [name]: admits(field, before[name]) ? before[name] : undefined, picked: (before["picked"] ?? []).filter((/** @type {any} */ site) => admits(field, site)) };
  kept.set(control.key, values);
  const has = (/** @type {any} */ site) => values["picked"].some((/** @type {any} */ each) => written(each) === written(site));
  const all = () => [...values["picked"], ...(values[name] === undefined || has(values[name]) ? [] : [values[name]])];
  const commands = () => all().map((site) => /** @type {Command} */ (command(control, { [name]: site })));
  const select = shown(name, field, values[name], (site) => {
    values[name] = site;
    draw();
  });
  const chosen = /** @type {HTMLSelectElement} */ (select.element.querySelector("select"));
  const further = h("button", { type: "button", class: "second", "data-part": "add", onclick: () => {
    toggle(values[name]);
    changed();
    chosen.focus();
  } }, t.add);
  const aim = h("button", { type: "button", class: "second aim", "data-part": "aim", "aria-pressed": "false", onclick: () => aimed(control) }, t.aim);
  const list = h("ul", { class: "picked", "aria-label": t.picked });
  const sum = h("output", { class: "sum" });
  const go = h("button", { type: "submit", "data-part": "go" });
  const send = (/** @type {boolean} */ tryOnly) => (all().length ? act(control, commands(), tryOnly) : element.reportValidity());
  const element = whole(
    control,
    ruleset,
    send,
    false,
    h("div", { class: "fields lone sites" }, aim, select.element, further, sum, go),
    list,
  );

  /** @param {any} site */
  function toggle(site) {
    values["picked"] = has(site) ? values["picked"].filter((/** @type {any} */ each) => written(each) !== written(site)) : [...values["picked"], site];
    if (values[name] !== undefined && has(values[name])) select.set?.(undefined);
    draw();
  }

  function draw() {
    const count = all().length;
    const price = total(control);
    const label = (/** @type {any} */ site) => optionLabel(name, field, site);
    const leave = (/** @type {any} */ site) => {
      toggle(site);
      changed();
      chosen.focus();
    };
    fill(list, values["picked"].map((/** @type {any} */ site) => h("li", {}, h("button", { type: "button", class: "second", "aria-label": t.unpick(label(site)), onclick: () => leave(site) }, label(site), " ×"))));
    fill(sum, price === null || !count ? null : t.sum(money(ruleset, price * count)));
    fill(go, count > 1 ? t.times(verb(control.offer.command), count) : verb(control.offer.command));
    further.hidden = values[name] === undefined;
    chosen.required = !values["picked"].length;
  }

  draw();
  const part = partsOf(element);
  return {
    control,
    element,
    focus: (of) => (of && of !== "go" && part(of)?.offsetParent ? part(of) : all().length ? go : chosen)?.focus(),
    choose: (picked) => toggle(picked[name]),
    picks: {
      has,
      toggle,
      commands,
      aim: (on) => aim.setAttribute("aria-pressed", String(on)),
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
 * The rule, for mouse and touch; keyboard users read it below, at the focus.
 *
 * @param {string} ruleset
 * @param {Control} control
 */
function ruleBy(ruleset, { offer }) {
  const link = ruleLink(ruleset, offer.rule);
  link.tabIndex = -1;
  return link;
}

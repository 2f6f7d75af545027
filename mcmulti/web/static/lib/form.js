// Forms generated from the contract's schemas, which alone define what can be sent. Labels come from the page.

import { get, once } from "./api.js";
import { fill, h } from "./dom.js";
import { words } from "./words.js";

const t = words({
  en: { none: "none", add: "Add", remove: "Remove", up: "Up", down: "Down", which: "Which", more: "More" },
  de: { none: "keine Angabe", add: "Hinzufügen", remove: "Entfernen", up: "Nach oben", down: "Nach unten", which: "Was", more: "Mehr" },
});

/** @typedef {Record<string, any>} Schema */
/** @typedef {{components: {schemas: Record<string, Schema>}, paths: Record<string, Schema>}} Contract */

/**
 * What people read in place of names: of fields, of values, of schemas that one chooses among (`option` too).
 *
 * @typedef {object} Texts
 * @property {(field: string, schema: Schema) => string} label
 * @property {(field: string, schema: Schema) => string | null} explain
 * @property {(field: string, value: string | number) => string} option
 * @property {(field: string) => boolean} [seldom] Of fields of the outermost object: whether they stand under "More".
 */

/**
 * A part of a form. `read` is its value as JSON, undefined where it is left out. `at` finds the part that a path of
 * names and numbers leads to, as far as there is one. `refuse` shows at it why its value was not taken, or nothing.
 *
 * @typedef {object} Part
 * @property {HTMLElement} element
 * @property {() => any} read
 * @property {(path: readonly string[]) => Part} at
 * @property {(why: string, quiet?: boolean) => void} refuse It takes the reader there, unless quiet.
 */

/**
 * Makes the part for a field, with the value that it begins with. `nullable`: whether the value may be left out.
 *
 * @typedef {(field: string, schema: Schema, value: any, nullable?: boolean) => Part} Make
 */

let made = 0;
const newId = () => `field-${++made}`;

/** The most values of a number that are shown as a choice instead of an input field. */
const FEW = 12;

export class Forms {
  /**
   * @param {Contract} contract
   * @param {Texts} texts
   */
  constructor(contract, texts) {
    this.contract = contract;
    this.texts = texts;
  }

  /**
   * @param {Schema} schema
   * @returns {Schema} It, with what it refers to.
   */
  whole(schema) {
    if (!schema.$ref) return schema;
    const { $ref, ...more } = schema;
    const name = String($ref).split("/").at(-1) ?? "";
    const found = this.contract.components.schemas[name];
    if (!found) throw new Error(`The contract has no ${name}.`);
    return { ...this.whole(found), ...more };
  }

  /** @type {Make} */
  part = (field, asked, value) => {
    const schema = this.whole(asked);
    const begun = value === undefined ? schema.default : value;
    if (schema.oneOf) return this.union(field, schema, begun);
    if (schema.anyOf) {
      const some = schema.anyOf.filter((/** @type {Schema} */ each) => each.type !== "null");
      /** @type {Schema} */
      const inner = { ...schema, ...this.whole(some[0]), description: schema["description"] };
      delete inner.anyOf;
      if (some.length === 2) return this.amount(field, inner, begun);
      if (inner.type === "object") return this.optional(field, inner, begun);
      if (inner.type === "array") return this.numbers(field, inner, begun, true);
      return this.leaf(field, inner, begun, true);
    }
    if (schema.type === "array") {
      const items = this.whole(schema.items);
      if (items.type === "integer") return this.numbers(field, schema, begun);
      return items.enum ? this.several(field, schema, begun) : this.list(field, schema, begun);
    }
    if (schema.type === "object") return this.object(field, schema, begun);
    return this.leaf(field, schema, begun);
  };

  /** @type {Make} */
  object = (field, schema, value = {}) => {
    /** @type {Record<string, Part>} */
    const parts = {};
    /** @type {Record<string, unknown>} */
    const fixed = {};
    for (const [name, each] of Object.entries(schema.properties ?? {})) {
      const options = this.whole(each).enum;
      if (options?.length === 1) fixed[name] = options[0];
      else parts[name] = this.part(name, /** @type {Schema} */ (each), value?.[name]);
    }
    const seldom = (/** @type {string} */ name) => field === "" && this.texts.seldom?.(name) === true;
    const [often, rare] = [false, true].map((which) => Object.entries(parts).filter(([name]) => seldom(name) === which).map(([, part]) => part.element));
    const element = h("div", { class: "fields" }, often, rare?.length ? h("details", { class: "more" }, h("summary", {}, t.more), h("div", { class: "fields" }, rare)) : null);
    const read = () => {
      const given = Object.entries(parts).map(([name, part]) => [name, part.read()]);
      return { ...fixed, ...Object.fromEntries(given.filter(([, read]) => read !== undefined)) };
    };
    return partOf(element, read, ([name = "", ...rest]) => parts[name]?.at(rest));
  };

  /** An object that can be omitted as a whole. @type {Make} */
  optional = (field, schema, value) => {
    const inner = this.object(field, schema, value ?? {});
    const wanted = h("input", { type: "checkbox", checked: Boolean(value), "data-field": field });
    const optional = h("fieldset", { class: "plain" }, inner.element);
    const show = () => {
      optional.hidden = optional.disabled = !wanted.checked;
    };
    wanted.addEventListener("change", show);
    show();
    const element = h(
      "div",
      { class: "optional" },
      h("label", {}, wanted, this.texts.label(field, schema)),
      this.hint(field, schema),
      optional,
    );
    return partOf(element, () => (wanted.checked ? inner.read() : undefined), (path) => (path.length && wanted.checked ? inner.at(path) : undefined));
  };

  /** One of several schemas, identified by their discriminator. @type {Make} */
  union = (field, schema, value) => {
    const { propertyName, mapping } = schema.discriminator;
    const names = Object.keys(mapping);
    const label = field && this.texts.label(field, schema);
    const select = h(
      "select",
      { "aria-label": label || t.which },
      names.map((name) => h("option", { value: name }, this.texts.option(propertyName, name))),
    );
    select.value = value?.[propertyName] ?? names[0];
    const body = h("div", { class: "body" });
    /** @type {Part} */
    let inner;
    const show = (/** @type {any} */ begun) => {
      inner = this.part("", { $ref: mapping[select.value] }, begun);
      fill(body, inner.element);
    };
    select.addEventListener("change", () => show(undefined));
    show(value);
    const element = h("div", { class: "union", "data-schema": field ? schema["title"] : null }, label && h("span", { class: "over" }, label), select, body);
    return partOf(element, () => inner.read(), (path) => (path.length ? inner.at(path) : undefined));
  };

  /** A list to which lines can be added, in order. @type {Make} */
  list = (field, schema, value) => {
    /** @type {Part[]} */
    const parts = [];
    const items = h("ol", { class: "lines" });
    const label = this.texts.label(field, schema);
    const add = h("button", { type: "button", class: "second add", "aria-label": `${t.add}: ${label}`, onclick: () => put(undefined, true) }, t.add);
    const show = () => {
      fill(items, parts.map((part) => part.element));
      add.disabled = parts.length >= (schema.maxItems ?? Infinity);
      items.dispatchEvent(new Event("change", { bubbles: true }));
    };
    const put = (/** @type {any} */ begun, focused = false) => {
      const part = this.part("", schema.items, begun);
      const move = (/** @type {number} */ by) => {
        const from = parts.indexOf(part);
        const to = Math.min(Math.max(from + by, 0), parts.length - 1);
        parts.splice(to, 0, ...parts.splice(from, 1));
        show();
      };
      const tool = (/** @type {string} */ sign, /** @type {string} */ name, /** @type {() => void} */ act) =>
        h("button", { type: "button", class: "quiet", "aria-label": name, title: name, onclick: (event) => {
          act();
          const pressed = /** @type {HTMLElement} */ (event.target);
          (pressed.isConnected ? pressed : add).focus();
        } }, sign);
      const line = h("li", { "data-schema": this.whole(schema["items"])["title"] }, part.element, h(
        "span",
        { class: "tools" },
        tool("↑", t.up, () => move(-1)),
        tool("↓", t.down, () => move(1)),
        tool("✕", t.remove, () => {
          parts.splice(parts.indexOf(part), 1);
          show();
        }),
      ));
      const inner = part.element;
      part.element = line;
      parts.push(part);
      show();
      if (focused) inner.querySelector("select")?.focus();
    };
    const least = schema.minItems ?? 0;
    for (const each of value ?? []) put(each);
    while (parts.length < least) put(undefined);
    const element = h("div", { class: "list", role: "group", "aria-label": label }, h("span", { class: "over" }, label), items, add);
    const read = () => (parts.length || least ? parts.map((part) => part.read()) : undefined);
    return partOf(element, read, ([index, ...rest]) => parts[Number(index ?? -1)]?.at(rest));
  };

  /** Numbers in a line, such as "5, 9, 13-15". @type {Make} */
  numbers = (field, schema, value, nullable) => {
    const line = this.leaf(field, { type: "string", description: schema["description"] }, value && written(value), nullable);
    return { ...line, read: () => numbersIn(line.read()) };
  };

  /** Any subset of some values. @type {Make} */
  several = (field, schema, value = []) => {
    const boxes = this.whole(schema["items"])["enum"].map((/** @type {string} */ option) =>
      h("input", { type: "checkbox", value: option, checked: value.includes(option) }),
    );
    const element = h(
      "fieldset",
      { class: "several" },
      h("legend", {}, this.texts.label(field, schema)),
      boxes.map((/** @type {HTMLInputElement} */ box) => h("label", {}, box, this.texts.option(field, box.value))),
    );
    return partOf(element, () => boxes.filter((/** @type {HTMLInputElement} */ box) => box.checked).map((/** @type {HTMLInputElement} */ box) => box.value));
  };

  /** A number, or as much as possible. @type {Make} */
  amount = (field, schema, value) => {
    const most = h("input", { type: "checkbox", checked: value === "max" });
    const inner = this.leaf(field, schema, value === "max" ? undefined : (value ?? schema.minimum), false);
    const show = () => {
      for (const input of inner.element.querySelectorAll("input")) input.disabled = most.checked;
    };
    most.addEventListener("change", show);
    show();
    const element = h("div", { class: "row" }, inner.element, h("label", {}, most, this.texts.option(field, "max")));
    return { ...inner, element, read: () => (most.checked ? "max" : inner.read()), at: () => inner };
  };

  /** A single value. @type {Make} */
  leaf = (field, schema, value, nullable) => {
    const id = newId();
    const { minimum: least, maximum: most } = schema;
    const few = schema.type === "integer" && most - least < FEW;
    const maybe = schema.type === "boolean" && nullable;
    const options = schema.enum ?? (maybe ? [true, false] : few ? Array.from({ length: most - least + 1 }, (_, more) => least + more) : null);
    const typed = maybe ? (/** @type {string} */ read) => read === "true" : schema.type === "integer" ? Number : String;
    /** @type {HTMLSelectElement | HTMLInputElement} */
    let input;
    if (schema.type === "boolean" && !nullable) {
      input = h("input", { id, type: "checkbox", checked: Boolean(value) });
    } else if (options) {
      input = h(
        "select",
        { id },
        nullable && h("option", { value: "" }, this.texts.option(field, "")),
        options.map((/** @type {string | number | boolean} */ each) => h("option", { value: String(each) }, this.texts.option(field, String(each)))),
      );
      if (value !== undefined && value !== null) input.value = String(value);
    } else {
      const numeric = schema.type === "integer";
      input = h("input", {
        id, value: value ?? "", type: numeric ? "number" : "text", inputmode: numeric ? "numeric" : null,
        min: least, max: most, maxlength: schema.maxLength, required: !nullable,
      });
    }
    const hint = this.hint(field, schema);
    if (hint) input.setAttribute("aria-describedby", (hint.id = `${id}-hint`));
    const label = h("label", { for: id }, this.texts.label(field, schema));
    const element = h("div", { class: "leaf", "data-leaf": field || null }, schema.type === "boolean" && !nullable ? [input, label] : [label, input], hint);
    const read = () => {
      if (input instanceof HTMLInputElement && input.type === "checkbox") return input.checked;
      return input.value === "" ? undefined : typed(input.value);
    };
    return partOf(element, read, () => undefined, input);
  };

  /**
   * @param {string} field
   * @param {Schema} schema
   */
  hint(field, schema) {
    const text = this.texts.explain(field, schema);
    return text ? h("p", { class: "hint" }, text) : null;
  }
}

/**
 * Numbers as people write them, with ranges.
 *
 * @param {readonly number[]} numbers
 */
export function written(numbers) {
  /** @type {[number, number][]} */
  const runs = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last && last[1] + 1 === number) last[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : last === first + 1 ? `${first}, ${last}` : `${first}-${last}`)).join(", ");
}

/** The most numbers in a range; the server says how many it accepts. */
const MOST_NUMBERS = 1000;

/**
 * Parses such numbers; anything else stays unchanged, for the server to refuse.
 *
 * @param {string | undefined} text
 */
function numbersIn(text) {
  return text?.split(",").map((part) => part.trim()).filter(Boolean).flatMap((part) => /** @type {(string | number)[]} */ (numbersOf(part)));
}

/** @param {string} part A number, or a first and a last one. */
function numbersOf(part) {
  const [, first, last] = /^(\d{1,9})(?:\s*[-–]\s*(\d{1,9}))?$/.exec(part) ?? [];
  const from = Number(first);
  const to = Number(last ?? first);
  return to >= from && to - from < MOST_NUMBERS ? Array.from({ length: to - from + 1 }, (_, more) => from + more) : [part];
}

/**
 * @param {HTMLElement} element
 * @param {Part["read"]} read
 * @param {(path: readonly string[]) => Part | undefined} [within] The part in it that a path leads to.
 * @param {HTMLElement} [input] Of a single value.
 * @returns {Part}
 */
function partOf(element, read, within = () => undefined, input) {
  const shown = h("p", { class: "refused", id: newId(), role: "alert", hidden: true });
  /** @type {Part["refuse"]} */
  const refuse = (why, quiet = false) => {
    shown.hidden = !why;
    shown.textContent = why;
    if (!shown.isConnected) element.append(shown);
    input?.setAttribute("aria-invalid", String(Boolean(why)));
    if (why) input?.setAttribute("aria-errormessage", shown.id);
    if (why) element.closest("details")?.setAttribute("open", "");
    if (why && !quiet) {
      /** @type {HTMLElement | null} */ (input ?? element.querySelector("input, select"))?.focus();
    }
  };
  /** @type {Part} */
  const self = { element, read, at: (path) => within(path) ?? self, refuse };
  return self;
}

/** @param {HTMLElement} element What was refused in it is not shown anymore. */
export function forgetRefusals(element) {
  for (const shown of element.querySelectorAll("p.refused")) shown.textContent = "";
  for (const field of element.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
}

/** The contract of one rule set. @type {(ruleset: string) => Promise<Contract>} */
export const contractOf = once(async (ruleset) => (await get("/openapi.json", { ruleset })).body);

/**
 * The path that a refusal names: of a body that does not fit (`setup.seats: …`) or of a field (`field`).
 *
 * @param {import("../client/errors.js").Refused} refused
 * @returns {string[] | null}
 */
export function refusedAt({ code, problem, message }) {
  if (problem.field) return [problem.field];
  const named = code === "invalid_body" && /^([\w.[\]]+): /.exec(message);
  return named && named[1] ? named[1].split(/[.[\]]+/).filter(Boolean) : null;
}

// The description of a schema, with links to its types.

import { coded, h } from "../lib/dom.js";
import { t } from "./words.js";

/** @typedef {any} Schema As JSON Schema has it. */

const REF = "#/components/schemas/";

/**
 * The type in one line.
 *
 * @param {Schema} schema
 * @returns {(Node | string)[]}
 */
export function typed(schema) {
  if (schema.$ref) {
    const name = String(schema.$ref).replace(REF, "");
    return [h("a", { href: `#schema-${name}` }, name)];
  }
  const some = schema.anyOf ?? schema.oneOf;
  if (some) return some.flatMap((/** @type {Schema} */ each, /** @type {number} */ index) => [...(index ? [` ${t.or} `] : []), ...typed(each)]);
  if (schema.enum) return schema.enum.flatMap((/** @type {unknown} */ value, /** @type {number} */ index) => [index ? " | " : "", h("code", {}, JSON.stringify(value))]);
  if (schema.type === "array") return ["[", ...(schema.items ? typed(schema.items) : []), "]", limits(schema)];
  if (schema.additionalProperties && typeof schema.additionalProperties === "object") return ["{…: ", ...typed(schema.additionalProperties), "}"];
  return [`${schema.format ?? schema.type ?? "any"}`, limits(schema)];
}

/** @param {Schema} schema */
function limits(schema) {
  const range = (/** @type {unknown} */ least, /** @type {unknown} */ most) => {
    if (least === undefined) return most === undefined ? "" : ` ≤ ${most}`;
    return most === undefined ? ` ≥ ${least}` : ` ${least}–${most}`;
  };
  return [
    range(schema.minimum, schema.maximum), range(schema.minLength, schema.maxLength), range(schema.minItems, schema.maxItems),
    schema.pattern ? ` /${schema.pattern}/` : "", schema.default === undefined ? "" : ` = ${JSON.stringify(schema.default)}`,
  ].join("");
}

/**
 * The properties of an object, or the alternatives of another schema.
 *
 * @param {Schema} schema
 * @returns {Node}
 */
export function described(schema) {
  if (!schema.properties) return h("p", { class: "type" }, typed(schema));
  return h("dl", { class: "fields" }, Object.entries(schema.properties).map(([name, property]) => [
    h("dt", {}, h("code", {}, name), (schema.required ?? []).includes(name) && h("span", { class: "needed" }, ` ${t.needed}`)),
    h("dd", {}, h("span", { class: "type" }, typed(property)), property.description && h("p", {}, coded(property.description)), property.properties && described(property)),
  ]));
}

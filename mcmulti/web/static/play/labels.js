// The displayed values of fields, in the reader's language.

import { Labels } from "../lib/labels.js";
import { number } from "../lib/words.js";
import { written } from "./offers.js";
import { t } from "./words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */

let labels = new Labels();

/** Calls everything as this rule set does from now on. @param {Schemas["RulesetView"]} ruleset */
export const speak = (ruleset) => void (labels = new Labels(ruleset));

/** @param {string} field @returns {string} */
export const fieldLabel = (field) => labels.field(field);

/** @param {string} command @returns {string} What a button says that carries it out. */
export const verb = (command) => labels.verb(command) ?? t.go;

/** @param {string} field @param {string} choice @returns {string} */
export const choiceLabel = (field, choice) => labels.option(field, choice);

/**
 * @param {string} name The field's.
 * @param {Schemas["Field"]} field
 * @param {any} option
 * @returns {string}
 */
export function optionLabel(name, field, option) {
  if (field.type === "SiteChoice") return t.site(choiceLabel("quadrant", String(option.quadrant)), option.row, option.column);
  if (field.type === "StreetChoice") return [t.fountainOf(option), ...street(field, option)].join(", ");
  if (name === "seat") return t.seatOf(option);
  if (name === "fountain" || name === "entrance") return t.fountainOf(option);
  return typeof option === "number" ? number(option) : choiceLabel(name, written(option));
}

/**
 * What a street would bring.
 *
 * @param {Schemas["StreetChoice"]} field
 * @param {number} to
 * @returns {string[]}
 */
function street(field, to) {
  const found = (field.prospects ?? []).find((each) => each.to === to);
  if (!found) return [];
  const entering = found.entering.map((each) => {
    const spent = (each.souvenirs ?? []).reduce((sum, card) => sum + card.dirham, 0);
    return t.enters(each.customers, each.shop) + (spent ? t.souvenirs(spent) : "");
  });
  return [...(found.passes.length ? [t.street(found.passes.join(", "))] : []), ...(entering.length ? entering : [t.entersNone])];
}

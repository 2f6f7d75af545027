// The choices in offers: a pure model, without DOM elements. Offers are the law; nothing here adds to it.

/** @typedef {import("../lib/api.js").Schemas} Schemas */
/** @typedef {Schemas["Offer"]} Offer */
/** @typedef {Schemas["Field"]} Field */
/** @typedef {Record<string, any>} Values */
/** @typedef {{type: string} & Values} Command */
/**
 * An offer as something to choose by: `fixed` are the values that leave no choice, `open` the fields that do. `key` tells
 * it from others offered with it, and is the same when it is offered again.
 *
 * @typedef {{key: string, offer: Offer, fixed: Values, open: Record<string, Field>}} Control
 */

/**
 * @param {readonly Offer[]} offers
 * @returns {Control[]} One each, in the same order.
 */
export function controls(offers) {
  /** @type {Map<string, number>} */
  const times = new Map();
  return offers.map((offer) => {
    /** @type {Values} */
    const fixed = {};
    /** @type {Record<string, Field>} */
    const open = {};
    for (const [name, field] of Object.entries(offer.fields ?? {})) {
      if (forced(field)) fixed[name] = least(field);
      else open[name] = field;
    }
    const name = [offer.command, ...Object.values(fixed).map((value) => JSON.stringify(value))].join(" ");
    const before = times.get(name) ?? 0;
    times.set(name, before + 1);
    return { key: before ? `${name} ${before}` : name, offer, fixed, open };
  });
}

/**
 * Controls grouped by command, in the order of the first of each.
 *
 * @param {readonly Control[]} all
 * @returns {Control[][]}
 */
export function grouped(all) {
  /** @type {Map<string, Control[]>} */
  const groups = new Map();
  for (const control of all) groups.set(control.offer.command, [...(groups.get(control.offer.command) ?? []), control]);
  return [...groups.values()];
}

/**
 * The command with these values, if the offer admits it; null if it does not, or a choice is missing.
 *
 * @param {Control} control
 * @param {Values} [values]
 * @returns {Command | null}
 */
export function command(control, values = {}) {
  const { fields = {}, command: type } = control.offer;
  /** @type {Command} */
  const made = { type };
  for (const [name, field] of Object.entries(fields)) {
    const value = name in control.fixed ? control.fixed[name] : values[name];
    if (value === undefined || !admits(field, value)) return null;
    made[name] = value;
  }
  return made;
}

/**
 * The initial values of fields: the minimum of ranges, nothing for choices.
 *
 * @param {Control} control
 * @returns {Values}
 */
export const beginning = (control) =>
  Object.fromEntries(Object.entries(control.open).flatMap(([name, field]) => (field.type === "Range" ? [[name, field.min]] : [])));

/**
 * The total price: the sum of the prices of the pieces, or the single price; null if there is no price.
 *
 * @param {Control} control
 * @param {Values} [values]
 * @returns {number | null}
 */
export function total(control, values = {}) {
  const ranges = Object.entries(control.offer.fields ?? {}).filter(([, field]) => field.type === "Range");
  for (const [name, field] of ranges) {
    const prices = field.type === "Range" ? (field.prices ?? []) : [];
    const pieces = name in control.fixed ? control.fixed[name] : values[name];
    if (prices.length && pieces <= prices.length) return prices.slice(0, pieces).reduce((sum, price) => sum + price, 0);
  }
  const { price } = control.offer;
  if (price === undefined || price === null) return null;
  const [single, ...more] = ranges;
  const pieces = single && !more.length ? (values[single[0]] ?? control.fixed[single[0]]) : 1;
  return price * pieces;
}

/**
 * @param {Field} field
 * @param {any} value
 * @returns {boolean} Whether the field may have this value. Of what is written, the server knows more.
 */
export function admits(field, value) {
  switch (field.type) {
    case "Range":
      return Number.isInteger(value) && field.min <= value && value <= field.max && (value - field.min) % (field.step ?? 1) === 0;
    case "Form":
      return value === null ? field.optional === true : typeof value === "object" && !Array.isArray(value);
    case "NumberChoice":
      if (value === null) return field.optional === true;
  }
  return /** @type {any[]} */ (field.options).some((option) => same(option, value));
}

/**
 * The value of a range this many steps away, or the last before its end.
 *
 * @param {Schemas["Range"]} range
 * @param {number} value
 * @param {number} steps
 * @returns {number}
 */
export function stepped({ min, max, step = 1 }, value, steps) {
  const index = Number.isFinite(value) ? Math.round((value - min) / step) + steps : 0;
  return min + Math.min(Math.max(index, 0), Math.floor((max - min) / step)) * step;
}

/**
 * What a pick on the board means for a control: `site=0,2,5`, or several that belong together, `market=domestic;good=crude`.
 *
 * @param {Control} control
 * @param {string} pick
 * @returns {Values | null} The values of its fields; null if it cannot be meant.
 */
export function picked(control, pick) {
  /** @type {Values} */
  const values = {};
  for (const part of pick.split(";")) {
    const [, name = "", said = ""] = /^(\w+)=(.*)$/.exec(part) ?? [];
    const field = control.offer.fields?.[name];
    if (!field || !("options" in field)) return null;
    const option = /** @type {any[]} */ (field.options).find((each) => written(each) === said);
    if (option === undefined) return null;
    values[name] = option;
  }
  return values;
}

/**
 * An option as text: the numbers of a place separated by commas.
 *
 * @param {any} option
 * @returns {string}
 */
export const written = (option) =>
  typeof option === "object" && option !== null ? Object.values(option).join(",") : String(option);

/** Whether there is only one value. @param {Field} field */
function forced(field) {
  if (field.type === "Form" || ("optional" in field && field.optional)) return false;
  return field.type === "Range" ? field.min + (field.step ?? 1) > field.max : field.options.length === 1;
}

/** @param {Field} field */
function least(field) {
  if (field.type === "Range") return field.min;
  return field.type === "Form" ? null : field.options[0];
}

/**
 * All picks that may be meaningful for a control: each option of each field, and combinations of two fields.
 *
 * @param {Control} control
 * @returns {string[]}
 */
export function picks(control) {
  const parts = Object.entries(control.offer.fields ?? {}).map(([name, field]) =>
    "options" in field ? field.options.map((option) => `${name}=${written(option)}`) : [],
  );
  const together = parts.flatMap((some, index) => parts.slice(index + 1).flatMap((others) => some.flatMap((one) => others.map((other) => `${one};${other}`))));
  return [...parts.flat(), ...together];
}

/**
 * Whether two JSON values are equal, ignoring the order of members.
 * @param {any} one @param {any} other @returns {boolean}
 */
function same(one, other) {
  if (!isPart(one) || !isPart(other)) return one === other;
  const names = Object.keys(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && same(one[name], other[name]))
  );
}

/** @param {any} value */
const isPart = (value) => typeof value === "object" && value !== null;

// The short grammar of moves, by offers alone: what `mcmulti.domain.core.grammar` reads and says, word for word.

/** @typedef {import("../lib/api.js").Schemas} Schemas */
/** @typedef {any} Json */
/** @typedef {{command: string, fields?: Record<string, Json>}} Said */
/**
 * An offer, as far as it is said: so many words of its command, and values of its fields.
 *
 * @typedef {{offer: Said, words: number, whole: boolean, values: Record<string, Json>}} Reading
 */

const SPACE = /[ \t\r\n]+/;
const NUMBER = /^[0-9]{1,15}$/;
const PLACE = /^[0-9]{1,15}(,[0-9]{1,15})+$/;
const NAMED = /^([A-Za-z_]+)=([^]*)$/;

/**
 * A phrase that is no command. `code`: `unfit` (the `word` fits nothing), `missing` (more has to be said), `ambiguous`.
 * `fits`: what could stand there instead; of an ambiguous one, the phrases that may be meant.
 */
export class Unread extends Error {
  /**
   * @param {"unfit" | "missing" | "ambiguous"} code
   * @param {string | null} word
   * @param {string[]} fits
   */
  constructor(code, word, fits) {
    super(code);
    this.code = code;
    this.word = word;
    this.fits = fits;
  }
}

/**
 * The command that a phrase says, as the API takes it.
 *
 * @param {string} phrase
 * @param {readonly Said[]} offers
 * @returns {Json}
 * @throws {Unread}
 */
export function read(phrase, offers) {
  const readings = said(split(phrase), offers);
  const commands = meant(readings);
  const [command] = commands;
  if (!command) throw new Unread("missing", null, next(readings, ""));
  if (commands.length > 1) throw new Unread("ambiguous", null, commands.map((each) => say(each, offers)));
  return command;
}

/**
 * The phrase, in full, of a command that one of the offers admits.
 *
 * @param {Json} command
 * @param {readonly Said[]} offers
 * @returns {string}
 */
export function say(command, offers) {
  const fields = offers.filter((offer) => offer.command === command.type).flatMap((offer) => Object.entries(fieldsOf(offer)));
  const forms = new Set(fields.filter(([, field]) => "schema" in field).map(([name]) => name));
  const short = spoken(command, forms, (value) => shorter(value, [])).join(" ");
  const found = meant(trySaid(split(short), offers));
  return found.length === 1 && same(found[0], command) ? short : spoken(command, forms, text).join(" ");
}

/**
 * What the last word of a phrase may be, or the next, if the phrase is empty or ends with a space.
 *
 * @param {string} phrase
 * @param {readonly Said[]} offers
 * @returns {string[]}
 */
export function following(phrase, offers) {
  if (phrase.includes("{")) return [];
  const words = split(phrase);
  const begun = words.length && !/[ \t\r\n]$/.test(phrase) ? (words.pop() ?? "") : "";
  return next(trySaid(words, offers), begun);
}

/**
 * The words of the name of a command.
 *
 * @param {string} command
 * @returns {string[]}
 */
export const wordsOf = (command) => (command.match(/[A-Z][a-z0-9]*/g) ?? []).map((word) => word.toLowerCase());

/** @param {Said} offer @returns {Record<string, Json>} */
const fieldsOf = (offer) => offer.fields ?? {};

/** @param {Reading} reading @returns {[string, Json][]} */
const unsaid = (reading) => Object.entries(fieldsOf(reading.offer)).filter(([name]) => !Object.hasOwn(reading.values, name));

/** The words; what begins with a brace is one, to the end. @param {string} phrase */
function split(phrase) {
  const brace = phrase.indexOf("{");
  const front = brace < 0 ? phrase : phrase.slice(0, brace);
  const words = front.split(SPACE).filter(Boolean);
  if (brace < 0) return words;
  const named = words.at(-1)?.endsWith("=") && !/[ \t\r\n]$/.test(front) ? words.pop() : "";
  return [...words, named + phrase.slice(brace).replace(/[ \t\r\n]+$/, "")];
}

/** @param {readonly string[]} words @param {readonly Said[]} offers @returns {Reading[]} */
function said(words, offers) {
  /** @type {Reading[]} */
  let readings = offers.map((offer) => ({ offer, words: 0, whole: true, values: {} }));
  for (const word of words) {
    const further = readings.flatMap((reading) => [...more(reading, word)]);
    if (!further.length) throw new Unread("unfit", word, next(readings, ""));
    readings = further;
  }
  return readings;
}

/** @param {readonly string[]} words @param {readonly Said[]} offers @returns {Reading[]} */
function trySaid(words, offers) {
  try {
    return said(words, offers);
  } catch (error) {
    if (error instanceof Unread) return [];
    throw error;
  }
}

/** The commands that readings come to which leave out only what may be: those that count, each once. @param {Reading[]} readings */
function meant(readings) {
  const whole = readings.filter((reading) => reading.words && unsaid(reading).every(([, field]) => mayBeLeftOut(field)));
  const best = Math.max(...whole.map(rank));
  /** @type {Json[]} */
  const commands = [];
  for (const command of whole.filter((reading) => rank(reading) === best).map(commandOf))
    if (!commands.some((other) => same(other, command))) commands.push(command);
  return commands;
}

/** What a reading may be with one more word. @param {Reading} reading @param {string} word @returns {Generator<Reading>} */
function* more(reading, word) {
  const command = wordsOf(reading.offer.command);
  const spoken = word.toLowerCase();
  const coming = command[reading.words];
  if (!Object.keys(reading.values).length && coming?.startsWith(spoken))
    yield { ...reading, words: reading.words + 1, whole: reading.whole && coming === spoken };
  if (reading.words)
    for (const [name, value] of placed(reading, word)) yield { ...reading, values: { ...reading.values, [name]: value } };
}

/** The fields, and their values, that a word may be. @param {Reading} reading @param {string} word @returns {[string, Json][]} */
function placed(reading, word) {
  const named = NAMED.exec(word);
  if (!named) {
    const [name, field] = unsaid(reading).find(([, each]) => isOfKind(each, word)) ?? [];
    return name === undefined ? [] : fitting(field, word).map((value) => [name, value]);
  }
  const [, member = "", value = ""] = named;
  const fields = unsaid(reading).filter(([name]) => name.startsWith(member.toLowerCase()));
  if (fields.length) return fields.flatMap(([name, field]) => fitting(field, value).map((each) => /** @type {[string, Json]} */ ([name, each])));
  const form = Object.entries(fieldsOf(reading.offer)).find(([, field]) => "schema" in field)?.[0];
  const members = form === undefined ? {} : (reading.values[form] ?? {});
  return form === undefined || Object.hasOwn(members, member) ? [] : [[form, { ...members, [member]: scalar(value) }]];
}

/** Whether such a word goes to such a field: a number to a number field, in its range or not. @param {Json} field @param {string} word */
function isOfKind(field, word) {
  if ("schema" in field) return word.startsWith("{");
  if (!("options" in field) || field.options.some(isNumber)) return NUMBER.test(word);
  if (field.options.some(isPlace)) return PLACE.test(word);
  return fitting(field, word).length > 0;
}

/** The values of a field that a word may say: the one that it is, or all that begin with it. @param {Json} field @param {string} word @returns {Json[]} */
function fitting(field, word) {
  if ("schema" in field) return written(word);
  if (!("options" in field)) return NUMBER.test(word) && inRange(field, Number(word)) ? [Number(word)] : [];
  const spoken = word.toLowerCase();
  const exact = field.options.filter((/** @type {Json} */ option) => {
    if (isPlace(option)) return PLACE.test(word) && `,${text(option)}`.endsWith(`,${word}`);
    if (isNumber(option)) return NUMBER.test(word) && Number(word) === option;
    return spoken === text(option).toLowerCase();
  });
  if (exact.length || !spoken) return exact;
  return field.options.filter(
    (/** @type {Json} */ option) => !isPlace(option) && !isNumber(option) && text(option).toLowerCase().startsWith(spoken),
  );
}

/** @param {Json} option */
const isNumber = (option) => typeof option === "number";
/** @param {Json} option */
const isPlace = (option) => typeof option === "object" && option !== null;

/** @param {Json} field @param {number} value */
const inRange = ({ min, max, step = 1 }, value) => min <= value && value <= max && (value - min) % step === 0;

/** @param {string} word */
function written(word) {
  try {
    const found = JSON.parse(word);
    return isPlace(found) && !Array.isArray(found) ? [found] : [];
  } catch {
    return [];
  }
}

/** A member of a form: a number, true, false or null, or else the text that it is. @param {string} word @returns {Json} */
function scalar(word) {
  if (NUMBER.test(word)) return Number(word);
  return word === "true" ? true : word === "false" ? false : word === "null" ? null : word;
}

/** An option as it is said in full. @param {Json} option */
function text(option) {
  if (isPlace(option)) return Object.values(option).join(",");
  return option === true ? "yes" : option === false ? "no" : String(option);
}

/** A place without the numbers in front that all places have in common. @param {Json} option @param {readonly Json[]} options */
function shorter(option, options) {
  let whole = text(option);
  if (!isPlace(option)) return whole;
  const others = options.filter((other) => !same(other, option)).map(text);
  while (whole.split(",").length > 2) {
    const rest = whole.slice(whole.indexOf(",") + 1);
    if (others.some((other) => other.endsWith(`,${rest}`))) break;
    whole = rest;
  }
  return whole;
}

/** @param {Json} field */
const mayBeLeftOut = (field) => field.optional === true || only(field).length === 1;

/** All values of a field that has one alone, else none or several of them. @param {Json} field @returns {readonly Json[]} */
function only(field) {
  if ("schema" in field) return [];
  if ("options" in field) return field.options;
  return field.min + (field.step ?? 1) > field.max ? [field.min] : [field.min, field.max];
}

/** @param {Reading} reading */
const rank = (reading) =>
  (reading.whole && reading.words === wordsOf(reading.offer.command).length ? 2 : 0) + (unsaid(reading).length ? 0 : 1);

/** @param {Reading} reading @returns {Json} */
function commandOf(reading) {
  const values = Object.entries(fieldsOf(reading.offer)).map(([name, field]) => [
    name,
    Object.hasOwn(reading.values, name) ? reading.values[name] : field.optional ? null : only(field)[0],
  ]);
  return { type: reading.offer.command, ...Object.fromEntries(values) };
}

/** @param {Json} command @param {Set<string>} forms @param {(value: Json) => string} put */
function spoken(command, forms, put) {
  const values = Object.entries(command).filter(([name, value]) => name !== "type" && value !== null && value !== undefined);
  return [...wordsOf(command.type), ...values.map(([name, value]) => (forms.has(name) ? JSON.stringify(value) : put(value)))];
}

/** What may come next in any of the readings, if it begins like this; each once. @param {Reading[]} readings @param {string} begun */
function next(readings, begun) {
  /** @type {Set<string>} */
  const found = new Set();
  const start = begun.toLowerCase();
  for (const reading of readings) {
    for (const ways of offered(reading)) {
      const [first = ""] = ways;
      const fit = ways.find((word) => word.toLowerCase().startsWith(start));
      if (fit !== undefined) found.add(fit);
      else if (first.includes("..") && /^[0-9]+$/.test(begun)) found.add(first);
    }
    if (begun && reading.words)
      for (const [name] of unsaid(reading)) if (name.startsWith(start)) found.add(`${name}=`);
  }
  return [...found];
}

/** What may come next, each with other ways to say it. @param {Reading} reading @returns {Generator<string[]>} */
function* offered(reading) {
  const coming = wordsOf(reading.offer.command)[reading.words];
  if (!Object.keys(reading.values).length && coming) yield [coming];
  if (!reading.words) return;
  let numbered = false;
  for (const [name, field] of unsaid(reading)) {
    const options = field.options ?? [];
    const ofNumbers = "min" in field || options.some(isNumber);
    if (ofNumbers && numbered) continue;
    numbered ||= ofNumbers;
    if ("schema" in field) yield ["{..}"];
    else if ("min" in field) yield [span(field)];
    else for (const option of options) yield [shorter(option, options), text(option), `${name}=${text(option)}`];
  }
}

/** @param {Json} field */
function span({ min, max, step = 1 }) {
  return min + step > max ? String(min) : `${min}..${max}${step > 1 ? `/${step}` : ""}`;
}

/** Whether two values of JSON are the same, whatever the order of their members. @param {Json} one @param {Json} other @returns {boolean} */
export function same(one, other) {
  if (!isPlace(one) || !isPlace(other)) return one === other;
  const names = Object.keys(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && same(one[name], other[name]))
  );
}

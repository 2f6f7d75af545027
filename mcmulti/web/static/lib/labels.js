// The labels of a game's buttons, fields, and choices, from its rule set, in the language of the page.

import { words } from "./words.js";

/** @typedef {import("./api.js").Schemas} Schemas */

const t = words({ en: { yes: "yes", no: "no" }, de: { yes: "ja", no: "nein" } });

/** @param {Record<string, string>} names @param {string} name @returns {string | undefined} */
export const among = (names, name) => (Object.hasOwn(names, name) ? names[name] : undefined);

/** @param {string} code */
const plain = (code) => code.replaceAll("_", " ");

export class Labels {
  /** @param {Pick<Schemas["RulesetView"], "labels" | "words">} [ruleset] Without one, all are called by their names. */
  constructor(ruleset = { labels: { types: {}, fields: {}, options: {} }, words: {} }) {
    this.labels = ruleset.labels;
    this.words = ruleset.words;
  }

  /** The label of a command's button, if it has its own. @param {string} command */
  verb(command) {
    return among(this.labels.types, command);
  }

  /** @param {string} name */
  field(name) {
    return among(this.labels.fields, name) ?? plain(name);
  }

  /** @param {string} field @param {string} value */
  option(field, value) {
    const { options, types } = this.labels;
    if (value === "true" || value === "false") return value === "true" ? t.yes : t.no;
    return among(options, `${field}.${value}`) ?? among(options, value) ?? among(types, value) ?? among(this.words, value) ?? plain(value);
  }
}

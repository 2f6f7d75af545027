// Cards and numbers of a game, each with its source.

import { h } from "../lib/dom.js";
import { capital, number } from "../lib/words.js";
import { t } from "./words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */
/** @typedef {(name: string) => string} Said */

/**
 * A section, if the game has any.
 *
 * @param {Schemas["RulesetView"]} view
 * @param {Said} called What a key is called.
 * @param {Said} say What a value is called.
 * @returns {HTMLElement[]}
 */
export function figures(view, called, say) {
  const { provenance, ...components } = view.components;
  /** @type {{sources: Record<string, string>, figures: Record<string, string>}} */
  const { sources, figures: known } = /** @type {any} */ (provenance ?? { sources: {}, figures: {} });
  const marks = Object.keys(sources);
  if (!Object.keys(components).length) return [];

  return [h(
    "section",
    { id: "figures" },
    h("h2", {}, t.figures),
    marks.length > 0 && h("ol", { class: "sources small", "aria-label": t.sources }, Object.entries(sources).map(([id, text]) => h("li", { id: `source-${id}` }, text))),
    h("div", { class: "figures" }, Object.entries(components).map(([name, value]) =>
      h("section", { class: Array.isArray(value) || hasCards(value) ? "panel whole" : "panel", id: `figures-${name}` },
        h("h3", {}, capital(called(name)), mark(known[name])),
        shown(value, [name], known[name]),
      ))),
  )];

  /**
   * @param {any} value
   * @param {string[]} path Keys that lead to it, the names of cards among them.
   * @param {string | undefined} from Where all of it is from, as said before.
   * @returns {Node | string}
   */
  function shown(value, path, from) {
    if (typeof value === "boolean") return value ? t.yes : t.no;
    if (typeof value === "number") return number(value);
    if (typeof value === "string") return value.includes("\n") ? h("pre", { class: "plan", tabindex: 0 }, value) : say(value);
    if (Array.isArray(value)) return value.some((each) => typeof each === "object") ? cards(value, path, from) : row(value);
    return h("dl", {}, Object.entries(value).map(([name, part]) => {
      const source = sourceOf([...path, name]);
      const below = typeof part === "object" && !(Array.isArray(part) && part.length < 5) ? "below" : null;
      return [
        h("dt", { class: below }, capital(called(name)), source !== from && mark(source)),
        h("dd", { class: below }, shown(part, [...path, name], source ?? from)),
      ];
    }));
  }

  /**
   * @param {{name: string}[]} cards
   * @param {string[]} path
   * @param {string | undefined} from
   */
  function cards(cards, path, from) {
    const above = path.slice(0, -1);
    return h("div", { class: "cards" }, cards.map(({ name, ...rest }) => {
      const source = sourceOf([...above, name]);
      return h("div", { class: "card" }, h("h4", {}, capital(say(name)), source !== from && mark(source)), shown(rest, [...above, name], source ?? from));
    }));
  }

  /** @param {(string | number)[]} values Equal ones in a row are shown once, with their number. */
  function row(values) {
    /** @type {[string | number, number][]} */
    const runs = [];
    for (const value of values) {
      const last = runs.at(-1);
      if (last && last[0] === value) last[1] += 1;
      else runs.push([value, 1]);
    }
    return runs.map(([value, times]) => (times > 1 ? `${times} × ` : "") + (typeof value === "number" ? number(value) : say(value))).join(", ");
  }

  /**
   * The source of a figure: given for itself, for it on all cards (`economy.sell`, or on one alone,
   * `economy.sell.downturn.refinery`), or of what it is a part of.
   *
   * @param {string[]} path
   * @returns {string | undefined}
   */
  function sourceOf(path) {
    const [top, card, field, ...rest] = path;
    const turned = field === undefined ? [] : [[top, field, card, ...rest], [top, field, ...rest], [top, field]];
    return [path, ...turned].map((keys) => known[keys.join(".")]).find((found) => found !== undefined);
  }

  /** @param {string | undefined} source */
  function mark(source) {
    if (!source || !(source in sources)) return null;
    const number = marks.indexOf(source) + 1;
    const text = sources[source];
    return h("sup", {}, h("a", { class: "source", href: `#source-${source}`, title: text, "aria-label": `${number}: ${text}` }, number));
  }
}

/** @param {any} value */
const hasCards = (value) => typeof value === "object" && Object.values(value).some((part) => Array.isArray(part) && typeof part[0] === "object" || typeof part === "string" && part.includes("\n"));

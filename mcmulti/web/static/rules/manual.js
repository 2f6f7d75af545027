// An example turn with its boards, for newcomers; how a rulebook is interpreted; and what can be agreed on and sent.

import { coded, h } from "../lib/dom.js";
import { ruleLink } from "../lib/rule.js";
import { language } from "../lib/words.js";
import { t } from "./words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */

/**
 * @param {Schemas["RulesetView"]} view
 * @returns {HTMLElement[]}
 */
export function manual(view) {
  const readings = view.readings.map((each) =>
    h("article", { class: "entry" },
      h("h3", {}, each.question),
      h("p", {}, coded(each.answer), " ", each.rules.map((rule) => [h("a", { class: "rule-id", href: `#${rule}` }, rule), " "])),
      each.option && h("p", { class: "muted small" }, `${t.option} `, h("code", {}, each.option)),
    ));
  return [
    ...(readings.length ? [section("readings", t.readings, readings)] : []),
    section("options", t.options, [fields(view.setup)]),
    section("commands", t.commands, [...view.commands, ...view.types].map((each) =>
      h("article", { class: "entry" },
        h("h3", {}, h("code", {}, each.name)),
        h("p", {}, coded(each.meaning ?? ""), each.one_of && [` ${t.oneOf} `, each.one_of.map((name) => [h("code", {}, name), " "])]),
        each.fields && fields(each.fields),
      ))),
  ];
}

/**
 * @param {string} id
 * @param {string} title
 * @param {Node[]} entries
 */
function section(id, title, entries) {
  return h("section", { id, class: "group" }, h("h2", {}, title), entries);
}

/** @param {readonly Schemas["FieldText"][]} fields */
function fields(fields) {
  return h("dl", { class: "manual" }, fields.map((field) => [
    h("dt", {}, h("code", {}, field.name)),
    h("dd", {}, coded(field.meaning ?? "")),
  ]));
}

/**
 * @param {Schemas["GuideView"]} guide
 * @returns {HTMLElement | null} Null for a game without an example turn.
 */
export function example(guide) {
  if (!guide.example.length) return null;
  const picture = (/** @type {number} */ step) => {
    const text = step ? t.after(step) : t.before;
    const source = `/v1/rulesets/${encodeURIComponent(guide.name)}/example.svg?step=${step}&language=${language}`;
    return h("figure", {}, h("img", { src: source, alt: text, loading: "lazy", width: 800, height: 600 }), h("figcaption", {}, text));
  };
  const steps = guide.example.map(({ text, events }, index) =>
    h("article", {},
      h("h3", {}, String(index + 1)),
      h("p", {}, text),
      h("details", {}, h("summary", {}, t.booked), h("ul", {}, events.map(({ sentence, rule }) => h("li", {}, sentence, " ", ruleLink(guide.name, rule))))),
      picture(index + 1),
    ));
  return h("section", { id: "example", class: "group guide" }, h("h2", {}, t.example), h("p", { class: "muted" }, t.exampleHint), picture(0), steps);
}

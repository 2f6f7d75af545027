// An example turn with its boards, for newcomers.

import { h } from "../lib/dom.js";
import { ruleLink } from "../lib/rule.js";
import { language } from "../lib/words.js";
import { t } from "./words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */

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

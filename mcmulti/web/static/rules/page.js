// The rules of a game: each by its id, with its cards and numbers and their sources.

import { get, inLanguage } from "../lib/api.js";
import { announce, coded, fill, h, table } from "../lib/dom.js";
import { ruleAddress } from "../lib/rule.js";
import { page, titled as entitled, told } from "../lib/shell.js";
import { capital, language, titled } from "../lib/words.js";
import { figures } from "./figures.js";
import { example, manual } from "./manual.js";
import { named, t } from "./words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */

const main = page(t.title);
const ruleset = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const version = /^[1-9]\d{0,5}$/.exec(new URLSearchParams(location.search).get("version") ?? "")?.[0] ?? null;
try {
  const at = `/v1/rulesets/${encodeURIComponent(ruleset)}`;
  const [view, guide, list] = await Promise.all([get(at, { ...inLanguage(), version }), get(`${at}/guide`, inLanguage()), get("/v1/rulesets")]);
  show(view.body, guide.body, list.body.rulesets);
} catch (error) {
  fill(main, h("h1", {}, t.title), told(error));
}

/**
 * @param {Schemas["RulesetView"]} view
 * @param {Schemas["GuideView"]} guide
 * @param {Schemas["RulesetSummary"][]} sets
 */
function show(view, guide, sets) {
  entitled(`${t.title}: ${titled(view.name)}`);
  const say = (/** @type {string} */ name) => view.words[name] ?? name.replaceAll("_", " ");
  const called = (/** @type {string} */ name) => named[language][name] ?? say(name);
  /** @type {Map<string, [string, string][]>} */
  const groups = new Map();
  for (const [rule, text] of Object.entries(view.rules)) {
    const group = rule.split("/")[0] ?? rule;
    groups.set(group, [...(groups.get(group) ?? []), [rule, text]]);
  }
  const sections = [...groups].map(([group, rules]) =>
    h("section", { id: `group-${group}`, class: "group" }, h("h2", {}, capital(called(group))), rules.map(([rule, text]) => entry(rule, text))),
  );
  const search = h("input", { type: "search", id: "search", autocomplete: "off", oninput: () => sift() });
  const ruleOf = (/** @type {string} */ code) => {
    const rule = view.code_rules[code];
    return rule && h("a", { class: "rule-id", href: `#${rule}` }, rule);
  };
  const refusals = h("section", { id: "refusals" }, h("h2", {}, t.refusals),
    table(t.refusals, [t.code, t.meaning, t.rule], Infinity, Object.entries(view.codes).map(([code, text]) =>
      h("tr", { id: `code-${code}` }, h("td", {}, h("code", {}, code)), h("td", {}, text), h("td", {}, ruleOf(code))))));
  const played = example(guide);
  const more = [...manual(view), ...figures(view, called, say), refusals];
  const contents = h(
    "nav",
    { class: "contents", "aria-label": t.contents },
    h("ul", {},
      [...groups.keys()].map((group, index) => [
        h("li", {}, h("a", { href: `#group-${group}` }, capital(called(group)))),
        !index && played && h("li", {}, h("a", { href: "#example" }, t.example)),
      ]),
      more.map((section) => h("li", {}, h("a", { href: `#${section.id}` }, section.querySelector("h2")?.textContent))),
    ),
  );
  fill(
    main,
    h("h1", {}, `${t.title}: ${titled(view.name)}`),
    h("nav", { class: "row sets", "aria-label": t.sets },
      sets.map((set) => h("a", { href: ruleAddress(set.name), "aria-current": set.name === view.name ? "page" : null }, titled(set.name)))),
    h("p", { class: "muted small" }, `${view.title}. ${t.version(view.version)}`,
      view.versions.length > 1 && view.versions.map((each) => [" ", h("a", { href: `?version=${each}`, "aria-current": each === view.version ? "page" : null }, t.ofVersion(each))])),
    h("p", { class: "sift" }, h("label", { for: "search" }, t.search), search),
    h("div", { class: "beside" }, contents, h("div", { class: "rules" }, sections.slice(0, 1), played, sections.slice(1), more)),
  );
  addEventListener("hashchange", arrive);
  arrive();

  function sift() {
    const wanted = search.value.trim().toLowerCase();
    let found = 0;
    for (const section of main.querySelectorAll(".group")) {
      let some = 0;
      for (const article of section.querySelectorAll("article")) {
        const fits = (article.textContent ?? "").toLowerCase().includes(wanted);
        article.hidden = !fits;
        some += fits ? 1 : 0;
      }
      section.toggleAttribute("hidden", wanted !== "" && some === 0);
      found += some;
    }
    for (const part of main.querySelectorAll(".figures > .panel, #refusals tbody tr"))
      part.toggleAttribute("hidden", !(part.textContent ?? "").toLowerCase().includes(wanted));
    if (wanted) announce(t.found(found));
  }

  /** Shows the rule in the address. */
  function arrive() {
    for (const before of main.querySelectorAll(".here")) before.classList.remove("here");
    const there = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!there) return;
    if (there.closest("[hidden]")) {
      search.value = "";
      sift();
    }
    if (!(there instanceof HTMLElement && there.matches("section"))) there.classList.add("here");
    there.scrollIntoView();
  }
}

/**
 * @param {string} rule
 * @param {string} text
 */
function entry(rule, text) {
  return h(
    "article",
    { id: rule, class: "entry" },
    h("h3", {}, h("a", { href: `#${rule}`, "aria-label": t.link(rule) }, rule)),
    h("p", {}, coded(text)),
  );
}

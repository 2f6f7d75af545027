// The reports of the rounds by post, as the referee wrote them. `mount` as game/context.js has it.

import { get, inLanguage } from "../lib/api.js";
import { fill, h, heads, styled, wide } from "../lib/dom.js";
import { ruleLink } from "../lib/rule.js";
import { telling } from "../lib/shell.js";
import { number } from "../lib/words.js";
import { t } from "./words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */

/** @type {import("../game/context.js").Mount} */
export function mount(element, context) {
  styled(new URL("post.css", import.meta.url));
  const choice = h("select", { onchange: () => void show() });
  const letter = h("div", {});
  const print = h("button", { type: "button", class: "second", onclick: () => printed(letter) }, t.print);
  fill(element, h("details", { class: "reports panel", ontoggle: () => void show() }, h("summary", {}, t.reports),
    h("p", { class: "row" }, h("label", {}, t.whichRound, choice), print), letter));

  let last = 0;
  const look = () => {
    const view = /** @type {Extract<Schemas["View"], {round: number}>} */ (context.view());
    const done = view.status === "finished" ? view.round : view.round - 1;
    if (done === last) return;
    last = done;
    fill(choice, Array.from({ length: done }, (_, back) => h("option", { value: done - back }, t.round(done - back))));
    void show();
  };
  const show = async () => {
    const round = choice.value;
    if (!element.querySelector("details")?.open) return;
    await telling(letter, async () => {
      /** @type {Schemas["RoundReport"]} */
      const report = (await get(`/v1/games/${context.game}/rounds/${round}`, inLanguage())).body;
      if (round === choice.value) fill(letter, written(report, context.table().ruleset));
    });
  };
  look();
  return context.onChange(look);
}

/**
 * @param {Schemas["RoundReport"]} report
 * @param {string} ruleset
 * @returns {HTMLElement}
 */
export function written(report, ruleset) {
  return h(
    "article",
    { class: "report" },
    h("h2", {}, report.title),
    h("p", {}, report.greeting),
    h("p", {}, h("strong", {}, report.headline)),
    h("ul", {}, report.summary.map((sentence) => h("li", {}, sentence))),
    report.sections.map((each) => section(each, ruleset)),
    report.tables.map(({ title, columns, rows }) => wide(title, h("table", {}, h("caption", {}, title), heads(columns, 1),
      h("tbody", {}, rows.map((cells) => h("tr", {}, cells.map((cell, index) =>
        h(index ? "td" : "th", { class: index ? "figure" : "name", scope: index ? null : "row" }, typeof cell === "number" ? number(cell) : (cell ?? "–"))))))))),
    h("p", {}, report.closing),
  );
}

/** @param {Schemas["Section"]} told @param {string} ruleset */
function section({ title, seat, entries, notes }, ruleset) {
  /** @type {string | null} */
  let phase = null;
  return h(
    "section",
    {},
    h("h3", { class: seat === null ? null : "seat", "data-seat": seat }, title),
    entries.map((entry) => {
      const begins = entry.phase !== phase && entry.phase;
      phase = entry.phase;
      return [
        begins && h("h4", {}, begins),
        h("p", { class: `entry ${entry.outcome}` }, entry.line !== null && h("span", { class: "number" }, `${entry.line}. `),
          entry.written && [h("code", {}, entry.written), " "], entry.sentence, " ", ruleLink(ruleset, entry.rule)),
        entry.details.length > 0 && h("ul", { class: "small" }, entry.details.map((detail) => h("li", {}, typeof detail === "string" ? detail : detail.sentence))),
      ];
    }),
    (notes ?? []).map((note) => h("p", { class: "muted" }, note)),
  );
}

/** @param {HTMLElement} letter Prints it, and nothing else. */
function printed(letter) {
  const copy = h("div", { class: "printed" }, [...letter.children].map((child) => child.cloneNode(true)));
  document.body.append(copy);
  document.body.classList.add("printing");
  addEventListener("afterprint", () => {
    copy.remove();
    document.body.classList.remove("printing");
  }, { once: true });
  print();
}

// A page that is a file: it replays and verifies the game that it contains. It loads nothing.

import { watch } from "../game/viewer.js";
import { announce, fill, h, one, save } from "../lib/dom.js";
import { teach } from "../lib/rule.js";
import { languages } from "../lib/shell.js";
import { language, titled } from "../lib/words.js";
import { reviewed } from "../review/tab.js";
import { t as review } from "../review/words.js";
import { fileSource } from "./file.js";
import { prove } from "./prover.js";
import { found as verdictOf, signer, told, unchecked } from "./report.js";
import { t } from "./words.js";

document.documentElement.lang = language;
const main = one("#main");
const replay = h("div", { class: "replayed" });
const result = h("div", { class: "result", "aria-busy": "true" });
const proof = h("section", { class: "proven", tabindex: -1 }, h("h2", {}, t.title), h("p", { class: "lead" }, t.exportLead), result);
const verdict = h("button", { class: "second", onclick: () => proof.scrollIntoView() }, t.proving);

const content = await unpacked("game");
const lines = new TextDecoder().decode(content).split("\n");
const { game, ruleset } = JSON.parse(lines[0] ?? "");
const moments = await read("moments");
/** In each language; one from a file has a single one. @type {Record<string, import("../review/figures.js").Review>} */
const reviews = document.getElementById("review") ? await read("review") : {};
const found = reviews[language] ?? reviews["en"] ?? null;

document.title = titled(ruleset);
fill(one(".top"), h("span", { class: "brand" }, "mcmulti"), h("span", { class: "person" }, verdict), languages());
fill(main, replay, proof);
teach(ruleset, moments.told[language].rules);
await Promise.all([watch(replay, fileSource(lines, moments, language), { tabs }), check()]);

/**
 * The review of the game, if the page has one.
 *
 * @param {unknown} _model
 * @param {import("../game/moment.js").Moment} moment
 */
function tabs(_model, moment) {
  if (found === null) return [];
  const element = h("div", { class: "reviewed" });
  return [{ name: review.title, element, show: reviewed(element, found, moment, false) }];
}

async function check() {
  const name = `${game}.mcmulti.jsonl`;
  const file = h("p", { class: "row" }, h("button", { class: "second", onclick: () => save(name, content) }, t.save));
  const bar = h("progress", { max: 1, value: 0, "aria-label": t.proving });
  fill(result, bar);
  const report = await prove(content, {}, (done) => (bar.value = done));
  const named = (/** @type {number} */ seq) => (seq <= moments.seq ? `#at=${seq}` : null);
  fill(result, told(report, named), signer(report, t.fromExport), file, unchecked(name, report.signed.key, t.uncheckedExport));
  fill(verdict, verdictOf(report));
  result.setAttribute("aria-busy", "false");
  announce(verdictOf(report));
}

/** Data in the page, from JSON. @param {string} id */
async function read(id) {
  return JSON.parse(new TextDecoder().decode(await unpacked(id)));
}

/** Decompresses data in the page. @param {string} id @returns {Promise<Uint8Array<ArrayBuffer>>} */
async function unpacked(id) {
  const packed = Uint8Array.from(atob(one(`#${id}`).textContent ?? ""), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// A game's proof: loaded from the server or dropped as a file, and verified here.

import { Refused } from "../client/errors.js";
import { get } from "../lib/api.js";
import { announce, fill, h, save, submitting } from "../lib/dom.js";
import { keep, kept } from "../lib/kept.js";
import { page, telling } from "../lib/shell.js";
import { language } from "../lib/words.js";
import { areKeys, headIn, isKey, prove } from "./prover.js";
import { found, signer, told, unchecked } from "./report.js";
import { t } from "./words.js";

/** @typedef {import("./prover.js").Report} Report */
/** @typedef {{name: string, content: Uint8Array<ArrayBuffer>, here: boolean}} File `here`: this server sent it. */
/** @typedef {{public: string, since: string}} Known The server's key that this browser saw first. */

const KNOWN = "mcmulti.proof.key";

const game = location.pathname.split("/")[2] ?? "";
const main = page(t.title);
const result = h("div", { class: "result", "aria-busy": "false" });
const key = field("key", t.key, t.keyHint, isKey, t.keyWrong);
const head = field("head", t.head, t.headHint, (text) => headIn(text) !== null, t.headWrong);
const chosen = h("input", { type: "file", id: "file", accept: ".jsonl,.mcmulti.jsonl", onchange: () => take(chosen.files?.[0]) });

/** @type {File | null} */
let file = null;
let runs = 0;

main.append(
  h("h1", {}, t.title),
  h("p", { class: "lead" }, t.lead, " ", h("a", { href: "/docs/how-to/prove-a-game" }, t.guide)),
  result,
  h(
    "div",
    { class: "ask" },
    h("section", { class: "panel drop" }, h("label", { class: "field", for: "file" }, h("strong", {}, t.choose), h("span", { class: "muted small" }, t.chooseHint)), chosen),
    h("form", { class: "panel compare", novalidate: true, onsubmit: submitting(again) }, h("h2", {}, t.compare), key.shown, head.shown, h("button", {}, t.check)),
  ),
);

addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("dropping");
});
for (const end of ["dragleave", "drop"]) addEventListener(end, () => document.body.classList.remove("dropping"));
addEventListener("drop", (event) => {
  event.preventDefault();
  take(event.dataTransfer?.files[0]);
});

await fetched();

async function fetched() {
  fill(result, h("p", { class: "muted" }, t.fetching));
  await telling(result, async () => {
    const { body } = await get(`/v1/games/${encodeURIComponent(game)}/file`, {}, { accept: "application/x-ndjson" });
    await show({ name: `${game}.mcmulti.jsonl`, content: new TextEncoder().encode(body), here: true });
  });
}

/** @param {globalThis.File | undefined} dropped */
async function take(dropped) {
  if (dropped === undefined) return;
  try {
    await show({ name: dropped.name, content: new Uint8Array(await dropped.arrayBuffer()), here: false });
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    fill(result, h("p", { class: "problem", role: "alert" }, t.unread));
  }
}

async function again() {
  if (file !== null && key.sound() && head.sound()) await show(file);
}

/** @param {File} shown */
async function show(shown) {
  file = shown;
  const run = ++runs;
  const known = shown.here ? readKnown() : null;
  const bar = h("progress", { max: 1, value: 0, "aria-label": t.proving });
  result.setAttribute("aria-busy", "true");
  fill(result, h("p", {}, t.proving), bar);
  const asked = { key: key.text() ?? known?.public, head: head.text(), keys: await keysNow() };
  const report = await prove(shown.content, asked, (done) => (bar.value = done));
  if (run !== runs) return;
  fill(
    result,
    told(report, (seq) => (shown.here ? `/games/${game}?at=${seq}` : null)),
    signer(report, acquaintance(report, shown.here, known)),
    h("p", { class: "row" }, h("button", { class: "second", onclick: () => save(shown.name, shown.content) }, t.save), !shown.here && h("button", { class: "second", onclick: fetched }, t.again)),
    unchecked(shown.name, report.signed.key),
  );
  result.setAttribute("aria-busy", "false");
  announce(found(report));
}

/** The current keys of this server, the first one first. The server may be down. */
async function keysNow() {
  try {
    const { body } = await get("/v1/keys");
    const keys = [...body.keys].reverse();
    return areKeys(keys) ? keys : undefined;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return undefined;
  }
}

/**
 * Whether this browser knows the key that signed. The first key seen at the server is trusted from then on.
 *
 * @param {Report} report
 * @param {boolean} here
 * @param {Known | null} known
 */
function acquaintance({ fault, signed }, here, known) {
  const own = signed.public;
  if (!here || own === null) return t.fromFile;
  const note = h("span");
  const expect = () => {
    keep(KNOWN, { public: own, since: new Date().toISOString() });
    fill(note, t.firstSeen);
  };
  if (known === null) {
    if (fault === null && signed.state === "valid") expect();
    return note;
  }
  const day = new Date(known.since).toLocaleDateString(language, { dateStyle: "long" });
  if (known.public === own) return t.seenSince(day);
  if (signed.doubt !== "other_key" || key.text() !== undefined) return null;
  return fill(note, t.otherKnown(known.public, day), " ", h("button", { class: "second", onclick: expect }, t.expect));
}

/** @returns {Known | null} */
function readKnown() {
  const known = kept(KNOWN);
  return isKey(known.public) && typeof known.since === "string" ? known : null;
}

/**
 * A field for something that the user noted; if empty, nothing is checked.
 *
 * @param {string} id
 * @param {string} name
 * @param {string} hint
 * @param {(text: string) => boolean} fits
 * @param {string} wrong
 */
function field(id, name, hint, fits, wrong) {
  const input = h("input", { autocomplete: "off", spellcheck: "false", "aria-describedby": `${id}-hint` });
  const said = h("span", { id: `${id}-hint`, class: "muted small" }, hint);
  const given = () => input.value.trim();
  const text = () => (fits(given()) ? given() : undefined);
  const sound = () => {
    const holds = given() === "" || fits(given());
    input.setAttribute("aria-invalid", String(!holds));
    fill(said, holds ? hint : wrong).classList.toggle("wrong", !holds);
    if (!holds) input.focus();
    return holds;
  };
  return { shown: h("label", { class: "field" }, name, input, said), text, sound };
}

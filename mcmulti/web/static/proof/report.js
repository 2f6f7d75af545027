// A report on a game, for people: the findings, line by line, and what was not checked.

import { h } from "../lib/dom.js";
import { titled } from "../lib/words.js";
import { t } from "./words.js";

/** @typedef {import("./prover.js").Report} Report */
/** @typedef {import("./prover.js").Signed} Signed */
/** @typedef {[holds: boolean | null, what: string]} Claim Something, and whether it holds; null if nobody can tell. */

/**
 * @param {Report} report
 * @param {(seq: number) => string | null} [address] Where to look at an event.
 * @returns {HTMLElement}
 */
export function told(report, address = () => null) {
  const { fault, heading } = report;
  const where = fault && fault.seq > 0 && fault.seq <= report.events ? address(fault.seq) : null;
  return h(
    "div",
    { class: "report" },
    h("p", { class: "verdict", "data-verdict": verdict(report) }, found(report)),
    fault && h("p", { class: "fault" }, t.faults[fault.code](fault), " ", where && h("a", { href: where }, t.show(fault.seq))),
    fault && h("p", {}, t.upTo(report.proven)),
    heading && h("p", { class: "muted" }, t.game(titled(heading.ruleset)), " · ", h("code", {}, heading.game)),
    h("ul", { class: "claims" }, claims(report).map(claim)),
  );
}

/**
 * The verdict in a sentence.
 *
 * @param {Report} report
 */
export const found = (report) => t.found[verdict(report)];

/** @param {Report} report */
function verdict({ fault, sound, revealed }) {
  if (fault !== null) return "wrong";
  if (!sound) return "asked";
  return revealed ? "proven" : "soFar";
}

/** @param {Claim} claim */
function claim([holds, what]) {
  const mark = holds === null ? "·" : holds ? "✓" : "✗";
  return h("li", { "data-holds": String(holds) }, h("span", { class: "mark" }, mark), " ", h("span", {}, what));
}

/**
 * @param {Report} report
 * @returns {Claim[]}
 */
function claims(report) {
  const { fault, heading, revealed, proven, draws, salts, sealed, witnessed } = report;
  if (proven === 0 || heading === null) return [];
  /** @type {(Claim | false)[]} */
  const all = [
    [fault === null || null, t.events(proven)],
    [fault === null || null, t.commands(report.commands)],
    revealed ? [true, t.seed] : fault === null && [null, t.noSeed],
    [revealed || null, revealed ? t.draws(draws) : t.drawsRecorded(draws)],
    salts > 0 && revealed && [true, t.salts(salts)],
    sealed > 0 && [null, t.sealed(sealed)],
    fault === null && [true, t.headIs(`${heading.seq}-${heading.hash}`)],
    fault === null && signature(report.signed),
    witnessed !== null && [witnessed, witnessed ? t.witnessed : t.notWitnessed],
  ];
  return all.filter((each) => each !== false);
}

/**
 * @param {Signed} signed
 * @returns {Claim}
 */
function signature({ state, key, doubt, since, other }) {
  if (state === "none" || key === null) return [null, t.unsigned];
  if (state === "unsupported") return [null, isSecureContext ? t.unsupported : t.insecure];
  if (doubt !== null) return [false, t.unsignedBy(key) + t.doubts[doubt](since ?? "")];
  return [true, other === null ? t.signed(key) : t.signedToo(key, other)];
}

/**
 * The key that signed.
 *
 * @param {Report} report
 * @param {import("../lib/dom.js").Child} note What is known of it.
 */
export function signer({ signed }, note) {
  if (signed.key === null) return null;
  return h(
    "section",
    { class: "panel signer" },
    h("h2", {}, t.who),
    h("p", { class: "short" }, signed.key.replace(/(.{4})(?=.)/g, "$1 ")),
    h("p", { class: "small muted" }, h("code", {}, signed.public)),
    h("p", { class: "small" }, note),
  );
}

/**
 * What was not checked.
 *
 * @param {string} file What the game file is called, once it is saved.
 * @param {string | null} key The key to check the rest with.
 * @param {readonly string[]} [more]
 */
export function unchecked(file, key, more = []) {
  const [rules, ...others] = [...t.uncheckedItems, ...more];
  const named = /^\w[\w.-]*$/.test(file) ? file : "game.mcmulti.jsonl"; // it is typed into a shell
  const command = `mcmulti verify ${named}${key ? ` --key ${key}` : ""}`;
  return h(
    "section",
    { class: "unchecked" },
    h("h2", {}, t.unchecked),
    h("ul", {}, h("li", {}, rules, " ", h("code", {}, command)), others.map((other) => h("li", {}, other))),
  );
}

// The books of a game, at any moment: balances, flows with their reasons, and all postings.

import { sleep } from "../client/requests.js";
import { serverSource } from "../game/source.js";
import { follow, get } from "../lib/api.js";
import { announce, fill, h, heads, one, save, submitting, table, wide } from "../lib/dom.js";
import { Names, bySeat, holder, ownerOf, parties, seatOf } from "../lib/names.js";
import { ruleLink, rulesOf } from "../lib/rule.js";
import { page, titled as entitled, told, trying } from "../lib/shell.js";
import { number, titled } from "../lib/words.js";
import { sankey } from "./sankey.js";
import { exchanges, movements } from "./tables.js";
import { t } from "./words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */
/** @typedef {"at" | "from" | "to" | "unit" | "account" | "of" | "reason"} Wish `of` is the unit of postings. */

const game = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const path = `/v1/games/${encodeURIComponent(game)}`;
const main = page(t.title);

/** The parameters in the address. */
const wishes = new URLSearchParams(location.search);
/** @param {Wish} name */
const wish = (name) => wishes.get(name) || null;
const places = { balance: h("section"), flows: h("section"), statements: h("section"), postings: h("section", { id: "postings" }), downloads: h("section") };
const refusal = h("div");
/** @type {Map<number, string>} What happened, by event. */
const sentences = new Map();
/** Postings requested at a time, and milliseconds from the news of a move until its books are requested. */
const LINES = 60;
const PAUSE = 300;
let turn = 0;
/** The number of the last event, and the least number of postings shown up to it. */
let [last, lines] = [0, LINES];

try {
  /** @type {Schemas["GameView"]} */
  const { table, seq, hash } = (await get(path)).body;
  const view = await rulesOf(table.ruleset);
  turn = table.turn ?? 0;
  last = seq;
  entitled(`${t.title}: ${titled(table.ruleset)}`);
  fill(
    main,
    h("h1", {}, t.of(titled(table.ruleset))),
    h("p", { class: "row" }, h("a", { href: `/games/${game}` }, t.game), h("a", { href: `/games/${game}/proof` }, t.proof)),
    moments(),
    refusal,
    Object.values(places),
  );
  const load = await show(view);
  if (table.status !== "finished") goOn(hash, load);
} catch (error) {
  fill(main, h("h1", {}, t.title), told(error));
}

/** @param {Partial<Record<Wish, string | number | null>>} changed */
function wishFor(changed) {
  for (const [name, value] of Object.entries(changed))
    if (value === null || value === "") wishes.delete(name);
    else wishes.set(name, String(value));
  lines = LINES;
  history.replaceState(null, "", `${location.pathname}${wishes.size ? `?${wishes}` : ""}${location.hash}`);
  dispatchEvent(new Event("wish"));
}

/**
 * Follows the game: the current books become those of a fixed moment.
 *
 * @param {string} hash That of the last event.
 * @param {(quietly: boolean) => Promise<void>} load
 */
function goOn(hash, load) {
  let known = last;
  let waiting = false;
  const grown = async () => {
    if (waiting || known === last) return;
    waiting = true;
    await sleep(PAUSE); // one asks once for events that come together
    waiting = false;
    last = known;
    dispatchEvent(new Event("grown"));
    if (wish("at") === null) await load(true);
  };
  const end = follow(`${path}/events`, {
    after: `${last}-${hash}`,
    onItem: async (item) => {
      if (item.type === "WentBack") return location.reload();
      if (item.table?.status === "finished") end();
      if ("rule" in item) known = item.seq;
      await grown();
    },
    poll: async () => {
      /** @type {Schemas["GameView"]} */
      const game = (await get(path)).body;
      if (game.seq < last) return location.reload();
      if (game.table.status === "finished") end();
      known = game.seq;
      await grown();
    },
    onState: (state, problem) => {
      if (state === "ended" && problem) location.reload();
    },
  });
}

/** The form that chooses the moment and the turns. */
function moments() {
  const scrubber = h("input", { type: "range", min: 0, "aria-label": t.moment });
  const event = h("input", { type: "number", id: "at", min: 0, inputmode: "numeric" });
  const of = h("span", { class: "muted" });
  const now = h("button", { type: "button", class: "second", onclick: () => choose(String(last)) }, t.now);
  const show = () => {
    scrubber.max = event.max = String(last);
    if (document.activeElement !== event) event.value = wish("at") ?? String(last);
    scrubber.value = wish("at") ?? String(last);
    fill(of, t.of_events(last));
    now.setAttribute("aria-pressed", String(wish("at") === null));
  };
  const choose = (/** @type {string} */ value) => {
    event.value = value;
    wishFor({ at: Number(value) < last ? value : null });
  };
  addEventListener("grown", show);
  addEventListener("wish", show);
  show();
  scrubber.addEventListener("input", () => (event.value = scrubber.value));
  scrubber.addEventListener("change", () => choose(scrubber.value));
  event.addEventListener("change", () => event.reportValidity() && choose(event.value));
  const turns = (/** @type {"from" | "to"} */ name) =>
    h("label", {}, t[name], h("input", {
      type: "number", min: 0, value: wish(name), placeholder: name === "from" ? 0 : turn, name, inputmode: "numeric",
      onchange: ({ target }) => target instanceof HTMLInputElement && target.reportValidity() && wishFor({ [name]: target.value }),
    }));
  return h(
    "form",
    { class: "panel moments", onsubmit: submitting(() => {}) },
    h("div", { class: "row" }, h("label", { for: "at" }, t.event), event, of, now),
    scrubber,
    h("div", { class: "row", role: "group", "aria-label": t.turns }, h("span", {}, t.turns), turns("from"), turns("to")),
  );
}

/**
 * Shows the books, and shows them again whenever the parameters change.
 *
 * @param {Schemas["RulesetView"]} view
 * @returns {Promise<(quietly: boolean) => Promise<void>>} Shows them again; `quietly` where nobody asked for it.
 */
async function show(view) {
  let asked = "";
  let round = 0;
  /** @type {(() => void) | null} */
  let draw = null;
  new ResizeObserver(() => draw?.()).observe(places.flows);
  addEventListener("wish", () => void load(false));
  await load(false);
  return load;

  /** @param {boolean} quietly */
  async function load(quietly) {
    // The current moment is requested by number too; otherwise the parts could be of different moments.
    const span = { at: wish("at") ?? last, from_turn: wish("from"), to_turn: wish("to") };
    const of = ++round;
    if (!quietly) main.setAttribute("aria-busy", "true");
    try {
      const [balances, flows, stated] = await Promise.all([
        get(`${path}/balances`, { at: span.at }), get(`${path}/flows`, span), get(`${path}/statements`, span),
      ]);
      if (of !== round) return;
      fill(refusal);
      const focused = document.activeElement instanceof HTMLSelectElement ? document.activeElement.name : null;
      const names = new Names(view.words, stated.body.names);
      balance(balances.body, names);
      const units = [...new Set(/** @type {Schemas["Balances"]} */ (balances.body).balances.map(({ unit }) => unit))];
      const unit = wish("unit") ?? view.money;
      draw = flowed(flows.body.flows, names, units, unit);
      statement(stated.body.statements, names, unit);
      downloads(stated.body.seq);
      await postings(balances.body, flows.body.flows, names, view.name, () => of === round);
      if (focused && of === round) one(`select[name=${focused}]`).focus();
      const now = `${wish("at")} ${span.from_turn} ${span.to_turn}`;
      if (asked && asked !== now) announce(t.shown(Number(span.at)));
      asked = now;
    } catch (error) {
      if (of === round) fill(refusal, told(error));
    } finally {
      if (of === round) main.removeAttribute("aria-busy");
    }
  }
}

/**
 * @param {Schemas["Balances"]} found
 * @param {Names} names
 */
function balance({ balances, trial_balance: sums }, names) {
  const units = sums.map(({ unit }) => unit);
  /** @type {Map<string, Map<string, number>>} */
  const held = new Map();
  const party = parties(balances.map(({ account }) => account));
  for (const { account, unit, balance } of balances) {
    const row = held.get(party(account)) ?? new Map();
    held.set(party(account), row.set(unit, (row.get(unit) ?? 0) + balance));
  }
  const sound = sums.every(({ sum }) => sum === 0);
  fill(
    places.balance,
    h("h2", {}, t.balance),
    units.length
      ? [
          h("p", { class: sound ? "sound" : "unsound" }, sound ? `✓ ${t.sound}` : `✗ ${t.unsound}`),
          wide(t.balance, h("table", { class: "figures" },
            heads([t.owner, ...units.map((unit) => names.word(unit))], 1),
            h("tbody", {}, [...held].sort(([a], [b]) => bySeat(a, b)).map(([owner, row]) =>
              h("tr", {}, h("th", { scope: "row" }, holder(owner, names)), units.map((unit) => figure(row.get(unit) ?? null))))),
            h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, t.sum), sums.map(({ sum }) => figure(sum)))),
          )),
        ]
      : h("p", {}, t.nothing),
  );
}

/**
 * @param {readonly Schemas["Flow"][]} all
 * @param {Names} names
 * @param {string[]} units
 * @param {string} unit
 * @returns {() => void} Draws the picture as wide as there is room.
 */
function flowed(all, names, units, unit) {
  const flows = all.filter((flow) => flow.unit === unit);
  const picture = h("div", { class: "picture" });
  const open = places.flows.querySelector("details")?.open;
  const known = units.includes(unit) ? units : [unit, ...units];
  let wide_ = 0;
  fill(
    places.flows,
    h("div", { class: "row spread" },
      h("h2", {}, t.flows),
      h("label", {}, t.unit, select("unit", known.map((each) => [each, names.word(each)]), unit)),
    ),
    picture,
    flows.length > 0 && h("details", { open },
      h("summary", {}, t.same),
      table(t.flows, [t.way, t.reason, t.amount, t.times], 2, exchanges(flows).map(({ from, to, reason, amount, count }) =>
        h("tr", {},
          h("td", {}, holder(from, names), " → ", holder(to, names)),
          h("td", {}, h("a", { href: "#postings", onclick: () => wishFor({ account: seatOf(to) !== null ? to : from, of: unit, reason }) }, names.word(reason))),
          figure(amount), figure(count)))),
    ),
  );
  const draw = () => {
    const width = Math.max(300, Math.min(1280, places.flows.clientWidth));
    if (width === wide_) return;
    wide_ = width;
    fill(picture, sankey(flows, names, `${t.flows}. ${t.picture(names.word(unit))}`, width) ?? h("p", {}, t.nothing));
  };
  draw();
  return draw;
}

/**
 * @param {readonly Schemas["Statement"][]} all
 * @param {Names} names
 * @param {string} unit
 */
function statement(all, names, unit) {
  const stated = all.filter((each) => each.unit === unit);
  const kinds = movements(stated);
  fill(
    places.statements,
    h("h2", {}, `${t.statements}: ${names.word(unit)}`),
    stated.length === 0
      ? h("p", {}, t.nothing)
      : wide(t.statements, h("table", { class: "figures statements" },
          heads(["", ...stated.map(({ seat }) => holder(`seat:${seat}`, names))], 1),
          h("tbody", {}, total(t.opening, stated.map(({ opening }) => opening))),
          /** @type {const} */ (["income", "spending", "among"]).map((kind) => {
            const rows = kinds[kind];
            if (!rows.length) return null;
            return h("tbody", {},
              h("tr", { class: "kind" }, h("th", { colspan: stated.length + 1, scope: "colgroup" }, t[kind])),
              rows.map(({ reason, amounts }) => h("tr", {}, h("th", { scope: "row" }, names.word(reason)), amounts.map((amount) => figure(amount, true)))));
          }),
          h("tfoot", {}, total(t.closing, stated.map(({ closing }) => closing))),
        )),
  );
}

/**
 * @param {Schemas["Balances"]} balances
 * @param {readonly Schemas["Flow"][]} flows
 * @param {Names} names
 * @param {string} ruleset
 * @param {() => boolean} wanted Whether nothing else was wished for meanwhile.
 */
async function postings({ balances, seq }, flows, names, ruleset, wanted) {
  const chosen = { account: wish("account"), unit: wish("of"), reason: wish("reason") };
  const accounts = new Set(balances.flatMap(({ account }) => [ownerOf(account), account]));
  if (chosen.account) accounts.add(chosen.account);
  const some = (/** @type {string[]} */ all, /** @type {string | null} */ one) => [...new Set(one ? [...all, one] : all)];
  const choice = (/** @type {Wish} */ name, /** @type {string} */ label, /** @type {[string, string][]} */ options, /** @type {string | null} */ value) =>
    h("label", { class: "field" }, label, select(name, [["", t.every], ...options], value ?? ""));
  const named = (/** @type {string[]} */ all) => all.map((each) => /** @type {[string, string]} */ ([each, names.word(each)]));
  const table = h("table", { class: "postings" }, heads([t.account, t.reason, t.amount, t.left], 2));
  const more = h("button", { type: "button", class: "second", hidden: true, onclick: () => void load(LINES) }, t.more);
  const none = h("p", { hidden: true }, t.noPostings);
  /** @type {number | null} */
  let after = 0;
  if (await load(lines)) fill(
    places.postings,
    h("h2", {}, t.postings),
    h("div", { class: "row filter", role: "group", "aria-label": t.filter },
      choice("account", t.account, [...accounts].map((each) => [each, names.account(each)]), chosen.account),
      choice("of", t.unit, named(some(balances.map(({ unit }) => unit), chosen.unit)), chosen.unit),
      choice("reason", t.reason, named(some(flows.map(({ reason }) => reason), chosen.reason)), chosen.reason),
    ),
    wide(t.postings, table),
    none,
    more,
  );

  /**
   * @param {number} limit
   * @returns {Promise<boolean>} Whether nothing else is wished for by then.
   */
  async function load(limit) {
    more.disabled = true;
    try {
      /** @type {Schemas["Ledger"]} */
      const ledger = (await get(`${path}/ledger`, { at: seq, after, limit, ...chosen })).body;
      const said = await happened(ledger.lines.map(({ seq }) => seq));
      if (!wanted()) return false;
      let body = table.tBodies[table.tBodies.length - 1];
      for (const line of ledger.lines) {
        if (body?.dataset.seq !== String(line.seq)) {
          body = h("tbody", { "data-seq": line.seq },
            h("tr", { class: "event" }, h("th", { colspan: 4, scope: "rowgroup" }, h("div", {},
              h("a", { href: `/games/${game}?at=${line.seq}`, "aria-label": t.replay(line.seq) }, line.seq),
              h("span", { class: "muted" }, ` ${t.turn(line.turn)} `),
              h("span", { class: "name" }, said.get(line.seq)), " ",
              ruleLink(ruleset, line.rule)))));
          table.append(body);
        }
        body.append(h("tr", {}, h("td", {}, holder(line.account, names)), h("td", {}, names.word(line.reason)), figure(line.amount, true, names.word(line.unit)), figure(line.balance)));
      }
      after = ledger.next ?? null;
      more.hidden = after === null;
      none.hidden = table.tBodies.length > 0;
      lines = Math.max(lines, Math.min(1000, table.querySelectorAll("tbody tr:not(.event)").length));
    } catch (error) {
      fill(refusal, told(error));
    } finally {
      more.disabled = false;
    }
    return true;
  }
}

/**
 * The sentences of events, with few requests for adjacent ones.
 *
 * @param {number[]} seqs In order.
 */
async function happened(seqs) {
  const missing = [...new Set(seqs)].filter((seq) => !sentences.has(seq));
  /** @type {[number, number][]} */
  const spans = [];
  for (const seq of missing) {
    const last = spans.at(-1);
    if (last && seq - last[1] < 100 && seq - last[0] < 900) last[1] = seq;
    else spans.push([seq, seq]);
  }
  for (const [first, last] of spans) {
    const { frames } = await serverSource(game).frames(first - 1, last - first + 1);
    for (const { happened } of frames) for (const { seq, sentence } of happened) sentences.set(seq, sentence);
  }
  return sentences;
}

/** @param {number} at */
function downloads(at) {
  const item = (/** @type {string} */ label, /** @type {string} */ from, /** @type {string} */ accept, /** @type {string} */ name, /** @type {{at?: number}} */ query = { at }) => {
    const fetched = async () => save(name, (await get(`${path}/${from}`, query, { accept })).body);
    const button = h("button", { type: "button", class: "second", onclick: () => void trying(refusal, fetched, [button]) }, label);
    return button;
  };
  fill(
    places.downloads,
    h("h2", {}, t.downloads),
    h("p", { class: "muted small" }, t.downloadsAre, " ", t.fileIs),
    h("div", { class: "row" },
      item(t.hledger, "ledger.journal", "text/plain", `${game}.journal`),
      item(t.beancount, "ledger.beancount", "text/plain", `${game}.beancount`),
      item(t.csv, "ledger", "text/csv", `${game}.csv`),
      item(t.statementsCsv, "statements", "text/csv", `${game}-statements.csv`),
      item(t.file, "file", "*/*", `${game}.jsonl`, {}),
    ),
  );
}

/**
 * @param {Wish} name
 * @param {[string, string][]} options
 * @param {string} value
 */
function select(name, options, value) {
  return h("select", { name, onchange: ({ target }) => target instanceof HTMLSelectElement && wishFor({ [name]: target.value }) },
    options.map(([each, label]) => h("option", { value: each, selected: each === value }, label)));
}

/** @param {string} label @param {number[]} amounts */
function total(label, amounts) {
  return h("tr", { class: "total" }, h("th", { scope: "row" }, label), amounts.map((amount) => figure(amount)));
}

/** @param {number | null} amount @param {boolean} [signed] @param {string} [unit] */
function figure(amount, signed = false, unit) {
  const text = amount === null ? "" : (signed && amount > 0 ? "+" : "") + number(amount);
  return h("td", { class: "figure", title: unit }, text);
}

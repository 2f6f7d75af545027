// Order sheets by post, for this round or a later one, or for all rounds from one on: a form in the order language, and
// beside it the same as a text, checks and a forecast. What was changed last counts, form or text, and the other one
// follows. Nothing is sent before it is confirmed. What is written is kept in this tab until it is sent. `mount` as
// game/context.js has it.

import { Refused } from "../client/errors.js";
import { inLanguage, post } from "../lib/api.js";
import { announce, fill, h, styled, submitting } from "../lib/dom.js";
import { contractOf, forgetRefusals, Forms, refusedAt } from "../lib/form.js";
import { among, Labels } from "../lib/labels.js";
import { ruleLink, rulesOf } from "../lib/rule.js";
import { telling, told } from "../lib/shell.js";
import { send as sendCommands } from "../lib/tables.js";
import { ago, common, moment, number } from "../lib/words.js";
import { question } from "../lib/dialog.js";
import { Notation } from "./notation.js";
import { t } from "./words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */
/** @typedef {Extract<Schemas["View"], {orders: any, later: any}>} Ordered The view of a game in which orders are written. */

/** Milliseconds without a change after which a sheet is tried out. */
const PAUSE = 500;
/** Lines of a sheet, in the order of their numbers. */
const LINES = '[data-schema="AssetOrder"], [data-schema="TradeOrder"], [data-schema="PumpOrder"]';
/** All sites of a quadrant. */
const PLOTS = [1, 2, 3, 4, 5, 6].flatMap((row) => [1, 2, 3, 4, 5, 6].map((column) => ({ row, column })));
/** @type {("orders" | "trades" | "pumps")[]} */
const PHASES = ["orders", "trades", "pumps"];

/** @type {import("../game/context.js").Mount} */
export function mount(element, context) {
  const { game } = context;
  const { ruleset } = context.table();
  const view = () => /** @type {Ordered} */ (context.view());
  styled(new URL("../lobby/pieces.css", import.meta.url));
  styled(new URL("post.css", import.meta.url));

  const chosen = h("select", { onchange: () => void turnTo(Number(chosen.value), laterSheet(Number(chosen.value))?.standing ?? false) });
  const standing = h("input", { type: "checkbox", onchange: () => void turnTo(round, standing.checked, { sheet: sheet(), text: isText ? notation.text : null }) });
  const inAdvance = h("p", { class: "small" });
  const heading = h("h2", { id: "sheet-title", tabindex: -1 });
  const until = h("p", {});
  const state = h("p", { class: "state" });
  const others = h("p", { class: "small muted" });
  const phases = h("div", {});
  const checks = h("ul", {});
  const foreseen = h("ol", { class: "foreseen" });
  const holdings = h("p", {});
  const problem = h("div", {});
  const send = h("button", { type: "submit", form: "sheet-form" });
  const reset = h("button", { type: "button", class: "second", onclick: () => begin(sent() ?? {}) }, t.reset);
  const withdraw = h("button", { type: "button", class: "second", onclick: () => void takeBack() }, t.withdraw);
  const notation = new Notation(context.table().seats.map(({ name }, seat) => name ?? String(seat + 1)), () => rewritten());
  const form = h("form", { id: "sheet-form", class: "sheet", "aria-labelledby": "sheet-title", novalidate: true, oninput: () => changed(), onchange: () => changed(), onsubmit: submitting(hand) }, phases, problem);
  fill(
    element,
    h("section", { class: "post panel" }, heading, until, state, others, inAdvance,
      h("p", { class: "row" }, h("label", {}, t.whichRound, " ", chosen), h("label", {}, standing, " ", t.always)), h("p", { class: "hint" }, t.point),
      h("div", { class: "beside" }, form, h("aside", {},
        notation.element, h("h3", {}, t.checks), checks, h("h3", {}, t.forecast), h("p", { class: "small muted" }, t.about), foreseen, holdings)), h("p", { class: "sending row" }, send, reset, withdraw)),
  );

  /** The round that waits for orders, and the one that this sheet is for. */
  let now = -1;
  let round = -1;
  /** @type {Record<string, import("../lib/form.js").Part>} */
  let parts = {};
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let soon;
  let ended = false;
  const key = () => `mcmulti.sheet.${game}.${round}${standing.checked ? ".standing" : ""}`;
  const textKey = () => `${key()}.text`;
  /** Whether the text counts, and the form follows it; and whether it is up to date. */
  let isText = false;
  let isRead = true;
  let tried = 0;
  const sheet = () => Object.fromEntries(PHASES.map((phase) => [phase, parts[phase]?.read()]).filter(([, read]) => read !== undefined));
  const laterSheet = (/** @type {number} */ wanted) => view().later.find((each) => each.round === wanted);
  /** What was sent for the chosen round, or from it on; null for nothing. */
  const sent = () => {
    if (round === view().round) return standing.checked ? view().standing : view().sheet;
    const later = laterSheet(round);
    return later?.standing === standing.checked ? later.sheet : null;
  };
  const same = (/** @type {object} */ one, /** @type {object} */ other) => JSON.stringify(one) === JSON.stringify(other);

  /** @type {(labels: Labels) => import("../lib/form.js").Texts} */
  const texts = (labels) => ({
    label: (field) => labels.field(field),
    explain: () => null,
    option: (field, value) => {
      if (value === "") return field === "seat" ? t.mine : t.any;
      if (field === "seat") return context.table().seats[Number(value)]?.name ?? String(Number(value) + 1);
      return labels.option(field, String(value));
    },
  });

  /** The sheet that was sent, as this form writes it. */
  let before = {};
  const begin = async (/** @type {Record<string, any>} */ written) => {
    const [contract, rules] = await Promise.all([contractOf(ruleset), rulesOf(ruleset)]);
    const forms = new Forms(contract, texts(new Labels(rules)));
    const { properties } = forms.whole({ $ref: "#/components/schemas/OrderSheet" });
    const made = (/** @type {Record<string, any>} */ from) => Object.fromEntries(PHASES.map((phase) => [phase, forms.part(phase, properties[phase], from[phase])]));
    parts = made(sent() ?? {});
    before = sheet();
    draw = (from) => {
      parts = made(from);
      fill(phases, PHASES.map((phase) => h("fieldset", { class: `phase ${phase}` }, h("legend", {}, t.phases[phase]), parts[phase]?.element)));
    };
    draw(written);
    changed();
  };
  /** @type {(from: Record<string, any>) => void} Puts a sheet into the form. */
  let draw = () => {};

  /** The form was changed. */
  function changed() {
    [isText, isRead] = [false, true];
    sessionStorage.removeItem(textKey());
    keep();
    later();
  }

  /** The text was changed. */
  function rewritten() {
    [isText, isRead] = [true, false];
    sessionStorage.setItem(textKey(), notation.text);
    status();
    later();
  }

  /** The line that was edited last. @type {Element | null} */
  let current = null;
  phases.addEventListener("focusin", ({ target }) => (current = target instanceof Element ? target.closest("[data-line]") : null));

  /** Highlights the reader's own sites on the board. */
  function light() {
    const own = view().quadrants.findIndex(({ owner }) => owner === context.seat());
    const plots = view().phase === "orders" && own >= 0 ? PLOTS : [];
    context.board.light(plots.map(({ row, column }) => ({ pick: `part=site-${own}-${row}-${column}`, row, column })), (site) => point(/** @type {any} */ (site)), { label: heading.textContent ?? "", faint: true });
  }

  /**
   * Enters a site into the line that was edited last, if it needs one; otherwise into a new line that buys an asset
   * there.
   *
   * @param {Schemas["Plot"]} plot
   */
  function point({ row, column }) {
    const among = current?.isConnected ? current : null;
    const fields = ["row", "column"].map((name) => /** @type {HTMLSelectElement | null} */ (among?.querySelector(`[data-leaf="${name}"] select`)));
    if (!fields[0]?.offsetParent || !fields[1]) {
      const now = sheet();
      draw({ ...now, orders: [...(now["orders"] ?? []), { type: "BuyAssetOrder", kind: "rig", plot: { row, column } }] });
      changed();
      /** @type {HTMLElement | undefined} */ ([...phases.querySelectorAll('.orders [data-schema="AssetOrder"]')].at(-1)?.querySelectorAll("select")[1])?.focus();
      return;
    }
    for (const [index, value] of [row, column].entries()) {
      const field = /** @type {HTMLSelectElement} */ (fields[index]);
      field.value = String(value);
      field.dispatchEvent(new Event("change", { bubbles: true }));
    }
    fields[0]?.focus();
  }

  function keep() {
    const lines = phases.querySelectorAll(LINES);
    lines.forEach((line, index) => line.setAttribute("data-line", String(index + 1)));
    const now = sheet();
    if (same(now, before)) sessionStorage.removeItem(key());
    else sessionStorage.setItem(key(), JSON.stringify(now));
    status();
  }

  function later() {
    tried++; // what is under way was asked of something else
    clearTimeout(soon);
    soon = setTimeout(() => void tryOut(), PAUSE);
  }

  function status() {
    const { orders, phase } = view();
    const mine = sent();
    const { deadline, seats } = context.table();
    const names = (/** @type {boolean} */ submitted) =>
      orders.filter((each) => each.submitted === submitted && seats[each.seat]?.player).map((each) => seats[each.seat]?.name ?? String(each.seat)).join(", ");
    const unchanged = same(sheet(), before);
    fill(heading, t.title(round, standing.checked));
    waiting();
    fill(until, phase !== "orders" ? t.closed : deadline ? h("time", { datetime: deadline }, t.until(moment(deadline), ago(deadline))) : null);
    fill(state, h("strong", {}, mine === null ? t.unsent : unchanged && isRead ? `✓ ${t.sent}` : t.changed));
    fill(others, [names(true) && t.in(names(true)), names(false) && t.missing(names(false))].filter(Boolean).join(" · "));
    send.textContent = mine === null ? t.send : t.again;
    send.disabled = phase !== "orders" || !isRead || (mine !== null && unchanged);
    reset.hidden = mine === null || (unchanged && isRead);
    withdraw.hidden = mine === null;
  }

  /** Shows what was sent in advance, for reading and editing. */
  function waiting() {
    const { later, standing: always } = view();
    const sheets = later.map((each) => ({ round: each.round, standing: each.standing, name: each.standing ? t.from(each.round) : t.round(each.round) }));
    if (always) sheets.unshift({ round: now, standing: true, name: t.standing });
    fill(inAdvance, sheets.length > 0 && [t.inAdvance, sheets.map((each) =>
      [" ", h("button", { type: "button", class: "quiet", onclick: () => void turnTo(each.round, each.standing) }, each.name)])]);
  }

  async function tryOut() {
    const attempt = ++tried;
    const [path, body] = isText ? ["forecast/text", { text: notation.text }] : ["forecast", sheet()];
    forgetRefusals(phases);
    try {
      /** @type {Schemas["Forecast"]} */
      const forecast = (await post(`/v1/games/${game}/${path}`, body, { query: inLanguage() })).body;
      if (attempt !== tried || ended) return;
      fill(problem);
      if (isText) {
        notation.accept();
        isRead = true;
        draw(/** @type {any} */ (forecast.command).sheet);
        keep();
      } else notation.show(forecast.text);
      foresee(forecast);
    } catch (error) {
      if (attempt === tried && !ended) refuse(error, true);
    }
  }

  /** @param {Schemas["Forecast"]} forecast */
  function foresee(forecast) {
    const lines = phases.querySelectorAll(LINES);
    for (const line of lines) line.classList.remove("doubtful");
    fill(checks, forecast.remarks.length ? forecast.remarks.map(({ line, sentence }) => {
      const there = line === null ? null : /** @type {HTMLElement | undefined} */ (lines[line - 1]);
      there?.classList.add("doubtful");
      const go = () => isText ? notation.select({ line: forecast.places[Number(line) - 1] ?? 1, column: 1 }) : there?.querySelector("select")?.focus();
      return h("li", {}, there ? h("button", { type: "button", class: "quiet", onclick: go }, t.line(Number(line))) : t.sheet, ": ", sentence);
    }) : h("li", { class: "muted" }, t.fine));
    fill(foreseen, forecast.events.length ? forecast.events.map(({ sentence, rule }) => h("li", {}, sentence, " ", ruleLink(ruleset, rule))) : h("li", { class: "muted" }, t.nothing));
    const mine = forecast.holdings.find(({ seat }) => seat === forecast.seat);
    fill(holdings, mine && [h("strong", {}, t.then), ": ", Object.entries(mine.amounts).filter(([, amount]) => amount > 0).map(([unit, amount]) => `${number(amount)} ${among(t.units, unit) ?? unit}`).join(", "),
      mine.worth !== null && ` (${t.worth(number(mine.worth))})`]);
  }

  /**
   * @param {unknown} error
   * @param {boolean} [quiet] Whether the reader stays where they are.
   */
  function refuse(error, quiet = false) {
    if (error instanceof Refused && error.code === "unread_orders") {
      const { line, column } = error.problem;
      notation.refuse(error.message, { line: line ?? 1, column: column ?? 1 });
      return;
    }
    const path = error instanceof Refused ? refusedAt(error) : null;
    const at = path?.findIndex((name) => /** @type {string[]} */ (PHASES).includes(name)) ?? -1;
    const part = path && at >= 0 ? parts[path[at] ?? ""] : null;
    if (part && error instanceof Refused) part.at(path?.slice(at + 1) ?? []).refuse(error.message, quiet);
    else fill(problem, told(error, ruleset));
  }

  async function command(/** @type {import("../play/offers.js").Command} */ order, /** @type {string} */ said) {
    try {
      const result = await sendCommands(game, [order]);
      sessionStorage.removeItem(key());
      sessionStorage.removeItem(textKey());
      announce(said);
      context.sent(result);
      heading.focus();
    } catch (error) {
      refuse(error);
    }
  }

  const confirmed = async (/** @type {string} */ asked, /** @type {string} */ yes) => (await question(asked, null, { yes, no: common.cancel })) === "yes";

  async function hand() {
    const order = { type: standing.checked ? "SetStanding" : "SubmitOrders", round, sheet: sheet() };
    const [asked, said] = [t.sure(round, standing.checked), t.told(round, standing.checked)];
    if (await confirmed(asked, t.yes)) await command(order, said);
  }

  async function takeBack() {
    const ends = standing.checked && round === now;
    const asked = ends ? t.sureEnd : round === now ? t.sureBack(round) : t.sureBackLater(round);
    if (await confirmed(asked, t.back)) await command({ type: ends ? "EndStanding" : "WithdrawOrders", round }, t.takenBack);
  }

  /** What was last sent for the chosen round, as text: if it changes elsewhere, it is shown. */
  let known = "";

  /**
   * @param {number} wanted The round that a sheet is written for from here on.
   * @param {boolean} always Whether it is for all rounds after that as well.
   * @param {{sheet: object, text: string | null}} [otherwise] What stands there if nothing was written or sent.
   */
  async function turnTo(wanted, always, otherwise = { sheet: {}, text: null }) {
    round = wanted;
    [chosen.value, standing.checked] = [String(wanted), always];
    known = JSON.stringify(sent());
    fill(problem);
    const [draft, text] = [sessionStorage.getItem(key()), sessionStorage.getItem(textKey())];
    const shown = draft === null && sent() === null ? (text ?? otherwise.text) : text;
    await begin(draft ? JSON.parse(draft) : (sent() ?? otherwise.sheet));
    if (shown !== null) {
      notation.show(shown);
      rewritten();
    }
  }

  async function look() {
    const isNew = view().round !== now;
    if (isNew) {
      if (now >= 0) announce(t.newRound(view().round));
      now = view().round;
      const { schemas } = (await contractOf(ruleset)).components;
      const seen = schemas["GameView"]?.["properties"].view.$ref.split("/").at(-1);
      const { maxItems } = schemas[seen]?.["properties"].later;
      fill(chosen, Array.from({ length: maxItems + 1 }, (_, ahead) => h("option", { value: now + ahead }, ahead ? t.round(now + ahead) : t.thisRound(now))));
      chosen.value = String(round);
    }
    if (round < now) await turnTo(now, false);
    else if (JSON.stringify(sent()) !== known) await turnTo(round, standing.checked);
    else status();
    light();
  }

  void telling(problem, look);
  const end = context.onChange(() => void telling(problem, look));
  return () => {
    ended = true;
    clearTimeout(soon);
    end();
    context.board.light([], () => {});
  };
}

// Playing: the offers to the seat as controls. Mounted in the page of a game.

import { tellMe } from "../account/offer.js";
import { coach, coached } from "../coach/setting.js";
import { get, inLanguage } from "../lib/api.js";
import { question } from "../lib/dialog.js";
import { announce, coded, fill, h } from "../lib/dom.js";
import { ruleAddress, rulesOf } from "../lib/rule.js";
import { told } from "../lib/shell.js";
import { asking, ask } from "./asking.js";
import { instruction } from "./instruction.js";
import { speak } from "./labels.js";
import { commandLine } from "./line.js";
import { move } from "./moves.js";
import { tellOffered } from "./offered.js";
import { controls, grouped, picked, picks } from "./offers.js";
import { sender } from "./sending.js";
import { common } from "../lib/words.js";
import { t } from "./words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */
/** @typedef {import("./offers.js").Control} Control */
/** @typedef {import("./moves.js").Move} Move */

/** Milliseconds for which controls are disabled after another player's move. */
const REST = 400;
/** Milliseconds to wait until the board shows the position of the offers. */
const PATIENCE = 1500;

/** @type {import("../game/context.js").Mount} */
export function mount(element, context) {
  /** @type {Schemas["Offers"] | null} */
  let offers = null;
  /** @type {string | null} */
  let tag = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} Runs while controls rest. */
  let resting;
  let others = false;
  let acting = false;
  /** Whether the story showed a move of this seat since the last one was sent; whether that one has no response. */
  let moved = false;
  let unknown = false;
  let asked = 0;
  let mine = false;
  let ended = false;
  let away = false;
  let lit = false;
  /** The key of the move for which sites are being picked. */
  let aimedAt = "";
  /** @type {Move[]} */
  let moves = [];
  /** @type {Map<string, Record<string, any>>} What is chosen so far, by control. */
  const chosen = new Map();
  /** @type {Record<string, string>} */
  let rules = {};

  const sheet = h("link", { rel: "stylesheet", href: new URL("play.css", import.meta.url).href });
  const heading = h("h2", { tabindex: -1 }, t.title);
  const state = h("p", { class: "state" }, t.loading);
  const tell = tellMe(context.table);
  const note = h("div", { class: "note" });
  const asks = h("div", { class: "asks" });
  const hint = h("p", { class: "hint", hidden: true }, t.pickHint);
  const list = h("ol", { class: "moves" });
  const undo = h("div", { class: "undo" });
  const besides = h("ul", { class: "moves" });
  const apart = h("details", { class: "apart", hidden: true }, h("summary", {}, t.besides), besides);
  const standing = h("details", { class: "apart", hidden: true });
  const rule = h("p", { class: "rule-aside" });
  const line = commandLine({
    game: context.game,
    offers: () => (offers ? [...offers.offers, ...offers.besides] : []),
    rule: (id) => rules[id],
    run: (made, { tryOnly }) => {
      const offer = [...(offers?.offers ?? []), ...(offers?.besides ?? [])].find((each) => each.command === made.type);
      const grave = place(made.type) !== "ahead" && !offers?.offers.some((each) => each.command === made.type);
      return act([made], offer?.sentence ?? made.type, { grave, tryOnly });
    },
  });
  const play = h("section", { class: "play", "aria-label": t.title }, heading, state, tell, note, asks, hint, list, undo, rule, line.element, standing, apart, settings());
  element.append(sheet, play);

  const { send, check } = sender(context, { told: show, tag: () => tag });
  play.addEventListener("focusin", (event) => ruleOf(event.target));
  play.addEventListener("mouseover", (event) => ruleOf(event.target));

  /** @type {Pick<Schemas["RulesetView"], "commands" | "types">} */
  let sendable = { commands: [], types: [] };
  const taught = rulesOf(context.table().ruleset).then((ruleset) => {
    ({ rules } = ruleset);
    sendable = ruleset;
    speak(ruleset);
  }, show);

  /** A message about the last command. @param {unknown} said */
  function show(said) {
    if (ended) return;
    fill(note, said instanceof Error ? told(said) : said ? h("p", { role: "status" }, String(said)) : null);
  }

  /** Where a command belongs. @param {string} command */
  const place = (command) => sendable.commands.find(({ name }) => name === command)?.place;

  /** Why nothing can be sent now; null if it can. */
  function ready() {
    if (acting) return t.sending;
    if (!context.connected()) return t.offline;
    if (!context.live()) return t.past;
    if (!offers || offers.seq < context.table().seq) return t.loading;
    return resting === undefined ? null : t.resting;
  }

  /** Stores on the element the event for which the controls are valid. */
  function settle() {
    if (ready() === null) play.dataset["ready"] = String(offers?.seq);
    else delete play.dataset["ready"];
  }

  function rest() {
    clearTimeout(resting);
    resting = setTimeout(() => {
      resting = undefined;
      settle();
    }, REST);
  }

  /**
   * @param {import("./offers.js").Command[]} made
   * @param {string} sentence What it is, for people.
   * @param {import("./sending.js").How} how
   */
  async function act(made, sentence, how) {
    const unready = ready();
    show(unready);
    if (unready) return;
    acting = true;
    moved = unknown = false;
    settle();
    const sent = await send(made, sentence, how);
    acting = false;
    unknown = sent === "lost";
    tellUnknown();
    settle();
    if (sent !== "left") await refresh();
  }

  /** Reports that no response to a move arrived. */
  function tellUnknown() {
    if (unknown && moved) show(t.made);
    unknown &&= !moved;
  }

  /** Requests the current offers, and shows them once the board shows the same position. */
  async function refresh() {
    const number = ++asked;
    try {
      const [answer] = await Promise.all([get(`/v1/games/${context.game}/offers`, inLanguage()), taught]);
      const until = Date.now() + PATIENCE;
      while (number === asked && context.table().seq < answer.body.seq && Date.now() < until) await soon();
      if (number !== asked || ended) return;
      ({ tag } = answer);
      offers = answer.body;
      render();
      tellOffered(answer.body.offers.map((/** @type {Schemas["Offer"]} */ { command }) => command));
    } catch (error) {
      if (number === asked) show(error);
    }
  }

  function render() {
    if (!offers) return;
    if (others) rest();
    others = false;
    const focus = whereFocusIs();
    const ahead = offers.besides.filter((offer) => place(offer.command) === "ahead");
    const minor = offers.offers.filter((offer) => place(offer.command) === "aside");
    const all = controls([...offers.offers.filter((offer) => !minor.includes(offer)), ...ahead]).filter((control) => !isWritten(control));
    const more = controls([...minor, ...offers.besides.filter((offer) => !ahead.includes(offer))]);
    const answers = more.filter((control) => place(control.offer.command) === "answer");
    const undoing = more.filter((control) => place(control.offer.command) === "back");
    const instruct = more.find(isWritten);
    const anytime = more.filter((control) => ![...answers, ...undoing, instruct].includes(control));
    const offered = new Set([...all, ...more].map(({ key }) => key));
    for (const key of chosen.keys()) if (!offered.has(key)) chosen.delete(key);
    moves = [];
    const made = (/** @type {Control} */ control, grave = false) => {
      const each = move(control, {
        ruleset: context.table().ruleset, chosen, aimed, changed: light,
        act: ({ offer }, commands, tryOnly) => act(commands, offer.sentence, { grave, tryOnly }),
      });
      moves.push(each);
      return each.element;
    };
    fill(asks, answers.map((control) => made(control)));
    fill(list, grouped(all).map((group) => h("li", {}, group.map((control) => made(control)))));
    fill(undo, undoing.map((control) => made(control)));
    fill(besides, anytime.map((control) => h("li", {}, made(control, true))));
    apart.hidden = !anytime.length;
    standing.hidden = !instruct;
    if (instruct) {
      const [member = ""] = Object.entries(instruct.open).find(([, field]) => field.type === "Form") ?? [];
      const held = sendable.commands.find(({ name }) => name === instruct.offer.command)?.fields?.find(({ name }) => name === member)?.holds;
      const asked = sendable.types.find(({ name }) => name === held)?.fields ?? [];
      instruction(standing, offers, member, asked, (orders) => act([{ type: instruct.offer.command, [member]: orders }], instruct.offer.sentence, { plain: true }));
    }
    const yours = offers.offers.length > 0;
    tellState();
    if (yours && !mine) {
      announce(t.yours);
      play.closest(".actions")?.scrollTo({ top: 0 });
    }
    mine = yours;
    fill(rule);
    delete rule.dataset["rule"];
    line.offered();
    light();
    putFocus(focus);
    settle();
  }

  /** Shows whose move it is, or why no move can be made here. */
  function tellState() {
    const over = context.table().status === "finished";
    const whose = !offers ? t.loading : offers.offers.length ? t.yours : t.waits;
    const text = over ? t.over : !context.connected() ? t.offline : !context.live() ? t.past : whose;
    if (state.textContent !== text) fill(state, text);
    const { to_move: waits, seats } = context.table();
    const shared = seats.some(({ state }) => state === "companion"); // who is next sits beside the reader
    tell.hidden = text !== t.waits || shared || !waits.some((seat) => seats[seat]?.kind === "human"); // the server's bots move at once
  }

  /** The move for which sites are picked on the board: the first that needs any, unless another one was chosen. */
  function aim() {
    const all = moves.filter((each) => each.picks && list.contains(each.element));
    return all.find((each) => each.control.key === aimedAt) ?? all[0];
  }

  /** The moves for which something can be picked on the board. */
  function pickable() {
    const now = aim();
    return moves.filter((each) => list.contains(each.element) && Object.keys(each.control.open).length && (!each.picks || each === now));
  }

  /** Pick sites for this move from now on. @param {Control} control */
  function aimed(control) {
    aimedAt = control.key;
    light();
    context.board.focus();
  }

  /** Highlights what can be picked on the board. */
  function light() {
    const now = aim();
    for (const each of moves) each.picks?.aim(each === now);
    hint.hidden = !now;
    const sites = new Map(pickable().flatMap((each) => picks(each.control).map((pick) => [pick, each.picks && each.picks.has(picked(each.control, pick)?.["site"])])));
    if (!sites.size && !lit) return; // an order sheet may have lit what it is about
    lit = sites.size > 0;
    context.board.light([...sites].map(([pick, isPicked]) => ({ pick, picked: isPicked })), ({ pick }) => void choose(pick), { label: t.title });
  }

  /** @param {string} pick */
  async function choose(pick) {
    const meant = pickable().flatMap((each) => {
      const values = picked(each.control, pick);
      return values ? [{ each, values }] : [];
    });
    let one = meant[0];
    if (meant.length > 1) {
      const names = Object.fromEntries(meant.map(({ each }, index) => [String(index), each.control.offer.sentence]));
      const answer = await question(t.several, null, names);
      one = answer === null ? undefined : meant[Number(answer)];
    }
    one?.each.choose(one.values);
    if (one?.each.picks) await several(one.each.picks, one.values["site"]);
  }

  /**
   * Deselects a site if the selected ones are not possible together.
   *
   * @param {import("./moves.js").Picks} among
   * @param {any} site The one that was picked last.
   */
  async function several(among, site) {
    light();
    show(null);
    const commands = among.commands();
    if (commands.length < 2 || !among.has(site)) return;
    const sent = await check(commands);
    if (sent === "refused" && among.has(site)) among.toggle(site);
    if (sent === "stale") await refresh();
    else light();
  }

  /** The position of the focus, if it is here or got lost: the control and its part. */
  function whereFocusIs() {
    const here = document.activeElement;
    if (here === document.body || here === null || here === heading) return { key: "", part: "" };
    if (!(here instanceof HTMLElement) || !play.contains(here) || line.element.contains(here)) return null;
    const key = here.closest("[data-key]")?.getAttribute("data-key");
    return key === null || key === undefined ? null : { key, part: here.dataset["part"] ?? "" };
  }

  /** Restores the focus, or moves it to what comes next. @param {{key: string, part: string} | null} place */
  function putFocus(place) {
    if (!place || !seen) return;
    const same = moves.find((each) => each.control.key === place.key);
    if (same) same.focus(place.part);
    else (moves.find((each) => asks.contains(each.element) || list.contains(each.element)) ?? { focus: () => heading.focus({ preventScroll: true }) }).focus("");
  }
  /** Whether the user has moved the focus here: it is not taken from elsewhere. */
  let seen = false;
  play.addEventListener("focusin", () => (seen = true));

  /** Shows the rule of the element. @param {EventTarget | null} target */
  function ruleOf(target) {
    const id = target instanceof Element ? target.closest("[data-rule]")?.getAttribute("data-rule") : null;
    if (!id || rule.dataset["rule"] === id) return;
    rule.dataset["rule"] = id;
    fill(rule, h("a", { href: ruleAddress(context.table().ruleset, id) }, id), " ", coded(rules[id] ?? ""));
  }

  function settings() {
    const box = (/** @type {"chance" | "passing" | "all" | "keys"} */ name, /** @type {string} */ label) =>
      h("label", {}, h("input", { type: "checkbox", checked: asking()[name], onchange: (event) => ask({ [name]: /** @type {HTMLInputElement} */ (event.target).checked }) }), label);
    return h(
      "details",
      { class: "apart" },
      h("summary", {}, t.settings),
      h("fieldset", {}, h("legend", {}, t.askFirst), box("chance", t.askChance), box("passing", t.askPassing), box("all", t.askAll)),
      h("p", {}, coaching()),
      h("p", {}, box("keys", t.singleKeys), " ", h("button", { type: "button", class: "quiet", onclick: () => keys() }, t.keys)),
    );
  }

  /** Switched on, the coach is mounted with the page. */
  function coaching() {
    const { ruleset } = context.table();
    const changed = (/** @type {Event} */ event) => {
      coach(ruleset, /** @type {HTMLInputElement} */ (event.target).checked);
      location.reload();
    };
    return h("label", {}, h("input", { type: "checkbox", checked: coached(ruleset), onchange: changed }), t.coaching);
  }

  function keys() {
    const rows = Object.entries(t.keyList).map(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)]);
    void question(t.keys, h("dl", { class: "keys" }, rows), { close: common.close });
  }

  /** @param {KeyboardEvent} event */
  function pressed(event) {
    const typing = event.target instanceof Element && event.target.closest("input:not([type=radio], [type=checkbox]), select, textarea, dialog");
    if (typing && event.key === "Escape" && play.contains(typing)) heading.focus();
    if (typing || event.ctrlKey || event.altKey || event.metaKey || !asking().keys) return;
    const first = moves.find((each) => each.picks?.commands().length) ?? moves.find((each) => list.contains(each.element) || asks.contains(each.element));
    /** @type {Record<string, () => void>} */
    const does = {
      "?": keys,
      g: () => (first ? first.focus(first.picks ? "go" : "") : heading.focus()),
      c: () => line.focus(),
      b: () => void line.board(),
      p: () => context.board.focus(),
      z: () => moves.find((each) => undo.contains(each.element))?.focus(""),
    };
    const numbered = /^[1-9]$/.test(event.key) ? list.children[Number(event.key) - 1] : undefined;
    const done = numbered ? () => moves.find((each) => numbered.contains(each.element))?.focus("") : does[event.key];
    if (!done) return;
    event.preventDefault();
    done();
  }

  document.addEventListener("keydown", pressed);
  const end = context.onChange((news) => {
    others ||= !news.own && news.happened.length > 0 && !(offers && offers.seq >= context.table().seq); // else they are shown already
    moved ||= news.happened.some(({ actor }) => actor === context.seat());
    tellUnknown();
    tellState();
    settle();
    const back = away && context.connected();
    away = !context.connected();
    if (news.happened.length || news.anew || back || (!offers && !away)) void refresh();
  });
  void refresh();
  return () => {
    ended = true;
    clearTimeout(resting);
    end();
    document.removeEventListener("keydown", pressed);
    context.board.light([], () => {});
  };
}

/** Whether it has its own form: a standing instruction here, an order sheet below. @param {Control} control */
const isWritten = (control) => Object.values(control.open).some((field) => field.type === "Form");

const soon = () => new Promise((resolve) => setTimeout(resolve, 20));

// The command line: moves in words, which the server interprets by its offers, and the board as text.

import { get, inLanguage } from "../lib/api.js";
import { fill, h, submitting } from "../lib/dom.js";
import { telling, told } from "../lib/shell.js";
import { t } from "./words.js";

/** @typedef {import("./offers.js").Command} Command */
/** @typedef {import("../lib/api.js").Schemas} Schemas */

/** How many lines of output are kept. */
const KEPT = 50;
/** How many matching words are shown. */
const SHOWN = 16;
/** The most characters of a phrase. */
const MOST = 1000;

/** The words in the name of a command. @param {string} command */
const wordsOf = (command) => (command.match(/[A-Z][a-z0-9]*/g) ?? []).map((word) => word.toLowerCase());

/**
 * @param {object} page
 * @param {string} page.game
 * @param {() => readonly Schemas["Offer"][]} page.offers
 * @param {(id: string) => string | undefined} page.rule The text of a rule.
 * @param {(command: Command, how: {tryOnly: boolean}) => Promise<unknown>} page.run
 */
export function commandLine({ game, offers, rule, run }) {
  /** @type {string[]} */
  const history = [];
  let back = 0;
  const log = h("div", { class: "said", role: "log", "aria-label": t.line, tabindex: 0, hidden: true });
  const hint = h("p", { class: "fits", id: "line-fits" });
  const input = h("input", {
    id: "line",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    "aria-describedby": "line-hint line-fits",
    maxlength: MOST,
  });
  const text = h("pre", { class: "text-board", tabindex: 0, "aria-label": t.textBoard, hidden: true });
  const toggle = h("button", { type: "button", class: "second", "aria-expanded": "false", onclick: () => void board() }, t.textBoard);
  const element = h(
    "section",
    { class: "line", "aria-label": t.line },
    h("p", { class: "boards" }, toggle),
    text,
    log,
    h("form", { onsubmit: submitting(() => entered(input.value.trim())) },
      h("label", { for: "line" }, t.line), input, h("button", { class: "second" }, t.run)),
    hint,
    h("p", { class: "hint", id: "line-hint" }, t.lineHint),
  );
  input.addEventListener("input", () => void fits());
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowUp" || event.key === "ArrowDown") recall(event);
    if (event.key === "Tab" && !event.shiftKey) void complete(event);
  });

  /** The words before the phrase that is read: `try` tries it out. @param {string} said */
  const phraseOf = (said) => (/^try\s/i.test(said) ? said.replace(/^try\s+/i, "") : said);

  /** The server's interpretation of a phrase. @param {string} text @returns {Promise<Schemas["PhraseReading"]>} */
  const read = async (text) => (await get(`/v1/games/${game}/phrase`, { ...inLanguage(), text })).body;

  /** Counts changes of the text or the offers; the last text, with the server's interpretation. */
  let changes = 0;
  /** @type {{text: string, reading: Schemas["PhraseReading"]} | null} */
  let known = null;
  /** @type {Promise<void> | null} One request at a time: who types quickly waits for the last one only. */
  let looking = null;

  function fits() {
    changes++;
    known = null;
    if (!phraseOf(input.value).trim()) {
      const words = [...new Set(offers().map((offer) => wordsOf(offer.command)[0] ?? ""))];
      hinted(words, false);
      return looking ?? Promise.resolve();
    }
    return (looking ??= look().finally(() => (looking = null)));
  }

  async function look() {
    let seen = changes;
    do {
      seen = changes;
      const text = input.value;
      if (!phraseOf(text).trim()) return;
      await telling(hint, async () => {
        const reading = await read(phraseOf(text));
        if (seen !== changes) return;
        known = { text, reading };
        hinted(reading.following, reading.move !== null);
      });
    } while (seen !== changes);
  }

  /** @param {readonly string[]} words @param {boolean} enough */
  function hinted(words, enough) {
    const shown = words.slice(0, SHOWN).join("  ") + (words.length > SHOWN ? " …" : "");
    fill(hint, words.length ? t.next(shown) : enough ? t.enough : null);
  }

  /** @param {KeyboardEvent} event */
  async function complete(event) {
    const before = input.value;
    if (!phraseOf(before).trim()) return;
    if (known?.text === before && !completed(known)) return;
    event.preventDefault();
    await looking;
    const whole = known?.text === input.value && completed(known);
    if (!whole || input.value !== before) return;
    input.value = whole;
    void fits();
  }

  /** What was typed, with as much behind it as all words that fit have in common; null if that is nothing. @param {NonNullable<typeof known>} typed */
  function completed({ text, reading }) {
    const words = reading.following.filter((word) => !word.includes(".."));
    const begun = /\s$/.test(text) ? "" : (text.split(/\s+/).at(-1) ?? "");
    const shared = words.reduce((one, other) => {
      let end = 0;
      while (end < one.length && one[end] === other[end]) end++;
      return one.slice(0, end);
    }, words[0] ?? "");
    const ends = words.length === 1 && !shared.endsWith("=") ? " " : "";
    return (shared + ends).length <= begun.length ? null : text.slice(0, text.length - begun.length) + shared + ends;
  }

  /** @param {KeyboardEvent} event */
  function recall(event) {
    event.preventDefault();
    back = Math.min(Math.max(back + (event.key === "ArrowUp" ? 1 : -1), 0), history.length);
    input.value = back ? (history[history.length - back] ?? "") : "";
    void fits();
  }

  /** @param {string} said */
  async function entered(said) {
    if (!said) return;
    history.push(said);
    back = 0;
    input.value = "";
    const [word = "", more = ""] = said.split(/\s+/);
    tell(h("p", { class: "entered" }, `> ${said}`));
    if (word === "help") help();
    else if (word === "board") tell(h("pre", { tabindex: 0 }, await boardText()));
    else if (word === "rule") tell(h("p", {}, rule(more) ?? t.noRule));
    else await moved(said);
    void fits();
  }

  /** @param {string} said */
  async function moved(said) {
    const phrase = phraseOf(said);
    let move, fault;
    try {
      ({ move, fault } = await read(phrase));
    } catch (error) {
      tell(h("div", { class: "unread" }, told(error)));
      return;
    }
    if (!move) {
      tell(h("p", { class: "unread" }, fault && unread(fault)));
      return;
    }
    tell(h("p", {}, move.phrase));
    await run(move.command, { tryOnly: phrase !== said });
    input.focus();
  }

  function help() {
    if (!offers().length) tell(h("p", {}, t.nothingOffered));
    else tell(h("ul", {}, offers().map((offer) => h("li", {}, h("code", {}, wordsOf(offer.command).join(" ")), " ", offer.sentence))));
  }

  /** @param {Node} element_ */
  function tell(element_) {
    log.hidden = false;
    log.append(element_);
    while (log.children.length > KEPT) log.firstElementChild?.remove();
    log.scrollTop = log.scrollHeight;
  }

  async function boardText() {
    const { body } = await get(`/v1/games/${game}/board.txt`, inLanguage(), { accept: "text/plain" });
    return String(body);
  }

  /** Shows or hides the board as text. */
  async function board() {
    const shows = text.hidden;
    text.hidden = !shows;
    toggle.setAttribute("aria-expanded", String(shows));
    if (!shows) return;
    await draw();
    text.focus();
  }

  const draw = () => telling(text, async () => fill(text, await boardText()));

  return {
    element,
    focus: () => input.focus(),
    board,
    /** Call this whenever the offers change. */
    offered: () => {
      void fits();
      if (!text.hidden) void draw();
    },
  };
}

/** @param {Schemas["PhraseFault"]} fault @returns {string} */
function unread({ code, word, fits }) {
  const words = fits.slice(0, SHOWN).join(", ");
  if (code === "ambiguous") return t.ambiguous(words);
  if (code === "missing") return fits.length ? t.missing(words) : t.nothingOffered;
  return t.unfit(word ?? "", fits.length ? t.fits(words) : t.fitsNothing);
}

// The command line: moves in words, read by the offers alone, and the board as text.

import { get, inLanguage } from "../lib/api.js";
import { fill, h } from "../lib/dom.js";
import { told } from "../lib/shell.js";
import { t } from "./labels.js";
import { Unread, following, read, say, wordsOf } from "./phrases.js";

/** @typedef {import("./offers.js").Command} Command */
/** @typedef {import("../lib/api.js").Schemas} Schemas */

/** How many lines of what was said are kept in sight. */
const KEPT = 50;
/** How many words are shown of those that fit. */
const SHOWN = 16;

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
    maxlength: 4000,
  });
  const text = h("pre", { class: "text-board", tabindex: 0, "aria-label": t.textBoard, hidden: true });
  const toggle = h("button", { type: "button", class: "second", "aria-expanded": "false", onclick: () => void board() }, t.textBoard);
  const element = h(
    "section",
    { class: "line", "aria-label": t.line },
    h("p", { class: "boards" }, toggle),
    text,
    log,
    h(
      "form",
      {
        onsubmit: (event) => {
          event.preventDefault();
          void entered(input.value.trim());
        },
      },
      h("label", { for: "line" }, t.line),
      input,
      h("button", { class: "second" }, t.run),
    ),
    hint,
    h("p", { class: "hint", id: "line-hint" }, t.lineHint),
  );
  input.addEventListener("input", fits);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowUp" || event.key === "ArrowDown") recall(event);
    if (event.key === "Tab" && !event.shiftKey) complete(event);
  });

  /** The words before the phrase that is read: `try` tries it out. @param {string} said */
  const phraseOf = (said) => (/^try\s/i.test(said) ? said.replace(/^try\s+/i, "") : said);

  function fits() {
    const words = following(phraseOf(input.value), offers());
    const shown = words.slice(0, SHOWN).join("  ") + (words.length > SHOWN ? " …" : "");
    fill(hint, words.length ? t.next(shown) : input.value && meaning(input.value) ? t.enough : null);
  }

  /** @param {string} said */
  function meaning(said) {
    try {
      return read(phraseOf(said), offers());
    } catch (error) {
      if (error instanceof Unread) return null;
      throw error;
    }
  }

  /** @param {KeyboardEvent} event */
  function complete(event) {
    const words = following(phraseOf(input.value), offers()).filter((word) => !word.includes(".."));
    const begun = /\s$|^$/.test(input.value) ? "" : (input.value.split(/\s+/).at(-1) ?? "");
    const shared = words.reduce((one, other) => {
      let end = 0;
      while (end < one.length && one[end] === other[end]) end++;
      return one.slice(0, end);
    }, words[0] ?? "");
    const ends = words.length === 1 && !shared.endsWith("=") ? " " : "";
    if (!input.value || (shared + ends).length <= begun.length) return;
    event.preventDefault();
    input.value = input.value.slice(0, input.value.length - begun.length) + shared + ends;
    fits();
  }

  /** @param {KeyboardEvent} event */
  function recall(event) {
    event.preventDefault();
    back = Math.min(Math.max(back + (event.key === "ArrowUp" ? 1 : -1), 0), history.length);
    input.value = back ? (history[history.length - back] ?? "") : "";
    fits();
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
    fits();
  }

  /** @param {string} said */
  async function moved(said) {
    const phrase = phraseOf(said);
    /** @type {Command} */
    let command;
    try {
      command = read(phrase, offers());
    } catch (error) {
      if (!(error instanceof Unread)) throw error;
      tell(h("p", { class: "unread" }, unread(error)));
      return;
    }
    tell(h("p", {}, say(command, offers())));
    await run(command, { tryOnly: phrase !== said });
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

  /** Shows the board as text, or no longer. */
  async function board() {
    const shows = text.hidden;
    text.hidden = !shows;
    toggle.setAttribute("aria-expanded", String(shows));
    if (!shows) return;
    await draw();
    text.focus();
  }

  async function draw() {
    try {
      fill(text, await boardText());
    } catch (error) {
      fill(text, told(error));
    }
  }

  return {
    element,
    focus: () => input.focus(),
    board,
    /** To be called whenever something else is offered. */
    offered: () => {
      fits();
      if (!text.hidden) void draw();
    },
  };
}

/** @param {Unread} error @returns {string} */
function unread({ code, word, fits }) {
  const words = fits.slice(0, SHOWN).join(", ");
  if (code === "ambiguous") return t.ambiguous(words);
  if (code === "missing") return fits.length ? t.missing(words) : t.nothingOffered;
  return t.unfit(word ?? "", fits.length ? t.fits(words) : t.fitsNothing);
}

// The story: what happened, in sentences, a page of the log at a time. Only pages near the visible part are in the
// document.

import { anotherTask, fill, h, submitting } from "../lib/dom.js";
import { explained } from "../lib/rule.js";
import { PAGE } from "./model.js";
import { common } from "../lib/words.js";
import { t } from "./words.js";

/** @typedef {import("./model.js").Step} Step */
/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./moment.js").Moment} Moment */

/** The estimated height of a sentence in pixels before it is displayed. */
const GUESS = 44;
/** Sentences that are added at a time: slow devices would not respond while they lay out a whole page. */
const PORTION = 25;
/** The reader sees the newest if this close to the end, in pixels. */
const NEAR = 60;

/** @typedef {{first: number, list: HTMLOListElement, shown: number, near: boolean, seen: boolean}} Block */

export class Story {
  #list = h("div", { class: "pages" });
  element = h("div", { class: "story", tabindex: 0, role: "group", "aria-label": t.story }, this.#list);
  /** @type {Block[]} */
  #blocks = [];
  #height = GUESS;
  /** The visible height of the story, in pixels. */
  #tall = 0;
  /** Its width. */
  #wide = 0;
  /** @type {number | null} The event to keep in sight. */
  #wanted = null;
  /** Whether each turn is one line, and the exceptions. */
  #folds = false;
  /** @type {Set<number>} */
  #except = new Set();
  #observer = new IntersectionObserver((seen) => this.#seen(seen), { root: this.element, rootMargin: "600px 0px" });

  /**
   * @param {Model} model
   * @param {Moment} moment
   */
  constructor(model, moment) {
    this.model = model;
    this.moment = moment;
    this.element.addEventListener("click", (event) => this.#clicked(event));
    this.element.addEventListener("keydown", (event) => this.#roam(event));
    new ResizeObserver(() => this.#resized()).observe(this.element);
    this.grow();
  }

  /** Keeps the sentence of the moment visible when controls above take more space. */
  #resized() {
    const { clientHeight, clientWidth, scrollTop } = this.element;
    const row = this.#row(this.moment.at);
    const was = row && row.offsetTop >= scrollTop && row.offsetTop < scrollTop + this.#tall;
    // With another width, all sentences are elsewhere.
    if (was || (this.moment.live && clientWidth !== this.#wide)) this.reveal();
    [this.#tall, this.#wide] = [clientHeight, clientWidth];
  }

  /** Makes space for what happened meanwhile, and shows it if the newest was visible. */
  grow() {
    const near = this.element.scrollHeight - this.element.scrollTop - this.element.clientHeight < NEAR;
    while (this.#blocks.length * PAGE < this.model.seq) {
      const first = this.#blocks.length * PAGE + 1;
      const block = { first, list: h("ol", { start: first }), shown: 0, near: false, seen: false };
      this.#blocks.push(block);
      this.#list.append(block.list);
      this.#observer.observe(block.list);
    }
    for (const block of this.#blocks.slice(-2)) if (block.near) this.#draw(block);
    this.#room();
    if (this.moment.live && near) this.reveal();
  }

  /** Shows each turn as its first line, or all lines of all turns. @param {boolean} on */
  fold(on) {
    this.#folds = on;
    this.#except.clear();
    this.#folded();
  }

  /** @param {number} turn */
  #toggle(turn) {
    if (!this.#except.delete(turn)) this.#except.add(turn);
    this.#folded();
  }

  /** Hides the lines of folded turns, except the first of each. */
  #folded() {
    for (const row of this.#list.querySelectorAll("li")) {
      const turn = Number(row.dataset["turn"]);
      const folded = this.#folds !== this.#except.has(turn);
      const head = row.querySelector("h3 button");
      head?.setAttribute("aria-expanded", String(!folded));
      row.hidden = folded && !head;
    }
    for (const block of this.#blocks) if (!block.shown) block.list.style.minHeight = "";
    this.#room();
    this.#mark();
    this.reveal();
  }

  /** Everything has changed. */
  reset() {
    for (const { list } of this.#blocks) this.#observer.unobserve(list);
    this.#blocks = [];
    this.#list.replaceChildren();
    this.grow();
    this.reveal();
  }

  /** Marks the moment that is shown, and scrolls to it. */
  async reveal() {
    const wanted = (this.#wanted = this.moment.at);
    const at = (await this.model.telling(wanted))?.seq ?? wanted;
    if (this.#wanted !== wanted) return;
    const block = this.#blocks[Math.floor((at - 1) / PAGE)];
    if (!block) return;
    for (const other of this.#blocks) if (other.near && !other.seen && other !== block) this.#drop(other);
    block.near = true;
    await this.#draw(block);
    if (this.#wanted !== wanted) return;
    this.#mark();
    const row = this.#row(at)?.parentElement;
    if (!row) return;
    if (this.moment.live) {
      this.element.scrollTop = this.element.scrollHeight;
      return;
    }
    const box = row.getBoundingClientRect();
    const all = this.element.getBoundingClientRect();
    if (box.top < all.top + 40 || box.bottom > all.bottom - 40)
      this.element.scrollTop += box.top - all.top - (all.height - box.height) / 2;
  }

  /** @param {IntersectionObserverEntry[]} seen */
  #seen(seen) {
    for (const entry of seen) {
      const block = this.#blocks.find((each) => each.list === entry.target);
      if (!block) continue;
      const wanted = this.#wanted !== null && Math.floor((this.#wanted - 1) / PAGE) * PAGE + 1 === block.first;
      block.seen = entry.isIntersecting;
      block.near = block.seen || wanted;
      if (block.near) this.#draw(block);
      else this.#drop(block);
    }
  }

  /** @param {Block} block */
  async #draw(block) {
    const last = Math.min(block.first + PAGE - 1, this.model.seq);
    if (block.shown >= last) return;
    await this.model.load(last);
    const seen = this.#inSight();
    while (block.near && block.shown < last) {
      if (!block.shown) block.shown = block.first - 1;
      const until = Math.min(block.shown + PORTION, last);
      const rows = [];
      for (let step = this.model.step(block.shown + 1); step && block.shown < until; step = this.model.step(block.shown + 1)) {
        if (!step.quiet) rows.push(this.#rowOf(step));
        block.shown = step.seq;
      }
      block.list.append(...rows);
      if (block.shown < until) return; // everything was forgotten meanwhile
      if (until < last) await anotherTask();
    }
    if (!block.near) return;
    const next = /** @type {HTMLLIElement | null | undefined} */ (block.list.nextElementSibling?.firstElementChild);
    if (next) next.replaceWith(this.#rowOf(/** @type {Step} */ (this.model.step(next.value)))); // now it is known whether a turn begins with it
    block.list.style.minHeight = "";
    this.#height = Math.max(24, block.list.offsetHeight / (block.shown - block.first + 1) || GUESS);
    this.#mark();
    if (seen && !this.#inSight()) this.reveal(); // what is drawn above it is seldom as tall as the room that was left
  }

  /** Whether the sentence of the moment is visible. */
  #inSight() {
    const row = this.#row(this.moment.at)?.getBoundingClientRect();
    const all = this.element.getBoundingClientRect();
    return row !== undefined && row.bottom > all.top && row.top < all.bottom;
  }

  /** @param {Block} block */
  #drop(block) {
    block.near = false;
    if (!block.shown || block.list.contains(document.activeElement)) return;
    block.list.style.minHeight = `${block.list.offsetHeight}px`;
    block.list.replaceChildren();
    block.shown = 0;
  }

  /** Space for what is not loaded yet. */
  #room() {
    for (const { first, list, shown } of this.#blocks)
      if (!shown && !list.style.minHeight) list.style.minHeight = `${Math.min(PAGE, this.model.seq - first + 1) * this.#height}px`;
  }

  /** @param {Step} step */
  #rowOf({ seq, turn, sentence, about, rule }) {
    const before = this.model.told(seq - 1);
    const begins = !before || before.turn !== turn;
    const to = { href: this.moment.address(seq), tabindex: -1, "data-seq": seq, class: about === null ? null : "seat", "data-seat": about };
    return h(
      "li",
      { value: seq, "data-turn": turn, hidden: !begins && this.#folds !== this.#except.has(turn) },
      begins && h("h3", {}, h("button", { type: "button", class: "quiet", tabindex: -1, "aria-expanded": String(this.#folds === this.#except.has(turn)), onclick: () => this.#toggle(turn) }, turn ? common.turn(turn) : t.before)),
      explained(h("a", to, sentence), this.model.table.ruleset, rule, this.model.rules.get(rule)),
    );
  }

  /**
   * The row of an event: if it has no visible one, the last one before it.
   *
   * @param {number} seq
   * @returns {HTMLElement | null}
   */
  #row(seq) {
    for (let at = seq; at >= 1 && at > seq - PAGE; at--) {
      const row = /** @type {HTMLElement | null} */ (this.#list.querySelector(`[data-seq="${at}"]`));
      if (row && !row.parentElement?.hidden) return row;
      if (!row && !this.model.step(at)?.quiet) return null;
    }
    return null;
  }

  #mark() {
    const at = this.moment.at;
    for (const row of this.#list.querySelectorAll("[aria-current]")) row.removeAttribute("aria-current");
    this.#row(at)?.setAttribute("aria-current", "true");
    for (const { first, list } of this.#blocks) list.classList.toggle("later", first > at);
    for (const row of this.#list.querySelectorAll("li")) row.classList.toggle("later", row.value > at);
  }

  /** @param {Event} event */
  #clicked(event) {
    const { ctrlKey, metaKey, shiftKey } = /** @type {MouseEvent} */ (event);
    const row = event.target instanceof Element && event.target.closest("a");
    if (!row || ctrlKey || metaKey || shiftKey) return;
    event.preventDefault();
    this.moment.go(Number(row.dataset["seq"]), true);
  }

  /** @param {KeyboardEvent} event */
  #roam(event) {
    const way = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    if (!way || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const stops = [...this.#list.querySelectorAll("li:not([hidden]) :is(h3 button, a[data-seq])")];
    const next = stops[stops.indexOf(/** @type {Element} */ (document.activeElement)) + way];
    const here = stops.includes(/** @type {Element} */ (document.activeElement));
    (here && next instanceof HTMLElement ? next : this.#row(this.moment.at))?.focus();
  }
}

/**
 * Search and folding for the story.
 *
 * @param {Model} model
 * @param {Moment} moment
 * @param {Story} story
 * @returns {HTMLElement}
 */
export function searching(model, moment, story) {
  const fold = h("button", { class: "second fold", type: "button", "aria-pressed": "false", title: t.foldLong, onclick: () => {
    const on = fold.getAttribute("aria-pressed") !== "true";
    fold.setAttribute("aria-pressed", String(on));
    story.fold(on);
  } }, t.fold);
  const input = h("input", { type: "search", "aria-label": t.search, placeholder: t.search });
  const said = h("span", { class: "small muted", role: "status" });
  let asked = new AbortController();
  const look = async (/** @type {1 | -1} */ way) => {
    asked.abort();
    const { signal } = (asked = new AbortController());
    const wanted = input.value.trim().toLocaleLowerCase();
    if (!wanted) return fill(said);
    const fits = (/** @type {Step} */ step) => step.sentence.toLocaleLowerCase().includes(wanted);
    fill(said, t.searching);
    try {
      const end = way === 1 ? 1 : model.seq;
      const found = (await model.search(fits, moment.at + way, way, signal)) ?? (await model.search(fits, end, way, signal));
      if (signal.aborted) return;
      fill(said, found ? t.event(found.seq) : t.notFound);
      if (found) moment.go(found.seq, true);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
  return h(
    "form",
    { class: "row search", role: "search", onsubmit: submitting(() => look(1)) },
    input,
    h("button", { class: "second", type: "button", title: t.earlier, "aria-label": t.earlier, onclick: () => look(-1) }, "↑"),
    h("button", { class: "second", type: "submit", title: t.later, "aria-label": t.later }, "↓"),
    fold,
    said,
  );
}

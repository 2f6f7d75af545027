// The board: the server's drawing in a shadow root, with changes marked, and with selectable places highlighted as
// buttons.

import { h } from "../lib/dom.js";
import { words } from "../lib/words.js";
import { TWO } from "./compose.js";
import { Drawing } from "./drawing.js";
import { layOut, noSpace } from "./layout.js";
import { t } from "./words.js";

/**
 * A place that can be chosen.
 *
 * @typedef {object} Site
 * @property {string} pick One of the ways in which the picture says that something is picked (`data-picks`), such as
 *   `site=1,2,3` or `market=domestic;good=crude`; or `part=` and the key of a part.
 * @property {string} [label] What it is called; else what the picture calls it.
 * @property {boolean} [picked] Whether it is picked already; unset where picking it does something at once.
 */

/** Pixels of the button that enlarges the board. */
const CORNER = 40;
/**
 * Pixels of a site when the board is enlarged; with fewer than the second number, it is enlarged automatically to
 * select one.
 */
const [TAPPED, SMALL] = [46, 34];
/** The smallest and the largest zoom. */
const [LARGER, LARGEST] = [1.5, 4];

/** Pixels by which the boxes of a track are below its name and prices, which are drawn next to them. */
const FOLD = 20;
/** Where the boxes of tracks begin, and how far to the right of them their prices are. */
const [BOXES, ASIDE] = [138, 98];
/** The most pixels of a scroll bar. */
const SCROLLBAR = 16;
/** The most changes that are marked: more frames would hide what they show. */
const MARKED = 40;

const STYLE = `
:host { display: block; position: relative; }
.stage { height: 100%; overflow: auto; overscroll-behavior: auto; }
.sheet { position: relative; margin: 0 auto; }
.sheet > svg { display: block; width: 100%; height: auto; }
.sheet > svg > .page { display: none; }
g.track { transform: translateY(calc(var(--above) * ${FOLD}px)); }
${[...Array(12).keys()].map((above) => `g.track:nth-of-type(${above + 1}) { --above: ${above}; }`).join("\n")}
g.track > [data-part]:not([data-part$="-prices"]) { transform: translateY(${FOLD}px); }
g.track > text { transform: translateX(${BOXES}px); font-size: 17px; }
[data-part$="-prices"], g.tracks > text { transform: translateX(-${ASIDE}px); }
[data-part$="-prices"] text { font-size: 17px; }
g.tracks > text { font-size: 14px; }
.over { position: absolute; inset: 0; pointer-events: none; }
.mark { position: absolute; box-sizing: border-box; border: 2px solid var(--changed); border-radius: 4px; box-shadow: 0 0 0 1px var(--page); }
.light { position: absolute; pointer-events: auto; cursor: pointer; min-width: 1.25rem; min-height: 1.25rem; padding: 0; margin: 0;
  border: 3px solid var(--lit); border-radius: 4px; background: color-mix(in srgb, var(--lit) 22%, transparent); box-shadow: 0 0 0 1px var(--page); }
.light:hover { background: color-mix(in srgb, var(--lit) 50%, transparent); }
.light[aria-pressed="true"] { background: var(--lit); }
.light[aria-pressed="true"]::after { content: "✓"; color: var(--page); font: 700 1.1rem/1 sans-serif; }
.light.faint { border-width: 1px; border-style: dashed; background: none; box-shadow: none; }
.light.faint:hover { background: color-mix(in srgb, var(--lit) 30%, transparent); }
.light:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; z-index: 1; }
.zoom { position: absolute; top: 0; right: 0; z-index: 2; width: ${CORNER}px; height: ${CORNER}px; padding: 0; border: 1px solid var(--line); border-radius: 6px;
  background: var(--panel); color: var(--ink); font: 700 1.25rem/1 sans-serif; cursor: pointer; }
.zoom[aria-pressed="true"] { border-color: var(--link); color: var(--link); }
.zoom:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
@media (prefers-reduced-motion: no-preference) {
  .mark { animation: arrive .5s ease-out; }
  @keyframes arrive { from { transform: scale(1.25); opacity: 0; } }
}
@media print {
  .zoom { display: none; }
}
`;

const own = new CSSStyleSheet();
own.replaceSync(STYLE);

export class Board {
  element = h("div", { class: "board" });
  #root = this.element.attachShadow({ mode: "open" });
  #frame = h("div", { class: "stage", role: "group", "aria-label": t.board });
  #zoomer = h("button", { type: "button", class: "zoom", "aria-label": t.zoom, title: t.zoom, onclick: () => this.#zoomTo(this.#zoom === 1 ? this.#large : 1, false) }, "⤢");
  #before = /** @type {import("./pictures.js").Drawn | null} */ (null);
  #sheet = h("div", { class: "sheet" }, h("div", { class: "over" }));
  #drawing = new Drawing(this.#sheet);
  /** The room that the parts were laid out for, in pixels. @type {readonly [number, number]} */
  #room = [0, 0];
  /** The space that the parts took so far. */
  #space = noSpace();
  #zoom = 1;
  /** Whether it was enlarged automatically. */
  #isEnlarged = false;
  /** @type {readonly Site[]} */
  #sites = [];
  #faint = false;
  /** @type {(site: Site) => void} */
  #onChoose = () => {};

  #sized = new ResizeObserver(() => {
    if (this.#svg && String(this.#room) !== String(this.#size)) this.#layOut();
  });

  constructor() {
    this.#frame.append(this.#sheet);
    this.#root.append(this.#frame, this.#zoomer);
    this.#frame.addEventListener("keydown", (event) => this.#roam(event));
    this.#sized.observe(this.element);
  }

  /** @returns {SVGSVGElement | null} */
  get #svg() {
    return this.#frame.querySelector(":scope > .sheet > svg");
  }

  /**
   * Shows a drawing. Highlighted sites stay highlighted.
   *
   * @param {import("./pictures.js").Drawn} drawn
   * @param {import("./pictures.js").Drawn | null} [before] An earlier one: what is different since then is marked.
   */
  show(drawn, before = null) {
    const style = this.#drawing.show(drawn);
    if (this.#root.adoptedStyleSheets[0] !== style) this.#root.adoptedStyleSheets = [style, own];
    this.#before = before;
    this.#layOut(this.#room[0] ? this.#room : this.#size); // another room is observed, and reading it would lay out the page
  }

  /** Lays out the parts of the picture again, and the elements over it. */
  #layOut(size = this.#size) {
    const svg = this.#svg;
    const [width, height] = (this.#room = size);
    if (!svg || !width) return;
    if (this.element.parentElement) this.#sized.observe(this.element.parentElement);
    for (const old of this.#frame.querySelectorAll(".mark")) old.remove(); // before anything is measured
    const sheet = layOut(svg, this.#space, width, height, SCROLLBAR, CORNER);
    const wide = `${this.#zoom * sheet.width}px`;
    if (this.#sheet.style.width !== wide) this.#sheet.style.width = wide;
    if (this.#zoom > 1 || sheet.height > height) this.#frame.tabIndex = 0;
    else this.#frame.removeAttribute("tabindex");
    this.mark(this.#before);
    this.#lightUp(this.#focused);
  }

  /**
   * Pixels of the available space. If the board grows with the picture, that is the visible part, except on phones.
   *
   * @returns {readonly [number, number]}
   */
  get #size() {
    const grows = getComputedStyle(this.element).getPropertyValue("--grows").trim() !== "";
    const { clientWidth, clientHeight, parentElement } = this.element;
    if (!grows) return [clientWidth, clientHeight];
    return [clientWidth, clientWidth < TWO ? Infinity : (parentElement?.clientHeight ?? Infinity)];
  }

  /** The zoom that makes sites large enough to tap. */
  get #large() {
    const spaces = [...this.#frame.querySelectorAll('g.table [data-picks], g.table [data-part^="site-"]')].map((each) => each.getBoundingClientRect());
    const least = Math.min(TAPPED, ...spaces.map((box) => Math.min(box.width, box.height)).filter(Boolean));
    return Math.max(LARGER, Math.min(LARGEST, (this.#zoom * TAPPED) / least));
  }

  /**
   * Enlarges the board, around its selectable places, otherwise around its center; 1 shows all of it.
   *
   * @param {number} zoom
   * @param {boolean} byItself
   */
  #zoomTo(zoom, byItself) {
    this.#zoom = zoom;
    this.#isEnlarged = byItself && zoom > 1;
    this.element.classList.toggle("zoomed", zoom > 1);
    this.#zoomer.setAttribute("aria-pressed", String(zoom > 1));
    this.#layOut();
    const lights = [...this.#frame.querySelectorAll(".light")];
    const around = lights.length ? lights : [...this.#frame.querySelectorAll("g.table")];
    const boxes = around.map((each) => each.getBoundingClientRect());
    const all = this.#frame.getBoundingClientRect();
    const [left, right] = [Math.min(...boxes.map((box) => box.left)), Math.max(...boxes.map((box) => box.right))];
    const [top, bottom] = [Math.min(...boxes.map((box) => box.top)), Math.max(...boxes.map((box) => box.bottom))];
    this.#frame.scrollBy({ left: (left + right) / 2 - (all.left + all.right) / 2, top: (top + bottom) / 2 - (all.top + all.bottom) / 2, behavior: "instant" });
  }

  /** The description of the picture in words. */
  get words() {
    return this.#svg?.querySelector("desc")?.textContent ?? "";
  }

  /**
   * Highlights sites as buttons, replacing earlier ones: one tab stop, with arrow keys between them. Sites that the
   * picture does not have are ignored. On a small screen the board is enlarged when the first are highlighted.
   *
   * @param {readonly Site[]} sites
   * @param {(site: Site) => void} onChoose
   * @param {{label?: string, faint?: boolean}} [look] What is chosen, for those who hear it; `faint` for what may be
   *   picked beside what is asked.
   */
  light(sites, onChoose, { label = "", faint = false } = {}) {
    const first = !this.#sites.length;
    this.#sites = sites;
    this.#faint = faint;
    this.#onChoose = onChoose;
    this.#frame.setAttribute("aria-label", sites.length && label ? label : t.board);
    this.#lightUp(this.#focused);
    const lights = [...this.#frame.querySelectorAll(".light")];
    if (!lights.length && this.#isEnlarged) this.#zoomTo(1, true);
    else if (first && !faint && this.#zoom === 1 && lights.some((each) => each.getBoundingClientRect().width < SMALL)) this.#zoomTo(this.#large, true);
  }

  /** The focused site. */
  get #focused() {
    return /** @type {HTMLElement | null} */ (this.#root.activeElement)?.dataset["pick"];
  }

  /** @param {string | undefined} focused What had the focus, and is to have it again. */
  #lightUp(focused) {
    for (const old of this.#frame.querySelectorAll(".light")) old.remove();
    if (!this.#sites.length) return;
    const found = this.#found;
    /** @type {[HTMLElement, Element][]} */
    const over = [];
    const buttons = this.#sites.flatMap((site) => {
      const there = found.get(site.pick);
      if (!there) return [];
      const name = site.label ?? there.querySelector("title")?.textContent ?? site.pick;
      const button = h("button", { class: this.#faint ? "light faint" : "light", type: "button", tabindex: -1, "aria-label": name, title: name, "aria-pressed": site.picked === undefined ? null : String(site.picked) });
      button.dataset["pick"] = site.pick;
      button.addEventListener("click", () => this.#onChoose(site));
      over.push([button, there]);
      return [button];
    });
    this.#place(over, 0);
    const first = buttons.find((button) => button.dataset["pick"] === focused) ?? buttons[0];
    if (first) first.tabIndex = 0;
    if (focused !== undefined) first?.focus({ preventScroll: true });
  }

  /** Moves the focus to the highlighted sites. */
  focus() {
    /** @type {HTMLElement | null} */ (this.#frame.querySelector('.light[tabindex="0"]'))?.focus();
  }

  /**
   * Marks the differences from an earlier picture; without one, nothing.
   *
   * @param {import("./pictures.js").Drawn | null} before
   */
  mark(before) {
    this.#before = before;
    this.marked = false;
    for (const old of this.#frame.querySelectorAll(".mark")) old.remove();
    const svg = this.#svg;
    if (before === null || !svg) return;
    const changed = this.#drawing.changed(before).filter((part) => part.getAttribute("data-part") !== "heading");
    this.marked = changed.length > 0 && changed.length <= MARKED;
    if (this.marked) this.#place(changed.map((part) => [h("div", { class: "mark" }), part]), 2);
  }

  /** The selectable elements, by the ways in which the picture names them; of several, the first. */
  get #found() {
    /** @type {Map<string, Element>} */
    const found = new Map();
    for (const each of this.#frame.querySelectorAll("[data-picks], [data-part]")) for (const way of ways(each)) if (!found.has(way)) found.set(way, each);
    return found;
  }

  /**
   * Places elements over shapes.
   *
   * @param {[HTMLElement, Element][]} pairs
   * @param {number} wider Pixels on each side.
   */
  #place(pairs, wider) {
    const over = this.#frame.querySelector(".over");
    const all = over?.getBoundingClientRect();
    if (!over || !all?.width || !all.height) return;
    const measured = pairs.map(([element, shape]) => ({ element, box: shape.getBoundingClientRect() }));
    for (const { element, box } of measured) {
      element.style.left = `${(100 * (box.left - all.left - wider)) / all.width}%`;
      element.style.top = `${(100 * (box.top - all.top - wider)) / all.height}%`;
      element.style.width = `${(100 * (box.width + 2 * wider)) / all.width}%`;
      element.style.height = `${(100 * (box.height + 2 * wider)) / all.height}%`;
      over.append(element);
    }
  }

  /** @param {KeyboardEvent} event */
  #roam(event) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const here = event.target;
    if (!way || !(here instanceof HTMLElement)) return;
    event.preventDefault();
    event.stopPropagation();
    const [across = 0, down = 0] = way;
    const from = middle(here);
    let [nearest, least] = [here, Infinity];
    for (const each of /** @type {NodeListOf<HTMLElement>} */ (this.#frame.querySelectorAll(".light"))) {
      const [x, y] = [middle(each).x - from.x, middle(each).y - from.y];
      const along = x * across + y * down;
      const aside = Math.abs(x * down) + Math.abs(y * across);
      if (along > 1 && along + 2 * aside < least) [nearest, least] = [each, along + 2 * aside];
    }
    here.tabIndex = -1;
    nearest.tabIndex = 0;
    nearest.focus();
  }
}

/** @param {Element} element */
const ways = (element) => [...(element.getAttribute("data-picks") ?? "").split(" ").filter(Boolean), `part=${element.getAttribute("data-part") ?? ""}`];

/** @param {Element} element */
function middle(element) {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

// The board: the server's picture in a shadow root, with changes marked, and with selectable places highlighted as
// buttons.

import { fill, h } from "../lib/dom.js";
import { words } from "../lib/words.js";
import { TWO } from "./compose.js";
import { layOut, putBack } from "./layout.js";
import { de, en } from "./words.js";

const t = words({ en, de });

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

/** @type {Map<string, CSSStyleSheet>} The style of pictures is nearly always the same. */
const sheets = new Map();

/** @param {string} text */
function sheet(text) {
  let made = sheets.get(text);
  if (!made) {
    made = new CSSStyleSheet();
    made.replaceSync(text);
    sheets.set(text, made);
  }
  return made;
}

/**
 * A picture as nodes of its own document, and its style. Nothing in it is run.
 *
 * @param {string} text
 * @returns {{svg: SVGSVGElement, style: CSSStyleSheet}}
 */
export function picture(text) {
  /** @type {string[]} */
  const styles = [];
  // The content security policy forbids parsed styles, so they are taken out first.
  const bare = text.replace(/<style>([^<]*)<\/style>/g, (_, style) => {
    styles.push(style.replaceAll("&gt;", ">").replaceAll("&lt;", "<").replaceAll("&amp;", "&"));
    return "";
  });
  const parsed = new DOMParser().parseFromString(bare, "image/svg+xml");
  for (const element of parsed.querySelectorAll("style, script, foreignObject")) element.remove();
  const svg = parsed.documentElement;
  if (!(svg instanceof SVGSVGElement)) throw new Error("This is no picture.");
  return { svg, style: sheet(styles.join("\n")) };
}

/** @type {Map<string, ReturnType<typeof picture>>} The pictures that were looked at last: to compare with them takes no second reading. */
const lately = new Map();
const LATELY = 4;

/**
 * A cached picture, which must not be changed.
 *
 * @param {string} text
 */
function read(text) {
  const known = lately.get(text) ?? picture(text);
  lately.delete(text);
  lately.set(text, known);
  for (const oldest of lately.keys()) if (lately.size > LATELY) lately.delete(oldest);
  return known;
}

/** Attributes that our layout sets, not the picture. */
const SIZED = ["viewBox", "width", "height"];

/**
 * Turns the shown nodes into the wanted ones. Equal nodes stay, since drawing a whole picture takes long.
 *
 * @param {Node} shown
 * @param {Node} wanted Stays as it is.
 */
function become(shown, wanted) {
  if (shown.isEqualNode(wanted)) return;
  if (!(shown instanceof Element && wanted instanceof Element && shown.nodeName === wanted.nodeName)) {
    shown.parentNode?.replaceChild(document.importNode(wanted, true), shown);
    return;
  }
  const kept = shown instanceof SVGSVGElement ? SIZED : [];
  for (const name of shown.getAttributeNames()) if (!wanted.hasAttribute(name) && !kept.includes(name)) shown.removeAttribute(name);
  for (const name of wanted.getAttributeNames().filter((each) => !kept.includes(each))) {
    const value = wanted.getAttribute(name) ?? "";
    if (shown.getAttribute(name) !== value) shown.setAttribute(name, value);
  }
  const [old, fresh] = [[...shown.childNodes], [...wanted.childNodes]];
  while (old.length && fresh.length && old[0]?.isEqualNode(fresh[0] ?? null)) {
    old.shift();
    fresh.shift();
  }
  /** @type {ChildNode | null} */
  let behind = null;
  while (old.length && fresh.length && old.at(-1)?.isEqualNode(fresh.at(-1) ?? null)) {
    behind = old.pop() ?? null;
    fresh.pop();
  }
  for (const [number, each] of fresh.entries()) {
    const here = old[number];
    if (here) become(here, each);
    else shown.insertBefore(document.importNode(each, true), behind);
  }
  for (const gone of old.slice(fresh.length)) gone.remove();
}

/**
 * The parts of a picture by their keys.
 *
 * @param {Element} within
 * @returns {Map<string | null, Element>}
 */
function parts(within) {
  return new Map([...within.querySelectorAll("[data-part]")].map((part) => [part.getAttribute("data-part"), part]));
}

export class Board {
  element = h("div", { class: "board" });
  #root = this.element.attachShadow({ mode: "open" });
  #frame = h("div", { class: "stage", role: "group", "aria-label": t.board });
  #zoomer = h("button", { type: "button", class: "zoom", "aria-label": t.zoom, title: t.zoom, onclick: () => this.#zoomTo(this.#zoom === 1 ? this.#large : 1, false) }, "⤢");
  #before = /** @type {string | null} */ (null);
  #words = "";
  /** The space that the parts were laid out for. */
  #room = "";
  #zoom = 1;
  /** Whether it was enlarged automatically. */
  #isEnlarged = false;
  /** @type {readonly Site[]} */
  #sites = [];
  #faint = false;
  /** @type {(site: Site) => void} */
  #onChoose = () => {};

  #sized = new ResizeObserver(() => {
    if (this.#svg && this.#room !== this.#roomNow) this.#layOut();
  });

  constructor() {
    this.#root.append(this.#frame, this.#zoomer);
    this.#frame.addEventListener("keydown", (event) => this.#roam(event));
    this.#sized.observe(this.element);
  }

  /** @returns {SVGSVGElement | null} */
  get #svg() {
    return this.#frame.querySelector(":scope > .sheet > svg");
  }

  /**
   * Shows a picture. Highlighted sites stay highlighted.
   *
   * @param {string} text That of an SVG document.
   * @param {string | null} [before] An earlier picture: what is another since then is marked.
   */
  show(text, before = null) {
    const { svg, style } = read(text);
    const shown = this.#svg;
    this.#words = svg.querySelector("desc")?.textContent ?? "";
    this.#root.adoptedStyleSheets = [style, own];
    this.#before = before;
    if (shown) {
      putBack(shown); // else what becomes another part stays where the first one was moved to
      become(shown, svg);
    } else fill(this.#frame, h("div", { class: "sheet" }, document.importNode(svg, true), h("div", { class: "over" })));
    this.#layOut();
  }

  /** Lays out the parts of the picture again, and the elements over it. */
  #layOut() {
    const svg = this.#svg;
    const [width, height] = this.#size;
    this.#room = width ? this.#roomNow : "";
    if (!svg || !width) return;
    if (this.element.parentElement) this.#sized.observe(this.element.parentElement);
    let sheet = layOut(svg, width, height, CORNER);
    if (sheet.height > height) sheet = layOut(svg, width - SCROLLBAR, height, CORNER);
    /** @type {HTMLElement} */ (svg.parentElement).style.width = `${this.#zoom * sheet.width}px`;
    if (this.#zoom > 1 || sheet.height > height) this.#frame.tabIndex = 0;
    else this.#frame.removeAttribute("tabindex");
    this.mark(this.#before);
    this.#lightUp(this.#focused);
  }

  /**
   * Pixels of the available space. If the board grows with the picture, that is the visible part, except on phones.
   *
   * @returns {[number, number]}
   */
  get #size() {
    const grows = getComputedStyle(this.element).getPropertyValue("--grows").trim() !== "";
    const { clientWidth, clientHeight, parentElement } = this.element;
    if (!grows) return [clientWidth, clientHeight];
    return [clientWidth, clientWidth < TWO ? Infinity : (parentElement?.clientHeight ?? Infinity)];
  }

  get #roomNow() {
    return this.#size.join();
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
    return this.#words;
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
   * @param {string | null} before
   */
  mark(before) {
    this.#before = before;
    this.marked = false;
    for (const old of this.#frame.querySelectorAll(".mark")) old.remove();
    const svg = this.#svg;
    if (before === null || !svg) return;
    const were = parts(read(before).svg);
    const changed = [...parts(svg)].filter(([key, part]) => key !== "heading" && !alike(were.get(key), part));
    this.marked = changed.length > 0 && changed.length <= MARKED;
    if (this.marked) this.#place(changed.map(([, part]) => [h("div", { class: "mark" }), part]), 2);
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

/**
 * Whether a part is the same as before, except for its position.
 *
 * @param {Element | undefined} before
 * @param {Element} now
 */
function alike(before, now) {
  if (!now.hasAttribute("style")) return now.isEqualNode(before ?? null);
  const bare = /** @type {Element} */ (now.cloneNode(true));
  bare.removeAttribute("style");
  return bare.isEqualNode(before ?? null);
}

/** @param {Element} element */
function middle(element) {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

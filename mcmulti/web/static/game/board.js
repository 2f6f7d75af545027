// The board: the picture that the server draws, in a shadow root, with what changed marked on it, and with places that
// can be chosen lit up as buttons.

import { fill, h } from "../lib/dom.js";

/**
 * A place that can be chosen.
 *
 * @typedef {object} Site
 * @property {string} pick One of the ways in which the picture says that something is picked (`data-picks`), such as
 *   `site=1,2,3` or `market=domestic;good=crude`.
 * @property {string} [label] What it is called; else what the picture calls it.
 * @property {number} [seat] Whose it is, where seats have places of the same name.
 */

/** @typedef {{left: number, top: number, width: number, height: number}} Box In percent of the picture. */

const STYLE = `
:host { display: block; }
.sheet { position: relative; }
.sheet > svg { display: block; width: 100%; height: auto; }
.section + .section { margin-top: .5rem; }
.top { display: flex; align-items: start; gap: .5rem; }
.scrolls { overflow-x: auto; }
.scrolls > .sheet { min-width: 42rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.over { position: absolute; inset: 0; pointer-events: none; }
.mark { position: absolute; border: 2px solid var(--changed); border-radius: 4px; box-shadow: 0 0 0 1px var(--page); }
.light { position: absolute; pointer-events: auto; cursor: pointer; min-width: 1.25rem; min-height: 1.25rem; padding: 0; margin: 0;
  border: 3px solid var(--lit); border-radius: 4px; background: color-mix(in srgb, var(--lit) 22%, transparent); box-shadow: 0 0 0 1px var(--page); }
.light:hover { background: color-mix(in srgb, var(--lit) 50%, transparent); }
.light:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; z-index: 1; }
@media (prefers-reduced-motion: no-preference) {
  .mark { animation: arrive .5s ease-out; }
  @keyframes arrive { from { transform: scale(1.25); opacity: 0; } }
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
 * A picture as nodes of a document of its own, and the style that it brings. Nothing in it is run.
 *
 * @param {string} text
 * @returns {{svg: SVGSVGElement, style: CSSStyleSheet}}
 */
export function picture(text) {
  /** @type {string[]} */
  const styles = [];
  // The policy of the page refuses styles that stand in what is parsed: they are taken out first.
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
 * The same of a picture that others may look at too: it is not to be changed.
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

/**
 * Makes of what is shown what is wanted. What is the same stays, since a whole picture is long in being drawn.
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
  for (const name of shown.getAttributeNames()) if (!wanted.hasAttribute(name)) shown.removeAttribute(name);
  for (const name of wanted.getAttributeNames()) {
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

/** Pixels: where there is less room than that, what lies side by side on the picture is shown one below the other. */
const NARROW = 560;
/** The largest that a picture is shown, as a multiple of how it is drawn. */
const LARGEST = 1.25;

export class Board {
  element = h("div", { class: "board" });
  #root = this.element.attachShadow({ mode: "open" });
  #frame = h("div", { class: "frame" });
  #text = "";
  /** @type {string | null} */
  #before = null;
  #narrow = false;
  #words = "";
  /** @type {readonly Site[]} */
  #sites = [];
  /** @type {(site: Site) => void} */
  #onChoose = () => {};

  constructor() {
    this.#root.append(this.#frame);
    this.#frame.addEventListener("keydown", (event) => this.#roam(event));
    new ResizeObserver(() => {
      if (this.#text && this.#narrow !== this.#isNarrow) this.show(this.#text, this.#before);
    }).observe(this.element);
  }

  /**
   * Shows a picture. Sites that are lit stay so.
   *
   * @param {string} text That of an SVG document.
   * @param {string | null} [before] An earlier picture: what is another since then is marked.
   */
  show(text, before = null) {
    const { svg, style } = read(text);
    const focused = this.#focused;
    const shown = this.#narrow ? null : this.#frame.querySelector(":scope > .sheet > svg");
    this.#text = text;
    this.#words = svg.querySelector("desc")?.textContent ?? "";
    this.#narrow = this.#isNarrow;
    this.#root.adoptedStyleSheets = [style, own];
    if (shown && !this.#narrow) {
      become(shown, svg);
    } else {
      const fresh = document.importNode(svg, true);
      fill(this.#frame, sheetOf(fresh));
      if (this.#narrow) fill(this.#frame, ...sections(fresh));
    }
    this.mark(before);
    this.#lightUp(focused);
  }

  /** What the picture says, in words. */
  get words() {
    return this.#words;
  }

  /** The ways in which anything on the picture can be picked. */
  get picks() {
    return new Set([...this.#frame.querySelectorAll("[data-picks]")].flatMap((each) => ways(each)));
  }

  /**
   * Lights up sites as buttons, in the place of those lit before: one stop for the tabulator, arrow keys from one to the
   * other. What the picture does not have is left out.
   *
   * @param {readonly Site[]} sites
   * @param {(site: Site) => void} onChoose
   * @param {string} [label] What is chosen, for those who hear it.
   */
  light(sites, onChoose, label = "") {
    this.#sites = sites;
    this.#onChoose = onChoose;
    if (label) this.#frame.setAttribute("aria-label", label);
    this.#lightUp(this.#focused);
  }

  /** The site that has the focus. */
  get #focused() {
    return /** @type {HTMLElement | null} */ (this.#root.activeElement)?.dataset["pick"];
  }

  /** @param {string | undefined} focused What had the focus, and is to have it again. */
  #lightUp(focused) {
    for (const old of this.#frame.querySelectorAll(".light")) old.remove();
    if (this.#sites.length) this.#frame.setAttribute("role", "group");
    else this.#frame.removeAttribute("role");
    /** @type {[HTMLElement, Element][]} */
    const over = [];
    const buttons = this.#sites.flatMap((site) => {
      const found = this.#find(site);
      if (!found) return [];
      const name = site.label ?? found.querySelector("title")?.textContent ?? site.pick;
      const button = h("button", { class: "light", type: "button", tabindex: -1, "aria-label": name, title: name });
      button.dataset["pick"] = site.pick;
      button.addEventListener("click", () => this.#onChoose(site));
      over.push([button, found]);
      return [button];
    });
    place(over, 0);
    const first = buttons.find((button) => button.dataset["pick"] === focused) ?? buttons[0];
    if (first) first.tabIndex = 0;
    if (focused !== undefined) first?.focus();
  }

  /** No site is lit any more. */
  dark() {
    this.light([], () => {});
  }

  /** Moves the focus to the sites that are lit. */
  focus() {
    /** @type {HTMLElement | null} */ (this.#frame.querySelector('.light[tabindex="0"]'))?.focus();
  }

  /**
   * Marks what is another than it was in an earlier picture; nothing without one.
   *
   * @param {string | null} before
   */
  mark(before) {
    this.#before = before;
    for (const old of this.#frame.querySelectorAll(".mark")) old.remove();
    if (before === null) return;
    const were = parts(read(before).svg);
    const changed = [...parts(this.#frame)].filter(([key, part]) => key !== "heading" && !were.get(key)?.isEqualNode(part));
    place(changed.map(([, part]) => [h("div", { class: "mark" }), part]), 2);
  }

  /**
   * @param {Site} site
   * @returns {Element | undefined}
   */
  #find({ pick, seat }) {
    return [...this.#frame.querySelectorAll("[data-picks]")].find((each) => {
      const whose = each.closest("[data-seat]")?.getAttribute("data-seat");
      return ways(each).includes(pick) && (seat === undefined || whose === null || whose === undefined || whose === String(seat));
    });
  }

  get #isNarrow() {
    return this.element.clientWidth > 0 && this.element.clientWidth < NARROW;
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
const ways = (element) => (element.getAttribute("data-picks") ?? "").split(" ").filter(Boolean);

/**
 * A picture, or a part of one, with room for what is laid over it.
 *
 * @param {SVGSVGElement} svg
 */
function sheetOf(svg) {
  const sheet = h("div", { class: "sheet" }, svg, h("div", { class: "over" }));
  sheet.style.maxWidth = `${LARGEST * svg.viewBox.baseVal.width}px`;
  return sheet;
}

/**
 * The parts of a picture that lie side by side, each by itself. The picture has to be shown, to be measured.
 *
 * @param {SVGSVGElement} svg
 */
function sections(svg) {
  const cut = (/** @type {SVGGraphicsElement[]} */ shapes) => {
    const boxes = shapes.map((shape) => ({ box: shape.getBBox(), by: shape.transform.baseVal.consolidate()?.matrix }));
    const edges = boxes.map(({ box, by }) => ({ x: box.x + (by?.e ?? 0), y: box.y + (by?.f ?? 0), width: box.width, height: box.height }));
    const [left, top] = [Math.min(...edges.map(({ x }) => x)) - 3, Math.min(...edges.map(({ y }) => y)) - 3];
    const right = Math.max(...edges.map(({ x, width }) => x + width)) + 3;
    const bottom = Math.max(...edges.map(({ y, height }) => y + height)) + 3;
    const part = /** @type {SVGSVGElement} */ (svg.cloneNode(false));
    for (const name of ["role", "aria-labelledby"]) part.removeAttribute(name);
    part.setAttribute("aria-hidden", "true");
    part.setAttribute("viewBox", `${left} ${top} ${right - left} ${bottom - top}`);
    part.setAttribute("width", String(right - left));
    part.setAttribute("height", String(bottom - top));
    return { part, shapes };
  };
  const dice = [...svg.querySelectorAll('[data-part^="die-"]')];
  const heading = [...svg.querySelectorAll('[data-part="heading"]')];
  const groups = [...svg.children].filter((each) => each.matches("g.table, g.seats, g.beside, g.tracks, g.legend"));
  const cuts = [heading, dice, ...groups.map((group) => [group])]
    .filter((shapes) => shapes.length && shapes.some((shape) => /** @type {SVGGraphicsElement} */ (shape).getBBox().width))
    .map((shapes) => ({ ...cut(/** @type {SVGGraphicsElement[]} */ (shapes)), wide: shapes[0]?.matches(".tracks, .legend") }));
  const made = cuts.map(({ part, shapes, wide }) => {
    part.append(...shapes);
    return h("div", { class: wide ? "section scrolls" : "section", tabindex: wide ? 0 : null }, sheetOf(part));
  });
  svg.replaceChildren(...svg.querySelectorAll(":scope > title, :scope > desc"));
  svg.classList.add("unseen");
  const top = [heading, dice].filter((shapes) => shapes.length).length;
  return [svg, h("div", { class: "top" }, ...made.slice(0, top)), ...made.slice(top)];
}

/**
 * Lays elements over shapes, in the sheets that these are on.
 *
 * @param {[HTMLElement, Element][]} pairs
 * @param {number} wider Pixels on each side.
 */
function place(pairs, wider) {
  const measured = pairs.map(([element, over]) => {
    const sheet = over.closest(".sheet");
    return { element, sheet, all: sheet?.getBoundingClientRect(), box: over.getBoundingClientRect() };
  });
  for (const { element, sheet, all, box } of measured) {
    if (!all?.width || !all.height) continue;
    element.style.left = `${(100 * (box.left - all.left - wider)) / all.width}%`;
    element.style.top = `${(100 * (box.top - all.top - wider)) / all.height}%`;
    element.style.width = `${(100 * (box.width + 2 * wider)) / all.width}%`;
    element.style.height = `${(100 * (box.height + 2 * wider)) / all.height}%`;
    sheet?.querySelector(".over")?.append(element);
  }
}

/** @param {Element} element */
function middle(element) {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

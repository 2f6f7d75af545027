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
.frame { position: relative; line-height: 0; }
svg { display: block; width: 100%; height: auto; }
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
 * A picture as nodes of this document, and the style that it brings. Nothing in it is run.
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
  const svg = document.importNode(parsed.documentElement, true);
  if (!(svg instanceof SVGSVGElement)) throw new Error("This is no picture.");
  return { svg, style: sheet(styles.join("\n")) };
}

/**
 * The parts of a picture by their keys.
 *
 * @param {SVGSVGElement} svg
 * @returns {Map<string | null, Element>}
 */
function parts(svg) {
  return new Map([...svg.querySelectorAll("[data-part]")].map((part) => [part.getAttribute("data-part"), part]));
}

export class Board {
  element = h("div", { class: "board" });
  #root = this.element.attachShadow({ mode: "open" });
  #marks = h("div", { class: "over", "aria-hidden": "true" });
  #lights = h("div", { class: "over", role: "group" });
  /** @type {SVGSVGElement | null} */
  #svg = null;
  /** @type {readonly Site[]} */
  #sites = [];
  /** @type {(site: Site) => void} */
  #onChoose = () => {};

  constructor() {
    this.#lights.addEventListener("keydown", (event) => this.#roam(event));
  }

  /**
   * Shows a picture. Sites that are lit stay so.
   *
   * @param {string} text That of an SVG document.
   * @param {string | null} [before] An earlier picture: what is another since then is marked.
   */
  show(text, before = null) {
    const { svg, style } = picture(text);
    this.#root.adoptedStyleSheets = [style, own];
    this.#svg = svg;
    fill(/** @type {any} */ (this.#root), h("div", { class: "frame" }, svg, this.#marks, this.#lights));
    this.mark(before);
    this.light(this.#sites, this.#onChoose);
  }

  /** What the picture says, in words. */
  get words() {
    return this.#svg?.querySelector("desc")?.textContent ?? "";
  }

  /** The ways in which anything on the picture can be picked. */
  get picks() {
    const picked = this.#svg ? [...this.#svg.querySelectorAll("[data-picks]")] : [];
    return new Set(picked.flatMap((each) => ways(each)));
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
    const focused = /** @type {HTMLElement | null} */ (this.#root.activeElement)?.dataset["pick"];
    this.#sites = sites;
    this.#onChoose = onChoose;
    if (label) this.#lights.setAttribute("aria-label", label);
    const buttons = sites.flatMap((site) => {
      const found = this.#find(site);
      if (!found) return [];
      const name = site.label ?? found.querySelector("title")?.textContent ?? site.pick;
      const button = h("button", { class: "light", type: "button", tabindex: -1, "aria-label": name, title: name });
      button.dataset["pick"] = site.pick;
      button.addEventListener("click", () => this.#onChoose(site));
      this.#place(button, found, 0);
      return [button];
    });
    fill(this.#lights, ...buttons);
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
    /** @type {HTMLElement | null} */ (this.#lights.querySelector('[tabindex="0"]'))?.focus();
  }

  /**
   * Marks what is another than it was in an earlier picture; nothing without one.
   *
   * @param {string | null} before
   */
  mark(before) {
    this.#marks.replaceChildren();
    if (before === null || !this.#svg) return;
    const were = parts(picture(before).svg);
    for (const [key, part] of parts(this.#svg)) {
      if (were.get(key)?.isEqualNode(part)) continue;
      const mark = h("div", { class: "mark" });
      this.#place(mark, part, 2);
      this.#marks.append(mark);
    }
  }

  /**
   * @param {Site} site
   * @returns {Element | undefined}
   */
  #find({ pick, seat }) {
    return [...(this.#svg?.querySelectorAll("[data-picks]") ?? [])].find((each) => {
      const whose = each.closest("[data-seat]")?.getAttribute("data-seat");
      return ways(each).includes(pick) && (seat === undefined || whose === null || whose === undefined || whose === String(seat));
    });
  }

  /**
   * @param {HTMLElement} element
   * @param {Element} over
   * @param {number} wider Pixels on each side.
   */
  #place(element, over, wider) {
    const all = /** @type {SVGSVGElement} */ (this.#svg).getBoundingClientRect();
    const box = over.getBoundingClientRect();
    if (!all.width || !all.height) return;
    element.style.left = `${(100 * (box.left - all.left - wider)) / all.width}%`;
    element.style.top = `${(100 * (box.top - all.top - wider)) / all.height}%`;
    element.style.width = `${(100 * (box.width + 2 * wider)) / all.width}%`;
    element.style.height = `${(100 * (box.height + 2 * wider)) / all.height}%`;
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
    for (const each of this.#lights.querySelectorAll("button")) {
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

/** @param {Element} element */
function middle(element) {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

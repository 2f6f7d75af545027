// A reference to a rule: its text on hover and focus, and a link to its page.

import { get, inLanguage, once } from "./api.js";
import { coded, fill, h } from "./dom.js";
import { words } from "./words.js";

/** @typedef {import("./api.js").Schemas} Schemas */

const t = words({
  en: { wait: "…", none: "This rule is of another version of the game: its text is not known here.", away: "Its text cannot be had just now." },
  de: { wait: "…", none: "Diese Regel gehört zu einer anderen Fassung des Spiels: Ihr Text ist hier nicht bekannt.", away: "Ihr Text ist gerade nicht zu bekommen." },
});

/** Milliseconds that a pointer must rest on a rule before its text is shown, and that it may take to reach the text. */
const REST = 150;
const AWAY = 250;
const TIP = "rule-text";

/** @type {Map<string, Record<string, string>>} */
const taught = new Map();

/** A complete rule set, in the language of the page. @type {(ruleset: string) => Promise<Schemas["RulesetView"]>} */
export const rulesOf = once(async (ruleset) => (await get(`/v1/rulesets/${encodeURIComponent(ruleset)}`, inLanguage())).body);

/**
 * Texts of rules that a page contains: then nothing is loaded or linked, since there may be no server.
 *
 * @param {string} ruleset
 * @param {Record<string, string>} texts By rule.
 */
export const teach = (ruleset, texts) => void taught.set(ruleset, texts);

/**
 * @param {string} ruleset
 * @param {string} [rule]
 * @returns {string} Where to read a rule, or a whole set of them.
 */
export const ruleAddress = (ruleset, rule) => `/rules/${encodeURIComponent(ruleset)}${rule ? `#${rule}` : ""}`;

/**
 * Makes an element show the text of a rule on hover and focus.
 *
 * @template {HTMLElement} E
 * @param {E} element
 * @param {string} ruleset
 * @param {string} rule
 * @param {string | null} [text] If it is known: it is that of the version that is played.
 * @returns {E}
 */
export function explained(element, ruleset, rule, text = null) {
  const show = () => tip.show(element, ruleset, rule, text);
  // Not "pointerenter", which also fires if an element appears under a resting mouse.
  element.addEventListener("pointermove", (event) => event.pointerType === "mouse" && tip.of !== element && tip.soon(show, REST));
  element.addEventListener("pointerleave", () => tip.soon(tip.hide, AWAY));
  element.addEventListener("focus", () => element.matches(":focus-visible") && show());
  element.addEventListener("blur", () => tip.hide());
  return element;
}

/**
 * A rule as an element: its id, with its text on hover and focus, linked to its page. A tap shows the text first.
 *
 * @param {string} ruleset
 * @param {string} rule The id, such as `market/buy`.
 * @param {string} [shown] Shown instead of the id.
 * @param {string | null} [text] If it is known.
 * @returns {HTMLAnchorElement}
 */
export function ruleLink(ruleset, rule, shown = rule, text = null) {
  const linked = !taught.has(ruleset);
  const link = h("a", { class: "rule-id", "data-rule": rule, href: linked && ruleAddress(ruleset, rule), tabindex: linked ? null : 0 }, shown);
  explained(link, ruleset, rule, text);
  link.addEventListener("click", (event) => {
    if (tip.of === link || /** @type {PointerEvent} */ (event).pointerType !== "touch") return;
    event.preventDefault();
    tip.show(link, ruleset, rule, text);
  });
  return link;
}

/** The one text that is shown. */
const tip = {
  /** @type {HTMLElement | null} The rule that it belongs to, if it is shown. */
  of: null,
  timer: 0,
  box: h("div", { id: TIP, class: "rule-text", role: "tooltip", popover: "manual" }),

  /** @param {() => void} then @param {number} pause */
  soon(then, pause) {
    clearTimeout(tip.timer);
    tip.timer = setTimeout(then, pause);
  },

  /** @param {HTMLElement} link @param {string} ruleset @param {string} rule @param {string | null} known */
  async show(link, ruleset, rule, known) {
    tip.hide();
    if (!link.isConnected) return;
    if (!tip.box.isConnected) document.body.append(tip.box);
    tip.of = link;
    link.setAttribute("aria-describedby", TIP);
    tip.tell(rule, known ?? taught.get(ruleset)?.[rule] ?? t.wait);
    tip.box.showPopover();
    tip.place(link);
    if (known !== null || taught.has(ruleset)) return;
    const text = await rulesOf(ruleset).then(({ rules }) => (Object.hasOwn(rules, rule) ? rules[rule] ?? "" : t.none), () => t.away);
    if (tip.of !== link) return;
    tip.tell(rule, text);
    tip.place(link);
  },

  /** @param {string} rule @param {string} text */
  tell: (rule, text) => void fill(tip.box, h("strong", {}, rule), " ", coded(text)),

  /** @param {HTMLElement} link Below it, or above where there is no room. */
  place(link) {
    const [by, box] = [link.getBoundingClientRect(), tip.box.getBoundingClientRect()];
    const below = by.bottom + 6 + box.height <= innerHeight || by.top < box.height + 6;
    tip.box.style.left = `${Math.max(8, Math.min(by.left, innerWidth - box.width - 8))}px`;
    tip.box.style.top = `${below ? by.bottom + 6 : by.top - box.height - 6}px`;
  },

  hide() {
    clearTimeout(tip.timer);
    tip.of?.removeAttribute("aria-describedby");
    tip.of = null;
    if (tip.box.matches(":popover-open")) tip.box.hidePopover();
  },
};

tip.box.addEventListener("pointerenter", () => clearTimeout(tip.timer));
tip.box.addEventListener("pointerleave", () => tip.soon(tip.hide, AWAY));
addEventListener(
  "scroll",
  () => {
    if (tip.of && tip.of === document.activeElement) tip.place(tip.of); // which a key may have brought into sight
    else tip.hide();
  },
  { passive: true, capture: true },
);
addEventListener("pointerdown", ({ target }) => {
  if (target instanceof Node && !tip.box.contains(target) && !tip.of?.contains(target)) tip.hide();
});
addEventListener(
  "keydown",
  (event) => {
    if (event.key !== "Escape" || !tip.of) return;
    event.stopPropagation();
    tip.hide();
  },
  { capture: true },
);

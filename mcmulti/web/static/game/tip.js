// The text of a rule beside the sentence that is hovered or focused.

import { fill, h } from "../lib/dom.js";

export class Tip {
  element = h("div", { class: "tip", id: "tip", role: "tooltip", popover: "manual" });
  /** @type {Element | null} */
  #over = null;

  constructor() {
    addEventListener("keydown", (event) => event.key === "Escape" && this.hide());
  }

  /**
   * @param {Element} over
   * @param {string} rule
   * @param {string} text
   */
  show(over, rule, text) {
    if (this.#over === over) return;
    this.hide();
    this.#over = over;
    over.setAttribute("aria-describedby", "tip");
    fill(this.element, h("strong", {}, rule), h("p", {}, text));
    this.element.showPopover();
    const box = over.getBoundingClientRect();
    const own = this.element.getBoundingClientRect();
    const below = box.bottom + 6 + own.height < innerHeight;
    this.element.style.left = `${Math.max(8, Math.min(box.left, innerWidth - own.width - 8))}px`;
    this.element.style.top = `${below ? box.bottom + 6 : Math.max(8, box.top - 6 - own.height)}px`;
  }

  hide() {
    this.#over?.removeAttribute("aria-describedby");
    this.#over = null;
    if (this.element.matches(":popover-open")) this.element.hidePopover();
  }
}

// The order sheet of a round by post as text: the form's content, or what the user writes instead.

import { fill, h } from "../lib/dom.js";
import { t } from "./words.js";

/** A place in the text, both from 1; a column is a character. @typedef {{line: number, column: number}} Place */

/** The text field, with its errors. */
export class Notation {
  /**
   * @param {string[]} names The players, by seat.
   * @param {() => void} changed Called when the reader writes.
   */
  constructor(names, changed) {
    this.area = h("textarea", { id: "sheet-text", rows: 9, wrap: "off", spellcheck: "false", autocapitalize: "off", autocomplete: "off", "aria-describedby": "sheet-text-about sheet-text-refused", oninput: changed });
    this.refused = h("div", { id: "sheet-text-refused", role: "alert" });
    const letters = names.map((name, seat) => `${"ABCD"[seat]} ${name}`).join(" · ");
    this.element = h("div", { class: "notation" }, h("h3", {}, h("label", { for: "sheet-text" }, t.text)), this.area, this.refused,
      h("p", { class: "small muted", id: "sheet-text-about" }, letters, h("br"), t.aboutText));
  }

  /** The current text. */
  get text() {
    return this.area.value;
  }

  /** @param {string} text Takes the place of what stands there, unless that is the same. */
  show(text) {
    if (this.area.value !== text) this.area.value = text;
    this.accept();
  }

  /** Clears the error. */
  accept() {
    this.area.removeAttribute("aria-invalid");
    fill(this.refused);
  }

  /**
   * @param {string} message
   * @param {Place} place
   */
  refuse(message, place) {
    const line = this.lines()[place.line - 1] ?? "";
    this.area.setAttribute("aria-invalid", "true");
    fill(this.refused, h("p", { class: "refused" }, message),
      h("pre", { "aria-hidden": "true" }, `${line.replaceAll("\t", " ")}\n${" ".repeat(place.column - 1)}^`),
      h("button", { type: "button", class: "quiet", onclick: () => this.select(place) }, t.there));
  }

  /** @param {Place} place Puts the cursor there, with the rest of the line selected. */
  select({ line, column }) {
    const lines = this.lines();
    const begins = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    const before = [...(lines[line - 1] ?? "")].slice(0, column - 1).join("").length;
    this.area.focus();
    this.area.setSelectionRange(begins + before, begins + (lines[line - 1] ?? "").length);
  }

  lines() {
    return this.area.value.split("\n");
  }
}

// Confirmation questions, and the settings for them.

import { h } from "../lib/dom.js";

const KEY = "mcmulti.asking";

/**
 * What to confirm: commands with chance, commands that end the move, all others. `keys`: single-key shortcuts.
 *
 * @typedef {{chance: boolean, passing: boolean, all: boolean, keys: boolean}} Asking
 */

/** @returns {Asking} */
export function asking() {
  const unless = { chance: true, passing: true, all: false, keys: true };
  try {
    return { ...unless, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return unless;
  }
}

/** @param {Partial<Asking>} changed */
export function ask(changed) {
  localStorage.setItem(KEY, JSON.stringify({ ...asking(), ...changed }));
}

/**
 * Asks something in a modal dialog.
 *
 * @template {string} Answer
 * @param {string} title
 * @param {import("../lib/dom.js").Child} content
 * @param {Record<Answer, string>} answers What the buttons say, by what they answer; the first is the usual one.
 * @returns {Promise<Answer | null>} Null if it was closed.
 */
export function question(title, content, answers) {
  return new Promise((resolve) => {
    const dialog = h("dialog", { class: "question", "aria-labelledby": "question-title" });
    const buttons = Object.entries(answers).map(([answer, label], index) =>
      h("button", { type: "button", value: answer, class: index ? "second" : "", autofocus: !index, onclick: () => dialog.close(answer) }, /** @type {string} */ (label)),
    );
    dialog.append(h("h2", { id: "question-title" }, title), h("div", {}, content), h("p", { class: "answers" }, buttons));
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(/** @type {Answer} */ (dialog.returnValue) || null);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

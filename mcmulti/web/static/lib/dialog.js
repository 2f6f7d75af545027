// Modal dialogs. When one is closed, the browser gives back the focus.

import { h } from "./dom.js";

/**
 * Shows a dialog, until it is closed.
 *
 * @param {import("./dom.js").Attributes} attributes
 * @param {import("./dom.js").Child[]} content
 */
export function modal(attributes, ...content) {
  const dialog = h("dialog", attributes, ...content);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Asks something.
 *
 * @template {string} Answer
 * @param {string} title
 * @param {import("./dom.js").Child} content
 * @param {Record<Answer, string>} answers What the buttons say, by what they answer; the first is the usual one.
 * @returns {Promise<Answer | null>} Null if it was closed.
 */
export function question(title, content, answers) {
  const buttons = Object.entries(answers).map(([answer, label], index) =>
    h("button", { type: "button", class: index ? "second" : "", autofocus: !index, onclick: () => dialog.close(answer) }, /** @type {string} */ (label)),
  );
  const dialog = modal({ class: "question", "aria-labelledby": "question-title" },
    h("h2", { id: "question-title" }, title), h("div", {}, content), h("p", { class: "answers" }, buttons));
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(/** @type {Answer} */ (dialog.returnValue) || null)));
}

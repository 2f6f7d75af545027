// A button that offers messages where somebody waits for other people.

import { h } from "../lib/dom.js";
import { words } from "../lib/words.js";

const t = words({ en: { tell: "Message me when it is my turn" }, de: { tell: "Benachrichtige mich, wenn ich am Zug bin" } });

/**
 * @param {() => import("../lib/api.js").Schemas["TableView"]} table
 * @returns {HTMLElement} It shows about what messages come, and where.
 */
export const tellMe = (table) => h("button", { type: "button", class: "quiet tell", onclick: async () => (await import("./game.js")).messages(table()) }, t.tell);

// A guide, or the list of all. The server made the HTML; this adds the frame.

import { h, one } from "../lib/dom.js";
import { page, titled } from "../lib/shell.js";
import { language, words } from "../lib/words.js";

const t = words({
  en: { docs: "Docs", contents: "On this page", api: "The API, operation by operation", english: "", table: "Table" },
  de: {
    docs: "Handbuch", contents: "Auf dieser Seite", api: "Die API, Operation für Operation",
    english: "Die Anleitungen gibt es nur auf Englisch.", table: "Tabelle",
  },
});

const main = page();
const title = one("h1", main);
const article = one("article", main);
if (article.querySelector(".trail")) {
  titled(title.textContent ?? "");
  main.querySelector(".contents")?.setAttribute("aria-label", t.contents);
} else {
  titled(t.docs);
  title.textContent = t.docs;
  one(".button", main).textContent = t.api;
}
if (language !== "en") title.after(h("p", { class: "muted", lang: language }, t.english));
for (const table of main.querySelectorAll(".wide")) {
  table.setAttribute("role", "group");
  table.setAttribute("aria-label", t.table);
}

// The page for unknown addresses.

import { h } from "../lib/dom.js";
import { page } from "../lib/shell.js";
import { words } from "../lib/words.js";

const t = words({
  en: { title: "There is no such page", back: "To the games" },
  de: { title: "Diese Seite gibt es nicht", back: "Zu den Partien" },
});

page(t.title).append(h("h1", {}, t.title), h("p", {}, h("a", { href: "/" }, t.back)));

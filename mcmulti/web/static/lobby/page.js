// The lobby: what this is, the tables that are open, the games that go on and those that are over.

import { get } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { page } from "../lib/shell.js";
import { titled, words } from "../lib/words.js";
import { de, en } from "./words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */

const t = words({ en, de });

const main = page(t.title);
const list = h("ul");
main.append(h("h1", {}, t.title), list);
/** @type {Schemas["Games"]} */
const { games } = (await get("/v1/games")).body;
list.append(
  ...games.map((table) => h("li", {}, h("a", { href: `/games/${table.game}` }, titled(table.ruleset)), ` ${table.status}`)),
);

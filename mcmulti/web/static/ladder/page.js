// The ladder of a game: players by strength, people and bots separately.

import { get } from "../lib/api.js";
import { fill, h } from "../lib/dom.js";
import { page, telling } from "../lib/shell.js";
import { common, games, titled } from "../lib/words.js";
import { person } from "../lobby/seats.js";
import { ratings } from "./figures.js";
import { t } from "./words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */

const asked = new URLSearchParams(location.search);
const main = page(t.title);
const list = h("div", { role: "status" });
const more = h("button", { type: "button", class: "second", hidden: true, onclick: () => void load() }, t.more);
const ruleset = h("select", { onchange: () => void begin() }, games.map((each) =>
  h("option", { value: each, selected: each === asked.get("ruleset") }, titled(each))));
const kind = h("select", { onchange: () => void begin() }, (/** @type {const} */ (["people", "bots"])).map((each) =>
  h("option", { value: each, selected: each === asked.get("kind") }, t.kinds[each])));
/** @type {Schemas["RatedPlayer"][]} */
let players = [];
/** @type {string | null} */
let after = null;

fill(main, h("h1", {}, t.title), h("p", {}, t.what, " ", h("a", { href: "/docs/explanation/ratings" }, t.how)),
  h("p", { class: "row" }, h("label", {}, common.game, " ", ruleset), h("label", {}, t.who, " ", kind)), list, h("p", {}, more));

async function begin() {
  [players, after] = [[], null];
  history.replaceState(null, "", `?${new URLSearchParams({ ruleset: ruleset.value, kind: kind.value })}`);
  await load();
}

async function load() {
  const [chosen, which] = [ruleset.value, kind.value];
  await telling(list, async () => {
    /** @type {Schemas["LadderPage"]} */
    const found = (await get("/v1/ratings", { ruleset: chosen, kind: which, after, limit: 50 })).body;
    if (chosen !== ruleset.value || which !== kind.value) return;
    players.push(...found.players);
    after = found.next;
    more.hidden = after === null;
    fill(list, players.length ? ratings(common.player, players.map(({ player, name, rating }, index) =>
      ({ name: h("span", {}, `${index + 1}. `, person(player, name)), rating }))) : h("p", { class: "muted" }, t.nobody));
  });
}

await begin();

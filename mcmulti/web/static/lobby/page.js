// The lobby: an introduction, open tables, running games, and finished ones, all live.

import { account, onAccount } from "../lib/account.js";
import { address } from "../client/requests.js";
import { follow, get, inLanguage, lobbyPoll } from "../lib/api.js";
import { note, ratingOf } from "../ladder/figures.js";
import { t as ratings } from "../ladder/words.js";
import { announce, fill, h, submitting } from "../lib/dom.js";
import { sharing } from "../hotseat/start.js";
import { t as shared } from "../hotseat/words.js";
import { page, told } from "../lib/shell.js";
import { about, common, games, titled, words } from "../lib/words.js";
import { playing } from "./computer.js";
import { opening } from "./open.js";
import { hasRoom, myTurn, row } from "./rows.js";
import { mySeat } from "./seats.js";
import { t } from "./words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */
/** @typedef {Schemas["TableView"]} TableView */

/** How many games of a kind are shown at first, and with each "more". */
const SOME = 12;
/** Milliseconds in which changes are gathered before they are shown. */
const GATHER = 150;
/** Milliseconds after the last letter until the server is asked for the search text. */
const REST = 300;

/** All known tables, by game. */
/** @type {Map<string, TableView>} */
const tables = new Map();
/** Those that the stream sent, and updates. */
/** @type {Set<string>} */
const followed = new Set();
/** @type {Set<string>} */
let invited = new Set();
/** The current search. */
const wanted = { name: searched(), ruleset: "", status: "", free: false, player: asked() };
/** The games that the server found for the search text, however it is spelled. */
/** @type {Set<string>} */
let named = new Set();

/** @returns {string} What the address says is looked for. */
function searched() {
  return (new URLSearchParams(location.search).get("search") ?? "").trim().slice(0, 40);
}

/** @returns {string | null} The player whose games the address asks for. */
function asked() {
  return new URLSearchParams(location.hash.slice(1)).get("player");
}

/** Shows the form for a position, which few visitors need. */
const fromPosition = async () => (await import("../position/paste.js")).pasting(place);

addEventListener("hashchange", () => {
  if (location.hash === "#position") return void fromPosition();
  wanted.player = asked();
  document.querySelectorAll("dialog").forEach((dialog) => dialog.close());
  lookFor();
});

const main = page(t.title);
const now = h("figure", { class: "now" }, h("img", { src: new URL("board.svg", import.meta.url).href + words({ en: "", de: "#de" }), alt: t.example, width: 464, height: 504 }));
const begin = h("ol", { class: "begin", hidden: true },
  [[t.beginAccount, "/account", t.toAccount], [t.beginTable, "", ""], [t.beginBots, "/docs/tutorials/first-bot", t.toBots]].map(([text, href, link]) =>
    h("li", {}, text, href && [" ", h("a", { href }, link)])));
const connection = h("p", { class: "problem", role: "status", hidden: true });
const older = h("button", { type: "button", class: "second", hidden: true, onclick: () => void lookBack() }, t.older);
const sections = ["mine", "open", "running", "finished"].map((name) => section(/** @type {any} */ (name)));
const place = h("div", {});

main.append(
  h(
    "div",
    { class: "intro" },
    h(
      "div",
      {},
      h("h1", {}, t.title),
      h("p", {}, t.what),
      h("ul", { class: "played" }, games.map((game) => h("li", {}, h("strong", {}, titled(game)), ": ", about(game)))),
      h("p", {}, t.how),
      h("p", { class: "row" }, h("button", { type: "button", onclick: () => void playing(place) }, t.playComputer),
        h("button", { type: "button", class: "second", onclick: () => void opening(place) }, t.openTable),
        h("button", { type: "button", class: "second", onclick: () => void sharing(place) }, shared.start),
        h("button", { type: "button", class: "second", onclick: () => void fromPosition() }, t.fromPosition), h("a", { href: "/learn" }, t.puzzles), h("a", { href: "/series" }, t.series), h("a", { href: "/ratings" }, ratings.title)),
      rulesLinks(),
      begin,
    ),
    now,
  ),
  place,
  connection,
  search(),
  ...sections.map((each) => each.element),
  h("p", {}, older),
);

/**
 * @param {"mine" | "open" | "running" | "finished"} name
 */
function section(name) {
  const list = h("ul", { class: "games" });
  const nothing = h("p", { class: "muted" });
  const count = h("span", { class: "tag figure" });
  let most = SOME;
  const more = h("button", { type: "button", class: "quiet", onclick: () => {
    most += SOME * 2;
    show();
  } }, t.more);
  const element = h("section", { "aria-labelledby": `games-${name}` },
    h("h2", { id: `games-${name}` }, t[name], " ", count), list, nothing, more);
  /** @type {Map<string, [string, HTMLElement]>} */
  let shown = new Map();
  const none = { mine: t.noMine, open: t.noOpen, running: t.noRunning, finished: t.noFinished }[name];

  /** @param {readonly TableView[]} rows Those that belong here, in order. */
  const put = (rows) => {
    const before = shown;
    shown = new Map();
    for (const table of rows.slice(0, most)) {
      const said = JSON.stringify([table, invited.has(table.game), account()?.player, table.seats.map(({ player }) => ratingOf(player, table.ruleset))]);
      const known = before.get(table.game);
      shown.set(table.game, known && known[0] === said ? known : [said, row(table, invited.has(table.game))]);
    }
    arrange(list, before, [...shown.values()].map(([, element]) => element));
    count.textContent = String(rows.length);
    count.hidden = rows.length === 0;
    more.hidden = rows.length <= most;
    nothing.textContent = rows.length ? "" : searching() ? t.noMatch : none;
    nothing.hidden = rows.length > 0;
    element.hidden = name === "mine" ? !account() : searching() && rows.length === 0;
  };
  return { name, element, put };
}

/**
 * Puts elements into a list without moving those that are in order already, so that they keep the focus.
 *
 * @param {HTMLElement} list
 * @param {Map<string, [string, HTMLElement]>} before
 * @param {HTMLElement[]} elements
 */
function arrange(list, before, elements) {
  const focused = document.activeElement;
  const item = focused instanceof HTMLElement ? focused.closest("li[data-game]") : null;
  const index = item && list.contains(item) ? [...item.querySelectorAll("a, button")].indexOf(/** @type {any} */ (focused)) : -1;
  const game = item?.getAttribute("data-game");
  const kept = new Set(elements);
  for (const child of [...list.children]) if (!kept.has(/** @type {HTMLElement} */ (child))) child.remove();
  elements.forEach((element, place) => {
    if (list.children[place] === element) return;
    if (before.size) element.classList.add("new");
    list.insertBefore(element, list.children[place] ?? null);
  });
  if (game && index >= 0 && !document.activeElement?.closest("li[data-game]")) {
    const again = elements.find((element) => element.dataset["game"] === game);
    /** @type {HTMLElement | undefined} */ ([...(again?.querySelectorAll("a, button") ?? [])][index])?.focus();
  }
}

function search() {
  const changed = (/** @type {Event} */ event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    if (input.type === "checkbox") wanted.free = input.checked;
    else wanted[/** @type {"name" | "ruleset" | "status"} */ (input.name)] = input.value.trim();
    lookFor();
  };
  const choice = (/** @type {string} */ name, /** @type {string} */ label, /** @type {[string, string][]} */ options) =>
    h("label", {}, label, h("select", { name }, h("option", { value: "" }, t.every), options.map(([value, text]) => h("option", { value }, text))));
  return h(
    "form",
    { class: "search row", role: "search", "aria-label": t.search, oninput: changed, onsubmit: submitting(() => {}) },
    h("label", {}, t.byName, h("input", { name: "name", type: "search", maxlength: 40, autocomplete: "off", value: wanted.name })),
    choice("ruleset", common.game, games.map((each) => [each, titled(each)])),
    choice("status", t.state, [["open", t.statuses.open], ["running", t.statuses.running], ["finished", t.statuses.finished]]),
    h("label", {}, h("input", { type: "checkbox", name: "free" }), t.free),
  );
}

const searching = () => Boolean(wanted.name || wanted.ruleset || wanted.status || wanted.free || wanted.player);

/**
 * @param {TableView} table
 * @returns {boolean}
 */
function fits(table) {
  const name = wanted.name.toLocaleLowerCase();
  return (
    (!wanted.ruleset || table.ruleset === wanted.ruleset) &&
    (!wanted.status || table.status === wanted.status) &&
    (!wanted.free || hasRoom(table)) &&
    (!wanted.player || table.seats.some((seat) => seat.player === wanted.player)) &&
    (!name || named.has(table.game) || table.game.startsWith(name) || titled(table.ruleset).toLocaleLowerCase().includes(name) ||
      table.seats.some((seat) => seat.name?.toLocaleLowerCase().includes(name)))
  );
}

/**
 * @param {TableView} table
 * @returns {number} Games that wait for the reader come first, then those that go on, then those that wait for a start.
 */
const urgency = (table) => (myTurn(table) ? 0 : { running: 1, open: 2, finished: 3 }[table.status]);

function show() {
  const latest = [...tables.values()].filter(fits).sort((one, other) => (one.moved_at < other.moved_at ? 1 : -1));
  const others = latest.filter((table) => table.status === "finished" || mySeat(table) === null);
  for (const each of sections) {
    if (each.name === "mine") each.put(latest.filter((table) => mySeat(table) !== null && table.status !== "finished").sort((one, other) => urgency(one) - urgency(other)));
    else if (each.name === "open") each.put(others.filter((table) => table.status === "open").sort((one, other) => Number(invited.has(other.game)) - Number(invited.has(one.game))));
    else each.put(others.filter((table) => table.status === each.name));
  }
  begin.hidden = !counted || (account() !== null && tables.size > 0);
  picture();
}

/** A picture of the game that moved last. */
function picture() {
  if (now.dataset["game"]) return;
  const running = [...tables.values()].filter((table) => table.status === "running" && table.listed);
  const game = running.sort((one, other) => (one.moved_at < other.moved_at ? 1 : -1))[0];
  if (!game) return;
  now.dataset["game"] = game.game;
  const image = h("img", { src: address(`/v1/games/${game.game}/board.svg`, inLanguage()), alt: t.picture(titled(game.ruleset)) });
  image.addEventListener("load", () => {
    fill(now, h("a", { href: `/games/${game.game}` }, image), h("figcaption", { class: "small muted" }, `${t.now}: ${titled(game.ruleset)}`));
  });
}

function rulesLinks() {
  return h("p", { class: "row small", role: "group", "aria-labelledby": "rules" }, h("span", { id: "rules", class: "muted" }, t.rules),
    games.map((each) => h("a", { href: `/rules/${each}` }, titled(each))));
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let soon;
function showSoon() {
  soon ??= setTimeout(() => {
    soon = undefined;
    show();
  }, GATHER);
}

/** @param {readonly TableView[]} some */
const add = (some) => some.forEach((table) => tables.set(table.game, table));

/** The reader's own games, and invitations, which may not be among those that moved last. */
async function lookAtMine() {
  if (!account()) return;
  try {
    const asked = ["mine", "invited"].map((which) => get("/v1/games", { [which]: true, limit: 100, order: "moved" }));
    const [mine, others] = await Promise.all(asked);
    invited = new Set(others?.body.games.map((/** @type {TableView} */ table) => table.game));
    [mine, others].forEach((each) => note(each?.body.ratings ?? []));
    add([...(mine?.body.games ?? []), ...(others?.body.games ?? [])]);
    showSoon();
  } catch (error) {
    main.append(told(error));
  }
}

/** The cursor of the server's search results; null if there is no search, or no more results. */
/** @type {string | null} */
let before = null;
/** The query for the server: the stream sends only the games that moved last. */
const query = () => ({
  named: wanted.name || null, ruleset: wanted.ruleset || null, status: wanted.status || null, free: wanted.free || null, player: wanted.player,
});

/** @type {ReturnType<typeof setTimeout> | undefined} */
let typing;
/** The search has changed: known matches are shown at once, and the server is asked soon for the rest. */
function lookFor() {
  const address = new URL(location.href);
  if (wanted.name) address.searchParams.set("search", wanted.name);
  else address.searchParams.delete("search");
  history.replaceState(null, "", address);
  named = new Set();
  before = null;
  older.hidden = !more;
  show();
  clearTimeout(typing);
  if (searching()) typing = setTimeout(() => void lookBack(), REST);
}

/** Games that the stream leaves out, because there are too many: the next hundred search results. */
async function lookBack() {
  const asked = query();
  try {
    /** @type {Schemas["Games"]} */
    const { games, next, ratings } = (await get("/v1/games", { order: "moved", limit: 100, before, ...asked })).body;
    if (JSON.stringify(asked) !== JSON.stringify(query())) return;
    note(ratings);
    add(games);
    if (asked.named) games.forEach((table) => named.add(table.game));
    before = next;
    older.hidden = next === null;
    show();
    if (searching()) announce(t.found([...tables.values()].filter(fits).length));
  } catch (error) {
    older.after(told(error));
  }
}

/** Whether the stream has sent the number of games, and whether there are more than it sends. */
let [counted, more] = [false, false];
let end = () => {};
function start() {
  end();
  tables.clear();
  followed.clear();
  invited = new Set();
  let live = true;
  let heard = false;
  const onItem = (/** @type {any} */ item) => {
    if (item.type === "LobbyHead") {
      followed.forEach((game) => tables.delete(game));
      followed.clear();
      counted = true;
      more = item.rows >= 1000 || item.more === true;
      if (!searching()) older.hidden = !more;
      void lookAtMine();
      setTimeout(() => (heard = true), 1000);
    } else if (item.type === "TableListed") {
      if (heard && !tables.has(item.table.game) && item.table.status === "open") announce(t.listed(titled(item.table.ruleset)));
      note(item.ratings);
      followed.add(item.table.game);
      tables.set(item.table.game, item.table);
    } else if (item.type === "TableGone") {
      followed.delete(item.game);
      tables.delete(item.game);
    }
    showSoon();
  };
  end = follow("/v1/games/stream", {
    onItem,
    poll: lobbyPoll({}, onItem),
    onState: (state, problem) => {
      if (problem) connection.replaceChildren(told(problem));
      else if (state === "lost" || state === "held") connection.textContent = t[state];
      connection.hidden = state === "live";
      if (state === "live" && !live) announce(t.back);
      live = state === "live";
    },
  });
  if (searching()) void lookBack();
  showSoon();
}

onAccount(start);
start();
if (location.hash === "#position") void fromPosition();

// The frame of every page: navigation, the account, the language, and whether it is your turn.

import { Refused } from "../client/errors.js";
import { account, onAccount, signOut, unknown } from "./account.js";
import { follow, lobbyPoll } from "./api.js";
import { fill, h, one } from "./dom.js";
import { tellTurns } from "./push.js";
import { ruleLink } from "./rule.js";
import { choose, games, language, words } from "./words.js";

const t = words({
  en: {
    skip: "Skip to content",
    pages: "Pages",
    games: "Games",
    rules: "Rules",
    docs: "Docs",
    register: "Sign in or register",
    signOut: "Sign out",
    unknown: "The server does not know your token anymore.",
    language: "Language",
    about: "A referee for board games. Every event is in a log that anybody can check.",
    api: "API",
    unreachable: "The server does not answer. It is tried again when you ask again.",
    rule: "Rule:",
  },
  de: {
    skip: "Zum Inhalt springen",
    pages: "Seiten",
    games: "Partien",
    rules: "Regeln",
    docs: "Handbuch",
    register: "Anmelden oder registrieren",
    signOut: "Abmelden",
    unknown: "Der Server kennt deinen Schlüssel nicht mehr.",
    language: "Sprache",
    about: "Ein Schiedsrichter für Brettspiele. Jedes Ereignis steht in einem Protokoll, das alle prüfen können.",
    api: "API",
    unreachable: "Der Server antwortet nicht. Er wird bei der nächsten Anfrage wieder gefragt.",
    rule: "Regel:",
  },
});

let title = "mcmulti";
let waiting = 0;

/**
 * Shows the page's frame and title. Returns the element for the content of the page.
 *
 * @param {string} [name] What the page is about, for its title.
 * @returns {HTMLElement}
 */
export function page(name) {
  document.documentElement.lang = language;
  one(".skip").textContent = t.skip;
  fill(
    one(".top"),
    h("a", { class: "brand", href: "/" }, h("img", { src: new URL("../icons/favicon.svg", import.meta.url).href, alt: "", width: 24, height: 24 }), h("span", {}, "mcmulti")),
    h("nav", { "aria-label": t.pages }, link("/", t.games), link(`/rules/${games[0]}`, t.rules, "/rules/"), link("/docs", t.docs)),
    h("div", { class: "person" }),
    languages(),
  );
  fill(one(".bottom"), h("p", {}, t.about), h("p", {}, h("a", { href: "/docs" }, t.docs), " · ", h("a", { href: "/openapi.json" }, t.api)));
  person();
  onAccount(person);
  titled(name ?? "");
  watchTurns(badge);
  return one("#main");
}

/** @param {string} name What the page is about. */
export function titled(name) {
  title = name ? `${name} · mcmulti` : "mcmulti";
  badge(waiting);
}

/**
 * Shows in title and icon in how many games it is the reader's turn.
 *
 * @param {number} games
 */
export function badge(games) {
  waiting = games;
  document.title = games ? `(${games}) ${title}` : title;
  const shown = one("head").querySelector('link[rel="icon"]');
  shown?.setAttribute("href", new URL(games ? "../icons/turn.svg" : "../icons/favicon.svg", import.meta.url).href);
}

/**
 * An error for people, with the rule that forbids it, if there is one.
 *
 * @param {unknown} error
 * @param {string} [ruleset] Of the game that it is about: its rules can be read then.
 * @returns {HTMLElement}
 */
export function told(error, ruleset) {
  if (!(error instanceof Refused)) throw error;
  const { rule } = error.problem;
  return h(
    "div",
    { class: "problem", role: "alert" },
    h("p", {}, error.status === 0 ? t.unreachable : error.message),
    rule && h("p", { class: "rule" }, t.rule, " ", ruleset ? ruleLink(ruleset, rule) : rule),
  );
}

/**
 * Does something. What went wrong is shown in a place.
 *
 * @param {HTMLElement} place
 * @param {() => unknown} act
 */
export async function telling(place, act) {
  try {
    await act();
  } catch (error) {
    fill(place, told(error));
  }
}

/**
 * The same, with what was shown there before removed, and with buttons that are disabled meanwhile.
 *
 * @param {HTMLElement} place
 * @param {() => unknown} act
 * @param {Iterable<HTMLButtonElement>} [buttons]
 */
export async function trying(place, act, buttons = []) {
  fill(place);
  for (const button of buttons) button.disabled = true;
  try {
    await telling(place, act);
  } finally {
    for (const button of buttons) button.disabled = false;
  }
}

function person() {
  const who = account();
  fill(
    one(".person"),
    who
      ? [h("a", { href: "/account" }, who.name), h("button", { class: "quiet", onclick: () => signOut() }, t.signOut)]
      : [unknown() && h("span", { class: "small", role: "status" }, t.unknown), signInLink(t.register)],
  );
}

/**
 * A link to the sign-in page, which leads back to where the reader is when following it: the address of a page changes.
 *
 * @param {string} text
 */
export function signInLink(text) {
  const here = () => location.pathname + location.search + location.hash;
  const renew = () => link.setAttribute("href", location.pathname === "/account" ? "/account" : `/account?then=${encodeURIComponent(here())}`);
  const link = h("a", { onpointerenter: renew, onpointerdown: renew, onfocus: renew, onclick: renew }, text);
  renew();
  return link;
}

/**
 * @param {string} address
 * @param {string} text
 * @param {string} [below]
 */
function link(address, text, below = address) {
  const here = location.pathname === address || (below !== "/" && location.pathname.startsWith(below));
  return h("a", { href: address, "aria-current": here ? "page" : null }, text);
}

/** The choice of the language of all pages. */
export function languages() {
  const option = (/** @type {string} */ value, /** @type {string} */ name) =>
    h("option", { value, selected: language === value, lang: value }, name);
  return h(
    "select",
    {
      class: "language",
      "aria-label": t.language,
      onchange: (event) => choose(/** @type {any} */ (event.target).value),
    },
    option("en", "English"),
    option("de", "Deutsch"),
  );
}

/**
 * Counts the games in which it is the reader's turn, from the lobby's stream.
 *
 * @param {(games: number) => void} counted Called with the number, whenever it may be another one.
 */
function watchTurns(counted) {
  let end = () => {};
  const begin = () => {
    end();
    end = () => {};
    counted(0);
    if (!account()) return;
    /** @type {Set<string>} */
    const games = new Set();
    let listed = 0; // rows that are still to come before the list is whole
    const query = { my_turn: true };
    const onItem = (/** @type {any} */ item) => {
      if (item.type === "LobbyHead") {
        games.clear();
        listed = item.rows;
      } else if (item.type === "TableListed") {
        games.add(item.table.game);
        listed = Math.max(0, listed - 1);
      } else if (item.type === "TableGone") games.delete(item.game);
      counted(games.size);
      if (!listed) tellTurns(games);
    };
    end = follow("/v1/games/stream", { query, onItem, poll: lobbyPoll(query, onItem) });
  };
  onAccount(begin);
  begin();
}

// The end of a game: who won and why, the final holdings, the last board before the final sale, and a rematch.

import { again } from "../hotseat/people.js";
import { account } from "../lib/account.js";
import { newKey } from "../client/requests.js";
import { post } from "../lib/api.js";
import { fill, h } from "../lib/dom.js";
import { ruleLink } from "../lib/rule.js";
import { telling, trying } from "../lib/shell.js";
import { language } from "../lib/words.js";
import { holdings } from "./figures.js";
import { called } from "./seats.js";
import { t } from "./words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */
/** @typedef {Schemas["Frame"]["holdings"][number]} Held */

/** How many events at the end are searched: a final sale has one for each seat, and a few follow. */
const LAST = 30;
/** Events that only count up the game: the last board in play is the one before them. */
const COUNTED = ["AssetsLiquidated", "HoldingsSold"];
const REVEALED = "SeedRevealed";
/** Where the panel is below the board. */
const SMALL = matchMedia("(max-width: 59.99rem)");

/** @type {import("./context.js").Mount} */
export function mount(element, context) {
  const rematch = h("span", { class: "rematch" });
  const panel = h("section", { class: "panel ending", "aria-labelledby": "ending" });
  element.append(panel);
  const fold = folding(panel, context);

  async function show() {
    const table = context.table();
    const { frames } = await context.source.frames(Math.max(0, table.seq - LAST), LAST);
    const told = frames.filter((frame) => frame.happened[0]?.type !== REVEALED);
    const over = told.at(-1);
    const ended = over?.happened[0];
    if (!over || !ended) return;
    const played = told.slice(0, -1).findLast((frame) => !COUNTED.includes(frame.happened[0]?.type ?? ""));
    const counted = played !== undefined && played.seq < over.seq - 1;
    if (counted) context.pictured(played.seq);
    const winners = table.outcome?.winners ?? [];
    const names = new Intl.ListFormat(language).format(winners.map((seat) => called(table, seat)));
    fill(fold.button, winners.length ? t.won(names, winners.length) : t.nobodyWon);
    fill(
      panel,
      h("h2", { id: "ending" }, fold.button),
      h("p", {}, ended.sentence, " ", ruleLink(table.ruleset, ended.rule, ended.rule, ended.rule_text)),
      h(
        "p",
        { class: "row" },
        rematch,
        h("a", { href: `/games/${context.game}/review` }, t.review),
        h("a", { href: `/v1/games/${context.game}/board.png?language=${language}`, download: `${context.game}.png` }, t.share),
      ),
      holdings(t.results, ordered(over.holdings, winners), (seat) => [named(table, seat), " ", winners.includes(seat) && h("span", { class: "tag turn" }, t.winner)]),
      counted && h("p", { class: "small muted" }, t.beforeSale),
    );
    offer();
  }

  /** The rematch: a link if it exists, otherwise a button that opens it. */
  function offer() {
    const { rematch: opened } = context.table();
    const wanted = opened ?? (context.seat() !== null && account() !== null ? "button" : "");
    if (rematch.dataset["wanted"] === wanted) return;
    rematch.dataset["wanted"] = wanted;
    /** Under one key however often it is pressed: so everybody sits down once. */
    const key = newKey();
    const open = async () => {
      const { body } = await post(`/v1/games/${context.game}/rematch`, undefined, { key });
      await again(context.table(), body.game, key);
      location.assign(`/games/${body.game}`);
    };
    const problem = h("span", {});
    const button = h("button", { type: "button", onclick: () => void trying(problem, open, [button]) }, t.rematch);
    fill(rematch, opened !== null ? h("a", { class: "button", href: `/games/${opened}` }, t.toRematch) : wanted && [button, problem]);
  }

  void telling(panel, show);
  const end = context.onChange(() => {
    offer();
    fold.look();
  });
  SMALL.addEventListener("change", fold.look);
  return () => {
    end();
    SMALL.removeEventListener("change", fold.look);
  };
}

/**
 * Folds the panel to its title, since a small window needs its room for the board: while earlier moments are shown, or when asked.
 *
 * @param {HTMLElement} panel
 * @param {import("./context.js").Context} context
 */
function folding(panel, context) {
  /** What was asked for while the end, or an earlier moment, is shown. @type {boolean | null} */
  let asked = null;
  let atEnd = context.live();
  const button = h("button", { type: "button", class: "quiet fold", onclick: () => {
    asked = panel.classList.contains("folded");
    look();
  } });
  const look = () => {
    if (atEnd !== context.live()) asked = null;
    atEnd = context.live();
    const open = !SMALL.matches || (asked ?? atEnd);
    panel.classList.toggle("folded", !open);
    button.setAttribute("aria-expanded", String(open));
  };
  look();
  return { button, look };
}

/**
 * The winners first, then by holdings.
 *
 * @param {readonly Held[]} held
 * @param {readonly number[]} winners
 */
function ordered(held, winners) {
  const value = (/** @type {Held} */ { worth, amounts }) => worth ?? Object.values(amounts)[0] ?? 0;
  const won = (/** @type {Held} */ { seat }) => Number(winners.includes(seat));
  return [...held].sort((one, other) => won(other) - won(one) || value(other) - value(one));
}

/**
 * A seat by its player's name, with a link to the player's page, if there is one.
 *
 * @param {Schemas["TableView"]} table
 * @param {number} seat
 */
function named(table, seat) {
  const { player = null, state = null } = table.seats[seat] ?? {};
  const is = { class: "seat name", "data-seat": seat };
  return player && state !== "companion" ? h("a", { ...is, href: `/players/${player}` }, called(table, seat)) : h("span", is, called(table, seat));
}

// Trying another move: a practice game that goes on from the moment that is shown, against the computer or at this device.

import { account } from "../lib/account.js";
import { address, get, inLanguage, newKey, post } from "../lib/api.js";
import { fill, h } from "../lib/dom.js";
import { register } from "../lib/guest.js";
import { told } from "../lib/shell.js";
import { words } from "../lib/words.js";
import * as shared from "../hotseat/words.js";
import { seat as companion } from "../hotseat/people.js";
import { called } from "./seats.js";
import { de, en } from "./words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */
/**
 * What it needs of the context.
 *
 * @typedef {Pick<import("./context.js").Context, "game" | "table" | "seat" | "at"> & {onChange: (listener: () => void) => () => void}} Branched
 */

const t = words({ en, de });
const { person } = words(shared);
/** Under which the wish of a visitor without an account is kept: the page is loaded anew once they have one. */
const KEPT = "mcmulti.branch";

/**
 * What is wanted. `seat`: the reader's. `level`: that of the bots on the other seats; "" for people at this device.
 *
 * @typedef {{at: number, seat: number, level: string, key: string}} Wish
 */

/**
 * @param {HTMLElement} element
 * @param {Branched} context
 * @returns {() => void} Ends it.
 */
export function mount(element, context) {
  const problem = h("div", {});
  const place = h("div", {});
  const button = h("button", { type: "button", class: "second", onclick: () => void ask() }, t.branch);
  const hint = h("p", { class: "small muted" }, t.branchHow);
  const asking = h("p", {}, button);
  fill(element, h("section", { class: "panel branch" }, hint, asking, place, problem));

  const show = () => {
    const back = context.at() < context.table().seq;
    element.hidden = !back && context.table().status !== "finished";
    hint.hidden = back;
    asking.hidden = !back || place.hasChildNodes();
    if (!back) fill(place);
  };

  const ask = async () => {
    fill(problem);
    try {
      /** @type {Schemas["Rulesets"]} */
      const { rulesets } = (await get("/v1/rulesets", inLanguage())).body;
      const table = context.table();
      const summary = rulesets.find(({ name }) => name === table.ruleset);
      const levels = summary?.house_bots ?? [];
      const mine = h("select", {}, table.seats.map((_, seat) => h("option", { value: seat, selected: seat === (context.seat() ?? 0) }, called(table, seat))));
      const others = h(
        "select",
        {},
        levels.map((level) => h("option", { value: level }, summary?.levels?.[level]?.called ?? level)).reverse(),
        h("option", { value: "" }, t.branchDevice),
      );
      const start = h("button", {}, t.branchStart);
      /** Under one key however often it is pressed: so it opens one table. */
      const key = newKey();
      const form = h(
        "form",
        { onsubmit: async (event) => {
          event.preventDefault();
          fill(problem);
          start.disabled = true;
          await begin({ at: context.at(), seat: Number(mine.value), level: others.value, key });
          start.disabled = false;
        } },
        h("p", {}, t.branchLong),
        h("p", {}, h("label", { class: "field" }, t.branchAs, mine)),
        h("p", {}, h("label", { class: "field" }, t.branchOthers, others)),
        h("p", { class: "row" }, start, h("button", { type: "button", class: "second", onclick: () => {
          fill(place);
          show();
          button.focus();
        } }, t.cancel)),
      );
      fill(place, form);
      show();
      mine.focus();
    } catch (error) {
      fill(problem, told(error));
    }
  };

  /** @param {Wish} wish */
  const begin = async (wish) => {
    try {
      if (account()) location.assign(`/games/${await open(context, wish)}`);
      else {
        sessionStorage.setItem(KEPT, JSON.stringify({ game: context.game, wish }));
        await register("");
      }
    } catch (error) {
      fill(problem, told(error));
    }
  };

  show();
  const { game = "", wish = null } = JSON.parse(sessionStorage.getItem(KEPT) ?? "{}");
  if (account()) sessionStorage.removeItem(KEPT);
  if (account() && wish !== null && game === context.game) void begin(wish);
  const end = context.onChange(show);
  return () => {
    end();
    fill(element);
  };
}

/**
 * Opens the practice table, and sits everybody down.
 *
 * @param {Branched} context
 * @param {Wish} wish
 * @returns {Promise<string>} The id of the game.
 */
async function open(context, { at, seat, level, key }) {
  const others = context.table().seats.map((_, number) => number).filter((number) => number !== seat);
  const wish = { at, house_bots: level ? others.map(() => level) : [], seat };
  const sent = `${key}-${at}-${seat}-${level || "device"}`;
  /** @type {Schemas["NewlyOpened"]} */
  const { game } = (await post(address(`/v1/games/${context.game}/branches`, inLanguage()), wish, { key: sent })).body;
  const path = `/v1/games/${game}`;
  await post(address(`${path}/seats`, inLanguage()), { seat }, { key: `${sent}-0` });
  if (level) return game;
  for (const [index, number] of others.entries()) await companion(game, person(number + 1), index + 1, `${sent}-${index + 1}`);
  await post(address(`${path}/commands`, inLanguage()), { commands: [{ type: "StartGame" }] }, { key: `${sent}-start` });
  return game;
}

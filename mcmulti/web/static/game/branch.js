// Trying another move: a practice game that goes on from the moment that is shown, against the computer or at this device.

import { account } from "../lib/account.js";
import { newKey } from "../client/requests.js";
import { get, inLanguage } from "../lib/api.js";
import { fill, h, submitting } from "../lib/dom.js";
import { register } from "../lib/guest.js";
import { copying } from "../position/copy.js";
import { kept } from "../lib/kept.js";
import { trying } from "../lib/shell.js";
import { against, begun } from "../hotseat/against.js";
import { called } from "./seats.js";
import { common } from "../lib/words.js";
import { t } from "./words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */
/**
 * What it needs of the context.
 *
 * @typedef {Pick<import("./context.js").Context, "game" | "table" | "seat" | "at"> & {onChange: (listener: () => void) => () => void}} Branched
 */

/** Under which the wish of a visitor without an account is kept: the page is loaded again once they have one. */
const KEPT = "mcmulti.branch";

/** @typedef {import("../hotseat/against.js").Sides & {at: number, key: string}} Wish */

/**
 * @param {HTMLElement} element
 * @param {Branched} context
 * @returns {() => void} Ends it.
 */
export function mount(element, context) {
  const problem = h("div", {});
  const place = h("div", {});
  const button = h("button", { type: "button", class: "second", onclick: () => void trying(problem, ask) }, t.branch);
  const hint = h("p", { class: "small muted" }, t.branchHow);
  const copy = copying(context.game, context.at);
  const asking = h("p", { class: "row" }, button, copy.button);
  fill(element, h("section", { class: "panel branch" }, hint, asking, copy.place, place, problem));
  let shown = context.at();

  const show = () => {
    const back = context.at() < context.table().seq;
    element.hidden = !back && context.table().status !== "finished";
    hint.hidden = back;
    asking.hidden = !back || place.hasChildNodes();
    if (!back) fill(place);
    if (shown !== context.at()) copy.forget();
    shown = context.at();
  };

  const ask = async () => {
    /** @type {Schemas["Rulesets"]} */
    const { rulesets } = (await get("/v1/rulesets", inLanguage())).body;
    const table = context.table();
    const summary = rulesets.find(({ name }) => name === table.ruleset);
    const chosen = against(summary, table.seats.map((_, seat) => called(table, seat)), context.seat() ?? 0);
    const start = h("button", {}, t.branchStart);
    /** Under one key however often it is pressed: so it opens one table. */
    const key = newKey();
    fill(place, h("form", { onsubmit: submitting(() => begin({ at: context.at(), ...chosen.read(), key }, [start])) },
      h("p", {}, t.branchLong),
      chosen.fields,
      h("p", { class: "row" }, start, h("button", { type: "button", class: "second", onclick: () => {
        fill(place);
        show();
        button.focus();
      } }, common.cancel)),
    ));
    show();
    copy.forget();
    chosen.first.focus();
  };

  /** @param {Wish} wish @param {HTMLButtonElement[]} [buttons] */
  const begin = (wish, buttons) => trying(problem, async () => {
    if (account()) location.assign(`/games/${await open(context, wish)}`);
    else {
      sessionStorage.setItem(KEPT, JSON.stringify({ game: context.game, wish }));
      await register("");
    }
  }, buttons);

  show();
  const { game, wish } = kept(KEPT, {}, sessionStorage);
  if (account()) sessionStorage.removeItem(KEPT);
  if (account() && wish && game === context.game) void begin(wish);
  return context.onChange(show);
}

/** Opens the practice table. @type {(context: Branched, wish: Wish) => Promise<string>} */
const open = (context, { at, key, ...sides }) =>
  begun(`/v1/games/${context.game}/branches`, { at }, context.table().seats.length, sides, `${key}-${at}`);

// How a finished game changed its players' ratings, or why it is not rated. `mount(element, context)` as in
// game/context.js.

import { get, inLanguage } from "../lib/api.js";
import { fill, h } from "../lib/dom.js";
import { telling } from "../lib/shell.js";
import { number } from "../lib/words.js";
import { t } from "./words.js";

/** @type {import("../game/context.js").Mount} */
export function mount(element, context) {
  void telling(element, async () => {
    /** @type {import("../lib/api.js").Schemas["GameRating"]} */
    const { reason, sentence, seats } = (await get(`/v1/games/${context.game}/rating`, inLanguage())).body;
    const points = (/** @type {number} */ change) => `${change < 0 ? "−" : "+"}${number(Math.abs(Math.round(change)))}`;
    fill(element, h("section", { class: "panel" }, h("h2", {}, t.result), reason
      ? h("p", {}, t.notRated, " ", sentence)
      : h("ul", {}, seats.map((each) => h("li", {}, h("bdi", { class: "name" }, each.name),
        h("span", { class: "figure" }, ` ${number(Math.round(each.before))} → ${number(Math.round(each.after))} (${points(each.change)})`),
        [...each.reduced, ...(each.refund ? [each.refund] : [])].map(({ sentence: why }) => h("div", { class: "small muted" }, why)))))));
  });
}

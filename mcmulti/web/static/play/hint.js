// Hints in practice games: what the server would consider, with the reader's chance to win after each move.

import { Refused } from "../client/errors.js";
import { post, inLanguage } from "../lib/api.js";
import { fill, h } from "../lib/dom.js";
import { told } from "../lib/shell.js";
import { language } from "../lib/words.js";
import { t as all } from "./words.js";

const t = all.hints;
const percent = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 });

/** @type {import("../game/context.js").Mount} */
export function mount(element, context) {
  const found = h("div", { role: "status" });
  const button = h("button", { type: "button", class: "quiet", onclick: () => void ask() }, t.ask);
  fill(element, h("section", { class: "advice small" }, button, found));
  /** The event that was answered about: a hint goes with the next move. */
  let about = -1;

  const show = () => {
    const seat = context.seat();
    button.hidden = !context.live() || seat === null || !context.table().to_move.includes(seat);
    if (about !== context.table().seq) fill(found);
  };

  const ask = async () => {
    button.disabled = true;
    about = context.table().seq;
    fill(found, t.thinking);
    try {
      /** @type {import("../lib/api.js").Schemas["HintView"]} */
      const { seq, moves } = (await post(`/v1/games/${context.game}/hint`, {}, { query: inLanguage() })).body;
      if (about === seq && context.table().seq === seq)
        fill(found, moves.length
          ? [h("ol", {}, moves.map(({ said, chance, loss }) => h("li", {}, said, " ", h("strong", {}, t.chance(percent.format(chance.value))), loss.value > 0 && h("span", { class: "muted" }, ` (${t.less(percent.format(loss.value))})`)))),
            h("p", { class: "muted" }, t.trust, " ", h("a", { href: "/docs/explanation/winning-chances" }, t.how))]
          : t.nothing);
      else fill(found);
    } catch (error) {
      fill(found, error instanceof Refused && error.code === "no_hints" ? t.none : told(error));
    }
    button.disabled = false;
  };

  show();
  return context.onChange(show);
}

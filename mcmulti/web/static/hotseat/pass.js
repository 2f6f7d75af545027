// To whom the device can be passed: beside the moves, while several people share it.
//
// `mount(element, context)` as in game/context.js.

import { actFor } from "../lib/account.js";
import { fill, h } from "../lib/dom.js";
import { pass } from "./cover.js";
import { here, numberOf } from "./people.js";
import { t } from "./words.js";

/** @type {import("../game/context.js").Mount} */
export function mount(element, context) {
  const whose = h("p", { role: "status" });
  const asked = h("div", { class: "row" });
  const rest = h("div", { class: "row" });
  const others = h("details", {}, h("summary", {}, t.passOn), rest);
  fill(element, h("section", { class: "panel passing", "aria-label": t.passOn }, whose, asked, others));
  let shown = "";
  const show = () => {
    const { to_move } = context.table();
    const away = here(context.table()).filter((seat) => seat.seat !== context.seat());
    const mine = to_move.includes(context.seat() ?? -1);
    const next = mine ? [] : away.filter((seat) => to_move.includes(seat.seat));
    const said = JSON.stringify([away, next]);
    if (said === shown) return; // so that a button that has the focus keeps it
    shown = said;
    const button = (/** @type {import("./people.js").TableSeat} */ seat) =>
      h("button", { type: "button", class: next.includes(seat) ? "" : "second", onclick: () => pass(context.game, numberOf(seat)) }, t.passTo(seat.name ?? ""));
    whose.textContent = next[0] ? t.asked(next[0].name ?? "") : "";
    whose.hidden = asked.hidden = !next.length;
    others.hidden = next.length === away.length;
    fill(asked, next.map(button));
    if (next.length) element.closest(".actions")?.scrollTo({ top: 0 });
    fill(rest, away.filter((seat) => !next.includes(seat)).map(button));
  };
  show();
  const end = context.onChange(show);
  return () => {
    end();
    actFor(context.game, 0); // the game is over: what is left to do there is the account's
  };
}

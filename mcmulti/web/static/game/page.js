// A game: the board, whose move it is, the story.

import { onAccount } from "../lib/account.js";
import { Problem } from "../lib/api.js";
import { announce, fill, h } from "../lib/dom.js";
import { page, titled as headed, told } from "../lib/shell.js";
import { titled, words } from "../lib/words.js";
import { Board } from "./board.js";
import { Model } from "./model.js";
import { mountAll } from "./mounts.js";
import { serverSource } from "./source.js";
import { de, en } from "./words.js";

/** @typedef {import("./context.js").Context} Context */

const t = words({ en, de });
const id = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const main = page(t.game);
const source = serverSource(id);
const model = new Model(source);
const board = new Board();

/** @type {Context} */
const context = {
  game: id,
  source,
  seat: () => model.seat,
  view: () => model.view,
  table: () => model.table,
  tag: () => `"${model.seq}-${model.hash}"`,
  live: () => model.connection === "live",
  now: () => Date.now() + model.ahead,
  board,
  onChange: (listener) => model.onChange(listener),
  sent: (result) => model.sent(result),
};

try {
  await model.open();
  await begin();
} catch (error) {
  if (error instanceof Problem && error.status === 404) fill(main, h("h1", {}, t.noGame));
  else fill(main, told(error));
}

async function begin() {
  headed(titled(model.table.ruleset));
  const whose = h("p", { class: "whose" });
  const state = h("p", { class: "problem", role: "status", hidden: true }, t.lost);
  const places = { table: h("section"), controls: h("section") };
  const story = h("ol", { class: "story" });
  const show = () => {
    fill(whose, sentence());
    state.hidden = model.connection !== "lost";
  };
  fill(main, h("h1", {}, titled(model.table.ruleset)), state, whose, places.table, board.element, places.controls, h("h2", {}, t.story), story);
  let shown = await source.board(model.seq);
  board.show(shown);
  show();
  model.onChange(async ({ happened }) => {
    show();
    for (const each of happened) {
      story.append(h("li", {}, each.sentence));
      announce(each.sentence);
    }
    if (!happened.length) return;
    const [before, at] = [shown, model.seq];
    const picture = await source.board(at);
    if (at === model.seq) board.show((shown = picture), before);
  });
  model.follow();
  mountAll(places, context);
  onAccount(() => location.reload());
}

/** @returns {string} */
function sentence() {
  const { table } = model;
  const names = (/** @type {readonly number[]} */ seats) =>
    seats.map((seat) => table.seats[seat]?.name ?? t.seat(seat)).join(t.and);
  if (table.outcome) return table.outcome.winners.length ? t.won(names(table.outcome.winners)) : t.nobodyWon;
  if (table.status === "open") return t.waiting;
  if (model.seat !== null && table.to_move.includes(model.seat)) return t.yourMove;
  return t.toMove(names(table.to_move));
}

// Whose move it is, and the clocks.

import { fill, h } from "../lib/dom.js";
import { common, language } from "../lib/words.js";
import { t } from "./words.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../lib/api.js").Schemas["TableView"]} TableView */

/**
 * The displayed name of a seat's player.
 *
 * @param {TableView} table
 * @param {number} seat
 */
export const called = (table, seat) => table.seats[seat]?.name ?? common.seat(seat);

/**
 * A time as a clock shows it; in days and hours if it is long.
 *
 * @param {number} milliseconds
 */
export function clock(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const [days, hours, minutes] = [Math.floor(seconds / 86400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  const two = (/** @type {number} */ figure) => String(figure).padStart(2, "0");
  if (days) return t.days(days, hours);
  if (hours) return `${hours}:${two(minutes)}:${two(seconds % 60)}`;
  return `${minutes}:${two(seconds % 60)}`;
}

export class Seats {
  /** One line: whose move it is, the deadline, and what happens after it. */
  whose = h("p", { class: "whose" });
  /** All seats. */
  list = h("ul", { class: "seats", "aria-label": t.seats });
  #sentence = h("strong", {});
  #left = h("span", { class: "figure clock" });
  /** @type {Map<number, HTMLElement>} */
  #banks = new Map();

  /** @param {Model} model */
  constructor(model) {
    this.model = model;
    this.whose.append(this.#sentence, this.#left);
    model.onChange(() => this.show());
    setInterval(() => this.tick(), 500);
    this.show();
  }

  show() {
    const { table, present } = this.model;
    const asked = table.status === "running" ? table.to_move : [];
    this.#banks.clear();
    const said = this.#said();
    if (this.#sentence.textContent !== said) this.whose.closest(".title")?.scrollTo({ left: 0 }); // on phones it is one line
    this.#sentence.textContent = said;
    this.whose.classList.toggle("mine", this.mine);
    fill(
      this.list,
      ...table.seats.map(({ seat, player, bank, state }) => {
        const left = h("span", { class: "figure clock" });
        if (bank !== null) this.#banks.set(seat, left);
        return h(
          "li",
          { class: asked.includes(seat) ? "asked" : null },
          h("span", { class: "seat name", "data-seat": seat }, called(table, seat)),
          seat === this.model.seat && h("span", { class: "tag" }, t.you),
          player !== null && present.includes(seat) && h("span", { class: "here", title: t.here }, h("span", { class: "unseen" }, t.here)),
          t.states[state] && h("span", { class: "tag" }, t.states[state]),
          table.outcome?.winners.includes(seat) && h("span", { class: "tag turn" }, t.winner),
          asked.includes(seat) && h("span", { class: "tag turn" }, t.asked),
          left,
        );
      }),
    );
    this.tick();
  }

  /** Whether the reader must move. */
  get mine() {
    const { table, seat } = this.model;
    return table.status === "running" && seat !== null && table.to_move.includes(seat);
  }

  /** Updates the clocks. */
  tick() {
    const { table, ahead } = this.model;
    const left = table.deadline === null ? null : Date.parse(table.deadline) - Date.now() - ahead;
    for (const [seat, shown] of this.#banks) {
      const bank = (table.seats[seat]?.bank ?? 0) * 1000;
      // When the time for the move is used up, the player's bank begins to run down.
      const now = left !== null && table.to_move.includes(seat) ? Math.min(bank, left) : bank;
      shown.textContent = t.bank(clock(now));
    }
    const bank = Math.max(0, ...table.to_move.map((seat) => table.seats[seat]?.bank ?? 0)) * 1000;
    this.#left.textContent = left === null ? "" : left > bank ? clock(left - bank) : t.fromBank(clock(left));
    this.#left.classList.toggle("late", left !== null && left <= bank);
  }

  /** @returns {string} */
  #said() {
    const { table } = this.model;
    const names = (/** @type {readonly number[]} */ seats) =>
      new Intl.ListFormat(language).format(seats.map((seat) => called(table, seat)));
    const winners = table.outcome?.winners ?? [];
    if (table.status === "finished") return winners.length ? t.won(names(winners), winners.length) : t.nobodyWon;
    if (table.status === "open") return t.waiting;
    if (this.mine) return t.yourMove;
    return t.toMove(names(table.to_move));
  }
}

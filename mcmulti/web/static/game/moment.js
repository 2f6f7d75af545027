// The moment that is shown: the newest, or an earlier one in the address, so that it can be shared.

import { Listeners } from "../lib/listeners.js";

/** @typedef {import("./model.js").Model} Model */

/** Milliseconds between two changes of the address: browsers refuse too many. */
const PAUSE = 250;

export class Moment {
  /** @type {number | null} */
  #at = null;
  /** @type {Listeners<void>} */
  #listeners = new Listeners();
  onChange = this.#listeners.add;
  #timer = 0;
  /** Whether the address names an earlier moment until the pause is over. */
  #waits = false;

  /** @param {Model} model */
  constructor(model) {
    this.model = model;
    this.#at = this.#named();
    addEventListener("popstate", () => {
      clearTimeout(this.#timer);
      this.#timer = 0;
      this.#set(this.#named());
    });
  }

  /** The number of the event after which the game is shown. */
  get at() {
    return Math.min(this.#at ?? this.model.seq, this.model.seq);
  }

  /** Whether the newest moment is shown, and stays so. */
  get live() {
    return this.#at === null;
  }

  /**
   * Shows another moment; the newest if that is beyond the end. The back button undoes jumps, but not steps.
   *
   * @param {number} seq
   * @param {boolean} [jump]
   */
  go(seq, jump = false) {
    const at = seq >= this.model.seq ? null : Math.max(1, Math.round(seq));
    if (at === this.#at) return;
    const leaving = this.#at === null || at === null;
    this.#set(at);
    if (jump || leaving) this.#write(true);
    else this.#follow();
  }

  /** Names the shown moment in the address: at once, but not too often. */
  #follow() {
    this.#waits = this.#timer !== 0;
    if (this.#waits) return;
    this.#write(false);
    this.#timer = window.setTimeout(() => {
      this.#timer = 0;
      if (this.#waits) this.#follow();
    }, PAUSE);
  }

  /** @param {number | null} at */
  #set(at) {
    this.#at = at;
    this.#listeners.tell();
  }

  /** @param {boolean} further */
  #write(further) {
    clearTimeout(this.#timer);
    this.#timer = 0;
    const there = this.address(this.#at) + (this.model.source.online ? location.hash : ""); // which names the open tab
    if (further) history.pushState(null, "", there);
    else history.replaceState(null, "", there);
  }

  /**
   * @param {number | null} at
   * @returns {string}
   */
  address(at) {
    // A page that is a file can change only the fragment of its address.
    if (!this.model.source.online) return at === null ? "#" : `#at=${at}`;
    return at === null ? location.pathname : `?at=${at}`;
  }

  /** @returns {number | null} */
  #named() {
    const named = this.model.source.online ? location.search : location.hash.replace(/^#/, "");
    const at = Number(new URLSearchParams(named).get("at") ?? NaN);
    return Number.isInteger(at) && at > 0 && at <= this.model.seq ? at : null;
  }
}

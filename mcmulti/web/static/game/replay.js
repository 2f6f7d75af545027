// Navigation through the game: a scrubber, steps, turns, decisions, and playback.

import { sleep } from "../client/requests.js";
import { drawn, fill, h, submitting } from "../lib/dom.js";
import { t } from "./words.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./model.js").Step} Step */
/** @typedef {import("./moment.js").Moment} Moment */

/** Events per second. */
const SPEEDS = [1, 2, 5, 20];
/** The most boards in a row that playback omits to keep its speed where drawing takes longer than an event lasts. */
const OMITTED = 3;

/** Signs for buttons: no font has all of them everywhere. */
const SHAPES = {
  first: "M3 3h2v10H3zM13 3v10L6 8z",
  back: "M11 3v10L4 8z",
  play: "M5 3v10l7-5z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  on: "M3 3v10l6-5zM10 3h3v10h-3z",
  last: "M11 3h2v10h-2zM3 3v10l7-5z",
};

/** @param {keyof typeof SHAPES} name */
const icon = (name) =>
  drawn("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true", fill: "currentColor" }, drawn("path", { d: SHAPES[name] }));

export class Replay {
  /** Whether it is playing. */
  playing = false;
  #slider = h("input", { type: "range", min: 1, class: "scrubber", "aria-label": t.moment });
  #count = h("output", { class: "count figure small muted" });
  #play = h("button", { class: "second", type: "button", onclick: () => this.play(!this.playing) });
  #live = h("button", { class: "second live", type: "button", onclick: () => this.#to(this.model.seq) });
  #turn = h("input", { type: "number", min: 0, class: "number", "aria-label": t.toTurn, title: t.toTurn });
  #speed = h("select", { "aria-label": t.speed, title: t.speed }, ...SPEEDS.map((each) => h("option", { value: each }, `${each}×`)));
  #own = h("button", { class: "second", type: "button", title: t.ownLong, onclick: () => this.decision() }, t.own);
  #more = h("button", { class: "second more", type: "button", "aria-expanded": "false", "aria-label": t.more, title: t.more, onclick: () => this.#unfold() }, "⋯");
  element = h(
    "section",
    { class: "replay", "aria-label": t.replay },
    h(
      "div",
      { class: "steps" },
      button("first", t.first, () => this.#to(1)),
      button("back", t.back1, () => this.step(-1)),
      this.#play,
      button("on", t.on1, () => this.step(1)),
      button("last", t.last, () => this.#to(this.model.seq)),
    ),
    this.#slider,
    this.#count,
    this.#live,
    this.#more,
    this.#speed,
    h("form", { class: "row turns", novalidate: true, onsubmit: submitting(() => this.#turn.value !== "" && this.turn(Number(this.#turn.value))) }, h("label", {}, t.turnLabel, this.#turn)),
    this.#own,
  );

  /**
   * @param {Model} model
   * @param {Moment} moment
   * @param {() => Promise<void>} drawn Resolves when the moment is on the screen.
   */
  constructor(model, moment, drawn) {
    this.model = model;
    this.moment = moment;
    this.drawn = drawn;
    this.#slider.addEventListener("input", () => {
      this.play(false);
      moment.go(Number(this.#slider.value));
    });
    moment.onChange(() => this.show());
    model.onChange(() => this.show());
    this.show();
  }

  show() {
    const { seq, table } = this.model;
    const at = this.moment.at;
    this.#slider.max = String(seq);
    this.#slider.value = String(at);
    const step = this.model.told(at);
    this.#slider.setAttribute("aria-valuetext", step ? `${t.event(at)}: ${step.sentence}` : t.event(at));
    this.#count.value = `${at} / ${seq}`;
    if (document.activeElement !== this.#turn) this.#turn.value = String(step?.turn ?? table.turn);
    this.#own.hidden = this.model.seat === null;
    const over = table.status === "finished";
    this.#live.textContent = over ? t.end : t.live;
    this.#live.setAttribute("aria-pressed", String(this.moment.live));
    fill(this.#play, icon(this.playing ? "pause" : "play"));
    this.#play.setAttribute("aria-label", this.playing ? t.pause : t.play);
    this.#play.title = this.playing ? t.pause : t.play;
  }

  /** Shows or hides additional controls on small screens. */
  #unfold() {
    const open = this.element.classList.toggle("open");
    this.#more.setAttribute("aria-expanded", String(open));
  }

  /** @param {number} by */
  step(by) {
    this.play(false);
    this.moment.go(this.moment.at + by);
  }

  /** @param {number} seq */
  #to(seq) {
    this.play(false);
    this.moment.go(seq, true);
  }

  /** @param {boolean} on */
  async play(on) {
    if (on === this.playing) return;
    this.playing = on;
    this.show();
    if (!on) return;
    if (this.moment.live) this.moment.go(1, true);
    let due = performance.now();
    while (this.playing && !this.moment.live) {
      const step = 1000 / Number(this.#speed.value);
      due += step;
      try {
        await Promise.all([sleep(Math.max(0, due - performance.now())), this.drawn()]);
      } catch {
        break; // the page says why, and draws the moment once it can
      }
      const late = Math.floor((performance.now() - due) / step);
      const omitted = Math.min(late, OMITTED);
      due += late * step; // what did not come for longer than that is not made up for
      if (this.playing) this.moment.go(this.moment.at + 1 + omitted);
    }
    this.playing = false;
    this.show();
  }

  /**
   * Goes to the beginning of a turn.
   *
   * @param {number} turn
   */
  async turn(turn) {
    this.play(false);
    let [low, high] = [1, this.model.seq]; // turns only go up, so that half of the rest is out each time
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      await this.model.load(middle);
      if ((this.model.step(middle)?.turn ?? 0) < turn) low = middle + 1;
      else high = middle;
    }
    this.moment.go(low, true);
  }

  /** @param {1 | -1} way */
  async turns(way) {
    await this.model.load(this.moment.at);
    const here = this.model.step(this.moment.at)?.turn ?? this.model.table.turn;
    await this.turn(here + way);
  }

  /** Goes to the moment before the next decision of the reader's own seat. */
  async decision() {
    this.play(false);
    const { seat } = this.model;
    if (seat === null || this.moment.live) return;
    const begins = (/** @type {Step} */ { seq, actor, when }) => {
      const before = this.model.step(seq - 1);
      return actor === seat && (before?.actor !== seat || before.when !== when);
    };
    const found = await this.model.search(begins, this.moment.at + 2);
    this.moment.go(found ? found.seq - 1 : this.model.seq, true);
  }

  /**
   * Keys that nothing else handles.
   *
   * @param {KeyboardEvent} event
   */
  key(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const turns = event.shiftKey;
    const done = {
      ArrowLeft: () => (turns ? this.turns(-1) : this.step(-1)),
      ArrowRight: () => (turns ? this.turns(1) : this.step(1)),
      Home: () => this.#to(1),
      End: () => this.#to(this.model.seq),
      " ": () => this.play(!this.playing),
    }[event.key];
    if (!done) return;
    event.preventDefault();
    done();
  }
}

/**
 * @param {Parameters<typeof icon>[0]} sign
 * @param {string} name
 * @param {() => void} onclick
 */
const button = (sign, name, onclick) => h("button", { class: "second", type: "button", "aria-label": name, title: name, onclick }, icon(sign));

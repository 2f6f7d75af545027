// A game as this page knows it: the newest moment, and of the past what was asked for.

/** @typedef {import("./source.js").Source} Source */
/** @typedef {import("../lib/api.js").Schemas} Schemas */
/** @typedef {import("./context.js").News} News */

import { Problem } from "../lib/api.js";
import { patched } from "./patch.js";

/**
 * An event as the story tells it.
 *
 * @typedef {object} Step
 * @property {number} seq
 * @property {number} turn
 * @property {string} sentence
 * @property {string} rule
 * @property {number | null} actor
 * @property {number | null} about
 * @property {string} when
 * @property {Schemas["Frame"]["holdings"]} holdings
 */

/** Events that are asked for at a time. */
export const PAGE = 100;
/** As many at a time where all of them are needed. */
const MANY = 1000;

export class Model {
  /** @type {Schemas["TableView"]} */
  table = /** @type {any} */ (null);
  /** @type {Schemas["View"]} */
  view = /** @type {any} */ (null);
  seq = 0;
  hash = "";
  /** @type {number} Milliseconds by which the clock of the deadlines is ahead. */
  ahead = 0;
  /** @type {readonly number[]} The seats whose players are there. */
  present = [];
  /** @type {import("../lib/api.js").StreamState} */
  connection = "live";
  /** @type {Map<string, string>} The texts of rules that were told of. */
  rules = new Map();

  /** @type {Step[]} By number; there are gaps. */
  #steps = [];
  /** @type {Map<number, Promise<void>>} */
  #asked = new Map();
  /** @type {Set<(news: News) => void>} */
  #listeners = new Set();
  /** @type {number} The newest event that is known of. */
  #told = 0;
  /** @type {number} */
  #own = 0;
  #reading = false;
  /** @type {() => void} */
  #end = () => {};

  /** Told of the newest event that there is, before what happened with it is read. */
  onComing = (/** @type {number} */ _seq) => {};

  /** @param {Source} source */
  constructor(source) {
    this.source = source;
  }

  /** Reads the game as it is now. */
  async open() {
    const { game, ahead } = await this.source.open();
    this.table = game.table;
    this.view = game.view;
    this.seq = game.seq;
    this.hash = game.hash;
    this.ahead = ahead;
    this.#told = game.seq;
    this.#own = game.seq;
  }

  /** Follows the game as it goes on. */
  follow() {
    if (!this.source.follow || this.table.status === "finished") return;
    this.#end = this.source.follow(this.seq, this.hash, {
      onEvent: (event) => {
        this.#told = Math.max(this.#told, event.seq);
        this.#catchUp();
      },
      onTable: (table) => {
        const newer = table.seq >= this.table.seq;
        if (newer) this.table = table;
        if (newer && table.seq <= this.seq) this.#tell([], true);
        else this.onComing(table.seq);
        if (table.status === "finished") this.#end();
      },
      onPresent: (present) => {
        this.present = present;
      },
      onState: (state, problem) => {
        this.connection = state;
        if (state === "ended" && problem) return void this.#anew();
        this.#tell([], true);
        if (state === "live") this.#catchUp();
      },
      onAnew: () => this.#anew(),
    });
  }

  close() {
    this.#end();
  }

  /** The seat of who reads; null for onlookers. */
  get seat() {
    return this.view.you;
  }

  /** @param {(news: News) => void} listener */
  onChange(listener) {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * What this page did itself: it is shown without waiting to be told.
   *
   * @param {{seq: number, table: Schemas["TableView"]}} result
   */
  sent(result) {
    this.#own = Math.max(this.#own, result.seq);
    this.#told = Math.max(this.#told, result.seq);
    if (result.table.seq >= this.table.seq) this.table = result.table;
    this.onComing(result.seq);
    this.#catchUp();
  }

  /**
   * An event of the story, if it was read.
   *
   * @param {number} seq
   * @returns {Step | undefined}
   */
  step(seq) {
    return this.#steps[seq];
  }

  /**
   * Reads the page of the story with this event in it, once.
   *
   * @param {number} seq
   * @returns {Promise<void>}
   */
  async load(seq) {
    const first = seq - ((seq - 1) % PAGE);
    const last = Math.min(first + PAGE - 1, this.seq);
    if (this.#steps[first] && this.#steps[last]) return;
    let asked = this.#asked.get(first);
    if (!asked) {
      asked = this.#read(first - 1, PAGE).finally(() => this.#asked.delete(first));
      this.#asked.set(first, asked);
    }
    await asked;
  }

  /**
   * Reads all of the story from an event on, or up to it.
   *
   * @param {(step: Step) => boolean} found Ends it.
   * @param {number} from
   * @param {1 | -1} way
   * @param {AbortSignal} [signal]
   * @returns {Promise<Step | null>} The first one found on the way.
   */
  async search(found, from, way = 1, signal) {
    for (let seq = from; seq >= 1 && seq <= this.seq; seq += way) {
      if (!this.#steps[seq]) {
        const after = way === 1 ? seq - 1 : Math.max(0, seq - MANY);
        await this.#read(after, Math.min(MANY, way === 1 ? MANY : seq - after), signal);
      }
      const step = this.#steps[seq];
      if (!step || signal?.aborted) return null;
      if (found(step)) return step;
    }
    return null;
  }

  /**
   * @param {number} after
   * @param {number} limit
   * @param {AbortSignal} [signal]
   */
  async #read(after, limit, signal) {
    const { frames } = await this.source.frames(after, limit, signal);
    for (const frame of frames) this.#keep(frame);
  }

  /** @param {Schemas["Frame"]} frame */
  #keep({ seq, turn, happened, holdings }) {
    const event = happened[0];
    if (!event) return;
    this.rules.set(event.rule, event.rule_text);
    const { sentence, rule, actor, about, recorded_at } = event;
    this.#steps[seq] = { seq, turn, sentence, rule, actor, about, when: recorded_at, holdings };
  }

  async #catchUp() {
    if (this.#reading) return;
    this.#reading = true;
    try {
      while (this.#told > this.seq) {
        const page = await this.source.frames(this.seq, MANY);
        if (page.next !== null || page.frames.length === 0) return void (await this.#anew());
        const happened = page.frames.flatMap((frame) => frame.happened);
        this.view = patched(this.view, page.frames.flatMap((frame) => frame.patch));
        for (const frame of page.frames) this.#keep(frame);
        this.seq = page.seq;
        this.hash = page.hash;
        this.#told = Math.max(this.#told, page.seq);
        this.#tell(happened, page.seq <= this.#own);
      }
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.connection = "lost"; // it is read on when the stream is back, or tells of more
      this.#tell([], true);
    } finally {
      this.#reading = false;
    }
  }

  /** Begins again: what was told may not have been. */
  async #anew() {
    this.#end();
    this.#steps = [];
    await this.open();
    this.follow();
    this.#tell([], false, true);
  }

  /**
   * @param {readonly Schemas["Happening"][]} happened
   * @param {boolean} own
   * @param {boolean} [anew]
   */
  #tell(happened, own, anew = false) {
    for (const listener of [...this.#listeners]) listener({ happened, own, anew });
  }
}

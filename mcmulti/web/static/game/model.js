// A game as this page knows it: the newest moment, and the requested parts of the past.

/** @typedef {import("./source.js").Source} Source */
/** @typedef {import("../lib/api.js").Schemas} Schemas */
/** @typedef {import("./context.js").News} News */

import { Refused } from "../client/errors.js";
import { Listeners } from "../lib/listeners.js";
import { patched } from "./patch.js";

/**
 * An event of the story.
 *
 * @typedef {object} Step
 * @property {number} seq
 * @property {number} turn
 * @property {string} sentence
 * @property {string} rule
 * @property {number | null} actor
 * @property {number | null} about
 * @property {string} when
 * @property {boolean} quiet Whether stories leave it out.
 * @property {Schemas["Frame"]["holdings"]} holdings
 */

/** Events that are asked for at a time. */
export const PAGE = 100;
/** Events requested at a time if all of them are needed. */
const MANY = 1000;
/** The fewest if the newest are requested: others may have followed meanwhile. */
const FEW = 10;
/** Milliseconds until a failed request for the newest is repeated. */
const AGAIN = 3000;

export class Model {
  /** @type {Schemas["TableView"]} */
  table = /** @type {any} */ (null);
  /** @type {Schemas["View"]} */
  view = /** @type {any} */ (null);
  /** The place of the table in a series, if it has one. */
  series = /** @type {import("../lib/api.js").Schemas["SeriesTable"] | null} */ (null);
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
  /** @type {Listeners<News>} */
  #listeners = new Listeners();
  onChange = this.#listeners.add;
  /** @type {Listeners<Schemas["MessageView"]>} */
  #readers = new Listeners();
  /** Of messages that are written or removed in the chat. */
  onMessage = this.#readers.add;
  /** @type {number} The newest event that is known of. */
  #told = 0;
  /** @type {number} */
  #own = 0;
  #reading = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #later;
  /** @type {import("../lib/api.js").StreamState} How the stream is, whether or not its news could be read. */
  #stream = "live";
  /** @type {() => void} */
  #end = () => {};

  /** Called with the number of the newest event, before its content is read. */
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
    this.series = game.series ?? null;
    this.seq = game.seq;
    this.hash = game.hash;
    this.ahead = ahead;
    this.#told = game.seq;
    this.#own = game.seq;
  }

  /** Follows the game. */
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
        // A restarted stream sends the table first, and after the end there is nothing left to wait for.
        this.#told = Math.max(this.#told, table.seq);
        this.#catchUp();
      },
      onPresent: (present) => void (this.present = present),
      onState: (state, problem) => {
        this.#stream = this.connection = state;
        if (state === "ended" && problem) return void this.#anew();
        this.#tell([], true);
        if (this.connected) this.#catchUp();
      },
      onAnew: () => this.#anew(),
      onMessage: this.table.chat && ((message) => this.#readers.tell(message)),
    });
  }

  /** Whether the server can be reached: by its stream, or by polls while that is held back. */
  get connected() {
    return this.connection === "live" || this.connection === "held";
  }

  /** The reader's seat; null for spectators. */
  get seat() {
    return this.view.you;
  }

  /**
   * Results of this page's own requests: they are shown at once.
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
   * The event that describes a moment: the last one up to it that is not quiet, if it was read.
   *
   * @param {number} seq
   * @returns {Step | undefined}
   */
  told(seq) {
    let step = this.#steps[seq];
    while (step?.quiet) step = this.#steps[step.seq - 1];
    return step;
  }

  /**
   * The same, reading it first if necessary.
   *
   * @param {number} seq
   * @returns {Promise<Step | undefined>}
   */
  async telling(seq) {
    await this.load(seq);
    let step = this.#steps[seq];
    while (step?.quiet && step.seq > 1) {
      await this.load(step.seq - 1);
      step = this.#steps[step.seq - 1];
    }
    return step;
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
   * Reads the story from an event on, or back from it.
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
    this.#steps[seq] = { seq, turn, sentence, rule, actor, about, when: recorded_at, quiet: event.quiet === true, holdings };
  }

  async #catchUp() {
    if (this.#reading) return;
    this.#reading = true;
    try {
      while (this.#told > this.seq) {
        const missing = this.#told - this.seq;
        const page = await this.source.frames(this.seq, Math.min(MANY, Math.max(FEW, missing)));
        if (missing > MANY || page.frames.length === 0) return void (await this.#anew());
        if (page.next !== null) {
          this.#told = Math.max(this.#told, page.seq); // as many again came meanwhile: all of them at once
          continue;
        }
        this.connection = this.#stream;
        const happened = page.frames.flatMap((frame) => frame.happened);
        this.view = patched(this.view, page.frames.flatMap((frame) => frame.patch));
        for (const frame of page.frames) this.#keep(frame);
        this.seq = page.seq;
        this.hash = page.hash;
        this.#told = Math.max(this.#told, page.seq);
        this.#tell(happened, page.seq <= this.#own);
      }
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.connection = "lost";
      this.#tell([], true);
      clearTimeout(this.#later);
      this.#later = setTimeout(() => this.#catchUp(), AGAIN);
    } finally {
      this.#reading = false;
    }
  }

  /** Starts again: what was received may no longer be true. */
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
    this.#listeners.tell({ happened, own, anew });
  }
}

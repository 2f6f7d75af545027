// Boards by moment, in pieces that they share. Those around a moment come together, so that steps need no requests.

/** @typedef {import("./source.js").Source} Source */
/** @typedef {readonly string[]} Drawn The pieces of a drawing; joined, they are an SVG document. */

/** Boards that are requested together. */
const SPAN = 25;
/** The most boards that are cached. */
const KEPT = 3000;

export class Pictures {
  /** @type {Map<number, Drawn>} The oldest first. */
  #kept = new Map();
  /** @type {Map<string, string>} Equal pieces are the same string, so that comparing boards is cheap. */
  #pieces = new Map();
  /** @type {Map<number, Promise<void>>} Spans that are coming, by their first board. */
  #coming = new Map();
  /** @type {Map<number, number>} Cached spans: their last boards by their first ones. */
  #spans = new Map();
  #looked = -Infinity;
  /** How often everything was forgotten. */
  #age = 0;

  /**
   * @param {Source} source
   * @param {() => number} newest The newest moment.
   */
  constructor(source, newest) {
    this.source = source;
    this.newest = newest;
  }

  /**
   * @param {number} at
   * @returns {Drawn | null} If it is cached.
   */
  kept(at) {
    return this.#kept.get(at) ?? null;
  }

  /**
   * The board of a moment. If it is close to the one before, those around it are requested too.
   *
   * @param {number} at
   * @returns {Promise<Drawn>}
   */
  async get(at) {
    const isNear = Math.abs(at - this.#looked) <= SPAN && at < this.newest();
    this.#looked = at;
    if (!this.#kept.has(at)) await this.#coming.get(begin(at));
    if (!this.#kept.has(at)) {
      const alone = at === 1 || this.#kept.has(at - 1) || (at >= this.newest() && this.#kept.size > 0);
      await this.#ask(alone ? at : at - 1, at);
    }
    if (isNear) this.ahead(at);
    const drawn = this.#kept.get(at);
    if (!drawn) throw new Error(`No board for event ${at}.`);
    return drawn;
  }

  /**
   * Requests the boards around a moment, unless they are cached or coming.
   *
   * @param {number} at
   */
  ahead(at) {
    const first = begin(at);
    const last = Math.min(first + SPAN - 1, this.newest());
    const known = this.#spans.get(first) ?? first - 1;
    if (known >= last || this.#coming.has(first)) return;
    const age = this.#age;
    const asked = this.#ask(known + 1, last).then(
      () => void (age === this.#age && this.#spans.set(first, last)),
      () => {}, // what is missing is requested by itself
    );
    this.#coming.set(first, asked.finally(() => age === this.#age && this.#coming.delete(first)));
  }

  forget() {
    this.#age += 1;
    for (const each of [this.#kept, this.#coming, this.#spans]) each.clear();
  }

  /**
   * @param {number} first
   * @param {number} last
   */
  async #ask(first, last) {
    const age = this.#age;
    const { pieces, boards } = await this.source.boards(first - 1, last - first + 1);
    if (age !== this.#age) return;
    /** @type {number[]} */
    let numbers = [];
    for (const { seq, changes } of boards) {
      numbers = spliced(numbers, changes);
      this.#keep(seq, numbers.map((number) => this.#same(pieces[number] ?? "")));
    }
  }

  /**
   * @param {number} at
   * @param {Drawn} drawn
   */
  #keep(at, drawn) {
    this.#kept.delete(at);
    this.#kept.set(at, drawn);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= KEPT) return;
      this.#kept.delete(oldest);
      this.#spans.delete(begin(oldest));
    }
  }

  /** @param {string} piece */
  #same(piece) {
    const known = this.#pieces.get(piece);
    if (known === undefined) this.#pieces.set(piece, piece);
    return known ?? piece;
  }
}

/** The first board of the span that a moment belongs to. @param {number} at */
const begin = (at) => at - ((at - 1) % SPAN);

/**
 * Applies changes to a list of numbers.
 *
 * @param {readonly number[]} numbers
 * @param {readonly import("../lib/api.js").Schemas["Splice"][]} changes
 * @returns {number[]}
 */
export function spliced(numbers, changes) {
  const changed = [...numbers];
  for (const { at, removed, added } of changes) changed.splice(at, removed, ...added);
  return changed;
}

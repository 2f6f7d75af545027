// Pictures of the board by moment; the most recently viewed are cached.

/** @typedef {import("./source.js").Source} Source */

const KEPT = 60;

export class Pictures {
  /** @type {Map<number, string>} The one that was used last is the last one. */
  #kept = new Map();
  /** @type {Map<number, Promise<string>>} */
  #asked = new Map();

  /** @param {Source} source */
  constructor(source) {
    this.source = source;
  }

  /**
   * @param {number} at
   * @returns {string | null} If it is kept.
   */
  kept(at) {
    return this.#kept.get(at) ?? null;
  }

  /**
   * @param {number} at
   * @returns {Promise<string>}
   */
  async get(at) {
    const kept = this.#kept.get(at);
    if (kept !== undefined) {
      this.#kept.delete(at);
      this.#kept.set(at, kept);
      return kept;
    }
    let asked = this.#asked.get(at);
    if (!asked) {
      asked = this.source.board(at).finally(() => this.#asked.delete(at));
      this.#asked.set(at, asked);
      asked.then((text) => this.#keep(at, text)).catch(() => {});
    }
    return asked;
  }

  forget() {
    this.#kept.clear();
  }

  /**
   * @param {number} at
   * @param {string} text
   */
  #keep(at, text) {
    this.#kept.set(at, text);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= KEPT) return;
      this.#kept.delete(oldest);
    }
  }
}

// Those who want to know when something happens.

/** @template News */
export class Listeners {
  /** @type {Set<(news: News) => void>} */
  #all = new Set();

  /** @param {(news: News) => void} listener @returns {() => void} Ends it. */
  add = (listener) => {
    this.#all.add(listener);
    return () => void this.#all.delete(listener);
  };

  /** @param {News} news */
  tell(news) {
    for (const listener of [...this.#all]) listener(news);
  }
}

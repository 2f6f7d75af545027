// The review that the server has of a game, beside its replay.

import { get, inLanguage } from "../lib/api.js";
import { fill, h, styled } from "../lib/dom.js";
import { reviewed } from "./tab.js";
import { t } from "./words.js";

styled(new URL("page.css", import.meta.url));

/**
 * @param {HTMLElement} element
 * @param {string} game
 * @param {import("../game/moment.js").Moment} moment
 * @returns {Promise<() => void>} Shows the current moment.
 */
export async function beside(element, game, moment) {
  /** @type {import("../lib/api.js").Schemas["ReviewView"]} */
  const { review } = (await get(`/v1/games/${encodeURIComponent(game)}/review`, inLanguage())).body;
  const page = h("a", { href: `/games/${game}/review` }, t.open);
  if (review) {
    const show = reviewed(element, review, moment, true);
    element.prepend(h("p", {}, page));
    return show;
  }
  fill(element, h("p", {}, t.askFirst), h("p", {}, page));
  return () => {};
}

// The position that is shown, as text: to keep, to change, and to play on from.

import { get } from "../lib/api.js";
import { fill, h } from "../lib/dom.js";
import { trying } from "../lib/shell.js";
import { t } from "./words.js";

/**
 * @param {string} game
 * @param {() => number} at The event after which the game is shown.
 * @returns {{button: HTMLElement, place: HTMLElement, forget: () => void}} `place` shows the result, until it is forgotten.
 */
export function copying(game, at) {
  const place = h("div", {});
  const button = h("button", { type: "button", class: "second", onclick: () => void trying(place, copy) }, t.copyPosition);

  const copy = async () => {
    const { body } = await get(`/v1/games/${game}/position`, { at: at() });
    const text = JSON.stringify(body);
    const shown = h("textarea", { rows: 3, readonly: true, spellcheck: "false", "aria-label": t.position });
    shown.value = text;
    const copied = await written(text);
    fill(place, h("p", { role: "status" }, copied ? t.copiedPosition : t.copyYourself, " ", h("a", { href: "/#position" }, t.fromPosition)), shown);
    place.scrollIntoView({ block: "nearest" });
    if (copied) return;
    shown.focus();
    shown.select();
  };
  return { button, place, forget: () => void fill(place) };
}

/** Whether a text was copied: without HTTPS, or without permission, browsers refuse. @param {string} text */
async function written(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

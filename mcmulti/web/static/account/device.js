// Messages on this device: whether they come, and a button that turns them on or off.

import { fill, h } from "../lib/dom.js";
import { canNotify, turnOff, turnOn } from "../lib/push.js";
import { trying } from "../lib/shell.js";
import { words } from "../lib/words.js";

const t = words({
  en: {
    none: "This server does not send messages. Its operator can turn them on.",
    cannot: "This browser does not show messages here. On an iPhone or iPad, add the site to the home screen first. Under plain HTTP, no browser does.",
    on: "Turn on for this device",
    off: "Turn off for this device",
    refused: "You did not allow messages. You can change this in the settings of your browser, next to the address.",
    how: { push: "Messages come to this device, even when no page is open.", pages: "Messages come to this device while a page is open. This browser has no push service." },
  },
  de: {
    none: "Dieser Server verschickt keine Nachrichten. Wer ihn betreibt, kann sie einschalten.",
    cannot: "Dieser Browser zeigt hier keine Nachrichten. Auf dem iPhone oder iPad musst du die Seite zuerst zum Home-Bildschirm hinzufügen. Ohne HTTPS geht es in keinem Browser.",
    on: "Auf diesem Gerät einschalten",
    off: "Auf diesem Gerät ausschalten",
    refused: "Du hast Nachrichten nicht erlaubt. Das kannst du in den Einstellungen deines Browsers ändern, neben der Adresse.",
    how: { push: "Nachrichten kommen auf dieses Gerät, auch wenn keine Seite offen ist.", pages: "Nachrichten kommen auf dieses Gerät, solange eine Seite offen ist. Dieser Browser hat keinen Push-Dienst." },
  },
});

/** What to say if the server sends no messages. */
export const unsent = t.none;

/**
 * Makes handlers, which act, show everything again, and say what the act returned, or what went wrong.
 *
 * @param {HTMLElement} said Where it is said.
 * @param {() => Promise<unknown>} [show]
 * @returns {(act: () => Promise<string | void>) => () => Promise<void>}
 */
export const acting = (said, show = async () => {}) => (act) => () => trying(said, async () => {
  const text = await act();
  await show();
  if (text) fill(said, h("p", {}, text));
});

/**
 * @param {string} key Of the server, for push services.
 * @param {"push" | "pages" | null} how Messages come now.
 * @param {(act: () => Promise<string | void>) => () => Promise<void>} doing Does something, and shows the result.
 */
export function device(key, how, doing) {
  if (!canNotify()) return h("p", {}, t.cannot);
  const on = doing(async () => ((await turnOn(key)) ? undefined : t.refused));
  return h("p", { class: "row" }, how
    ? [h("span", {}, t.how[how]), h("button", { type: "button", class: "second", onclick: doing(turnOff) }, t.off)]
    : h("button", { type: "button", onclick: on }, t.on));
}

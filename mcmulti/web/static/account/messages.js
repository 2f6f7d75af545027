// Message settings of the account: where messages go when it is your turn and no page is open.

import { del, get, post } from "../lib/api.js";
import { fill, h, submitting, table } from "../lib/dom.js";
import { HOOKS, sound, sounding, subscribed, turnedOn, turnOff } from "../lib/push.js";
import { telling, trying } from "../lib/shell.js";
import { ago, language, words } from "../lib/words.js";
import { acting, device, unsent } from "./device.js";
import { wishes } from "./wishes.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */

const t = words({
  en: {
    title: "Messages",
    about: "Close the page, and get a message when it is your turn, when your time runs out, or when you are invited.",
    sound: "Play a sound when it is my turn",
    where: "Where",
    added: "Added",
    service: { email: "Email", push: "a browser", ntfy: "ntfy", discord: "Discord", slack: "Slack", standard: "your own program" },
    thisOne: "this one",
    gone: "unsubscribed",
    unconfirmed: "not confirmed yet",
    bounced: "refused by its mail server",
    test: "Test",
    tested: "A test message is on its way. There is at most one per minute.",
    remove: "Remove",
    elsewhere: "Send messages somewhere else",
    kind: "Service",
    url: "Address",
    urlHint: { email: "You get an email with a link. Open it within two days. At most three such emails a day go to an address.", ntfy: "The address of your topic, such as https://ntfy.sh/a-name-nobody-guesses.", discord: "Channel settings, Integrations, Webhooks, Copy webhook URL.", slack: "The address of an incoming webhook.", standard: "Your program gets signed JSON (Standard Webhooks)." },
    add: "Add",
    secret: "Your program needs this secret to verify messages. It is shown only now:",
    asked: "An email with a link is on its way. Open the link to confirm the address.",
  },
  de: {
    title: "Nachrichten",
    about: "Schließ die Seite, und du bekommst eine Nachricht, wenn du am Zug bist, deine Zeit abläuft oder dich jemand einlädt.",
    sound: "Einen Ton abspielen, wenn ich am Zug bin",
    where: "Wohin",
    added: "Hinzugefügt",
    service: { email: "E-Mail", push: "ein Browser", ntfy: "ntfy", discord: "Discord", slack: "Slack", standard: "dein eigenes Programm" },
    thisOne: "dieser",
    gone: "abbestellt",
    unconfirmed: "noch nicht bestätigt",
    bounced: "vom Mailserver abgelehnt",
    test: "Testen",
    tested: "Eine Testnachricht ist unterwegs. Es gibt höchstens eine pro Minute.",
    remove: "Entfernen",
    elsewhere: "Nachrichten woandershin schicken",
    kind: "Dienst",
    url: "Adresse",
    urlHint: { email: "Du bekommst eine E-Mail mit einem Link. Öffne ihn innerhalb von zwei Tagen. An eine Adresse gehen höchstens drei solche E-Mails am Tag.", ntfy: "Die Adresse deines Themas, zum Beispiel https://ntfy.sh/ein-name-den-niemand-errät.", discord: "Kanaleinstellungen, Integrationen, Webhooks, Webhook-URL kopieren.", slack: "Die Adresse eines eingehenden Webhooks.", standard: "Dein Programm bekommt signiertes JSON (Standard Webhooks)." },
    add: "Hinzufügen",
    secret: "Mit diesem Geheimnis prüft dein Programm Nachrichten. Es wird nur jetzt gezeigt:",
    asked: "Eine E-Mail mit einem Link ist unterwegs. Öffne den Link, um die Adresse zu bestätigen.",
  },
});

/** @type {("email" | "ntfy" | "discord" | "slack" | "standard")[]} */
const ELSEWHERE = ["email", "ntfy", "discord", "slack", "standard"];

/** @returns {HTMLElement} The panel; it fills itself. */
export function messages() {
  const place = h("section", { class: "panel", "aria-labelledby": "messages" });
  const body = h("div", {}, h("p", { class: "muted" }, "…"));
  const said = h("div", { role: "status" });
  const settings = h("div", {}); // they are kept while the rest is shown again
  fill(place, h("h2", { id: "messages" }, t.title), h("p", {}, t.about), body, said, settings);

  const doing = acting(said, show);

  async function show() {
    /** @type {Schemas["WebhookList"]} */
    const { webhooks, push_key: key, email } = (await get(HOOKS)).body;
    if (key === null && webhooks.length === 0) return fill(body, h("p", {}, unsent));
    const how = await turnedOn();
    const mine = (await subscribed())?.endpoint;
    fill(body, key !== null && [device(key, how, doing), h("p", {}, h("label", {}, h("input", { type: "checkbox", checked: sounding(), onchange: (event) =>
      sound(/** @type {HTMLInputElement} */ (event.target).checked) }), t.sound))], webhooks.length > 0 && destinations(webhooks, mine), key !== null && elsewhere(email));
    if (key !== null && !settings.hasChildNodes()) fill(settings, wishes());
  }

  /**
   * @param {readonly Schemas["WebhookView"][]} webhooks
   * @param {string | undefined} mine
   */
  function destinations(webhooks, mine) {
    const row = (/** @type {Schemas["WebhookView"]} */ each) => {
      const name = `${t.service[each.service]} (${new URL(each.url).host || each.url.replace("mailto:", "")})`;
      return h("tr", {},
        h("th", { scope: "row" }, name, " ", each.url === mine && h("span", { class: "tag" }, t.thisOne), each.refused && h("span", { class: "tag" }, t.bounced), each.gone && !each.refused && h("span", { class: "tag" }, t.gone),
          each.service === "email" && !each.confirmed && !each.gone && h("span", { class: "tag" }, t.unconfirmed)),
        h("td", {}, ago(each.created)),
        h("td", {}, h("button", { type: "button", class: "quiet", "aria-label": `${t.test}: ${name}`, onclick: doing(async () => {
          await post(`${HOOKS}/${each.id}/test`, undefined);
          return t.tested;
        }) }, t.test),
        h("button", { type: "button", class: "quiet", "aria-label": `${t.remove}: ${name}`, onclick: doing(async () => {
          if (each.url === mine) await turnOff();
          else await del(`${HOOKS}/${each.id}`);
        }) }, t.remove)));
    };
    return table(t.title, [t.where, t.added, ""], Infinity, webhooks.map(row));
  }

  /** @param {boolean} email Whether the server sends emails. */
  function elsewhere(email) {
    const service = h("select", {}, ELSEWHERE.slice(email ? 0 : 1).map((each) => h("option", { value: each }, t.service[each])));
    const url = h("input", { type: "url", required: true, maxlength: 2000, autocomplete: "off" });
    const hint = h("span", { class: "muted small" });
    const hinted = () => {
      url.type = service.value === "email" ? "email" : "url";
      fill(hint, t.urlHint[/** @type {"ntfy"} */ (service.value)]);
    };
    service.addEventListener("change", hinted);
    hinted();
    const add = async () => {
      /** @type {Schemas["WebhookSecret"]} */
      const made = (await post(HOOKS, { url: url.type === "email" ? `mailto:${url.value}` : url.value, service: service.value, language })).body;
      await show();
      if (made.about.service === "email") fill(said, h("p", {}, t.asked));
      if (made.about.service === "standard") fill(said, h("p", {}, t.secret), h("p", {}, h("code", { class: "secret" }, made.secret)));
    };
    return h("details", {}, h("summary", {}, t.elsewhere), h("form", { "aria-label": t.elsewhere, onsubmit: submitting(() => trying(said, add)) },
      h("p", {}, h("label", { class: "field" }, t.kind, service)), h("p", {}, h("label", { class: "field" }, t.url, url, hint)),
      h("p", {}, h("button", {}, t.add))));
  }

  void telling(body, show);
  return place;
}

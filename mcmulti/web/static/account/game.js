// About what the reader gets messages in a single game: a dialog on its page. If messages go nowhere yet, this device can
// get them at once.

import { del, get, put } from "../lib/api.js";
import { modal } from "../lib/dialog.js";
import { fill, h, submitting } from "../lib/dom.js";
import { HOOKS, turnedOn } from "../lib/push.js";
import { telling } from "../lib/shell.js";
import { acting, device, unsent } from "./device.js";
import { common } from "../lib/words.js";
import { TOPICS, t, topicFields } from "./topics.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */
/** @typedef {Schemas["NotificationSettings"]} Settings */

const WISHES = "/v1/players/me/notifications";

/**
 * Shows the dialog.
 *
 * @param {Schemas["TableView"]} table
 */
export async function messages({ game, chat }) {
  const body = h("div", {}, h("p", { class: "muted" }, "…"));
  const said = h("div", { role: "status" });
  const where = h("div");
  const dialog = modal({ "aria-labelledby": "messages" }, h("h2", { id: "messages" }, t.about), where, body, said,
    h("p", {}, h("a", { href: "/account" }, t.general)),
    h("p", {}, h("button", { type: "button", class: "second", onclick: () => dialog.close() }, common.close)));
  const changing = acting(said);
  const turning = acting(said, showWhere);

  /** @param {() => Promise<{body: Settings}>} act What changes the settings. */
  const doing = (act) => changing(async () => {
    show((await act()).body);
    return t.saved;
  });

  /** @param {Settings} settings */
  function show(settings) {
    const own = settings.games.find((each) => each.game === game);
    const { topics, reminder } = own ?? settings;
    const here = TOPICS.filter((topic) => topic !== "game.invitation" && (topic !== "chat.message" || chat));
    const { fields, read } = topicFields(here, topics, reminder ?? settings.reminder);
    fill(body, h("form", { onsubmit: submitting(doing(() => put(`${WISHES}/${game}`, read()))) },
      h("p", { class: "muted small" }, t.instead),
      fields,
      h("p", { class: "row" }, h("button", {}, t.save),
        own && h("button", { type: "button", class: "second", onclick: doing(() => del(`${WISHES}/${game}`)) }, t.reset))));
  }

  async function showWhere() {
    /** @type {Schemas["WebhookList"]} */
    const { webhooks, push_key: key } = (await get(HOOKS)).body;
    const how = await turnedOn();
    if (key === null) return fill(where, h("p", { class: "problem" }, unsent));
    const known = webhooks.some(({ gone, service, confirmed }) => !gone && (service !== "email" || confirmed));
    fill(where, how === null && !known && h("p", { class: "problem" }, t.nowhere), (how !== null || !known) && device(key, how, turning));
  }

  await telling(body, async () => {
    await showWhere();
    show((await get(WISHES)).body);
  });
}

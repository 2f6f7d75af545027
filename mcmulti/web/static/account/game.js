// About what the reader gets messages in a single game: a dialog on its page. If messages go nowhere yet, this device can
// get them at once.

import { del, get, put } from "../lib/api.js";
import { fill, h } from "../lib/dom.js";
import { HOOKS, turnedOn } from "../lib/push.js";
import { told } from "../lib/shell.js";
import { acting, device, unsent } from "./device.js";
import { REMINDER, TOPICS, reminders, t } from "./topics.js";

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
  const dialog = h("dialog", { "aria-labelledby": "messages" }, h("h2", { id: "messages" }, t.about), where, body, said,
    h("p", {}, h("a", { href: "/account" }, t.general)),
    h("p", {}, h("button", { type: "button", class: "second", onclick: () => dialog.close() }, t.close)));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();

  /** @param {() => Promise<{body: Settings}>} act What changes the settings. */
  const doing = async (act) => {
    fill(said);
    try {
      show((await act()).body);
      fill(said, h("p", {}, t.saved));
    } catch (error) {
      fill(said, told(error));
    }
  };

  /** @param {Settings} settings */
  function show(settings) {
    const own = settings.games.find((each) => each.game === game);
    const { topics, reminder } = own ?? settings;
    const here = TOPICS.filter((topic) => topic !== "game.invitation" && (topic !== "chat.message" || chat));
    const boxes = here.map((topic) => ({ topic, box: h("input", { type: "checkbox", checked: topics.includes(topic) }) }));
    const minutes = reminder ?? settings.reminder ?? REMINDER;
    const before = h("select", {}, reminders(minutes).map((each) => h("option", { value: each, selected: each === minutes }, t.minutes(each))));
    fill(body, h("form", { onsubmit: (event) => {
      event.preventDefault();
      const chosen = boxes.filter(({ box }) => box.checked).map(({ topic }) => topic);
      void doing(() => put(`${WISHES}/${game}`, { topics: chosen, reminder: Number(before.value) }));
    } },
    h("p", { class: "muted small" }, t.instead),
    boxes.map(({ topic, box }) => h("p", {}, h("label", {}, box, t.topic[topic]))),
    h("p", {}, h("label", { class: "field" }, t.reminder, before)),
    h("p", { class: "row" }, h("button", {}, t.save),
      own && h("button", { type: "button", class: "second", onclick: () => void doing(() => del(`${WISHES}/${game}`)) }, t.reset))));
  }

  const turning = acting(said, showWhere);

  async function showWhere() {
    /** @type {Schemas["WebhookList"]} */
    const { webhooks, push_key: key } = (await get(HOOKS)).body;
    const how = await turnedOn();
    if (key === null) return fill(where, h("p", { class: "problem" }, unsent));
    const known = webhooks.some(({ gone, service, confirmed }) => !gone && (service !== "email" || confirmed));
    fill(where, how === null && !known && h("p", { class: "problem" }, t.nowhere), (how !== null || !known) && device(key, how, turning));
  }

  try {
    await showWhere();
    show((await get(WISHES)).body);
  } catch (error) {
    fill(body, told(error));
  }
}

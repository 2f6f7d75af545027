// About what players get messages, in words.

import { h } from "../lib/dom.js";
import { words } from "../lib/words.js";

/** @typedef {import("../lib/api.js").Schemas["NotificationSettings"]["topics"][number]} Topic */

/** @type {readonly Topic[]} */
export const TOPICS = ["game.turn", "game.deadline", "game.over", "game.invitation", "chat.message"];
/** Minutes before a deadline that are offered, and those if nothing else is set. */
const REMINDERS = [30, 60, 120, 360, 720, 1440, 2880];
const REMINDER = 120;

export const t = words({
  en: {
    topic: { "game.turn": "It is my turn", "game.deadline": "My time runs out soon", "game.over": "A game is over", "game.invitation": "I am invited to a table", "chat.message": "Somebody wrote in the chat of my table" },
    reminder: "Remind me before the deadline",
    minutes: (/** @type {number} */ minutes) => (minutes < 60 || minutes % 60 ? `${minutes} minutes` : minutes === 60 ? "1 hour" : `${minutes / 60} hours`),
    save: "Save",
    saved: "Saved.",
    reset: "Use the general settings again",
    about: "Messages about this game",
    instead: "These settings apply to this game only. Choose nothing to mute it.",
    nowhere: "So far, messages do not go anywhere.",
    general: "General settings, devices, and addresses",
  },
  de: {
    topic: { "game.turn": "Ich bin am Zug", "game.deadline": "Meine Zeit läuft bald ab", "game.over": "Eine Partie ist zu Ende", "game.invitation": "Ich bin an einen Tisch eingeladen", "chat.message": "Jemand hat im Chat meines Tisches geschrieben" },
    reminder: "Vor Ablauf der Frist erinnern",
    minutes: (/** @type {number} */ minutes) => (minutes < 60 || minutes % 60 ? `${minutes} Minuten` : minutes === 60 ? "1 Stunde" : `${minutes / 60} Stunden`),
    save: "Speichern",
    saved: "Gespeichert.",
    reset: "Wieder die allgemeinen Einstellungen verwenden",
    about: "Nachrichten über diese Partie",
    instead: "Das gilt nur für diese Partie. Wähle nichts aus, um sie stummzuschalten.",
    nowhere: "Bisher gehen Nachrichten nirgendwohin.",
    general: "Allgemeine Einstellungen, Geräte und Adressen",
  },
});

/**
 * Fields for what to get messages about, and how long before a deadline.
 *
 * @param {readonly Topic[]} offered
 * @param {readonly Topic[]} chosen
 * @param {number | null | undefined} reminder Minutes; others than are usual were set by other means, and are offered, too.
 * @returns {{fields: HTMLElement[], read: () => {topics: Topic[], reminder: number}}}
 */
export function topicFields(offered, chosen, reminder) {
  const boxes = offered.map((topic) => ({ topic, box: h("input", { type: "checkbox", checked: chosen.includes(topic) }) }));
  const now = reminder ?? REMINDER;
  const choices = [...new Set([...REMINDERS, now])].sort((one, other) => one - other);
  const before = h("select", {}, choices.map((each) => h("option", { value: each, selected: each === now }, t.minutes(each))));
  return {
    fields: [...boxes.map(({ topic, box }) => h("p", {}, h("label", {}, box, t.topic[topic]))), h("p", {}, h("label", { class: "field" }, t.reminder, before))],
    read: () => ({ topics: boxes.filter(({ box }) => box.checked).map(({ topic }) => topic), reminder: Number(before.value) }),
  };
}

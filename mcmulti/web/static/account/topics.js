// About what players get messages, in words.

import { words } from "../lib/words.js";

/** @typedef {import("../lib/api.js").Schemas["NotificationSettings"]["topics"][number]} Topic */

/** @type {readonly Topic[]} */
export const TOPICS = ["game.turn", "game.deadline", "game.over", "game.invitation", "chat.message"];
/** Minutes before a deadline; another one that was set by other means is offered, too. @param {number} own */
export const reminders = (own) => [...new Set([30, 60, 120, 360, 720, 1440, 2880, own])].sort((one, other) => one - other);
/** Minutes before a deadline, if nothing else is set. */
export const REMINDER = 120;

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
    close: "Close",
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
    close: "Schließen",
  },
});

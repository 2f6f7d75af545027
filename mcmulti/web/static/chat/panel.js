// The chat of a table. `mount(element, context)` as in game/context.js. What others wrote is text, and nothing else.

import { account } from "../lib/account.js";
import { del, get, inLanguage, post } from "../lib/api.js";
import { announce, fill, h, styled, submitting } from "../lib/dom.js";
import { keep, kept } from "../lib/kept.js";
import { signInLink, telling, trying } from "../lib/shell.js";
import { common, language } from "../lib/words.js";
import { t } from "./words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */
/** @typedef {Schemas["MessageView"]} Message */

/** Milliseconds between two looks at the chat once the stream of the game has ended. */
const LOOK = 10000;
/** The longest message, in characters. */
const LONGEST = 200;
/** Under which the players are kept whose messages this browser does not show. */
const MUTED = "mcmulti.muted";
/** Whether the panel is open at first: on phones it is folded. */
const WIDE = "(min-width: 60rem)";

styled(new URL("chat.css", import.meta.url));

/** @returns {Record<string, string>} Their names when they were muted, by id. */
const muted = () => kept(MUTED);

/**
 * @param {string} player
 * @param {string | null} name Null to show their messages again.
 */
function mute(player, name) {
  const { [player]: _, ...others } = muted();
  keep(MUTED, name === null ? others : { ...others, [player]: name });
}

/** @type {import("../game/context.js").Mount} */
export function mount(element, context) {
  const path = `/v1/games/${context.game}/chat`;
  /** @type {Map<number, Message>} */
  const messages = new Map();
  /** @type {readonly Schemas["QuickReply"][]} */
  let quick = [];
  /** @type {readonly Message["room"][]} */
  let rooms = [];
  /** The last message that was seen, and the last change that was read. */
  let [seen, last] = [0, 0];
  /** What decides what can be read. */
  const role = () => `${context.seat() !== null} ${context.table().status}`;
  let was = role();
  let ended = false;

  const unread = h("span", { class: "tag turn", hidden: true });
  const list = h("ol", {});
  const log = h("div", { class: "messages", role: "log", "aria-label": t.chat, tabindex: 0 }, list);
  const about = h("p", { class: "small muted" });
  const stranger = h("p", { class: "small" }, signInLink(t.signIn));
  const problem = h("div", { role: "alert" });
  const text = h("input", { maxlength: LONGEST, autocomplete: "off", required: true });
  const room = h("select", { "aria-label": t.room });
  const choice = h("select", { "aria-label": t.quick });
  const where = h("label", { class: "field" }, t.room, room);
  const form = h(
    "form",
    {},
    where,
    h("label", { class: "field" }, t.message, text),
    h("button", {}, t.send),
    h("label", { class: "field" }, t.quick, choice),
  );
  const quiet = h("p", { class: "small" });
  const folded = h(
    "details",
    { open: matchMedia(WIDE).matches },
    h("summary", {}, h("h2", {}, t.chat), unread),
    about, stranger, log, problem, form, quiet,
  );
  fill(element, h("section", { class: "panel chat", "aria-label": t.chat, hidden: true }, folded));
  const panel = /** @type {HTMLElement} */ (element.firstElementChild);

  const nameOf = (/** @type {Message} */ { name }) => name ?? t.erased;
  const textOf = (/** @type {Message} */ { untrusted_text, quick_reply }) =>
    untrusted_text ?? quick.find(({ id }) => id === quick_reply)?.text ?? quick_reply ?? "";
  const mine = (/** @type {Message} */ { player }) => player === account()?.player;
  const shown = () => {
    const hidden = muted();
    return [...messages.values()].filter((each) => rooms.includes(each.room) && !(each.player in hidden)).sort((a, b) => a.id - b.id);
  };

  /** @param {Message} message */
  function line(message) {
    const name = nameOf(message);
    const at = new Date(message.said_at).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" });
    const acts = h("span", {});
    const act = (/** @type {string} */ label, /** @type {string} */ meant, /** @type {() => void} */ onclick) =>
      h("button", { type: "button", class: "quiet", "aria-label": meant, onclick }, label);
    if (message.removed_by === null && account()) {
      const opened = message.room === "spectators" && context.table().opened_by === account()?.player;
      fill(
        acts,
        (mine(message) || opened) && act(t.removing, t.remove(name), () => trying(problem, async () => take((await del(`${path}/${message.id}`)).body))),
        !mine(message) && act(t.reporting, t.report(name), () => reporting(message, acts)),
        !mine(message) && act(t.muting, t.mute(name), () => {
          mute(message.player, name);
          show();
        }),
      );
    }
    return h(
      "li",
      { "data-message": message.id },
      h("time", { datetime: message.said_at }, at),
      " ",
      rooms.length > 1 && h("span", { class: "tag" }, t.rooms[message.room]),
      h("strong", {}, h("bdi", { class: "name" }, name)),
      " ",
      message.removed_by ? h("em", { class: "muted" }, t.removed[message.removed_by]) : h("bdi", {}, textOf(message)),
      " ",
      acts,
    );
  }

  /**
   * @param {Message} message
   * @param {HTMLElement} place
   */
  function reporting(message, place) {
    const reason = h("input", { maxlength: LONGEST, autocomplete: "off" });
    const report = async () => {
      await post(`${path}/${message.id}/flags`, { reason: reason.value.trim() });
      fill(place, h("span", { role: "status" }, t.reported));
    };
    const asked = h("form", { onsubmit: submitting(() => trying(problem, report)) }, h("label", { class: "field" }, t.reason, reason), h("button", {}, t.reporting),
      h("button", { type: "button", class: "second", onclick: () => show() }, common.cancel));
    fill(place, asked);
    reason.focus();
  }

  function count() {
    if (folded.open) seen = Math.max(seen, ...messages.keys());
    const news = shown().filter((each) => each.id > seen && !mine(each)).length;
    unread.hidden = news === 0;
    unread.textContent = news ? t.news(news) : "";
  }

  function show() {
    panel.hidden = rooms.length === 0;
    const below = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
    const lines = shown().map(line);
    fill(list, lines.length ? lines : h("li", { class: "muted" }, t.none));
    if (below) log.scrollTop = log.scrollHeight;
    about.textContent = rooms.length > 1 ? t.both : rooms[0] ? t[rooms[0]] : "";
    stranger.hidden = Boolean(account());
    form.hidden = !account();
    where.hidden = rooms.length < 2;
    const hidden = Object.entries(muted()).filter(([player]) => [...messages.values()].some((each) => each.player === player));
    fill(quiet, hidden.length > 0 && [t.muted, " ", hidden.map(([player, name]) => h("button", { type: "button", class: "quiet", "aria-label": t.unmute(name), onclick: () => {
      mute(player, null);
      show();
    } }, h("bdi", {}, name)))]);
    count();
  }

  /** @param {Message} message */
  function take(message) {
    const known = messages.get(message.id);
    if (known && known.changed >= message.changed) return;
    messages.set(message.id, message);
    show();
    if (!known && !mine(message) && !folded.open && shown().includes(message)) announce(t.said(nameOf(message), textOf(message)));
  }

  /** Reads everything that can be read now. */
  async function read() {
    const asked = was;
    for (let [after, more] = [last, true]; more && !ended;) {
      /** @type {Schemas["ChatView"]} */
      const page = (await get(path, { after, ...inLanguage() })).body;
      if (asked !== was) return;
      if (String(page.rooms) !== String(rooms)) {
        rooms = page.rooms;
        fill(room, rooms.map((each) => h("option", { value: each }, t.rooms[each])));
      }
      quick = page.quick_replies;
      for (const each of page.messages) messages.set(each.id, each);
      [after, more] = [page.last, page.more];
      last = after;
    }
    if (choice.options.length < 2) fill(choice, h("option", { value: "" }, t.choose), quick.map(({ id, text: each }) => h("option", { value: id }, each)));
    show();
  }

  const reread = () => telling(problem, read);
  /** @param {object} body */
  const say = (body) => trying(problem, async () => {
    take((await post(path, { room: room.value, ...body })).body);
    text.value = "";
  });
  form.addEventListener("submit", submitting(() => text.value.trim() && say({ text: text.value })));
  choice.addEventListener("change", () => {
    const reply = choice.value;
    choice.value = "";
    if (reply) void say({ quick_reply: reply });
  });
  folded.addEventListener("toggle", () => {
    if (folded.open) log.scrollTop = log.scrollHeight;
    count();
  });

  void reread();
  const ends = [
    context.onMessage(take),
    context.onChange(() => {
      if (role() === was) return;
      [was, last] = [role(), 0];
      void reread();
    }),
  ];
  const looking = setInterval(() => {
    if (context.table().status === "finished" && !document.hidden) void read().catch(() => {});
  }, LOOK);
  return () => {
    ended = true;
    clearInterval(looking);
    for (const end of ends) end();
  };
}

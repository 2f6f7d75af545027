// Which messages you get, and when: the same for all devices, addresses, and channels, and for some games their own.

import { del, get, put } from "../lib/api.js";
import { fill, h, submitting } from "../lib/dom.js";
import { telling } from "../lib/shell.js";
import { titled, words } from "../lib/words.js";
import { called } from "../lobby/seats.js";
import { acting } from "./device.js";
import { TOPICS, t as shared, topicFields } from "./topics.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */
/** @typedef {Schemas["NotificationSettings"]} Settings */

const WISHES = "/v1/players/me/notifications";
const SEVERAL = 100;

const t = { ...shared, ...words({
  en: {
    title: "Which messages, and when",
    quiet: "No messages at night, or at other times",
    begin: "from",
    end: "until",
    digest: "One message a day about all games that wait, instead of one for each turn",
    at: "at",
    zone: (/** @type {string} */ zone) => `Times are in ${zone}.`,
    games: "Games with other settings",
    mute: "Mute this game",
    muted: "no messages",
    pick: "Mute one of your games",
  },
  de: {
    title: "Welche Nachrichten, und wann",
    quiet: "Keine Nachrichten in der Nacht oder zu anderen Zeiten",
    begin: "von",
    end: "bis",
    digest: "Eine Nachricht am Tag über alle Partien, die warten, statt einer für jeden Zug",
    at: "um",
    zone: (/** @type {string} */ zone) => `Es gilt die Uhrzeit von ${zone}.`,
    games: "Partien mit anderen Einstellungen",
    mute: "Partie stummschalten",
    muted: "keine Nachrichten",
    pick: "Eine deiner Partien stummschalten",
  },
}) };

/** @param {Schemas["TableView"]} table */
const nameOf = (table) => `${titled(table.ruleset)}: ${table.seats.map(called).join(", ")}`;

/** @returns {HTMLElement} The settings; they fill themselves. */
export function wishes() {
  const body = h("div", {}, h("p", { class: "muted" }, "…"));
  const said = h("div", { role: "status" });
  const doing = acting(said);

  /** @param {Settings} settings */
  function show(settings) {
    const games = h("div", {});
    fill(body, form(settings), games);
    void telling(games, async () => fill(games, await gamesOf(settings)));
  }

  /** @param {Settings} settings */
  function form(settings) {
    const timed = settings.quiet || settings.digest;
    const zone = timed ? settings.time_zone : Intl.DateTimeFormat().resolvedOptions().timeZone || settings.time_zone;
    const topics = topicFields(TOPICS, settings.topics, settings.reminder);
    const quiet = h("input", { type: "checkbox", checked: settings.quiet !== null });
    const begin = h("input", { type: "time", required: true, value: settings.quiet?.begin ?? "22:00", "aria-label": `${t.quiet}: ${t.begin}` });
    const end = h("input", { type: "time", required: true, value: settings.quiet?.end ?? "07:00", "aria-label": `${t.quiet}: ${t.end}` });
    const digest = h("input", { type: "checkbox", checked: settings.digest !== null });
    const time = h("input", { type: "time", required: true, value: settings.digest ?? "18:00", "aria-label": `${t.digest}: ${t.at}` });
    const save = doing(async () => {
      const sent = await put(WISHES, {
        ...topics.read(),
        time_zone: zone,
        quiet: quiet.checked ? { begin: begin.value.slice(0, 5), end: end.value.slice(0, 5) } : null,
        digest: digest.checked ? time.value.slice(0, 5) : null,
      });
      show(sent.body);
      return t.saved;
    });
    return h("form", { "aria-label": t.title, onsubmit: submitting(save) },
      topics.fields,
      h("p", {}, h("label", {}, quiet, t.quiet)), h("p", { class: "row" }, t.begin, begin, t.end, end),
      h("p", {}, h("label", {}, digest, t.digest)), h("p", { class: "row" }, t.at, time),
      h("p", { class: "muted small" }, t.zone(zone)),
      h("p", {}, h("button", {}, t.save)));
  }

  /** @param {Settings} settings */
  async function gamesOf(settings) {
    const own = settings.games;
    const { games } = /** @type {Schemas["Games"]} */ ((await get("/v1/games", { mine: true, status: "running", limit: SEVERAL })).body);
    const known = new Map(games.map((table) => [table.game, nameOf(table)]));
    for (const { game } of own.filter((each) => !known.has(each.game)).slice(0, SEVERAL)) {
      known.set(game, await get(`/v1/games/${game}`).then(({ body: found }) => nameOf(found.table), () => game));
    }
    const rows = own.map(({ game, topics }) => h("li", {},
      h("a", { href: `/games/${game}` }, known.get(game) ?? game), ": ",
      topics.length ? topics.map((topic) => t.topic[topic]).join(", ") : t.muted, " ",
      h("button", { type: "button", class: "quiet", "aria-label": `${t.reset}: ${known.get(game) ?? game}`, onclick: doing(async () =>
        show((await del(`${WISHES}/${game}`)).body)) }, t.reset)));
    const free = games.filter((table) => !own.some((each) => each.game === table.game));
    const choice = h("select", {}, free.map((table) => h("option", { value: table.game }, known.get(table.game) ?? table.game)));
    const mute = doing(async () => show((await put(`${WISHES}/${choice.value}`, { topics: [] })).body));
    return [
      own.length > 0 && [h("h3", {}, t.games), h("ul", {}, rows)],
      free.length > 0 && h("form", { "aria-label": t.pick, onsubmit: submitting(mute) }, h("p", {}, h("label", { class: "field" }, t.pick, choice)), h("p", {}, h("button", { class: "second" }, t.mute))),
    ];
  }

  void telling(body, async () => show((await get(WISHES)).body));
  return h("details", {}, h("summary", {}, t.title), body, said);
}

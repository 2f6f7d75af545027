// A viewer of a game, live or in the past. It loads everything from its source, a server or a file.

import { Refused } from "../client/errors.js";
import { sleep } from "../client/requests.js";
import { announce, anotherTask, fill, h } from "../lib/dom.js";
import { ruleLink } from "../lib/rule.js";
import { told } from "../lib/shell.js";
import { common, titled } from "../lib/words.js";
import { Board } from "./board.js";
import { learn } from "./drawing.js";
import { Charts, booked, holdings } from "./figures.js";
import { Model } from "./model.js";
import { Moment } from "./moment.js";
import { Pictures } from "./pictures.js";
import { Replay } from "./replay.js";
import { Seats, called } from "./seats.js";
import { Story, searching } from "./story.js";
import { tabs } from "./tabs.js";
import { t } from "./words.js";

/** @typedef {import("./context.js").Context} Context */
/** @typedef {import("./source.js").Source} Source */

/** Milliseconds until the sentences of a moment are requested, if moments change quickly. */
const REST = 150;
/** Milliseconds until what could not be shown is requested again, and the statuses for which it is: there was no answer. */
const AGAIN = 3000;
const UNANSWERED = [0, 429, 502, 503, 504];
/** How many moments ahead boards are requested during playback. */
const LEAD = 25;

/**
 * Shows a game in an element, and follows it.
 *
 * @param {HTMLElement} main
 * @param {Source} source
 * @param {object} [around]
 * @param {(table: Model["table"]) => Promise<boolean>} [around.before] Waited for before anything is shown; whether the game
 *   must be read again then, for somebody else.
 * @param {(model: Model) => Node | null} [around.head] What stands beside the title, made again after every change.
 * @param {(model: Model, moment: Moment) => readonly {name: string, element: HTMLElement, show: () => Promise<void> | void}[]} [around.tabs]
 *   More tabs beside the story; `show` is called when one is opened, and for every other moment while it is open.
 * @param {(places: {table: HTMLElement, controls: HTMLElement, below: HTMLElement}, context: Context) => void} [around.more] Mounts what else is shown.
 * @returns {Promise<Model>} Once it is on the screen.
 */
export async function watch(main, source, { before = async () => false, head = () => null, tabs: tabsOf = () => [], more = () => {} } = {}) {
  const model = new Model(source);
  await model.open();
  if (await before(model.table)) await model.open();
  const moment = new Moment(model);
  const board = new Board();
  const pictures = new Pictures(source, () => model.seq);
  const seats = new Seats(model);
  const replay = new Replay(model, moment, drawn);
  const story = new Story(model, moment);
  const charts = new Charts(model, moment);

  const lost = h("p", { class: "problem lost", role: "status" });
  const top = h("div", { class: "beside" });
  const caption = h("p", { class: "caption" });
  const marked = h("span", { class: "marked", hidden: true }, t.marked);
  const table = h("section");
  const controls = h("section");
  const below = h("section");
  const held = h("div");
  const moved = h("div");
  const read = h("div");
  const others = tabsOf(model, moment);
  const views = tabs(
    t.views,
    source.online,
    [
      { name: t.story, element: h("div", { class: "story-tab" }, searching(model, moment, story), story.element), show: () => story.reveal() },
      { name: t.holdings, element: h("div", {}, held, h("h3", {}, t.moved), moved), show: figures },
      { name: t.charted, element: charts.element, show: figures },
      { name: t.inWords, element: read, show: figures },
      ...others.map(({ name, element }) => ({ name, element, show: figures })),
    ],
  );
  main.classList.add("playing");
  document.documentElement.classList.add("looking");
  document.body.classList.toggle("full", main.parentElement === document.body);
  fill(
    main,
    h("div", { class: "title" }, h("h1", {}, titled(model.table.ruleset)), h("div", { class: "status" }, seats.whose, lost), seats.list, top),
    h(
      "div",
      { class: "game" },
      h("div", { class: "actions" }, table, controls),
      h("div", { class: "room" }, board.element, h("div", { class: "side" }, views.element, below)),
      h("div", { class: "bar" }, caption, replay.element),
    ),
  );

  /** @type {Promise<void> | null} */
  let drawing = null;
  let shown = 0;
  /** The event whose board is shown as the newest one after the end of the game. @type {number | null} */
  let last = null;
  const pictured = () => (moment.live && last !== null ? last : moment.at);
  /** The moment with which the picture is compared to mark changes. */
  let news = Math.max(1, model.seq - 1);

  /** Shows the wanted moment: the latest one, however many were wanted meanwhile. */
  function drawn() {
    drawing ??= draw().finally(() => (drawing = null));
    return drawing;
  }

  async function draw() {
    while (shown !== pictured()) {
      const at = pictured();
      const before = moment.live && last === null ? news : at - 1;
      const drawn = await pictures.get(at);
      board.show(drawn, pictures.kept(before));
      shown = at;
      const next = replay.playing && pictures.kept(at + 1);
      if (next) void anotherTask().then(() => learn(next));
      if (pictures.kept(before) === null && before >= 1 && at === pictured()) {
        const earlier = await pictures.get(before);
        if (at === pictured()) board.mark(earlier);
      }
      marked.hidden = !board.marked;
      if (replay.playing) pictures.ahead(Math.min(at + LEAD, model.seq));
    }
  }

  async function describe() {
    const at = moment.at;
    if (at < 1) return;
    const step = await model.telling(at);
    if (at !== moment.at || !step) return;
    fill(
      caption,
      h("span", { class: "muted" }, step.turn ? common.turn(step.turn) : t.before, " · "),
      h("span", { class: step.about === null ? "" : "seat", "data-seat": step.about }, step.sentence),
      " ",
      ruleLink(model.table.ruleset, step.rule, step.rule, model.rules.get(step.rule)),
      marked,
    );
    replay.show();
  }

  async function figures() {
    const at = moment.at;
    if (views.shown === t.charted) await charts.show();
    await others.find(({ name }) => name === views.shown)?.show();
    if (views.shown === t.inWords) fill(read, h("p", {}, board.words));
    if (views.shown !== t.holdings) return;
    await model.load(at);
    const flows = await booked(model, at);
    if (at !== moment.at) return;
    fill(held, holdings(t.holdings, model.step(at)?.holdings ?? [], (seat) => h("span", { class: "seat name", "data-seat": seat }, called(model.table, seat))));
    fill(moved, flows);
  }

  let changed = -Infinity;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let later;

  async function everything() {
    clearTimeout(later);
    later = undefined;
    main.dataset["live"] = String(moment.live);
    const at = moment.at;
    const hurried = performance.now() - changed < REST;
    changed = performance.now();
    try {
      const picture = drawn();
      await anotherTask();
      if (hurried && !model.step(at)) await sleep(REST);
      if (at === moment.at) await Promise.all([describe(), story.reveal()]);
      await picture;
      if (at === moment.at) await figures();
    } catch (error) {
      fill(caption, told(error));
      if (error instanceof Refused && UNANSWERED.includes(error.status)) later = setTimeout(everything, AGAIN);
    }
  }

  function connection() {
    const { connection: state } = model;
    const said = state === "lost" || state === "held" ? t[state] : "";
    if (lost.textContent !== said) {
      lost.classList.toggle("away", said !== "");
      fill(lost, said);
      if (!said) announce(t.back);
    }
    const beside = head(model);
    if (!beside || !top.firstChild?.isEqualNode(beside)) fill(top, beside); // what stays the same can be clicked meanwhile
  }

  /** @type {import("./context.js").News} */
  const looked = { happened: [], own: true, anew: false };
  /** @type {Context} */
  const context = {
    game: source.game,
    source,
    seat: () => model.seat,
    view: () => model.view,
    table: () => model.table,
    series: () => model.series,
    tag: () => `"${model.seq}-${model.hash}"`,
    connected: () => model.connected,
    at: () => moment.at,
    live: () => moment.live && model.connected,
    board,
    pictured: (seq) => {
      last = seq;
      void drawn();
    },
    onChange: (listener) => {
      const ends = [model.onChange(listener), moment.onChange(() => listener(looked))];
      return () => ends.forEach((end) => end());
    },
    onMessage: model.onMessage,
    sent: (result) => model.sent(result),
  };

  moment.onChange(() => void everything());
  model.onChange(({ happened, anew }) => {
    if (anew) {
      pictures.forget();
      shown = 0;
      last = null;
      story.reset();
    }
    connection();
    if (!happened.length && !anew) return;
    if (moment.live) news = shown;
    story.grow();
    for (const { sentence } of happened.filter(({ quiet }) => !quiet).slice(-8)) announce(sentence);
    if (moment.live) everything();
    else replay.show();
  });
  document.addEventListener("keydown", (event) => {
    const on = event.target instanceof Element ? event.target : document.body;
    const free = on === document.body || on === main || replay.element.contains(on) || story.element.contains(on) || on === board.element;
    const [inner = on] = event.composedPath().filter((each) => each instanceof Element); // of what is pressed on the board
    const wanted = inner.closest("input, select, textarea") || (event.key === " " && inner.closest("button, a"));
    if (free && !wanted) replay.key(event);
  });

  // The picture is requested as soon as a move is announced, in parallel with its sentences.
  model.onComing = (seq) => void (moment.live && pictures.get(seq).catch(() => {}));
  addEventListener("online", () => later !== undefined && everything());
  connection();
  await everything();
  model.follow();
  more({ table, controls, below }, context);
  return model;
}

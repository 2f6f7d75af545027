// The review of a game that is over: asked for with one click, followed while it is made, and read.

import { Refused } from "../client/errors.js";
import { mount as branch } from "../game/branch.js";
import { account, onAccount } from "../lib/account.js";
import { follow, get, inLanguage, post } from "../lib/api.js";
import { announce, fill, h, heads, wide } from "../lib/dom.js";
import { register } from "../lib/guest.js";
import { page, titled as entitled, told, trying } from "../lib/shell.js";
import { language, titled } from "../lib/words.js";
import { change, charted, percent, points } from "./figures.js";
import { aboutGame, aboutMove, keys } from "./parts.js";
import { t } from "./words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */
/** @typedef {Schemas["Review"]} Review */

const game = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const path = `/v1/games/${encodeURIComponent(game)}`;
const main = page(t.title);
const content = h("div", { class: "reviewed" });
/** Whether an account is created in order to ask: otherwise the page is loaded again for whoever signs in. */
let asking = false;

/** @type {Schemas["TableView"]} */
let table;

try {
  ({ table } = (await get(path)).body);
  entitled(`${t.title}: ${titled(table.ruleset)}`);
  fill(main, h("h1", {}, t.of(titled(table.ruleset))), h("p", {}, h("a", { href: `/games/${game}` }, t.game)), content);
  onAccount(() => asking || location.reload());
  if (table.status === "finished") show((await get(`${path}/review`, inLanguage())).body);
  else fill(content, h("p", {}, t.unfinished));
} catch (error) {
  fill(main, h("h1", {}, t.title), told(error));
}

/** @param {Schemas["ReviewView"]} found */
function show(found) {
  if (found.state === "waiting" || found.state === "running") return progress(found);
  if (found.review) return read(found.review);
  const problem = h("div", {});
  const ask = async () => {
    asking = true;
    try {
      if (!account()) await register("");
      show((await post(`${path}/review`, {}, { query: inLanguage() })).body);
    } catch (error) {
      fill(problem, refused(error));
    }
    asking = false;
  };
  const button = h("button", { type: "button", onclick: () => void trying(problem, ask, [button]) }, found.state === "failed" ? t.again : t.ask);
  fill(content, h("p", {}, t.what), found.state === "failed" && h("p", { class: "problem", role: "alert" }, t.failed, " ", found.reason), h("p", {}, button), problem);
}

/** Why no review is made, in the reader's language. @param {unknown} error */
function refused(error) {
  const code = error instanceof Refused ? error.code : "";
  if (code === "no_reviews")
    return h("div", { class: "problem", role: "alert" }, h("p", {}, t.noReviews), h("p", {}, h("a", { href: `${path}/file`, download: true }, t.file)));
  return code === "review_going" ? h("p", { class: "problem", role: "alert" }, t.going) : told(error);
}

/** @param {Schemas["ReviewView"]} found */
function progress(found) {
  const bar = h("progress", { max: 1, value: found.done, "aria-label": t.running });
  const said = h("p", { role: "status" });
  const problem = h("div", {});
  const tell = (/** @type {string} */ state) => {
    const text = state === "waiting" ? t.waiting : t.running;
    if (said.textContent !== text) fill(said, text);
  };
  tell(found.state);
  fill(content, said, bar, h("p", { class: "small muted" }, t.leave), problem);
  /** @param {{state: string, done: number}} progress */
  const onProgress = async ({ state, done }) => {
    bar.value = done;
    tell(state);
    if (state === "waiting" || state === "running") return;
    end();
    await trying(problem, async () => {
      show((await get(`${path}/review`, inLanguage())).body);
      if (state === "done") announce(t.done);
    });
  };
  const end = follow(`${path}/review`, {
    onItem: (item) => void (item.type === "ReviewProgress" && onProgress(item)),
    poll: async () => onProgress((await get(`${path}/review`, inLanguage())).body),
    onState: (state, ended) => {
      if (state === "ended" && ended) fill(problem, told(ended));
    },
  });
}

/** @param {Review} review */
function read(review) {
  const { moves, players } = review;
  const shown = h("div", { class: "panel shown", tabindex: -1, hidden: true });
  const picture = h("div", {});
  const slider = h("input", { type: "range", class: "scrubber", min: 0, max: Math.max(0, moves.length - 1), value: moves.length - 1, "aria-label": t.move, oninput: () => choose(Number(slider.value)) });
  const everybody = new Intl.ListFormat(language).format(players.map(({ name }) => name));
  let chosen = -1;
  let end = () => {};

  const value = () => {
    const move = moves[Number(slider.value)];
    slider.setAttribute("aria-valuetext", move ? `${t.at(move.seq)}: ${chancesOf(move)}. ${move.said}` : "");
  };
  /** @param {import("./figures.js").Move} move */
  const chancesOf = ({ chances }) => chances.map((chance, seat) => `${players[seat]?.name} ${percent(chance.value)}`).join(", ");

  /** Shows a move. @param {number} index @param {boolean} [jump] Whether the reader came from elsewhere on the page. */
  const choose = (index, jump = false) => {
    const move = moves[index];
    if (!move) return;
    slider.value = String(index);
    value();
    mark(index);
    if (index !== chosen) draw(move);
    chosen = index;
    if (!jump) return;
    shown.scrollIntoView({ block: "nearest" });
    shown.focus({ preventScroll: true });
  };

  /** @param {import("./figures.js").Move} move */
  const draw = (move) => {
    history.replaceState(null, "", `?at=${move.seq}`);
    end();
    const place = h("div", {});
    fill(
      shown,
      h("div", {},
        h("h3", {}, t.at(move.seq)),
        aboutMove(review, move),
        h("p", {}, h("a", { href: `/games/${game}?at=${move.before}` }, t.replay)),
        place),
      h("a", { href: `/games/${game}?at=${move.before}` }, h("img", { src: `${path}/board.svg?at=${move.before}&language=${language}`, alt: t.boardBefore(move.before) })),
    );
    shown.hidden = false;
    end = branch(place, { game, table: () => table, seat: () => move.player, at: () => move.before, onChange: () => () => {} });
  };

  /** @type {import("./parts.js").Link} */
  const link = (seq, ...said) => h("button", { type: "button", class: "chosen", onclick: () => choose(moves.findIndex((move) => move.seq === seq), true) }, ...said);

  fill(
    content,
    h("section", { "aria-labelledby": "chances" },
      h("h2", { id: "chances" }, t.chances),
      keys(review),
      picture, slider, h("p", { class: "small muted" }, t.choose), shown, everyMove(review)),
    aboutGame(review, "h2", link, true),
  );
  const mark = charted(picture, review, t.chart(everybody), choose);
  value();
  const at = Number(new URLSearchParams(location.search).get("at"));
  choose(at ? moves.findIndex(({ seq }) => seq === at) : -1);
}

/** All moves as a table, made when it is opened. @param {Review} review */
function everyMove({ moves, players }) {
  const place = wide(t.chances);
  const made = () => place.hasChildNodes() || fill(place, h("table", {},
    heads([t.event, ...players.map(({ name }) => name), t.cost, t.luck, t.happened], 0, players.length + 3),
    h("tbody", {}, moves.map(({ seq, before, player, chances, cost, luck, said }) => h("tr", {},
      h("th", { class: "figure", scope: "row" }, h("a", { href: `/games/${game}?at=${before}` }, seq)),
      chances.map(({ value }) => h("td", { class: "figure" }, percent(value))),
      h("td", { class: "figure" }, cost?.value ? points(cost.value) : ""),
      h("td", { class: "figure" }, luck && player !== null ? change(luck[player] ?? 0) : ""),
      h("td", {}, said))))));
  return h("details", { ontoggle: made }, h("summary", {}, t.table), place);
}

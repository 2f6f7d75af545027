// The page of a game.

import { Refused } from "../client/errors.js";
import { account, onAccount } from "../lib/account.js";
import { takenOver } from "../hotseat/cover.js";
import { t as ratings } from "../ladder/words.js";
import { fill, h } from "../lib/dom.js";
import { badge, page, titled as headed, told } from "../lib/shell.js";
import { titled } from "../lib/words.js";
import { mountAll, playsUnrated } from "./mounts.js";
import { serverSource } from "./source.js";
import { watch } from "./viewer.js";
import { t } from "./words.js";

const id = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const main = page(t.game);

try {
  const model = await watch(main, serverSource(id), { head, tabs, more: mountAll, before: (table) => takenOver(main, table) });
  headed(titled(model.table.ruleset));
  const asked = () => badge(model.table.status === "running" && model.seat !== null && model.table.to_move.includes(model.seat) ? 1 : 0);
  model.onChange(asked);
  asked();
  onAccount(() => location.reload());
} catch (error) {
  if (error instanceof Refused && error.code === "series_running") fill(main, h("h1", {}, t.hidden), h("p", {}, t.hiddenWhy));
  else if (error instanceof Refused && error.status === 404) fill(main, h("h1", {}, t.noGame));
  else fill(main, told(error));
}

/**
 * The review of a game that is over, or the position of your own unrated game as text, loaded when its tab is opened.
 *
 * @param {import("./model.js").Model} model
 * @param {import("./moment.js").Moment} moment
 */
function tabs({ table, seat }, moment) {
  const element = h("div");
  /** @type {Promise<() => void> | null} */
  let loading = null;
  const shown = (/** @type {string} */ name, /** @type {() => Promise<() => void>} */ load) => {
    const show = async () => {
      loading ??= load();
      loading.catch(() => (loading = null)); // the server was away: the tab tries again
      (await loading)();
    };
    return [{ name, element, show }];
  };
  if (table.status === "finished") {
    element.className = "reviewed";
    return shown(t.reviewed, async () => (await import("../review/beside.js")).beside(element, id, moment));
  }
  if (!playsUnrated(seat, table)) return [];
  return shown(t.position, async () => {
    const { button, place, forget } = (await import("../position/copy.js")).copying(id, () => moment.at);
    fill(element, h("p", {}, button), place);
    return forget;
  });
}

/**
 * Links to other pages of the game.
 *
 * @param {import("./model.js").Model} model
 * @returns {Node}
 */
function head({ table, seat, series }) {
  const link = (/** @type {string} */ address, /** @type {string} */ name, download = false) => h("a", { href: address, download }, name);
  return h(
    "div",
    { class: "row" },
    table.practice && h("span", { class: "tag" }, ratings.practice),
    series && link(`/series/${series.series}`, t.series(series.table, series.tables)),
    table.rematch_of !== null && link(`/games/${table.rematch_of}`, t.rematchOf),
    table.status === "finished" && link(`/games/${id}/review`, t.review),
    seat !== null && table.status !== "finished" && account() && h("button", { type: "button", class: "quiet", onclick: async () => (await import("../account/game.js")).messages(table) }, t.messages),
    link(`/games/${id}/proof`, t.proof),
    link(`/games/${id}/audit`, t.audit),
    link(`/v1/games/${id}/file`, t.file, true),
  );
}

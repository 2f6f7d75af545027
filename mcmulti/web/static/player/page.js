// A player's page: ratings, results, and the games that moved last.

import { get } from "../lib/api.js";
import { note, ratingsOf } from "../ladder/figures.js";
import { fill, h, styled } from "../lib/dom.js";
import { page, titled, told } from "../lib/shell.js";
import { row } from "../lobby/rows.js";
import { recordOf } from "../lobby/seats.js";
import { common } from "../lib/words.js";
import { t } from "../lobby/words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */

/** How many games are listed. */
const RECENT = 12;

styled(new URL("../lobby/page.css", import.meta.url));
const main = page(common.player);
const player = decodeURIComponent(location.pathname.split("/")[2] ?? "");

try {
  const path = `/v1/players/${encodeURIComponent(player)}`;
  const [profile, recent] = await Promise.all([get(path), get("/v1/games", { player, order: "moved", limit: RECENT })]);
  note(recent.body.ratings);
  show(profile.body, recent.body.games);
} catch (error) {
  fill(main, h("h1", {}, common.player), told(error));
}

/**
 * @param {Schemas["Profile"]} profile
 * @param {Schemas["TableView"][]} games
 */
function show(profile, games) {
  const name = profile.name ?? t.erased;
  titled(name);
  fill(
    main,
    h("h1", {}, h("bdi", { class: "name" }, name)),
    h("p", { class: "muted" }, t.kinds[profile.kind]),
    ratingsOf(profile.ratings),
    profile.record && recordOf(profile.record),
    h("h2", {}, t.recent),
    games.length > 0 ? h("ul", { class: "games" }, games.map((table) => row(table, false))) : h("p", { class: "muted" }, t.noGames),
    h("p", {}, h("a", { href: `/#player=${player}` }, t.theirGames)),
  );
}

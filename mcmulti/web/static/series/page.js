// A series: a form that opens one, or its tables, and in the end the standings and the seed.

import { Refused } from "../client/errors.js";
import { account, onAccount } from "../lib/account.js";
import { get, inLanguage, post } from "../lib/api.js";
import { newKey } from "../client/requests.js";
import { fill, h, submitting, table } from "../lib/dom.js";
import { contractOf, forgetRefusals, Forms, refusedAt } from "../lib/form.js";
import { guest } from "../lib/guest.js";
import { rulesOf } from "../lib/rule.js";
import { page, titled as entitled, telling, told, trying } from "../lib/shell.js";
import { common, games, money, number, titled } from "../lib/words.js";
import { namesIn, textsOf } from "../lobby/open.js";
import { mySeat, person, seated } from "../lobby/seats.js";
import { t as l } from "../lobby/words.js";
import { t } from "./words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */
/** @typedef {Schemas["SeriesView"]} Series */

/** Milliseconds after which the tables of a series that is not over are read again. */
const AGAIN = 15_000;

const main = page(t.title);
const series = decodeURIComponent(location.pathname.split("/")[2] ?? "");
if (series) await shown();
else await opening();
onAccount(() => location.reload());

/** Shows the series, and reads it again until it is over. */
async function shown() {
  const content = h("div", {});
  fill(main, content);
  let before = "";
  const read = async () => {
    try {
      /** @type {Series} */
      const found = (await get(`/v1/series/${encodeURIComponent(series)}`)).body;
      const now = JSON.stringify(found);
      if (now !== before) show(content, found);
      before = now;
      return found.status === "finished";
    } catch (error) {
      if (error instanceof Refused && error.status === 404) fill(content, h("h1", {}, t.none));
      else if (!before) fill(content, told(error));
      return error instanceof Refused && error.status === 404;
    }
  };
  if (await read()) return;
  const again = setInterval(async () => {
    if (!document.hidden && (await read())) clearInterval(again);
  }, AGAIN);
}

/**
 * @param {HTMLElement} content
 * @param {Series} found
 */
function show(content, found) {
  const name = t.of(titled(found.ruleset));
  entitled(name);
  const focused = document.activeElement instanceof HTMLAnchorElement ? document.activeElement.getAttribute("href") : null;
  fill(
    content,
    h("h1", {}, name),
    h("p", { role: "status" }, h("strong", {}, t.states[found.status])),
    found.status !== "finished" && h("p", { class: "lead" }, t.how),
    found.status === "open" && h("p", {}, t.hint),
    found.scores.length > 0 && standings(found),
    h("h2", { id: "tables" }, t.tables),
    h("ul", { class: "tables", "aria-labelledby": "tables" }, found.tables.map((each, index) => tableOf(found, each, index + 1))),
    found.status !== "finished" && h("p", {}, t.link, " ", h("code", { class: "secret" }, location.href)),
    h("h2", {}, t.commitment),
    h("p", { class: "seed" }, h("code", {}, found.commitment)),
    h("p", { class: "small muted" }, t.committed, " ", h("a", { href: "/docs/how-to/play-a-series" }, t.more)),
    found.seed && [h("h2", {}, t.seed), h("p", { class: "seed" }, h("code", {}, found.seed)),
      h("p", { class: "row" }, found.tables.map((each, index) => h("a", { href: `/games/${each.game}/proof` }, `${t.prove} ${index + 1}`)))],
  );
  if (focused) /** @type {HTMLElement | null} */ (content.querySelector(`a[href="${CSS.escape(focused)}"]`))?.focus();
}

/**
 * @param {Series} found
 * @param {Schemas["TableView"]} table
 * @param {number} which From 1.
 */
function tableOf(found, table, which) {
  const mine = mySeat(table) !== null;
  const free = table.seats.some((seat) => seat.state === "free");
  const sitsElsewhere = found.tables.some((other) => other !== table && mySeat(other) !== null);
  const sees = mine || found.status === "finished" || table.status === "open";
  const action = mine ? (table.status === "running" ? t.play : t.toTable) : free && !sitsElsewhere ? t.sit : t.look;
  return h(
    "li",
    { class: "panel", "data-game": table.game },
    h("h3", {}, t.table(which), " ", h("span", { class: "tag" }, t.statuses[table.status])),
    h("ul", { class: "seats" }, table.seats.map((seat) => h("li", {}, seated(seat, table.ruleset)))),
    sees ? h("p", {}, h("a", { class: mine || action === t.sit ? "button" : "button second", href: `/games/${table.game}`, "aria-label": `${action}: ${t.table(which)}` }, action))
      : h("p", { class: "muted" }, t.hidden),
  );
}

/** @param {Series} found */
function standings(found) {
  const signed = (/** @type {number} */ amount) => (amount > 0 ? `+${number(amount)}` : number(amount));
  const columns = [common.player, t.where, t.result, t.points, t.money, t.difference];
  return h(
    "section",
    { class: "standings", "aria-labelledby": "standings" },
    h("h2", { id: "standings" }, t.standings),
    table(t.standings, columns, 3, found.scores.map((score) => h("tr", {},
      h("th", { scope: "row" }, person(score.player, score.name ?? l.erased),
        score.player === account()?.player && [" ", h("span", { class: "tag" }, l.you)]),
      h("td", {}, h("a", { href: `/games/${found.tables[score.table - 1]?.game}` }, t.table(score.table)), ", ", h("span", { class: "seat", "data-seat": score.seat }, common.seat(score.seat))),
      h("td", {}, score.left ? t.left : score.won ? h("strong", {}, t.won) : t.lost),
      h("td", { class: "figure" }, t.points_(number(score.points), score.comparisons)),
      h("td", { class: "figure" }, money(found.ruleset, score.money)),
      h("td", { class: "figure" }, signed(score.difference)),
    ))),
    h("p", { class: "small muted" }, t.scoring),
  );
}

/** Shows the form that opens a series. */
async function opening() {
  const choice = h("select", {}, games.map((game) => h("option", { value: game }, titled(game))));
  const tables = h("input", { type: "number", min: 2, max: 16, value: 2, required: true });
  const invited = h("textarea", { rows: 3, autocomplete: "off" });
  const visitor = guest();
  const setting = h("div", {});
  const problem = h("div", {});
  /** @type {import("../lib/form.js").Part} */
  let setup;
  let [key, before] = ["", ""];
  const choose = async () => {
    const chosen = choice.value;
    const [contract, rules] = await Promise.all([contractOf(chosen), rulesOf(chosen)]);
    if (chosen !== choice.value) return;
    const asked = rules.setup.filter((each) => each.asked).map((each) => each.name);
    const forms = new Forms(contract, { ...textsOf(rules), seldom: (field) => !asked.includes(field) });
    const wanted = forms.whole(contract.paths["/v1/series"]?.["post"].requestBody.content["application/json"].schema);
    const { properties, ...whole } = forms.whole(wanted["properties"].setup);
    const { practice: _, ...played } = properties; // a series compares players
    setup = forms.part("", { ...whole, properties: played }, undefined);
    fill(setting, setup.element);
  };
  choice.addEventListener("change", () => void trying(problem, choose));
  const open = async () => {
    forgetRefusals(setting);
    const names = namesIn(invited);
    try {
      await visitor.enter();
      const wish = { ruleset: choice.value, tables: Number(tables.value), setup: setup.read(), ...(names.length && { invited: names }) };
      const wished = JSON.stringify(wish);
      if (wished !== before) [key, before] = [newKey(), wished];
      /** @type {Series} */
      const opened = (await post("/v1/series", wish, { key, query: inLanguage() })).body;
      location.assign(`/series/${opened.series}`);
    } catch (error) {
      const path = error instanceof Refused ? refusedAt(error) : null;
      if (error instanceof Refused && path?.[0] === "setup") setup.at(path.slice(1)).refuse(error.message);
      else throw error;
    }
  };
  const form = h("form", { class: "panel opening", "aria-labelledby": "opening", onsubmit: submitting(() => trying(problem, open)) },
    h("h2", { id: "opening" }, t.open),
    visitor.field,
    h("p", {}, h("label", {}, common.game, " ", choice)),
    h("p", {}, h("label", {}, t.tables, " ", tables)),
    setting,
    h("label", { class: "field" }, t.invited, invited, h("span", { class: "hint" }, t.invitedHint)),
    problem,
    h("p", {}, h("button", {}, t.openIt)),
  );
  fill(main, h("h1", {}, t.title), h("p", { class: "lead" }, t.lead), h("p", {}, t.how), form);
  await telling(problem, choose);
}

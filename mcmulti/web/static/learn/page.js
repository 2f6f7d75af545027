// Puzzles: a position, some moves, and what each of them is worth.

import { address } from "../client/requests.js";
import { get, inLanguage } from "../lib/api.js";
import { announce, fill, h, submitting } from "../lib/dom.js";
import { keep, kept } from "../lib/kept.js";
import { page, telling, titled as entitled } from "../lib/shell.js";
import { common, games, language, titled } from "../lib/words.js";
import { percent, points } from "../review/figures.js";
import { t } from "./words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */
/** @typedef {Schemas["PuzzleView"]} Puzzle */

/** Under which it is kept which puzzles were right at the first try. */
const TRIED = "mcmulti.puzzles";
/** Under which the lobby looks for a position to play on from. */
const PASTED = "mcmulti.position";

const main = page(t.title);
const choice = h("select", { onchange: () => void choose(choice.value, 1) }, games.map((game) => h("option", { value: game }, titled(game))));
const score = h("p", { class: "muted small", role: "status" });
const content = h("section", { "aria-labelledby": "puzzle" });

fill(main, h("h1", {}, t.title), h("p", { class: "lead" }, t.lead), h("p", { class: "row" }, h("label", {}, common.game, " ", choice)), score, content);
addEventListener("popstate", () => void named());
await named();

/** Shows the puzzle that the address names. */
async function named() {
  const asked = new URLSearchParams(location.search);
  const game = asked.get("game") ?? "";
  await choose(games.includes(game) ? game : (games[0] ?? ""), Number(asked.get("puzzle")) || 1, true);
}

/**
 * @param {string} game
 * @param {number} number
 * @param {boolean} [there] Whether the address names it already.
 */
async function choose(game, number, there = false) {
  choice.value = game;
  await telling(content, async () => {
    /** @type {Schemas["Puzzles"]} */
    const set = (await get(`/v1/rulesets/${encodeURIComponent(game)}/puzzles`, inLanguage())).body;
    if (choice.value !== game) return;
    if (!there) history.pushState(null, "", address(location.pathname, { game, puzzle: number }));
    count();
    const puzzle = set.puzzles[number - 1] ?? set.puzzles[0];
    if (puzzle) show(set, puzzle, set.puzzles.indexOf(puzzle) + 1);
    else fill(content, h("p", {}, t.none));
  });
}

/**
 * @param {Schemas["Puzzles"]} set
 * @param {Puzzle} puzzle
 * @param {number} number
 */
function show(set, puzzle, number) {
  const all = set.puzzles.length;
  const heading = h("h2", { id: "puzzle", tabindex: -1 }, t.puzzle(number, all));
  const said = h("p", { class: "verdict", role: "status" });
  const found = h("div", {});
  const options = puzzle.moves.map((move, index) =>
    h("label", { class: "option" }, h("input", { type: "radio", name: "move", value: index }), h("span", {}, move.said)));
  const check = h("button", {}, t.check);
  const form = h("form", { novalidate: true, onsubmit: submitting(() => {
    const chosen = new FormData(form).get("move");
    if (chosen === null) fill(said, t.chooseFirst);
    else answered(Number(chosen));
  }) },
    h("fieldset", { class: "options" }, h("legend", {}, h("span", { class: "seat", "data-seat": puzzle.seat }), t.toMove(puzzle.names[puzzle.seat] ?? "")), options), h("p", {}, check));

  const answered = (/** @type {number} */ chosen) => {
    const best = puzzle.moves.findIndex(({ loss }) => loss.value === 0);
    const isBest = chosen === best;
    keep(TRIED, { [`${set.ruleset}-${puzzle.position.version}-${number}`]: isBest, ...kept(TRIED) }); // the first try counts
    count();
    said.dataset["right"] = String(isBest);
    const { loss } = /** @type {Puzzle["moves"][number]} */ (puzzle.moves[chosen]);
    fill(said, isBest ? t.right : t.wrong(points(loss.value)));
    for (const [index, option] of options.entries()) option.classList.toggle("best", index === best);
    fill(found, solution(set, puzzle, chosen));
  };

  const step = (/** @type {number} */ to, /** @type {string} */ text) => h("button", { type: "button", class: "second", disabled: to < 1 || to > all, onclick: async () => {
    await choose(set.ruleset, to);
    document.getElementById("puzzle")?.focus();
  } }, text);
  const picture = address(`/v1/rulesets/${set.ruleset}/puzzle.svg`, { puzzle: number, language });
  fill(
    content,
    heading,
    h("div", { class: "puzzle" },
      h("figure", {}, h("div", { class: "wide" }, h("a", { href: picture }, h("img", { class: "position", src: picture, alt: t.board, width: 800, height: 600 }))),
        h("details", {}, h("summary", {}, t.inWords), h("p", { class: "small" }, puzzle.board))),
      h("div", {}, form, said, found)),
    h("p", { class: "row" }, step(number - 1, t.previous), step(number + 1, t.next)),
  );
  entitled(`${t.title}: ${titled(set.ruleset)}`);
  announce(t.puzzle(number, all));
}

/**
 * What each move is worth, the best first, and how it goes on.
 *
 * @param {Schemas["Puzzles"]} set
 * @param {Puzzle} puzzle
 * @param {number} chosen
 */
function solution(set, puzzle, chosen) {
  const moves = puzzle.moves.map((move, index) => ({ ...move, mine: index === chosen })).sort((one, other) => one.loss.value - other.loss.value);
  const error = (/** @type {Schemas["Estimate"]} */ { error }) => (error ? h("span", { class: "muted" }, ` ± ${points(error)}`) : null);
  return [
    h("h3", {}, t.why),
    h("ol", { class: "solution" }, moves.map(({ line, chance, loss, mine }) => h("li", {},
      h("p", {}, line, mine && [" ", h("span", { class: "tag" }, t.yours)]),
      h("p", { class: "small" }, h("meter", { min: 0, max: 1, value: chance.value, "aria-hidden": "true" }), " ", t.worth, " ", percent(chance.value), error(chance),
        loss.value ? [" · ", t.loss, " ", points(loss.value), error(loss)] : [" · ", t.whyBest])))),
    h("p", { class: "small muted" }, t.estimates(set.policy ?? "", set.rollouts, set.learned), " ", h("a", { href: "/docs/explanation/winning-chances" }, t.trust)),
    h("p", {}, h("a", { class: "button second", href: "/#position", onclick: () => sessionStorage.setItem(PASTED, JSON.stringify(puzzle.position)) }, t.tryIt)),
  ];
}

function count() {
  const tries = Object.values(kept(TRIED));
  fill(score, tries.length > 0 && t.score(tries.filter(Boolean).length, tries.length));
}

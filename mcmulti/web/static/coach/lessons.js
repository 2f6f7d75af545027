// The lesson that belongs to what the game asks now.

import { get, inLanguage, once } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { ruleAddress, ruleLink } from "../lib/rule.js";
import { onOffered } from "../play/offered.js";
import { coached } from "./setting.js";
import { t } from "./words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */

/** @type {(ruleset: string) => Promise<readonly Schemas["Lesson"][]>} */
const lessonsOf = once(async (ruleset) => (await get(`/v1/rulesets/${encodeURIComponent(ruleset)}/guide`, inLanguage())).body.lessons);

/**
 * Calls back with the lesson, or null if there is none, whenever another one applies. Each lesson stays until the game asks
 * something else.
 *
 * @param {string} ruleset
 * @param {(lesson: Schemas["Lesson"] | null) => void} told
 * @returns {() => void} Ends it.
 */
export function onLesson(ruleset, told) {
  /** @type {string | null | undefined} */
  let latest;
  let asked = 0;
  return onOffered(async (commands) => {
    const number = ++asked;
    /** @type {readonly Schemas["Lesson"][]} */
    const lessons = commands.length && coached(ruleset) ? await lessonsOf(ruleset).catch(() => []) : []; // if the server is away, it is asked again with the next question
    const lesson = lessons.find(({ when }) => when.some((command) => commands.includes(command))) ?? null;
    if (number !== asked || latest === (lesson?.name ?? null)) return;
    latest = lesson?.name ?? null;
    told(lesson);
  });
}

/**
 * What the coach says, without its title.
 *
 * @param {string} ruleset
 * @param {Schemas["Lesson"]} lesson
 */
export const said = (ruleset, { asks, why, consider, rules }) => [
  h("p", {}, h("strong", {}, asks)),
  h("p", {}, why),
  h("p", {}, consider),
  h("p", { class: "small" }, rules.map((rule) => [ruleLink(ruleset, rule), " "]), h("a", { href: ruleAddress(ruleset, "game/turn") }, t.more)),
];

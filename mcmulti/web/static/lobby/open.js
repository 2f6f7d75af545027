// Opening a table: a form generated from the contract of each rule set's setup.

import { Refused } from "../client/errors.js";
import { newKey } from "../client/requests.js";
import { get, inLanguage } from "../lib/api.js";
import { fill, h, submitting } from "../lib/dom.js";
import { guest } from "../lib/guest.js";
import { contractOf, forgetRefusals, Forms, refusedAt } from "../lib/form.js";
import { Labels } from "../lib/labels.js";
import { rulesOf } from "../lib/rule.js";
import { telling, trying } from "../lib/shell.js";
import { opened, sit } from "../lib/tables.js";
import { common, titled } from "../lib/words.js";
import { t } from "./words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */

/** The names in a field with one per line. @param {HTMLTextAreaElement} field */
export const namesIn = (field) => field.value.split("\n").map((name) => name.trim()).filter(Boolean);

/**
 * The texts for the setup of a table.
 *
 * @param {Schemas["RulesetView"]} rules
 * @returns {import("../lib/form.js").Texts}
 */
export function textsOf(rules) {
  const labels = new Labels(rules);
  const meant = new Map([rules.setup, ...rules.types.map((each) => each.fields ?? [])].flat().map((each) => [each.name, each.meaning]));
  return {
    label: (field) => labels.field(field),
    explain: (field) => meant.get(field)?.replace(/ ?\(`[^`]+`\)|`/g, "") ?? null,
    option: (field, value) => {
      if (/(^|_)seat$/.test(field) && value !== "") return common.seat(Number(value));
      return labels.option(field, String(value)) || t.none;
    },
  };
}

/** The suggested seconds per move of a rated table. */
const RATED_MOVE = "300";

/**
 * Shows the form. A visitor without an account gets one together with the table.
 *
 * @param {HTMLElement} place
 */
export async function opening(place) {
  await telling(place, async () => {
    /** @type {Schemas["Rulesets"]} */
    const { rulesets } = (await get("/v1/rulesets", inLanguage())).body;
    /** @type {Schemas["Index"]} */
    const { chat } = (await get("/")).body;
    const choice = h("select", {}, rulesets.map((each) => h("option", { value: each.name }, titled(each.name))));
    const body = h("div", {});
    const visitor = guest();
    const problem = h("div", {});
    const close = h("button", { type: "button", class: "second", onclick: () => fill(place) }, common.cancel);
    const form = h(
      "form",
      { class: "panel opening", "aria-labelledby": "opening", onsubmit: submitting(() => trying(problem, begin)) },
      h("h2", { id: "opening" }, t.openTable),
      visitor.field,
      h("p", {}, h("label", {}, common.game, choice)),
      body,
      problem,
      h("p", { class: "row" }, h("button", {}, t.openIt), close),
    );
    /** @type {{read: () => any, refuse: (error: Refused) => boolean}} */
    let asked;
    /** With the same key while the request is the same: pressed twice, it opens one table. */
    let [key, before] = ["", ""];
    const choose = async () => {
      const chosen = choice.value;
      const [contract, rules] = await Promise.all([contractOf(chosen), rulesOf(chosen)]);
      if (chosen === choice.value) asked = fields(rules, contract, body, chat, rulesets.find((each) => each.name === chosen));
    };
    choice.addEventListener("change", () => void trying(problem, choose));
    const begin = async () => {
      forgetRefusals(body);
      try {
        await visitor.enter();
        const { sits, ...wish } = asked.read();
        const wished = JSON.stringify(wish);
        if (wished !== before) [key, before] = [newKey(), wished];
        const { game, passcode } = await opened(wish, key);
        if (sits) await sit(game, {}, { key: `${key}-seat` });
        if (passcode === null) location.assign(`/games/${game}`);
        else fill(place, isOpen(game, passcode));
      } catch (error) {
        if (!(error instanceof Refused && asked.refuse(error))) throw error;
      }
    };
    await choose();
    fill(place, form);
    choice.focus();
  });
}

/**
 * The fields of a rule set.
 *
 * @param {Schemas["RulesetView"]} rules
 * @param {import("../lib/form.js").Contract} contract
 * @param {HTMLElement} body
 * @param {boolean} chatting Whether tables can have a chat.
 * @param {Schemas["RulesetSummary"]} [summary] It says at which levels bots of the server play.
 */
function fields(rules, contract, body, chatting, summary) {
  const levels = summary?.house_bots ?? [];
  const asked = rules.setup.filter((each) => each.asked).map(({ name }) => name);
  const forms = new Forms(contract, { ...textsOf(rules), seldom: (field) => !asked.includes(field) }); // the rest stands under "More"
  const wanted = forms.whole(contract.paths["/v1/games"]?.["post"].requestBody.content["application/json"].schema);
  const setup = forms.part("", wanted["properties"].setup, undefined);
  const box = (/** @type {string} */ text, checked = false, hint = "") => {
    const input = h("input", { type: "checkbox", checked });
    return { input, label: h("div", { class: "leaf" }, h("label", {}, input, text), hint && h("p", { class: "hint" }, hint)) };
  };
  const listed = box(t.isListed, true, t.isListedHint);
  const rated = box(t.isRated, false, t.isRatedHint);
  listed.input.addEventListener("change", () => {
    rated.input.disabled = !listed.input.checked;
  });
  rated.input.addEventListener("change", () => {
    const clock = setup.element.querySelector('input[data-field="clock"]');
    if (!(clock instanceof HTMLInputElement) || !rated.input.checked || clock.checked) return;
    clock.click();
    const seconds = clock.closest(".optional")?.querySelector("input[type=number]");
    if (seconds instanceof HTMLInputElement && !seconds.value) seconds.value = RATED_MOVE;
  });
  const closed = box(t.onlyInvited, false, t.onlyInvitedHint);
  const passcode = box(t.wantPasscode, true);
  const chats = { players: box(t.playersChat), spectators: box(t.spectatorsChat, false, t.chatHint) };
  const sits = box(t.sitDown, true);
  const bots = h("input", { type: "number", min: 0, max: 16, value: 0, required: true });
  const who = h("div", {});
  const asking = h("div", { class: "leaf" }, h("label", {}, `${t.askBots} `, bots), who, h("p", { class: "hint" }, t.askBotsHint));
  /** @type {HTMLSelectElement[]} */
  const players = [];
  bots.addEventListener("input", () => {
    const wanted = Math.min(levels.length ? Number(bots.value) : 0, 16);
    while (players.length < wanted) players.push(h("select", {}, h("option", { value: "" }, t.anyBot),
      levels.map((level, index) => h("option", { value: level, selected: index === Math.min(1, levels.length - 1) }, summary?.levels?.[level]?.called ?? level))));
    fill(who, players.slice(0, wanted).map((select, index) => h("p", {}, h("label", {}, `${t.botNumber(index + 1)} `, select))));
  });
  const chosen = () => players.slice(0, Math.min(Number(bots.value), 16)).map((select) => select.value).filter(Boolean);
  const names = h("textarea", { rows: 3, autocomplete: "off" });
  const named = h("label", { class: "field" }, t.names, names);
  const inner = h("div", { class: "body", hidden: true }, named, passcode.label);
  closed.input.addEventListener("change", () => {
    inner.hidden = !closed.input.checked;
  });
  const refused = h("p", { class: "refused", role: "alert" });
  const open = body.querySelector("details.more")?.hasAttribute("open");
  if (open) setup.element.querySelector("details.more")?.setAttribute("open", "");
  fill(
    body,
    setup.element,
    h("fieldset", {}, h("legend", {}, t.forWhom), listed.label, rated.label, closed.label, inner, refused, asking, sits.label),
    chatting && h("fieldset", {}, h("legend", {}, t.chat), Object.values(chats).map(({ label }) => label)),
  );
  return {
    read: () => ({
      ruleset: rules.name,
      setup: setup.read(),
      listed: listed.input.checked,
      rated: rated.input.checked && listed.input.checked,
      bots: Number(bots.value) - chosen().length,
      house_bots: chosen(),
      chat: Object.entries(chats).flatMap(([room, { input }]) => (input.checked ? [room] : [])),
      sits: sits.input.checked,
      ...(closed.input.checked && {
        invited: namesIn(names),
        passcode: passcode.input.checked,
      }),
    }),
    /** @param {Refused} error */
    refuse: (error) => {
      const path = refusedAt(error);
      if (error.code === "unknown_name" || path?.[0] === "invited") refused.textContent = error.message;
      else if (path) setup.at(path[0] === "setup" ? path.slice(1) : path).refuse(error.message);
      else return false;
      return true;
    },
  };
}

/**
 * @param {string} game
 * @param {string} passcode
 */
function isOpen(game, passcode) {
  const shown = h("div", { class: "panel", tabindex: -1 },
    h("h2", {}, t.isOpen),
    h("p", {}, t.keepPasscode),
    handOut(game, passcode),
    h("p", {}, h("a", { class: "button", href: `/games/${game}` }, t.toTable)),
  );
  queueMicrotask(() => shown.focus());
  return shown;
}

/**
 * What to give to the other players: the address, and the passcode separately.
 *
 * @param {string} game
 * @param {string | null} passcode
 */
export function handOut(game, passcode) {
  const copying = (/** @type {string} */ label, /** @type {string} */ text) => {
    const said = h("span", { role: "status" });
    const copy = h("button", { type: "button", class: "second", "aria-label": `${t.copy}: ${label}`, onclick: async () => {
      await navigator.clipboard.writeText(text);
      said.textContent = t.copied;
    } }, t.copy);
    return h("p", { class: "row" }, h("span", { class: "muted" }, label), h("code", { class: "secret" }, text), navigator.clipboard && copy, said);
  };
  return h("div", {}, copying(t.link, `${location.origin}/games/${game}`), passcode && copying(t.passcode, passcode));
}

// From a choice to a move: confirmed if it cannot be undone, sent with the tag of the shown position, and only once.

import { Refused } from "../client/errors.js";
import { newKey } from "../client/requests.js";
import { question } from "../lib/dialog.js";
import { announce, h } from "../lib/dom.js";
import { send as sendCommands } from "../lib/tables.js";
import { number } from "../lib/words.js";
import { asking } from "./asking.js";
import { fieldLabel } from "./labels.js";
import { t } from "./words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */
/** @typedef {import("./offers.js").Command} Command */

/**
 * How a move is sent: `grave` always needs confirmation, `plain` never. `tryOnly` only shows what would happen.
 *
 * @typedef {{grave?: boolean, plain?: boolean, tryOnly?: boolean}} How
 */
/**
 * The result: it was `sent`, `left`, or `refused`, the position has changed, or it is `lost`: no response came.
 *
 * @typedef {"sent" | "left" | "refused" | "stale" | "lost"} Sent
 */

/** Statuses that mean that the position has changed. */
const STALE = [412, 428];
/** Milliseconds without a response after which that is reported. */
const LONG = 1000;

/**
 * @param {import("../game/context.js").Context} context
 * @param {object} page
 * @param {(said: unknown) => void} page.told Called with what to show about it: a text, a problem, or null for nothing.
 * @param {() => string | null} page.tag Of what is shown.
 * @returns {{send: (commands: Command[], sentence: string, how: How) => Promise<Sent>, check: (commands: Command[]) => Promise<Sent | null>}}
 *   `check` tries commands out: null if they can be done.
 */
export function sender(context, { told, tag }) {
  /** The last request and its key: the same move in the same position is the same request. */
  let last = { move: "", key: "" };

  return { send, check };

  /**
   * @param {Command[]} commands
   * @returns {Promise<Sent | null>}
   */
  async function check(commands) {
    try {
      await post(commands, tag(), { dry_run: true });
      return null;
    } catch (error) {
      return refused(error);
    }
  }

  /**
   * @param {Command[]} commands
   * @param {string} sentence
   * @param {How} how
   * @returns {Promise<Sent>}
   */
  async function send(commands, sentence, how) {
    const shown = tag();
    try {
      if (await left(commands, sentence, how, shown)) return "left";
    } catch (error) {
      return refused(error);
    }
    const move = JSON.stringify([commands, shown]);
    if (last.move !== move) last = { move, key: newKey() };
    const slow = setTimeout(() => told(t.sending), LONG);
    try {
      context.sent(await post(commands, shown, {}, last.key));
      told(null);
      announce(t.sent);
      return "sent";
    } catch (error) {
      return unanswered(error) ? (told(t.lost), "lost") : refused(error);
    } finally {
      clearTimeout(slow);
    }
  }

  /**
   * Whether the user declined the confirmation.
   *
   * @param {Command[]} commands
   * @param {string} sentence
   * @param {How} how
   * @param {string | null} shown
   */
  async function left(commands, sentence, how, shown) {
    const { chance, passing, all } = asking();
    const looks = how.tryOnly || how.grave || chance || passing || all;
    if (!looks || how.plain) return false;
    const trial = await post(commands, shown, { dry_run: true });
    const words = consequences(trial);
    const asks = how.tryOnly || how.grave || all || (words.chance ? chance : passing && words.passes);
    return asks && (await question(how.tryOnly ? t.trial : t.sure, explained(sentence, trial, words, how), { go: t.go, leave: t.leave })) !== "go";
  }

  /**
   * @param {Command[]} commands
   * @param {string | null} shown
   * @param {Record<string, boolean>} query
   * @param {string} [key]
   * @returns {Promise<Schemas["Result"]>}
   */
  function post(commands, shown, query, key) {
    return sendCommands(context.game, commands, { tag: shown, query, key });
  }

  /** @param {Schemas["Result"]} trial */
  function consequences(trial) {
    const seat = context.seat();
    const { undo } = /** @type {{undo?: string}} */ (context.view().setup);
    const waits = trial.table.status === "running" && seat !== null && trial.table.to_move.includes(seat);
    return { passes: !waits && (undo === undefined || undo === "no"), chance: (trial.undecided ?? null) !== null };
  }

  /**
   * @param {string} sentence
   * @param {Schemas["Result"]} trial
   * @param {{passes: boolean, chance: boolean}} words
   * @param {How} how
   */
  function explained(sentence, trial, words, how) {
    const sentences = trial.told ?? [];
    return [
      sentences.length ? h("ul", {}, sentences.map((each) => h("li", {}, each))) : h("p", {}, sentence),
      words.chance ? h("p", { class: "warning" }, hasCeilings() ? t.ceilings : t.dice) : words.passes && h("p", { class: "warning" }, t.passes),
      how.grave && h("p", { class: "warning" }, t.grave),
    ];
  }

  /** Whether anybody set a ceiling for the auction, which no trial can see. */
  function hasCeilings() {
    const view = context.view();
    return "ceilings" in view && view.ceilings.length > 0;
  }

  /** @param {unknown} error @returns {Sent} */
  function refused(error) {
    if (!(error instanceof Refused)) throw error;
    if (STALE.includes(error.status)) {
      told(t.stale);
      return "stale";
    }
    told(withLimit(error));
    return "refused";
  }
}

/** Whether the outcome of a request is unknown. @param {unknown} error */
const unanswered = (error) => error instanceof Refused && [0, 503].includes(error.status);

/** @param {Refused} refused The same, with the limit in its words. */
function withLimit(refused) {
  const { field, limit } = refused.problem;
  if (limit === null || limit === undefined) return refused;
  const most = field ? t.limit(fieldLabel(field), number(limit)) : t.limitAlone(number(limit));
  return new Refused(refused.status, { ...refused.problem, detail: `${refused.message} ${most}` });
}

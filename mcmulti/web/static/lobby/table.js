// The waiting room: who sits at a table, who may sit down, who agrees to start. It is shown while a table is open, and
// beside a running game wherever a seat waits for somebody.
//
// `mount(element, context)` as in game/context.js.

import { account } from "../lib/account.js";
import { get, inLanguage, patch } from "../lib/api.js";
import { question } from "../lib/dialog.js";
import { announce, fill, h, submitting } from "../lib/dom.js";
import { guest } from "../lib/guest.js";
import { written } from "../lib/form.js";
import { t as ratings } from "../ladder/words.js";
import { ruleLink, rulesOf } from "../lib/rule.js";
import { signInLink, telling, trying } from "../lib/shell.js";
import { send, sit } from "../lib/tables.js";
import { common, titled } from "../lib/words.js";
import { tellMe } from "../account/offer.js";
import { handOut, textsOf } from "./open.js";
import { mySeat, person, seated } from "./seats.js";
import { t } from "./words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */

/** The game at which a visitor will sit down as soon as there is an account. */
const SITS = "mcmulti.sits";

/** @type {import("../game/context.js").Mount} */
export function mount(element, context) {
  const { game } = context;
  const seats = h("ul", { class: "seats waiting" });
  const count = h("p", {});
  const actions = h("div", { class: "row" });
  const problem = h("div", {});
  const passcode = h("input", { maxlength: 16, autocomplete: "off", spellcheck: "false", class: "secret", size: 18 });
  const needed = h("label", { class: "field" }, t.notInvited, passcode, h("span", { class: "hint" }, t.passcodeHint));
  const entropy = h("input", { maxlength: 64, autocomplete: "off" });
  const own = h("details", {}, h("summary", {}, t.entropy), h("label", { class: "field" }, t.entropyHint, entropy));
  const guests = h("div", {});
  const link = h("div", {}, handOut(game, null));
  const tell = h("p", {}, tellMe(context.table));
  const heading = h("h2", {}, t.waiting);
  fill(element, h("section", { class: "panel waiting-room" }, heading, context.table().rated && h("p", {}, ratings.ratedHint), seats, count, needed, own, problem, actions, tell, agreed(), guests, link));

  /** @param {() => Promise<unknown>} act */
  const doing = (act) => trying(problem, act, element.querySelectorAll("button"));

  /** @param {number} seat */
  const take = (seat) =>
    doing(async () => {
      const open = context.table().status === "open";
      context.sent(await sit(game, { seat, ...(passcode.value && { passcode: passcode.value.trim().toUpperCase() }), ...(open && entropy.value && { entropy: entropy.value }) }));
      passcode.value = "";
    });

  /** @param {Schemas["Offer"]} offer */
  const button = ({ command, sentence, rule }) => {
    const leaves = command === "LeaveSeat";
    return h("span", { class: "row" }, h("button", { type: "button", class: leaves ? "second" : "", "data-command": command, onclick: async () => {
      if (leaves && (await question(t.confirmLeave, null, { yes: sentence, no: common.cancel })) !== "yes") return;
      await doing(async () => context.sent(await send(game, [{ type: command }], { tag: context.tag() })));
    } }, sentence), ruleLink(context.table().ruleset, rule));
  };

  let asked = "";
  /** @type {Promise<boolean> | null} */
  let sat = null;
  const show = async () => {
    const table = context.table();
    const mine = mySeat(table);
    const open = table.status === "open";
    const me = account();
    const wasHere = me !== null && mine === null && table.seats.some(isKept) && (await (sat ??= satAt(game, me.player)));
    heading.textContent = open ? t.waiting : t.seats;
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset["seat"] : undefined;
    fill(seats, table.seats.map((seat) => {
      const left = isKept(seat);
      const free = seat.state === "free" || seat.state === "vacant";
      return h("li", {}, seated(seat, table.ruleset),
        open && seat.player && h("span", { class: "small muted" }, table.to_move.includes(seat.seat) ? t.notYet : `✓ ${t.agreed}`),
        (free || (left && wasHere)) && mine === null && me && h("button", { type: "button", class: left ? "quiet" : "", "data-seat": seat.seat, onclick: () => void take(seat.seat) },
          left ? t.comeBack : open ? t.sit : t.substitute));
    }));
    if (focused !== undefined) /** @type {HTMLElement | null} */ (seats.querySelector(`button[data-seat="${focused}"]`))?.focus();
    const there = table.seats.filter((seat) => seat.player);
    const agreeing = there.filter((seat) => !table.to_move.includes(seat.seat)).length;
    const alone = open && mine !== null && there.length === 1 && table.seats.some(({ state }) => state === "free");
    const agreement = there.length && (alone ? t.alone : t.agreement(agreeing, there.length));
    count.textContent = (open && (table.house_bots.length ? t.houseComes : agreement)) || "";
    tell.hidden = !open || mine === null || table.practice || table.house_bots.length > 0;
    const before = alone ? count : guests;
    if (before.nextElementSibling !== link) before.after(link);
    needed.hidden = !(open && table.closed && mine === null && me !== null && me.player !== table.opened_by);
    own.hidden = !(open && mine === null && me) || context.series() !== null; // all tables of a series have the same dice
    if (!me && table.seats.some((seat) => seat.state === "free" || seat.state === "vacant"))
      return actions.querySelector("form") ? undefined : fill(actions, asGuest());
    if (!open || mine === null) {
      fill(actions);
    } else {
      const now = `${table.seq} ${table.hash}`;
      asked = now;
      await telling(problem, async () => {
        /** @type {Schemas["Offers"]} */
        const { offers } = (await get(`/v1/games/${game}/offers`, inLanguage())).body;
        const starts = offers.some((offer) => offer.command === "StartGame"); // who may start need not agree to it
        if (asked === now) fill(actions, offers.filter((offer) => !Object.keys(offer.fields ?? {}).length && !(starts && offer.command === "AgreeToStart")).map(button));
      });
    }
    if (open && me?.player === table.opened_by && !guests.childElementCount) await invitations();
  };

  /** A visitor sits down under a default name: the page reloads with the account, and then sits down. */
  function asGuest() {
    const visitor = guest();
    const enter = async () => {
      sessionStorage.setItem(SITS, game);
      try {
        await visitor.enter();
      } catch (error) {
        sessionStorage.removeItem(SITS);
        throw error;
      }
    };
    return h("form", { onsubmit: submitting(() => doing(enter)) },
      visitor.field, h("p", { class: "row" }, h("button", {}, t.sit), signInLink(t.haveAccount)));
  }

  function agreed() {
    const { setup } = /** @type {{setup?: Record<string, any>}} */ (context.view());
    const rows = Object.entries(setup ?? {}).flatMap(([name, value]) => {
      if (value && typeof value === "object") return Object.entries(value);
      return [[name, value]];
    });
    const list = h("dl", { class: "agreed" });
    void telling(problem, async () => {
      const texts = textsOf(await rulesOf(context.table().ruleset));
      fill(list, rows.map(([name, value]) => [
        h("dt", {}, texts.label(String(name), {})),
        h("dd", {}, Array.isArray(value) ? written(value) : texts.option(String(name), value ?? "")),
      ]));
    });
    return h("details", {}, h("summary", {}, `${t.agreedOn}: ${titled(context.table().ruleset)}`), list);
  }

  /** The invitations, which the opener of the table can see and change. */
  async function invitations() {
    const name = h("input", { maxlength: 40, autocomplete: "off" });
    const list = h("ul", { "aria-label": t.invitedNames });
    const code = h("div", {});
    const wrong = h("div", {});
    /** @param {Schemas["Invitations"]} now */
    const put = (now) => {
      fill(list, now.invited.map((each) => h("li", {}, person(each.player, each.name ?? t.erased), " ",
        each.name && h("button", { type: "button", class: "quiet", onclick: () => void change({ uninvite: [each.name] }) }, t.uninvite))));
      fill(
        code,
        !now.invited.length && now.closed && h("p", { class: "muted" }, t.nobodyInvited),
        now.passcode ? [h("p", {}, t.passcodeIs), h("p", {}, h("code", { class: "secret" }, now.passcode))] : now.has_passcode && h("p", {}, t.hasPasscode),
        now.closed && h("p", { class: "row" },
          h("button", { type: "button", class: "second", onclick: () => void change({ passcode: "new" }) }, t.newPasscode),
          now.has_passcode && h("button", { type: "button", class: "second", onclick: () => void change({ passcode: "none" }) }, t.noPasscode)),
      );
      if (now.passcode) announce(t.keepPasscode);
    };
    /** @param {object} body */
    const change = (body) => trying(wrong, async () => {
      put((await patch(`/v1/games/${game}/invitations`, body)).body);
      name.value = "";
    });
    await telling(guests, async () => {
      const now = /** @type {Schemas["Invitations"]} */ ((await get(`/v1/games/${game}/invitations`)).body);
      if (!now.closed) return;
      put(now);
      const invite = () => void (name.value.trim() && change({ invite: [name.value.trim()] }));
      fill(guests, h("h3", {}, t.invitations), list, h("form", { class: "row", onsubmit: submitting(invite) },
        h("label", {}, t.name, name), h("button", { class: "second" }, t.invite)), code, wrong);
    });
  }

  void show();
  if (account() && sessionStorage.getItem(SITS) === game) {
    sessionStorage.removeItem(SITS);
    const free = context.table().seats.find((seat) => seat.state === "free" || seat.state === "vacant");
    if (free && !context.table().closed) void take(free.seat);
  }
  return context.onChange(() => void show());
}

/**
 * @param {Schemas["TableSeat"]} seat
 * @returns {boolean} Whether it is kept for the player who left it.
 */
const isKept = (seat) => seat.state === "reserved" || seat.state === "house";

/**
 * @param {string} game
 * @param {string} player
 * @returns {Promise<boolean>} Whether the player ever sat there, as the log tells.
 */
async function satAt(game, player) {
  try {
    for (let after = /** @type {number | null} */ (0); after !== null; ) {
      /** @type {Schemas["Events"]} */
      const { events, next } = (await get(`/v1/games/${game}/events?limit=1000&after=${after}`)).body;
      if (events.some((event) => event.type === "SeatTaken" && "data" in event && event.data !== undefined && "player" in event.data && event.data.player === player)) return true;
      after = next;
    }
  } catch {
    return false;
  }
  return false;
}

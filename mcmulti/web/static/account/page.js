// The account: your name here, your tokens, and your results.

import { Refused } from "../client/errors.js";
import { account, keptFor, onAccount, renamed, signIn, signOut } from "../lib/account.js";
import { del, get, patch, post } from "../lib/api.js";
import { ratingsOf } from "../ladder/figures.js";
import { modal } from "../lib/dialog.js";
import { announce, fill, h, heads, submitting, wide } from "../lib/dom.js";
import { page, telling, told, trying } from "../lib/shell.js";
import { ago, common, moment } from "../lib/words.js";
import { recordOf } from "../lobby/seats.js";
import { messages } from "./messages.js";
import { t } from "./words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */

/** @type {Schemas["TokenView"]["scopes"]} */
const SCOPES = ["read", "play", "account"];

const main = page(t.title);
const said = h("div", { role: "status" });
const body = h("div", {});
main.append(h("h1", {}, t.title), said, body);

/** Where the reader wanted to go; only addresses of this site. */
function onwards() {
  const then = new URLSearchParams(location.search).get("then");
  const there = then?.startsWith("/") ? new URL(then, location.origin) : null;
  return there?.origin === location.origin ? there.href : null;
}

/**
 * A form that shows errors at its end.
 *
 * @param {string} title
 * @param {(Node | string | false | null)[]} fields
 * @param {string} button
 * @param {() => Promise<void>} act
 */
function form(title, fields, button, act) {
  const problem = h("div", {});
  const send = h("button", {}, button);
  return h("form", { class: "panel", "aria-label": title, onsubmit: submitting(() => trying(problem, act, [send])) },
    h("h2", {}, title), fields, problem, h("p", {}, send));
}

/** A form field: whether to keep the token beyond this tab. */
function keeping() {
  const name = `keep-${Math.random()}`;
  const device = h("input", { type: "radio", name, checked: true });
  const tab = h("input", { type: "radio", name });
  const element = h("fieldset", {}, h("legend", {}, t.keep),
    h("p", {}, h("label", {}, device, t.thisDevice)), h("p", {}, h("label", {}, tab, t.thisTab)));
  return { element, read: () => device.checked };
}

/**
 * @param {string} text
 * @param {string} hint
 * @param {HTMLElement} input
 */
const field = (text, hint, input) => h("p", {}, h("label", { class: "field" }, text, input, hint && h("span", { class: "muted small" }, hint)));

function strangers() {
  const name = h("input", { maxlength: 40, required: true, autocomplete: "nickname" });
  const keep = keeping();
  const register = form(t.register, [h("p", {}, t.registering), field(t.name, t.nameHint, name), keep.element], t.register, async () => {
    /** @type {Schemas["Registered"]} */
    const who = (await post("/v1/players", { name: name.value })).body;
    shown = true;
    signIn({ player: who.player, name: who.name, token: who.token }, keep.read());
    fill(body, secret(t.registered(who.name), who.token, () => {
      shown = false;
      const there = onwards();
      if (there) location.assign(there);
      else show();
    }));
  });
  const token = h("input", { type: "password", required: true, autocomplete: "current-password", spellcheck: "false" });
  const keepToo = keeping();
  const enter = form(t.signIn, [field(t.token, t.tokenHint, token), keepToo.element], t.signIn, async () => {
    const given = token.value.trim();
    /** @type {Schemas["Me"]} */
    const me = await whose(given);
    token.value = "";
    signIn({ player: me.player, name: me.name, token: given }, keepToo.read());
    const there = onwards();
    if (there) location.assign(there);
  });
  fill(body, h("div", { class: "two" }, register, enter));
}

/**
 * The player of this token.
 *
 * @param {string} token
 * @returns {Promise<Schemas["Me"]>}
 */
async function whose(token) {
  const notGood = new Refused(401, { code: "unauthenticated", title: t.notGood });
  if (!/^mcm_[0-9A-Za-z_-]+$/.test(token)) throw notGood;
  return (await get("/v1/players/me", {}, { token }).catch((problem) => {
    throw problem.status === 401 ? notGood : problem;
  })).body;
}

/**
 * Shows a token, only once.
 *
 * @param {string} title
 * @param {string} token
 * @param {() => void} noted
 */
function secret(title, token, noted) {
  const copied = h("span", { role: "status" });
  const shown = h("section", { class: "panel", tabindex: -1 }, h("h2", {}, h("span", { class: "name" }, title)), h("p", {}, t.once),
    h("p", { class: "row" }, h("code", { class: "secret" }, token),
      navigator.clipboard && h("button", { type: "button", class: "second", onclick: async () => {
        await navigator.clipboard.writeText(token);
        copied.textContent = t.copied;
      } }, t.copy), copied),
    h("p", {}, h("button", { type: "button", onclick: noted }, t.noted)));
  queueMicrotask(() => shown.focus());
  return shown;
}

/**
 * @param {Schemas["Me"]} me
 */
function mine(me) {
  const name = h("input", { maxlength: 40, required: true, value: me.name, autocomplete: "nickname" });
  const may = me.token.scopes.includes("account");
  const scopes = me.token.scopes.map((scope) => t.scope[scope]).join(", ");
  const rename = may && form(t.rename, [field(t.name, t.nameHint, name)], t.rename, async () => {
    /** @type {Schemas["Me"]} */
    const now = (await patch("/v1/players/me", { name: name.value })).body;
    shown = true;
    renamed(now.name);
    shown = false;
    await show();
    say(t.renamed(now.name));
  });
  const tokens = h("section", { class: "panel", "aria-labelledby": "tokens" });
  if (may) void tokenList(tokens, me);
  fill(
    body,
    me.pending && waiting(me, me.pending),
    h("div", { class: "two" },
      h("section", { class: "panel" }, h("h2", {}, h("span", { class: "name" }, me.name)),
        h("p", { class: "muted" }, t.kept[keptFor()], " ", !may && t.limited(scopes)), ratingsOf(me.ratings), recordOf(me.record),
        h("p", {}, h("button", { type: "button", class: "second", onclick: () => signOut() }, t.signOut))),
      rename),
    may && messages(),
    may && tokens,
    may && !me.pending && erasing(me.name),
  );
}

/**
 * A pending action: when it can be done, by which token, and how to cancel it.
 *
 * @param {Schemas["Me"]} me
 * @param {Schemas["PendingAction"]} pending
 */
function waiting(me, pending) {
  const due = new Date(pending.due) <= new Date();
  const own = pending.token === me.token.id;
  const act = async () => {
    if (pending.action === "erase") {
      await del("/v1/players/me");
      signOut();
      say(t.erased);
    } else {
      await post("/v1/players/me/owner-token", undefined);
      await show();
      say(t.replaced);
    }
  };
  const cancel = async () => {
    await del("/v1/players/me/pending");
    await show();
    say(t.canceled);
  };
  return h("section", { class: "panel danger", "aria-labelledby": "pending" },
    h("h2", { id: "pending" }, t.pending[pending.action]),
    h("p", {}, t.waits(moment(pending.due), moment(pending.until)), " ", !own && t.withAnother),
    me.token.scopes.includes("account") && h("p", { class: "row" },
      h("button", { type: "button", onclick: () => confirming(t.confirmCancel, t.cancelIt, cancel) }, t.cancelIt),
      due && own && h("button", { type: "button", class: "second", onclick: () => confirming(t.explained[pending.action], t.doIt[pending.action], act, me.name) }, t.doIt[pending.action])));
}

/** @param {Schemas["PendingAction"]["action"]} action */
async function announceIt(action) {
  /** @type {Schemas["PendingAction"]} */
  const pending = (await post("/v1/players/me/pending", { action })).body;
  await show();
  say(t.announced(moment(pending.due)));
}

/**
 * @param {HTMLElement} place
 * @param {Schemas["Me"]} me
 */
async function tokenList(place, me) {
  const current = me.token.id;
  const news = h("div", {});
  const rows = h("tbody", {});
  const wrong = h("div", {});
  const load = () => telling(wrong, async () => {
    /** @type {Schemas["Tokens"]} */
    const { tokens } = (await get("/v1/players/me/tokens")).body;
    fill(rows, tokens.map(line));
  });
  /** @param {Schemas["TokenView"]} token */
  const line = (token) =>
    h("tr", {},
      h("th", { scope: "row" }, h("span", { class: "name" }, token.name), " ", token.id === current && h("span", { class: "tag" }, t.thisOne)),
      h("td", {}, token.scopes.map((scope) => t.scope[scope]).join(", ")),
      h("td", {}, ago(token.created)),
      h("td", {}, token.used ? ago(token.used) : t.unused),
      h("td", {}, token.expires ? moment(token.expires) : t.never),
      h("td", {}, h("button", { type: "button", class: "quiet", "aria-label": `${t.revoke}: ${token.name}`, onclick: () => ask(token) }, t.revoke)));
  /** @param {Schemas["TokenView"]} token */
  const ask = (token) =>
    confirming(t.confirmRevoke(token.name), t.revoke, async () => {
      await del(`/v1/players/me/tokens/${token.id}`);
      if (token.id === current) signOut();
      else await load();
      say(t.revoked(token.name));
    });
  const name = h("input", { maxlength: 40, required: true, autocomplete: "off" });
  const boxes = SCOPES.filter((scope) => me.token.scopes.includes(scope)).map((scope) => h("input", { type: "checkbox", value: scope, checked: scope !== "account" }));
  const until = h("input", { type: "datetime-local" });
  const make = form(t.make, [
    field(t.tokenName, "", name),
    h("fieldset", {}, h("legend", {}, t.scopes), boxes.map((box) => h("p", {}, h("label", {}, box, t.scope[/** @type {"read"} */ (box.value)])))),
    field(t.expires, t.never, until),
  ], t.make, async () => {
    const expires = until.value ? new Date(until.value).toISOString() : null;
    const wanted = { name: name.value, scopes: boxes.filter((box) => box.checked).map((box) => box.value), expires };
    /** @type {Schemas["NewlyMade"]} */
    const made = (await post("/v1/players/me/tokens", wanted)).body;
    name.value = "";
    fill(news, secret(t.made(made.about.name), made.token, () => fill(news)));
    await load();
  });
  fill(place, h("h2", { id: "tokens" }, t.tokens), h("p", {}, t.tokensAre), news, wrong,
    wide(t.tokens, h("table", {}, heads([t.tokenName, t.scopes, t.created, t.used, t.expires, ""], Infinity), rows)),
    h("p", { class: "row" },
      h("button", { type: "button", class: "second", onclick: () => confirming(t.confirmOthers, t.revokeOthers, async () => {
        await del("/v1/players/me/tokens");
        await show();
        say(t.othersRevoked);
      }) }, t.revokeOthers),
      owns(me) && !me.pending && h("button", { type: "button", class: "second", onclick: () =>
        confirming(t.explained.replace_owner_token, t.announce, () => announceIt("replace_owner_token")) }, t.replaceOwner)),
    h("details", {}, h("summary", {}, t.make), make));
  await load();
}

/**
 * Whether a token allows everything forever, and was created by another one, so that it can become the owner token.
 *
 * @param {Schemas["Me"]} me
 */
const owns = (me) => me.token.made_by && !me.token.expires && me.token.scopes.length === SCOPES.length;

/** @param {string} name */
function erasing(name) {
  const erase = () => confirming(t.explained.erase, t.announce, () => announceIt("erase"), name);
  return h("section", { class: "panel danger" }, h("h2", {}, t.erase), h("p", {}, t.explained.erase),
    h("p", {}, h("button", { type: "button", class: "second", onclick: erase }, t.erase)));
}

/**
 * Asks for confirmation, and does it.
 *
 * @param {string} question
 * @param {string} yes
 * @param {() => Promise<void>} act
 * @param {string} [name] What must be typed first.
 */
function confirming(question, yes, act, name) {
  const problem = h("div", {});
  const typed = h("input", { autocomplete: "off", required: true });
  const sure = () => trying(problem, async () => {
    await act();
    dialog.close();
  });
  const dialog = modal({ "aria-label": question }, h("form", { onsubmit: submitting(() => (name && typed.value.trim() !== name ? typed.focus() : sure())) },
    h("p", {}, question),
    name && h("label", { class: "field" }, h("span", {}, t.confirmErase, " ", h("strong", { class: "name" }, name)), typed),
    problem,
    h("p", { class: "row" }, h("button", {}, yes), h("button", { type: "button", class: "second", onclick: () => dialog.close() }, common.cancel))));
}

/** @param {string} text */
function say(text) {
  fill(said, h("p", { class: "panel" }, text));
  announce(text);
}

/** Whether something is shown that must stay: a token that is shown only once. */
let shown = false;

async function show() {
  if (shown) return;
  fill(said);
  if (!account()) return strangers();
  try {
    mine((await get("/v1/players/me")).body);
  } catch (error) {
    if (!account()) strangers();
    fill(said, told(error));
  }
}

onAccount(() => void show());
await show();

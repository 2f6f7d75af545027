// The displayed names of accounts, units, and reasons.

import { h } from "./dom.js";
import { capital } from "./words.js";

export class Names {
  /**
   * @param {Record<string, string>} words Of the rule set.
   * @param {readonly (string | null)[]} players By seat.
   */
  constructor(words, players) {
    this.words = words;
    this.players = players;
  }

  /** @param {string} name */
  word(name) {
    return (Object.hasOwn(this.words, name) && this.words[name]) || name.replaceAll("_", " ");
  }

  /** @param {number} seat */
  player(seat) {
    return this.players[seat] || this.word("seat_number").replace("{}", String(seat + 1));
  }

  /**
   * `seat:0:cash` is "Ada: cash", `market:domestic:crude` "domestic market: crude": the first part is only the kind of
   * account, and is omitted unless a number follows.
   *
   * @param {string} account
   */
  account(account) {
    const [kind = "", ...parts] = account.split(":");
    if (!parts.length) return this.word(kind);
    const said = parts.map((part) => this.word(part));
    if (kind === "seat") said[0] = this.player(Number(parts[0]));
    else if (/^\d+$/.test(parts[0] ?? "")) said[0] = `${this.word(kind)} ${parts[0]}`;
    return said.join(": ");
  }
}

/**
 * @param {string} account
 * @returns {number | null} Whose it is; null for one of nobody's.
 */
export function seatOf(account) {
  const [kind, seat] = account.split(":");
  return kind === "seat" ? Number(seat) : null;
}

/**
 * The holder of something, with the sign of its seat.
 *
 * @param {string} account
 * @param {Names} names
 */
export function holder(account, names) {
  const seat = seatOf(account);
  return seat === null ? capital(names.account(account)) : h("span", { class: "seat name", "data-seat": seat }, names.account(account));
}

/** The most parties other than players that are distinguished; if there are more, those of a kind are combined. */
const MOST_OTHERS = 7;

/**
 * The owner of an account: all accounts of a seat belong to the player, and those of a market to that market.
 *
 * @param {string} account
 */
export const ownerOf = (account) => account.split(":").slice(0, 2).join(":");

/**
 * The owner of each of these accounts, for a table or picture with all of them.
 *
 * @param {readonly string[]} accounts
 * @returns {(account: string) => string}
 */
export function parties(accounts) {
  const others = new Set(accounts.filter((account) => seatOf(account) === null).map(ownerOf));
  if (others.size <= MOST_OTHERS) return ownerOf;
  return (account) => (seatOf(account) === null ? account.split(":")[0] ?? account : ownerOf(account));
}

/**
 * Players first, by seat.
 *
 * @param {string} a
 * @param {string} b
 */
export const bySeat = (a, b) => (seatOf(a) ?? Infinity) - (seatOf(b) ?? Infinity) || 0;

// Sums for the tables of the books; all amounts come from the API.

import { ownerOf } from "../lib/names.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */

/**
 * What went from one party to another for one reason, whichever of their accounts it was; the most first.
 *
 * @param {readonly Schemas["Flow"][]} flows Of one unit.
 */
export function exchanges(flows) {
  /** @type {Map<string, {from: string, to: string, reason: string, amount: number, count: number}>} */
  const found = new Map();
  for (const { source, target, reason, amount, count } of flows) {
    const [from, to] = [ownerOf(source), ownerOf(target)];
    const key = `${from} ${to} ${reason}`;
    const row = found.get(key) ?? { from, to, reason, amount: 0, count: 0 };
    found.set(key, { ...row, amount: row.amount + amount, count: row.count + count });
  }
  return [...found.values()].sort((a, b) => b.amount - a.amount);
}

/**
 * Income and spending by reason, a number for each statement. What adds up to zero went between players.
 *
 * @param {readonly Schemas["Statement"][]} stated Of one unit.
 */
export function movements(stated) {
  const reasons = [...new Set(stated.flatMap(({ movements }) => movements.map(({ reason }) => reason)))];
  const rows = reasons.map((reason) => {
    const amounts = stated.map(({ movements }) => movements.find((each) => each.reason === reason)?.amount ?? null);
    return { reason, amounts, sum: amounts.reduce((/** @type {number} */ sum, amount) => sum + (amount ?? 0), 0) };
  });
  rows.sort((a, b) => Math.abs(b.sum) - Math.abs(a.sum));
  return { income: rows.filter(({ sum }) => sum > 0), spending: rows.filter(({ sum }) => sum < 0), among: rows.filter(({ sum }) => sum === 0) };
}

// Everybody's holdings, the transfers at that moment, and charts of the course.

import { fill, h, table } from "../lib/dom.js";
import { Names, holder } from "../lib/names.js";
import { rulesOf } from "../lib/rule.js";
import { common, number } from "../lib/words.js";
import { picture } from "./drawing.js";
import { t } from "./words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */
/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./moment.js").Moment} Moment */

/** @param {string} unit @returns {string} */
export const unitName = (unit) => /** @type {Record<string, string>} */ (t.units)[unit] ?? unit.replaceAll("_", " ");

/**
 * What each seat has.
 *
 * @param {string} label
 * @param {Schemas["Frame"]["holdings"]} held
 * @param {(seat: number) => import("../lib/dom.js").Child} named How a seat is shown.
 */
export function holdings(label, held, named) {
  const units = Object.keys(held[0]?.amounts ?? {});
  const worth = held.some((each) => each.worth !== null);
  if (!units.length) return h("p", { class: "muted" }, t.nothingYet);
  return table(label, [common.player, worth && t.worth, ...units.map(unitName)], 1, held.map(({ seat, amounts, worth: all }) =>
    h("tr", {},
      h("th", { scope: "row" }, named(seat)),
      worth && h("td", { class: "figure" }, all === null ? "" : number(all)),
      units.map((unit) => h("td", { class: "figure" }, number(amounts[unit] ?? 0))))));
}

/**
 * The transfers between accounts with the event of this moment.
 *
 * @param {Model} model
 * @param {number} at
 * @returns {Promise<HTMLElement | null>} Null where the books cannot be asked.
 */
export async function booked(model, at) {
  if (!model.source.flows) return null;
  const flows = await model.source.flows(at);
  if (!flows.length) return h("p", { class: "muted small" }, t.nothingMoved);
  const names = new Names((await rulesOf(model.table.ruleset)).words, model.table.seats.map(({ name }) => name));
  return h(
    "ul",
    { class: "small booked" },
    flows.map(({ source, target, unit, amount, reason }) =>
      h("li", {}, h("span", { class: "figure" }, `${number(amount)} ${unitName(unit)}: `), holder(source, names), " → ", holder(target, names), h("span", { class: "muted" }, ` (${names.word(reason)})`)),
    ),
  );
}

/** Charts of the game up to a moment; one is shown. */
export class Charts {
  #select;
  #shown = h("div", { class: "chart" });
  #root = this.#shown.attachShadow({ mode: "open" });
  element;
  #drawn = "";

  /**
   * @param {Model} model
   * @param {Moment} moment
   */
  constructor(model, moment) {
    this.model = model;
    this.moment = moment;
    this.#select = h("select", { onchange: () => this.show() });
    this.element = h("div", {}, h("label", {}, t.chart, this.#select), this.#shown);
  }

  async show() {
    if (!this.#select.options.length) {
      const names = /** @type {Record<string, string>} */ (t.charts);
      const charts = await this.model.source.charts(this.model.table.ruleset);
      if (!this.#select.options.length) this.#select.append(...charts.map((name) => h("option", { value: name }, names[name] ?? name)));
    }
    const at = this.moment.at;
    const wanted = `${this.#select.value} ${at}`;
    if (this.#drawn === wanted) return;
    this.#drawn = wanted;
    const text = await this.model.source.chart(this.#select.value, at);
    if (this.#drawn !== wanted) return;
    const { svg, style } = picture(text);
    this.#root.adoptedStyleSheets = [style];
    fill(/** @type {any} */ (this.#root), svg);
  }
}

// Elements. Text is always text: nothing that a player wrote is ever parsed as markup.

/** @typedef {Node | string | number | null | undefined | false} Leaf */
/** @typedef {Leaf | readonly (Leaf | readonly (Leaf | readonly Leaf[])[])[]} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined | EventListener>} Attributes */

/**
 * An element with attributes, listeners (`onclick` and so on), and children. A false or missing attribute is omitted;
 * true means an empty one.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {Child[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== null && value !== false)
      element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...nodes(children));
  return element;
}

/**
 * The same for SVG.
 *
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | null>} [attributes]
 * @param {Child[]} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function drawn(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) element.setAttribute(name, String(value));
  element.append(...nodes(children));
  return element;
}

/**
 * The names of the columns of a table.
 *
 * @param {readonly Child[]} columns A cell without a name is empty.
 * @param {number} figures The first column with figures.
 * @param {number} [others] The first one behind them.
 */
export const heads = (columns, figures, others = Infinity) =>
  h("thead", {}, h("tr", {}, columns.map((column, index) =>
    column === "" ? h("td") : column && h("th", { scope: "col", class: index >= figures && index < others ? "figure" : null }, column))));

/**
 * Something that scrolls by itself where it is wider than the page.
 *
 * @param {string} label
 * @param {Child[]} content
 */
export const wide = (label, ...content) => h("div", { class: "wide", tabindex: 0, role: "group", "aria-label": label }, ...content);

/**
 * A table that scrolls by itself.
 *
 * @param {string} label
 * @param {readonly Child[]} columns As for `heads`.
 * @param {number} figures
 * @param {Child[]} rows
 */
export const table = (label, columns, figures, ...rows) => wide(label, h("table", {}, heads(columns, figures), h("tbody", {}, ...rows)));

/**
 * What a form does instead of being sent by the browser.
 *
 * @param {() => unknown} act
 * @returns {EventListener}
 */
export const submitting = (act) => (event) => {
  event.preventDefault();
  void act();
};

/**
 * A text of the engine, with code between backticks.
 *
 * @param {string} text
 * @returns {(Node | string)[]}
 */
export const coded = (text) => text.split(/`([^`]+)`/).map((part, odd) => (odd % 2 ? h("code", {}, part) : part));

/**
 * Replaces the contents of an element.
 *
 * @template {Element} E
 * @param {E} element
 * @param {Child[]} children
 * @returns {E}
 */
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children));
  return element;
}

/**
 * @param {readonly Child[]} children
 * @returns {(Node | string)[]}
 */
function nodes(children) {
  return children.flatMap((child) => {
    if (child === null || child === undefined || child === false) return [];
    if (Array.isArray(child)) return nodes(child);
    return [child instanceof Node ? child : String(child)];
  });
}

/**
 * An element of a page that must exist.
 *
 * @param {string} selector
 * @param {ParentNode} [within]
 * @returns {HTMLElement}
 */
export function one(selector, within = document) {
  const found = within.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new Error(`There is no ${selector}.`);
  return found;
}

/**
 * Loads the style sheet of a module that any page can use.
 *
 * @param {URL} sheet
 */
export function styled(sheet) {
  const { href } = sheet;
  if (![...document.styleSheets].some((loaded) => loaded.href === href))
    document.head.append(h("link", { rel: "stylesheet", href }));
}

/**
 * Saves something as a file.
 *
 * @param {string} name
 * @param {BlobPart} content
 */
export function save(name, content) {
  const href = URL.createObjectURL(new Blob([content]));
  h("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

/**
 * Announces something to users of screen readers.
 *
 * @param {string} text
 */
export function announce(text) {
  one("#news").append(h("p", {}, text));
  while (one("#news").children.length > 5) one("#news").firstElementChild?.remove();
}

/**
 * Resolves in another task, so that the browser can draw and respond in between.
 *
 * @returns {Promise<void>}
 */
export function anotherTask() {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

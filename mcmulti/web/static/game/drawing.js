// Drawings as nodes: their pieces are parsed once, and only those that change are replaced.

/** @typedef {import("./pictures.js").Drawn} Drawn */
/**
 * A piece in the document. `inner`: the pieces between an opening tag and its closing tag; null for other pieces.
 *
 * @typedef {{piece: string, nodes: ChildNode[], inner: Item[] | null}} Item
 */

/** The most parsed pieces that are cached. */
const PARSED = 4000;
/** Attributes that our layout sets, not the drawing. */
const SIZED = ["viewBox", "width", "height"];
const STYLE = /<style>([^<]*)<\/style>/g;
const DECLARED = /^<\?xml[^>]*>\s*/;

/** @type {Map<string, CSSStyleSheet>} The style of drawings is nearly always the same. */
const sheets = new Map();

/** @param {string} text */
function sheet(text) {
  let made = sheets.get(text);
  if (!made) {
    made = new CSSStyleSheet();
    made.replaceSync(text.replaceAll("&gt;", ">").replaceAll("&lt;", "<").replaceAll("&amp;", "&"));
    sheets.set(text, made);
  }
  return made;
}

/**
 * A drawing as nodes of its own document, and its style. Nothing in it is run.
 *
 * @param {string} text
 * @returns {{svg: SVGSVGElement, style: CSSStyleSheet}}
 */
export function picture(text) {
  // The content security policy forbids parsed styles, so they are taken out first.
  const styles = [...text.matchAll(STYLE)].map(([, style]) => style ?? "");
  const svg = parsed(text.replace(STYLE, ""));
  if (!(svg instanceof SVGSVGElement)) throw new Error("This is not a picture.");
  return { svg, style: sheet(styles.join("\n")) };
}

/** @param {string} text */
function parsed(text) {
  const read = new DOMParser().parseFromString(text, "image/svg+xml");
  for (const element of read.querySelectorAll("style, script, foreignObject")) element.remove();
  return read.documentElement;
}

/** @type {Map<string, ChildNode[]>} Parsed pieces. Their nodes are copied, never shown. */
const known = new Map();

/**
 * Parses the pieces that are not known yet, all at once.
 *
 * @param {readonly string[]} pieces
 */
export function learn(pieces) {
  const missing = [...new Set(pieces.filter((piece) => !known.has(piece)))];
  if (!missing.length) return;
  if (known.size > PARSED) known.clear();
  const fresh = known.size ? missing : [...new Set(pieces)];
  const whole = fresh.map((piece) => (closes(piece) ? "" : opens(piece) ? `${piece}</${name(piece)}>` : piece.replace(STYLE, "")));
  const root = parsed(`<svg xmlns="http://www.w3.org/2000/svg">${whole.map((each) => `<g>${each.replace(DECLARED, "")}</g>`).join("")}</svg>`);
  for (const [index, piece] of fresh.entries()) known.set(piece, [...(root.children[index]?.childNodes ?? [])]);
}

/** @param {string} piece */
const closes = (piece) => piece.startsWith("</");
/** Whether a piece is nothing but an opening tag. @param {string} piece */
const opens = (piece) => {
  const tag = piece.replace(DECLARED, "");
  return tag.lastIndexOf("<") === 0 && !tag.trimEnd().endsWith("/>") && !closes(tag);
};
/** @param {string} piece */
const name = (piece) => /^<([\w-]+)/.exec(piece.replace(DECLARED, ""))?.[1] ?? "g";

/**
 * The pieces as a tree, without nodes.
 *
 * @param {Drawn} pieces
 * @returns {Item[]}
 */
function tree(pieces) {
  /** @type {Item[]} */
  const top = [];
  const within = [top];
  for (const piece of pieces) {
    if (closes(piece)) {
      within.pop();
      continue;
    }
    /** @type {Item} */
    const item = { piece, nodes: [], inner: opens(piece) ? [] : null };
    within.at(-1)?.push(item);
    if (item.inner) within.push(item.inner);
  }
  return top;
}

/** A drawing in the document, which becomes another one. */
export class Drawing {
  /** @type {Item[]} */
  #shown = [];
  /** @type {Drawn} */
  #pieces = [];

  #rest;

  /** @param {Element} place The drawing is in front of what it holds. */
  constructor(place) {
    this.place = place;
    this.#rest = place.firstChild;
  }

  /**
   * Shows a drawing. Pieces that stay the same keep their nodes, since drawing a whole board takes long.
   *
   * @param {Drawn} pieces
   * @returns {CSSStyleSheet} Its style.
   */
  show(pieces) {
    learn(pieces);
    const wanted = tree(pieces);
    become(this.place, this.#shown, wanted, this.#rest);
    this.#shown = wanted;
    this.#pieces = pieces;
    return sheet(pieces.filter((piece) => piece.startsWith("<style>")).map((piece) => piece.slice("<style>".length, -"</style>".length)).join("\n"));
  }

  /**
   * The shown parts that are different in another drawing.
   *
   * @param {Drawn} before
   * @returns {Element[]}
   */
  changed(before) {
    const [old, now] = [new Set(before), new Set(this.#pieces)];
    const gone = before.filter((piece) => !now.has(piece));
    learn(gone);
    const were = new Map(gone.flatMap((piece) => parts(known.get(piece) ?? [])).map((part) => [part.getAttribute("data-part"), part]));
    return fresh(this.#shown, old)
      .flatMap(({ nodes }) => parts(nodes))
      .filter((part) => {
        const old = were.get(part.getAttribute("data-part"));
        return !old || !look(part).isEqualNode(look(old));
      });
  }
}

/**
 * @param {readonly Item[]} items
 * @param {Set<string>} before
 * @returns {Item[]} Those without inner ones that were not there before.
 */
const fresh = (items, before) => items.flatMap((item) => (item.inner ? fresh(item.inner, before) : before.has(item.piece) ? [] : [item]));

/**
 * The parts among nodes, and in them.
 *
 * @param {readonly Node[]} nodes
 */
const parts = (nodes) =>
  nodes.flatMap((node) => (node instanceof Element ? [...(node.hasAttribute("data-part") ? [node] : []), ...node.querySelectorAll("[data-part]")] : []));

/**
 * A part as it looks: without its position and name, and without hits, which the lines of the dice explain.
 *
 * @param {Element} part
 */
function look(part) {
  const bare = /** @type {Element} */ (part.cloneNode(true));
  bare.removeAttribute("style");
  for (const each of bare.querySelectorAll("title, .hit, .hit ~ *")) each.remove();
  return bare;
}

/**
 * Turns the shown items of an element into the wanted ones, which get their nodes.
 *
 * @param {Node} within
 * @param {readonly Item[]} shown
 * @param {readonly Item[]} wanted
 * @param {Node | null} behind What follows them.
 */
function become(within, shown, wanted, behind) {
  const left = matched(shown, wanted);
  for (const gone of left) for (const node of gone.nodes) node.remove();
  let next = behind;
  for (const item of [...wanted].reverse()) {
    for (const node of [...item.nodes].reverse()) {
      if (node.parentNode !== within || node.nextSibling !== next) within.insertBefore(node, next);
      next = node;
    }
  }
}

/**
 * Gives wanted items the nodes of shown ones: of the same piece, otherwise of an element with the same name that others are in.
 * The rest get new nodes.
 *
 * @param {readonly Item[]} shown
 * @param {readonly Item[]} wanted
 * @returns {Item[]} The shown ones that are left.
 */
function matched(shown, wanted) {
  /** @type {Map<string, Item[]>} */
  const same = new Map();
  for (const item of [...shown].reverse()) {
    const others = same.get(item.piece);
    if (others) others.push(item);
    else same.set(item.piece, [item]);
  }
  const taken = new Set();
  const olds = wanted.map((item) => {
    const old = same.get(item.piece)?.pop();
    taken.add(old);
    return old;
  });
  const left = shown.filter((item) => !taken.has(item));
  for (const [index, item] of wanted.entries()) {
    const alike = item.inner ? left.findIndex(({ piece, inner }) => inner && name(piece) === name(item.piece)) : -1;
    settle(item, olds[index] ?? left.splice(alike, alike < 0 ? 0 : 1)[0]);
  }
  return left;
}

/**
 * @param {Item} item
 * @param {Item | undefined} old What becomes it.
 */
function settle(item, old) {
  item.nodes = old ? old.nodes : (known.get(item.piece) ?? []).map((each) => document.importNode(each, true));
  const [here] = item.nodes;
  if (old && old.piece !== item.piece && here instanceof Element) copied(/** @type {Element} */ (known.get(item.piece)?.[0]), here);
  if (item.inner && here) become(here, old?.inner ?? [], item.inner, null);
}

/**
 * Gives an element the attributes of another one, except those of our layout.
 *
 * @param {Element} from
 * @param {Element} to
 */
function copied(from, to) {
  const own = ["style", ...(to instanceof SVGSVGElement ? SIZED : [])];
  for (const each of to.getAttributeNames()) if (!from.hasAttribute(each) && !own.includes(each)) to.removeAttribute(each);
  for (const each of from.getAttributeNames()) if (!own.includes(each)) to.setAttribute(each, from.getAttribute(each) ?? "");
}

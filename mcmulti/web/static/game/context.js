// What the page of a game gives to mounted modules: `mount(element, context)`. They show what they want in the element,
// and may return a cleanup function.

/** @typedef {import("../lib/api.js").Schemas} Schemas */

/**
 * What happened since the listeners were last called.
 *
 * @typedef {object} News
 * @property {readonly Schemas["Happening"][]} happened In order; empty if something else changed: whether the newest moment is
 *   shown, who signed in, a deadline.
 * @property {boolean} own Whether all of it follows from what this page sent: controls rest for a moment if it does not.
 * @property {boolean} anew The game was read again: forget what was shown.
 */

/**
 * @typedef {object} Context
 * @property {string} game Its id.
 * @property {import("./source.js").Source} source
 * @property {() => number | null} seat Where the reader sits; null for spectators.
 * @property {() => Schemas["View"]} view What the reader may see of the newest moment.
 * @property {() => Schemas["TableView"]} table As it is at the newest moment; true of event `table().seq`, which may for an
 *   instant be ahead of the view.
 * @property {() => Schemas["SeriesTable"] | null} series The place of the table in a series, if it has one.
 * @property {() => string} tag The entity tag of what is shown: send it as `If-Match` with whatever was decided on it.
 * @property {() => boolean} connected Whether the connection stands.
 * @property {() => number} at The event after which the game is shown.
 * @property {() => boolean} live Whether the newest moment is shown, and the connection stands: otherwise controls rest.
 * @property {import("./board.js").Board} board To light up its sites.
 * @property {(seq: number) => void} pictured Shows the board of an earlier event in the place of the newest: of a game that is over.
 * @property {(listener: (news: News) => void) => () => void} onChange Called behind every change; returns what ends it.
 * @property {(listener: (message: Schemas["MessageView"]) => void) => () => void} onMessage Called with a message that was written or
 *   removed in the chat of the table; returns what ends it.
 * @property {(result: Schemas["Result"]) => void} sent To be called with the answer to commands: the page shows the result at once.
 */

/** @typedef {(element: HTMLElement, context: Context) => void | (() => void)} Mount */

export {};

// Where a game is read from: a server, here, or a file, for exported pages. Nothing else on the page of a game loads
// visible data.

import { follow, get } from "../lib/api.js";
import { rulesOf } from "../lib/rule.js";
import { language } from "../lib/words.js";

/** @typedef {import("../lib/api.js").Schemas} Schemas */
/** @typedef {Schemas["GameView"]} GameView */
/** @typedef {Schemas["TableView"]} TableView */
/** @typedef {Schemas["Replay"]} Frames */

/**
 * Callbacks while a game is followed.
 *
 * @typedef {object} Follower
 * @property {(event: Schemas["EventItem"]) => void} onEvent The next event of the log.
 * @property {(table: TableView) => void} onTable Whose turn it is behind the last event, and until when.
 * @property {(present: readonly number[]) => void} onPresent The seats whose players look at the game.
 * @property {(state: import("../lib/api.js").StreamState, problem: Error | null) => void} onState
 * @property {((message: Schemas["MessageView"]) => void) | undefined} onMessage A message in the chat, if the table has one.
 * @property {() => void} onAnew What was received may no longer be true: read the game again.
 */

/**
 * A game that can be read. Moments are numbers of events: the game after that one. Failures throw.
 *
 * @typedef {object} Source
 * @property {string} game
 * @property {(ruleset: string) => Promise<readonly string[]>} charts Names of those that `chart` draws.
 * @property {() => Promise<{game: GameView, ahead: number}>} open The game as it is now, and by how many
 *   milliseconds the clock of its deadlines is ahead of this one.
 * @property {(after: number, limit: number, signal?: AbortSignal) => Promise<Frames>} frames The frames behind a moment, one for
 *   each event, as `GET /v1/games/{game}/replay` tells them; `seq` and `hash` are the head.
 * @property {(after: number, limit: number) => Promise<{pieces: readonly string[],
 *   boards: readonly Schemas["DrawnBoard"][]}>} boards The boards after a moment, one for each event, as `GET /v1/games/{game}/boards`
 *   returns them.
 * @property {(name: string, at: number) => Promise<string>} chart That of a chart up to a moment.
 * @property {((after: number, hash: string, told: Follower) => () => void) | null} follow Tells what happens from a moment on, until
 *   it is ended; null where nothing more can happen.
 * @property {((at: number) => Promise<Schemas["Flow"][]>) | null} flows What was booked with the event of a moment; null where the
 *   books cannot be asked.
 * @property {boolean} online Whether there are the other pages of the game, to link to.
 */

/**
 * A game at the server that sent this page.
 *
 * @param {string} id
 * @returns {Source}
 */
export function serverSource(id) {
  const path = `/v1/games/${id}`;
  return {
    game: id,
    online: true,
    async open() {
      const asked = Date.now();
      const { body, headers } = await get(path);
      // The header is in whole seconds: clocks less than a second apart are considered equal.
      const apart = Date.parse(headers.get("Date") ?? "") + 500 - (asked + Date.now()) / 2;
      return { game: body, ahead: Math.abs(apart) > 1500 ? apart : 0 };
    },
    async frames(after, limit, signal) {
      /** @type {Frames} */
      const page = (await get(`${path}/replay`, { after, limit, language }, { signal })).body;
      const room = limit - page.frames.length;
      if (page.next === null || room <= 0) return page;
      const rest = await this.frames(page.next, room, signal); // the server ends long pages earlier
      return { ...rest, frames: [...page.frames, ...rest.frames] };
    },
    async boards(after, limit) {
      return (await get(`${path}/boards`, { after, limit, language })).body;
    },
    async charts(ruleset) {
      return (await rulesOf(ruleset)).charts;
    },
    async chart(name, at) {
      return (await get(`${path}/charts/${name}`, { at, language }, { accept: "image/svg+xml" })).body;
    },
    async flows(at) {
      return (await get(`${path}/flows`, { after: at - 1, at })).body.flows;
    },
    follow(after, hash, told) {
      const query = told.onMessage ? { chat: 0 } : {}; // a stream that is resumed goes on behind what it has sent
      let last = after;
      return follow(`${path}/events`, {
        query,
        after: `${after}-${hash}`,
        onState: told.onState,
        async poll() {
          const { table, seq } = /** @type {GameView} */ ((await get(path)).body);
          if (seq < last) return told.onAnew();
          last = seq;
          told.onTable(table);
          if (!told.onMessage) return;
          /** @type {Schemas["ChatView"]} */
          const { messages } = (await get(`${path}/chat`, { after: query.chat, language })).body;
          for (const message of messages) {
            query.chat = message.changed;
            told.onMessage(message);
          }
        },
        onItem(item) {
          if ("rule" in item) told.onEvent(item);
          else if (item.type === "ChatChanged") {
            query.chat = item.changed;
            told.onMessage?.(item);
          } else if (item.type === "WentBack") told.onAnew();
          else if (item.type === "StreamHead" || item.type === "TableMoved") {
            if (item.type === "StreamHead") told.onPresent(item.present);
            told.onTable(item.table);
          }
        },
      });
    },
  };
}

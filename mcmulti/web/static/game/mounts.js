// Additional parts of the page of a game, loaded as soon as they apply.

import { coached } from "../coach/setting.js";
import { here, isHost } from "../hotseat/people.js";
import { has } from "../lib/words.js";

/** @typedef {import("./context.js").Context} Context */
/** @typedef {import("./context.js").Mount} Mount */

/**
 * A module with `mount`. It stays mounted while `fits` holds, which is asked behind every change. `place`: `table` is for
 * what goes on around the game (who sits down, when it starts), `controls` for what the reader may do in it,
 * `below` for what they may also read.
 *
 * @typedef {{place: "table" | "controls" | "below", fits: (context: Context) => boolean, load: () => Promise<{mount: Mount}>}} Mounted
 */

/** @type {(seat: number | null, table: import("../lib/api.js").Schemas["TableView"]) => boolean} */
export const playsUnrated = (seat, table) => seat !== null && table.status === "running" && !table.rated;

/** Whether the reader plays. @param {Context} context */
const playing = ({ seat, table }) => seat() !== null && table().status === "running";

/** Whether the reader plays, and wants the game explained. @param {Context} context */
const learning = (context) => playing(context) && coached(context.table().ruleset);

/** @type {readonly Mounted[]} */
export const mounts = [
  {
    place: "table",
    fits: (context) => {
      const { status, seats } = context.table();
      const left = seats.some((seat) => ["vacant", "reserved", "house"].includes(seat.state));
      return status === "open" || (status === "running" && left && context.seat() === null);
    },
    load: () => import("../lobby/table.js"),
  },
  {
    place: "table",
    fits: ({ table }) => table().status === "open" && isHost(table()),
    load: () => import("../hotseat/companions.js"),
  },
  {
    place: "table",
    fits: ({ table }) => table().status === "running" && here(table()).length > 0,
    load: () => import("../hotseat/pass.js"),
  },
  {
    place: "table",
    fits: ({ table }) => table().status === "finished",
    load: () => import("./ending.js"),
  },
  {
    place: "table",
    fits: ({ seat, table }) => table().status === "finished" || playsUnrated(seat(), table()),
    load: () => import("./branch.js"),
  },
  {
    place: "controls",
    fits: learning,
    load: () => import("../coach/strip.js"),
  },
  {
    place: "below",
    fits: learning,
    load: () => import("../coach/card.js"),
  },
  {
    place: "controls",
    fits: (context) => playing(context) && has(context.table().ruleset, "orders"),
    load: () => import("../post/sheet.js"),
  },
  {
    place: "controls",
    fits: playing,
    load: () => import("../play/controls.js"),
  },
  {
    place: "controls",
    fits: (context) => playing(context) && context.table().practice,
    load: () => import("../play/hint.js"),
  },
  {
    place: "below",
    fits: ({ table }) => table().chat !== undefined,
    load: () => import("../chat/panel.js"),
  },
  {
    place: "below",
    fits: (context) => {
      const view = context.view();
      return has(view.ruleset, "reports") && "round" in view && (view.status === "finished" || view.round > 1);
    },
    load: () => import("../post/report.js"),
  },
  {
    place: "below",
    fits: ({ table }) => table().status === "finished" && table().rated,
    load: () => import("../ladder/result.js"),
  },
];

/**
 * Mounts what applies, in the order of `mounts`, and removes what no longer does, from now on.
 *
 * @param {Record<Mounted["place"], HTMLElement>} places
 * @param {Context} context
 */
export function mountAll(places, context) {
  /** @type {(HTMLElement | null)[]} */
  const there = mounts.map(() => null);
  for (const [index, each] of mounts.entries()) {
    let end = () => {};
    const look = async () => {
      const element = there[index];
      if (each.fits(context) === Boolean(element)) return;
      if (element) {
        end();
        element.remove();
        there[index] = null;
        return;
      }
      const place = places[each.place];
      const here = (there[index] = document.createElement("div"));
      place.insertBefore(here, there.slice(index + 1).find((later) => later?.parentElement === place) ?? null);
      const loaded = await each.load().catch(() => null);
      if (there[index] !== here) return;
      if (loaded) end = loaded.mount(here, context) ?? (() => {});
      else {
        here.remove(); // the server was away: it is tried again at the next change
        there[index] = null;
      }
    };
    look();
    context.onChange(look);
  }
}

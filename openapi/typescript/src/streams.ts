// Streams of JSON, line by line, which are requested again whenever they break off.

import type { components } from "./contract.js";
import { refusal } from "./errors.js";
import { sleep, STREAM, type Fetch } from "./retries.js";

type Schemas = components["schemas"];

type EventName = NonNullable<Schemas["EventItem"]["data"]>["type"];

/** An event in a stream. Its `type` tells it from everything else that a stream sends, and so does its `rule`. */
export type GameEvent = Schemas["EventItem"] & { type: EventName };
/** What the stream of a game sends, without heartbeats. */
export type GameItem =
  | GameEvent
  | Schemas["StreamHead"]
  | Schemas["TableMoved"]
  | Schemas["YourView"]
  | Schemas["ChatChanged"]
  | Schemas["WentBack"];
/** What the stream of all your games sends. */
export type YourItem = Schemas["YourTurn"] | Schemas["GameOver"];
/** What the stream of the lobby sends. A `LobbyHead` means that it starts over. */
export type LobbyItem = Schemas["LobbyHead"] | Schemas["TableListed"] | Schemas["TableGone"];

export interface FollowOptions {
  /** Only events after this one. */
  after?: number;
  /** Also send how you see the game after each move: complete, or first complete and then as JSON Patches. */
  view?: "whole" | "patch";
  /** With `view`: also send what your seat may do. */
  offers?: boolean;
  /** The language of offers. */
  language?: "en" | "de";
  /** Ends the stream, which throws the reason of the signal. */
  signal?: AbortSignal;
}

/** Values of a query; undefined is left out. */
export type Query = { [name: string]: string | number | boolean | undefined };

/** How a stream is requested, and how the query changes by what was received. */
interface Resumed<Item> {
  address: string;
  query: Query;
  /** Notes an item, for the next request. Returns whether the stream may end here, or undefined if as before. */
  seen(item: Item): boolean | undefined;
  signal: AbortSignal | undefined;
}

const PAUSE = 100; // milliseconds before a stream that broke off is requested again
const SILENCE = 40_000; // milliseconds without a heartbeat, after which the connection is taken for lost
const SILENT = ["Heartbeat", "Stopping"];

/** The items of a stream. It ends where an item lets it; where it does not, it is requested again. */
export async function* resumed<Item extends { type: string }>(
  send: Fetch,
  { address, query, seen, signal }: Resumed<Item>,
): AsyncGenerator<Item, void, undefined> {
  for (;;) {
    const lost = new AbortController();
    const either = signal === undefined ? lost.signal : AbortSignal.any([signal, lost.signal]);
    const request = new Request(addressed(address, query), { headers: { Accept: STREAM }, signal: either });
    const response = await send(request);
    if (!response.ok) throw await refusal(response);
    let over = false;
    for await (const item of received<Item>(response, lost)) {
      over = seen(item) ?? over;
      if (!SILENT.includes(item.type)) yield item;
    }
    signal?.throwIfAborted();
    if (over) return;
    await sleep(PAUSE, signal);
  }
}

/** The items until the connection is lost. */
async function* received<Item>(response: Response, lost: AbortController): AsyncGenerator<Item, void, undefined> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let silence = setTimeout(() => lost.abort(), SILENCE);
  let begun = "";
  try {
    for (;;) {
      const piece = await reader.read().catch(() => ({ done: true, value: undefined }) as const);
      clearTimeout(silence);
      if (piece.done) return; // a line that was begun comes again, complete
      silence = setTimeout(() => lost.abort(), SILENCE);
      const lines = (begun + piece.value).split("\n");
      begun = lines.pop()!;
      for (const line of lines) yield JSON.parse(line) as Item;
    }
  } finally {
    clearTimeout(silence);
    lost.abort(); // a reader that stops early also ends the request
  }
}

/** An address with a query. */
function addressed(address: string, query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? address : `${address}?${new URLSearchParams(given)}`;
}

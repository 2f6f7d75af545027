// What streams send, and how the stream of a game is asked for.

import type { components } from "./contract.js";

type Schemas = components["schemas"];

type EventName = NonNullable<Schemas["EventItem"]["data"]>["type"];

/** An event in a stream. Its `type` tells it from everything else that a stream sends, and so does its `rule`. */
export type GameEvent = Schemas["EventItem"] & { type: EventName };
/** What the stream of a game sends. */
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

// A client of mcmulti servers. Every operation of the contract has types, requests are repeated while a server is away
// or too busy, lists are read page by page, and streams resume where they broke off.

export { connect, got, Mcmulti, type Options } from "./client.js";
export { Refused, Unreachable } from "./errors.js";
export type { FollowOptions, GameEvent, GameItem, LobbyItem, YourItem } from "./items.js";
export type { components, operations, paths } from "./contract.js";

import type { components } from "./contract.js";

/** The schemas of the contract by name, such as `Schemas["Offer"]`. */
export type Schemas = components["schemas"];

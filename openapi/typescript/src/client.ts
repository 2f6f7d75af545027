// A server, with one player's token.

import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./contract.js";
import { Refused } from "./errors.js";
import type { FollowOptions, GameItem, LobbyItem, YourItem } from "./items.js";
import { patient, type Fetch, type Query } from "./requests.js";
import { Stream } from "./streams.js";

type Schemas = components["schemas"];
type GamesQuery = NonNullable<paths["/v1/games"]["get"]["parameters"]["query"]>;
type LobbyQuery = NonNullable<paths["/v1/games/stream"]["get"]["parameters"]["query"]>;

/** Milliseconds for which a game is polled whose stream was held back, before its stream is tried again. */
const HELD = 600_000;
/** Seconds that a request waits for the next event. */
const WAIT = 20;

export interface Options {
  /** The token of a player. Without one, `register`, or look on. */
  token?: string;
  /** Milliseconds for which a request is repeated while the server is away or too busy; 30 seconds by default. */
  patience?: number;
  /** How requests are sent; by default the `fetch` of the platform. */
  fetch?: Fetch;
}

/** What an operation of `api` returns. */
interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** A client of the server at an address, such as `https://mcmulti.example.org`. */
export function connect(server: string, options: Options = {}): Mcmulti {
  return new Mcmulti(server, options);
}

export class Mcmulti {
  /**
   * Every operation by method and path, with types: `client.api.GET("/v1/games/{game}", { params: { path: { game } } })`.
   * Pass what it returns to `got`.
   */
  readonly api: Client<paths>;
  /** The token that requests are sent with. */
  token: string | undefined;
  readonly #server: string;
  readonly #patience: number;
  readonly #once: Fetch;

  constructor(server: string, { token, patience = 30_000, fetch = (request) => globalThis.fetch(request) }: Options) {
    this.#server = server.replace(/\/+$/, "");
    this.#patience = patience;
    this.token = token;
    this.#once = (request) => {
      if (this.token !== undefined) request.headers.set("Authorization", `Bearer ${this.token}`);
      return fetch(request);
    };
    this.api = createClient<paths>({ baseUrl: this.#server, fetch: patient(this.#once, patience) });
  }

  /** Register a player, and act as this player from now on. Keep the `token`: it is shown once. */
  async register(name: string, kind: "human" | "bot" = "bot"): Promise<Schemas["Registered"]> {
    const registered = got(await this.api.POST("/v1/players", { body: { name, kind } }));
    this.token = registered.token;
    return registered;
  }

  /**
   * Send commands, all or nothing. With `etag`, only if the game is still at the position that you decided on:
   * otherwise `Refused` has the status 412.
   */
  async send(game: string, commands: Schemas["Command"][], etag?: string): Promise<Schemas["Result"]> {
    const header = etag === undefined ? {} : { "If-Match": etag };
    const path = "/v1/games/{game}/commands";
    return got(await this.api.POST(path, { params: { path: { game }, header }, body: { commands } }));
  }

  /** All games that the filters select, those that moved last first, page by page. */
  async *games(query: GamesQuery = {}): AsyncGenerator<Schemas["TableView"], void, undefined> {
    for (let before = query.before; ; ) {
      const params = { query: { ...query, ...(before === undefined ? {} : { before }) } };
      const page = got(await this.api.GET("/v1/games", { params }));
      yield* page.games;
      if (page.next === null) return;
      before = page.next;
    }
  }

  /** The events of a game after `after`, as far as it has come, page by page. */
  async *events(game: string, after = 0): AsyncGenerator<Schemas["EventItem"], void, undefined> {
    for (let next: number | null = after; next !== null; ) {
      const query: { after: number } = { after: next };
      const answer = await this.api.GET("/v1/games/{game}/events", { params: { path: { game }, query } });
      const page = got(answer) as Schemas["Events"]; // the other types of content are streams
      yield* page.events;
      next = page.next;
    }
  }

  /**
   * What happens in a game, until it is over. No event is missing, and none comes twice, however often the connection
   * breaks. If a proxy holds the stream back, the client polls. After a `WentBack` it ends: the latest events may be
   * gone, so start again.
   */
  async *follow(
    game: string,
    { after = 0, signal, ...wanted }: FollowOptions = {},
  ): AsyncGenerator<GameItem, void, undefined> {
    const query: Query = { ...wanted, after };
    const isShown = wanted.view !== undefined || wanted.offers === true;
    let last = after;
    let end = Infinity; // the last event of a game that is over
    let shown = isShown ? 0 : Infinity;
    const isComplete = () => Math.min(last, shown) >= end;
    for await (const item of this.#items(game, query, signal, isComplete)) {
      if ("rule" in item) query["after"] = last = item.seq;
      if ("table" in item && item.table.status === "finished") end = item.table.seq;
      if (item.type === "YourView" && isShown) shown = item.seq;
      yield item;
      if (item.type === "WentBack") return;
    }
  }

  /** All your games: whose turn it is becomes yours, and when one ends. With `offers`, what you may do. */
  followYours({ offers, signal }: { offers?: boolean; signal?: AbortSignal } = {}): AsyncGenerator<YourItem, void, undefined> {
    return this.#stream<YourItem>("/v1/stream", { offers }).items({ signal });
  }

  /** The lobby, with the filters of `games`. Whenever it resumes, it starts over with a `LobbyHead`. */
  followLobby(query: LobbyQuery = {}, signal?: AbortSignal): AsyncGenerator<LobbyItem, void, undefined> {
    return this.#stream<LobbyItem>("/v1/games/stream", { ...query }).items({ signal });
  }

  /**
   * The items of the stream of a game after the event `query.after`, which the reader moves on. While the stream is held
   * back on its way, they are those of streams that each end with the latest event.
   */
  async *#items(
    game: string,
    query: Query,
    signal: AbortSignal | undefined,
    isComplete: () => boolean,
  ): AsyncGenerator<GameItem, void, undefined> {
    const path = `/v1/games/${game}/events`;
    for (;;) {
      const held = new AbortController();
      const stream = this.#stream<GameItem>(path, query);
      const either = AbortSignal.any([held.signal, ...(signal ? [signal] : [])]);
      const onState = (state: string) => state === "held" && held.abort();
      try {
        for await (const item of stream.items({ signal: either, isComplete, onState })) {
          stream.last = null; // resumed by number: a stream that is resumed by id does not show a game that is over again
          yield item;
        }
        return;
      } catch (error) {
        if (!held.signal.aborted || signal?.aborted) throw error;
      }
      const again = Date.now() + HELD;
      for (let wait = 0; Date.now() < again; wait = WAIT) {
        const after = Number(query["after"]);
        const asked = { params: { path: { game }, query: { after, limit: 1, wait } } };
        const { seq } = got(await this.api.GET("/v1/games/{game}/events", { ...asked, ...(signal && { signal }) })) as Schemas["Events"];
        if (seq <= after && wait > 0) continue;
        yield* this.#stream<GameItem>(path, { ...query, until: seq }).items({ signal, isComplete: () => true });
        if (isComplete()) return;
      }
    }
  }

  #stream<Item extends { type: string }>(path: string, query: Query): Stream<Item> {
    return new Stream(this.#once, `${this.#server}${path}`, { query, patience: this.#patience });
  }
}

/** The data of an answer. Throws `Refused` if it is a problem. */
export function got<Data>({ data, error, response }: Answer<Data>): Data {
  if (!response.ok || data === undefined) throw new Refused(response.status, (error ?? {}) as Partial<Schemas["Problem"]>);
  return data;
}

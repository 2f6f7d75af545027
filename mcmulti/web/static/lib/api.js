// The HTTP API for pages, on the client library.

import { Refused, refusal, Unreachable } from "../client/errors.js";
import { address, patient, sleep } from "../client/requests.js";
import { Stream } from "../client/streams.js";
import { bearer, signedOut } from "./account.js";
import { language } from "./words.js";

/** @typedef {import("contract").components["schemas"]} Schemas */

/**
 * A response: its body as JSON (or text if it is not JSON) and its entity tag.
 *
 * @template T
 * @typedef {{status: number, body: T, headers: Headers, tag: string | null}} Answer
 */

/**
 * @typedef {object} Options
 * @property {Record<string, string | number | boolean | null | undefined>} [query] Parameters; null is left out.
 * @property {unknown} [body] Sent as JSON.
 * @property {string | null} [tag] The position that it was decided on (`If-Match`).
 * @property {string} [key] `Idempotency-Key`: under the same one a request has its effect once.
 * @property {string} [accept]
 * @property {AbortSignal} [signal]
 * @property {number} [companion] For which companion of the account, unless for the one that the page acts for.
 * @property {string} [token] Of the player who asks, unless that is the account.
 */

/** The most milliseconds for which a request is repeated. */
const PATIENCE = 10_000;

const send = patient((asked) => fetch(asked), PATIENCE);

/**
 * Sends a request, and repeats it while no server responds, or it is too busy.
 *
 * @param {string} method
 * @param {string} path
 * @param {Options} [options]
 * @returns {Promise<Answer<any>>}
 * @throws {Refused}
 */
export async function request(method, path, { query, body, tag, key, accept = JSON_TYPE, signal, companion, token } = {}) {
  const headers = new Headers({ Accept: accept, ...(token ? { Authorization: `Bearer ${token}` } : bearer(path, companion)) });
  if (body !== undefined) headers.set("Content-Type", JSON_TYPE);
  if (tag) headers.set("If-Match", tag);
  if (key) headers.set("Idempotency-Key", key);
  const sent = body === undefined ? null : JSON.stringify(body);
  const asked = new Request(address(path, query), { method, headers, signal: signal ?? null, body: sent });
  const answered = await send(asked).catch((error) => {
    throw refusedOf(error) ?? error;
  });
  if (answered.status === 401 && !token) signedOut();
  if (!answered.ok) throw await refusal(answered);
  const isJson = /[/+]json\b/.test(answered.headers.get("Content-Type") ?? "");
  const content = await (isJson ? answered.json() : answered.text());
  return { status: answered.status, body: content, headers: answered.headers, tag: answered.headers.get("ETag") };
}

/** The media type of requests and responses, unless given. */
const JSON_TYPE = "application/json";

/**
 * The refusal that pages show, or null for other errors. Where no server answers, its status is 0.
 *
 * @param {unknown} error
 */
function refusedOf(error) {
  if (error instanceof Unreachable) return new Refused(0, { code: "unreachable", detail: String(error.cause) });
  return error instanceof Refused ? error : null;
}

/** @type {(path: string, query?: Options["query"], more?: Options) => Promise<Answer<any>>} */
export const get = (path, query = {}, more = {}) => request("GET", path, { ...more, query });
/** @type {(path: string, body: unknown, more?: Options) => Promise<Answer<any>>} */
export const post = (path, body, more = {}) => request("POST", path, { ...more, body });
/** @type {(path: string, body: unknown, more?: Options) => Promise<Answer<any>>} */
export const patch = (path, body, more = {}) => request("PATCH", path, { ...more, body });
/** @type {(path: string, body: unknown, more?: Options) => Promise<Answer<any>>} */
export const put = (path, body, more = {}) => request("PUT", path, { ...more, body });
/** @type {(path: string, more?: Options) => Promise<Answer<any>>} */
export const del = (path, more = {}) => request("DELETE", path, more);

/** The language of responses with sentences, as a query. */
export const inLanguage = () => ({ language });

/**
 * Loads something once by its name. What failed is loaded again when it is asked for the next time.
 *
 * @template T
 * @param {(name: string) => Promise<T>} load
 */
export function once(load) {
  /** @type {Map<string, Promise<T>>} */
  const asked = new Map();
  return (/** @type {string} */ name) => {
    const known = asked.get(name);
    if (known) return known;
    const loading = load(name);
    asked.set(name, loading);
    loading.catch(() => asked.delete(name));
    return loading;
  };
}

/**
 * Milliseconds after which a hidden page closes its streams, since a browser has only six connections to a server for
 * all tabs together; how often a hidden page checks for news, and for how long.
 */
const UNSEEN = { after: 5000, every: 20000, look: 1500 };
/**
 * How many of those six may hold streams. All other streams take turns on one: each reads until nothing arrives for a
 * moment after its first item, and pauses. Milliseconds.
 */
const CROWD = { streams: 4, moment: 400, pause: 1000 };

/** Milliseconds between two requests for news while a stream is held back on its way, for example by a proxy. */
const POLL = 5000;

/**
 * Does something that takes a connection for long. Passes whether there is one to spare.
 *
 * @template T
 * @param {(spare: boolean) => Promise<T>} act
 * @returns {Promise<T>}
 */
async function connected(act) {
  const [page] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  if (!navigator.locks || page?.nextHopProtocol !== "http/1.1") return act(true);
  for (let number = 0; number < CROWD.streams; number++) {
    /** @type {{done: T} | null} */
    const did = await navigator.locks.request(`mcmulti stream ${number}`, { ifAvailable: true }, async (lock) =>
      lock ? { done: await act(true) } : null);
    if (did) return did.done;
  }
  return navigator.locks.request("mcmulti streams in turn", () => act(false));
}

/**
 * How a stream is: `live`, or `held` back on its way (the page asks for news instead), or `lost` (it is tried again), or
 * `ended` by the server, for good, with the problem.
 *
 * @typedef {"live" | "held" | "lost" | "ended"} StreamState
 */

/** Sends a request of a stream, each time as the reader who is signed in then. @param {Request} asked */
function sendStream(asked) {
  for (const [name, value] of Object.entries(bearer(new URL(asked.url).pathname))) asked.headers.set(name, value);
  return fetch(asked);
}

/**
 * Follows a stream, and resumes it when the connection is lost. While the page is hidden, it checks for news from time
 * to time. While the stream is held back, it polls.
 *
 * @param {string} path
 * @param {object} options
 * @param {Options["query"]} [options.query] It may change: the latest is sent whenever the stream resumes.
 * @param {(item: any) => void} options.onItem
 * @param {(state: StreamState, problem: Refused | null) => void} [options.onState]
 * @param {() => Promise<void>} options.poll Asks for what the stream would bring now.
 * @param {string | null} [options.after] The id of the last item that is known.
 * @param {typeof UNSEEN} [options.unseen]
 * @returns {() => void} Ends it.
 */
export function follow(path, { query = {}, onItem, onState = () => {}, poll, after = null, unseen = UNSEEN }) {
  const ending = new AbortController();
  const stream = new Stream(sendStream, path, { query, last: after, patience: Infinity });
  let held = false;

  /** Polls until the stream gets through. */
  async function hold() {
    held = true;
    while (held && !ending.signal.aborted) {
      try {
        await poll();
        if (held) onState("held", null);
      } catch (error) {
        if (!refusedOf(error)) throw error;
        if (held) onState("lost", null);
      }
      await (document.hidden ? looked(unseen.every, ending.signal) : sleep(POLL, ending.signal).catch(() => {}));
    }
  }

  /**
   * Reads until the stream ends, or was checked.
   *
   * @param {boolean} spare Whether there is a connection to spare for it.
   * @returns {Promise<"ended" | "unseen" | "crowded">}
   */
  async function read(spare) {
    if (ending.signal.aborted) return "ended"; // while it was waiting for its turn
    const resting = new AbortController();
    const rest = () => resting.abort();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    /** @param {number} milliseconds */
    const restIn = (milliseconds) => {
      clearTimeout(timer);
      timer = setTimeout(rest, milliseconds);
    };
    const seen = () => {
      if (!spare) return;
      clearTimeout(timer);
      if (document.hidden) restIn(unseen.after);
    };
    const onHeard = () => {
      if (!spare) restIn(CROWD.moment);
    };
    if (document.hidden && spare) restIn(unseen.look);
    ending.signal.addEventListener("abort", rest);
    document.addEventListener("visibilitychange", seen);
    try {
      /** @param {"live" | "held" | "lost"} state */
      const told = (state) => {
        if (state === "live") held = false;
        if (state === "held" && !held) void hold();
        else if (!held) onState(state, null);
        if (state !== "live" && !spare) rest();
      };
      for await (const item of stream.items({ signal: resting.signal, onState: told, onHeard })) onItem(item);
      held = false;
      onState("ended", null);
      return "ended";
    } catch (error) {
      if (ending.signal.aborted) return "ended";
      if (resting.signal.aborted) return document.hidden ? "unseen" : "crowded";
      const problem = refusedOf(error);
      if (problem === null) throw error;
      if (problem.status === 401) signedOut();
      held = false;
      onState("ended", problem);
      return "ended";
    } finally {
      clearTimeout(timer);
      ending.signal.removeEventListener("abort", rest);
      document.removeEventListener("visibilitychange", seen);
    }
  }

  (async () => {
    for (;;) {
      const how = await connected(read);
      if (how === "ended") return;
      if (how === "unseen") await looked(unseen.every, ending.signal);
      else await sleep(CROWD.pause, ending.signal).catch(() => {});
      if (ending.signal.aborted) return;
    }
  })();
  return () => ending.abort();
}

/**
 * Asks for what the stream of the lobby would bring: first its rows, and later what changed among them.
 *
 * @param {Options["query"]} query
 * @param {(item: any) => void} onItem
 */
export function lobbyPoll(query, onItem) {
  /** @type {Set<string> | null} */
  let known = null;
  return async () => {
    /** @type {Schemas["Games"]} */
    const { games, next, ratings } = (await get("/v1/games", { ...query, order: "moved", limit: 100 })).body;
    const listed = new Set(games.map(({ game }) => game));
    if (!known) onItem({ type: "LobbyHead", rows: games.length, more: next !== null });
    known?.forEach((game) => listed.has(game) || onItem({ type: "TableGone", game }));
    games.forEach((table) => onItem({ type: "TableListed", table, ratings }));
    known = listed;
  };
}

/**
 * Waits N milliseconds, or until the page is visible.
 *
 * @param {number} milliseconds
 * @param {AbortSignal} signal
 */
async function looked(milliseconds, signal) {
  const waiting = new AbortController();
  const stop = () => (document.hidden && !signal.aborted ? undefined : waiting.abort());
  document.addEventListener("visibilitychange", stop);
  signal.addEventListener("abort", stop);
  stop();
  await sleep(milliseconds, waiting.signal).catch(() => {});
  document.removeEventListener("visibilitychange", stop);
  signal.removeEventListener("abort", stop);
}

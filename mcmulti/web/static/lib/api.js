// The HTTP API, typed by its document.

import { bearer, signedOut } from "./account.js";
import { language } from "./words.js";

/** @typedef {import("contract").components["schemas"]} Schemas */

/**
 * A response: its body as JSON (or text if it is not JSON) and its entity tag.
 *
 * @template T
 * @typedef {{status: number, body: T, headers: Headers, tag: string | null}} Answer
 */

/** A problem response (RFC 9457), or no response at all: then the status is 0 and the code `unreachable`. */
export class Problem extends Error {
  /** @param {Partial<Schemas["Problem"]> & {code: string, status: number}} body */
  constructor(body) {
    super(body.detail || body.title || body.code);
    this.name = "Problem";
    this.body = body;
    this.status = body.status;
    this.code = body.code;
    /** The id of the rule that forbids it, if one does. */
    this.rule = "rule" in body && typeof body.rule === "string" ? body.rule : null;
  }
}

/**
 * @typedef {object} Options
 * @property {Record<string, string | number | boolean | null | undefined>} [query] Parameters; null is left out.
 * @property {unknown} [body] Sent as JSON.
 * @property {string | null} [tag] The position that it was decided on (`If-Match`).
 * @property {string} [key] `Idempotency-Key`: under the same one a request has its effect once.
 * @property {string} [accept]
 * @property {AbortSignal} [signal]
 * @property {number} [companion] For which companion of the account, unless for the one that the page acts for.
 */

/**
 * @param {string} path
 * @param {Options["query"]} [query]
 * @returns {string}
 */
export function address(path, query = {}) {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name, String(value)]],
  );
  return given.length ? `${path}?${new URLSearchParams(given)}` : path;
}

/** A key for a request that may have to be repeated. (`crypto.randomUUID` exists only under HTTPS.) */
export const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** The most seconds that a request waits until the limits allow it. */
const PATIENCE = 10;

/**
 * Sends a request, and repeats it while no server responds, if it is idempotent (GET, or with a key). A request over a
 * limit had no effect: it is repeated when the limits allow it, if that is soon.
 *
 * @param {string} method
 * @param {string} path
 * @param {Options} [options]
 * @returns {Promise<Answer<any>>}
 * @throws {Problem}
 */
export async function request(method, path, options = {}) {
  const repeatable = method === "GET" || options.key !== undefined;
  for (let pause = 300; ; pause *= 2) {
    try {
      return await once(method, path, options);
    } catch (error) {
      const problem = error instanceof Problem ? error : null;
      const wait = problem?.status === 429 ? (problem.body.retry_after ?? PATIENCE) : 0;
      const passing = problem && (wait ? wait <= PATIENCE : repeatable && [0, 503].includes(problem.status));
      if (!passing || pause > 5000 || options.signal?.aborted) throw error;
      await sleep(Math.max(pause, wait * 1000), options.signal);
    }
  }
}

/**
 * @param {string} method
 * @param {string} path
 * @param {Options} options
 * @returns {Promise<Answer<any>>}
 */
async function once(method, path, { query, body, tag, key, accept = JSON_TYPE, signal, companion }) {
  const headers = new Headers({ Accept: accept, ...bearer(path, companion) });
  if (body !== undefined) headers.set("Content-Type", JSON_TYPE);
  if (tag) headers.set("If-Match", tag);
  if (key) headers.set("Idempotency-Key", key);
  const answered = await reached(address(path, query), {
    method,
    headers,
    signal: signal ?? null,
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await answered.text();
  const isJson = /[/+]json\b/.test(answered.headers.get("Content-Type") ?? "");
  const sent = isJson ? content(text) : text;
  if (!answered.ok) throw problemOf(answered.status, sent);
  return { status: answered.status, body: sent, headers: answered.headers, tag: answered.headers.get("ETag") };
}

/** The media type of requests and responses, unless given. */
const JSON_TYPE = "application/json";

/** @param {string} text JSON, or nothing, or what a proxy said in its place. */
function content(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * @param {string} address
 * @param {RequestInit} init
 */
async function reached(address, init) {
  try {
    return await fetch(address, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Problem({ code: "unreachable", status: 0, title: "No answer", detail: String(error) });
  }
}

/**
 * @param {number} status
 * @param {any} content
 * @returns {Problem}
 */
function problemOf(status, content) {
  if (status === 401) signedOut();
  if (content && typeof content.code === "string") return new Problem({ ...content, status });
  return new Problem({ code: "unknown", status, title: `Status ${status}` });
}

/** @type {(path: string, query?: Options["query"], more?: Options) => Promise<Answer<any>>} */
export const get = (path, query = {}, more = {}) => request("GET", path, { ...more, query });
/** @type {(path: string, body: unknown, more?: Options) => Promise<Answer<any>>} */
export const post = (path, body, more = {}) => request("POST", path, { key: newKey(), ...more, body });
/** @type {(path: string, body: unknown, more?: Options) => Promise<Answer<any>>} */
export const patch = (path, body, more = {}) => request("PATCH", path, { ...more, body });
/** @type {(path: string, body: unknown, more?: Options) => Promise<Answer<any>>} */
export const put = (path, body, more = {}) => request("PUT", path, { ...more, body });
/** @type {(path: string, more?: Options) => Promise<Answer<any>>} */
export const del = (path, more = {}) => request("DELETE", path, more);

/** The language of responses with sentences, as a query. */
export const inLanguage = () => ({ language });

/** Milliseconds without data, including heartbeats, after which a stream is considered lost. */
const SILENCE = 40000;
const LONGEST_PAUSE = 10000;
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
 * How a stream is: `live`, or `lost` (it is tried again), or `ended` by the server, for good, with the problem.
 *
 * @typedef {"live" | "lost" | "ended"} StreamState
 */

/**
 * Follows a stream (server-sent events), and resumes it when the connection is lost. While the page is hidden, it
 * checks for news from time to time.
 *
 * @param {string} path
 * @param {object} options
 * @param {Options["query"]} [options.query]
 * @param {(item: any, id: string | null) => void} options.onItem
 * @param {(state: StreamState, problem: Problem | null) => void} [options.onState]
 * @param {string | null} [options.after] The id of the last item that is known.
 * @param {typeof UNSEEN} [options.unseen]
 * @returns {() => void} Ends it.
 */
export function follow(path, { query, onItem, onState = () => {}, after = null, unseen = UNSEEN }) {
  const ending = new AbortController();
  let last = after;
  let pause = 250;

  /**
   * Reads until the stream ends, or was checked.
   *
   * @param {boolean} spare Whether there is a connection to spare for it.
   * @returns {Promise<"ended" | "lost" | "unseen" | "crowded">}
   */
  async function read(spare) {
    if (ending.signal.aborted) return "ended"; // while it was waiting for its turn
    const asked = new AbortController();
    const end = () => asked.abort();
    let rested = false;
    const rest = () => {
      rested = true;
      end();
    };
    let silence = setTimeout(end, SILENCE);
    let resting = document.hidden && spare ? setTimeout(rest, unseen.look) : undefined;
    const seen = () => {
      clearTimeout(resting);
      if (document.hidden && spare) resting = setTimeout(rest, unseen.after);
    };
    const heard = () => {
      clearTimeout(silence);
      silence = setTimeout(end, SILENCE);
      if (spare) return;
      clearTimeout(resting);
      resting = setTimeout(rest, CROWD.moment);
    };
    ending.signal.addEventListener("abort", end);
    document.addEventListener("visibilitychange", seen);
    try {
      const headers = new Headers({ Accept: "text/event-stream", ...bearer(path) });
      if (last !== null) headers.set("Last-Event-ID", last);
      const answered = await reached(address(path, query), { headers, signal: asked.signal, cache: "no-store" });
      if (!answered.ok) throw problemOf(answered.status, content(await answered.text()));
      if (answered.status === 204 || !answered.body) return onState("ended", null), "ended";
      onState("live", null);
      for await (const { id, data } of events(answered.body)) {
        heard();
        pause = 250;
        if (data === "") continue;
        const item = JSON.parse(data);
        if (typeof item.code === "string" && typeof item.status === "number") throw new Problem(item);
        if (id !== null) last = id;
        onItem(item, id);
      }
    } catch (error) {
      const problem = error instanceof Problem ? error : null;
      if (problem && problem.status >= 400 && problem.status < 500 && problem.status !== 429)
        return onState("ended", problem), "ended";
      if (!problem && !asked.signal.aborted && !(error instanceof TypeError)) throw error;
    } finally {
      clearTimeout(silence);
      clearTimeout(resting);
      ending.signal.removeEventListener("abort", end);
      document.removeEventListener("visibilitychange", seen);
    }
    if (!rested) return "lost";
    return document.hidden ? "unseen" : "crowded";
  }

  (async () => {
    for (;;) {
      const how = await connected(read);
      if (how === "ended" || ending.signal.aborted) return;
      if (how === "unseen") await looked(unseen.every, ending.signal);
      else if (how === "crowded") await sleep(CROWD.pause, ending.signal).catch(() => {});
      else {
        onState("lost", null);
        await sleep(pause * (0.5 + Math.random()), ending.signal).catch(() => {});
        pause = Math.min(pause * 2, LONGEST_PAUSE);
      }
      if (ending.signal.aborted) return;
    }
  })();
  return () => ending.abort();
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

/**
 * The events of a stream; a comment (heartbeat) is one without data.
 *
 * @param {ReadableStream<Uint8Array>} body
 */
async function* events(body) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      const blocks = rest.split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        /** @type {string | null} */
        let id = null;
        const data = [];
        for (const line of block.split(/\r?\n/)) {
          if (line.startsWith("id:")) id = line.slice(3).trim();
          if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
        }
        yield { id, data: data.join("\n") };
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/**
 * @param {number} milliseconds
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export function sleep(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const stopped = () => {
      clearTimeout(timer);
      reject(new DOMException("Ended.", "AbortError"));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stopped);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stopped();
    signal?.addEventListener("abort", stopped, { once: true });
  });
}

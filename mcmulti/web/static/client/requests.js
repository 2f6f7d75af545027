// Requests: their addresses, their keys, and how they are repeated while a server is away or too busy.

import { Unreachable } from "./errors.js";

/**
 * How requests are sent.
 *
 * @typedef {(request: Request) => Promise<Response>} Fetch
 */

/**
 * Values of a query; null and undefined are left out.
 *
 * @typedef {{[name: string]: string | number | boolean | null | undefined}} Query
 */

/** Statuses of requests that had no effect and may be sent again. */
const LATER = [429, 503];
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 2000;

/**
 * Sends requests until the server answers, for up to `patience` milliseconds. A request that changes something gets a
 * key (`Idempotency-Key`), unless it has one, so it is carried out once, however often it is sent.
 *
 * A response with status 429 or 503 is returned if it asks for more patience than is left. Other failures become
 * `Unreachable`.
 *
 * @param {Fetch} send
 * @param {number} patience
 * @returns {Fetch}
 */
export function patient(send, patience) {
  return async (request) => {
    if (request.method !== "GET" && !request.headers.has("Idempotency-Key")) {
      request.headers.set("Idempotency-Key", newKey());
    }
    const deadline = Date.now() + patience;
    for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      let wait = pause;
      try {
        const response = await send(request.clone());
        const whole = await read(response);
        wait = Math.max(pause, 1000 * (Number(response.headers.get("Retry-After")) || 0));
        if (!LATER.includes(response.status) || Date.now() + wait > deadline) return whole;
      } catch (error) {
        if (request.signal.aborted) throw error;
        if (Date.now() + wait > deadline) throw unreachable(request, error);
      }
      await sleep(wait, request.signal);
    }
  };
}

/**
 * A response whose content has arrived: until then, the connection can break.
 *
 * @param {Response} response
 */
async function read(response) {
  const content = await response.arrayBuffer();
  return new Response(content.byteLength > 0 ? content : null, response);
}

/**
 * @param {Request} request
 * @param {unknown} cause
 */
export const unreachable = (request, cause) =>
  new Unreachable(`The server at ${new URL(request.url).origin} does not answer.`, { cause });

/**
 * A key that nobody else has. (`crypto.randomUUID` exists in browsers only under HTTPS.)
 *
 * @returns {string}
 */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Waits N milliseconds. If the signal is aborted, its reason is thrown.
 *
 * @param {number} milliseconds
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export function sleep(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const stopped = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stopped);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stopped();
    else signal?.addEventListener("abort", stopped, { once: true });
  });
}

/**
 * An address with a query.
 *
 * @param {string} path
 * @param {Query} [query]
 * @returns {string}
 */
export function address(path, query = {}) {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

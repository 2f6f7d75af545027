// Requests that are repeated while a server is away or too busy.

import { Unreachable } from "./errors.js";

/** Statuses of requests that had no effect and may be sent again. */
const LATER = [429, 503];
/** The type of streams, which are read as they come. */
export const STREAM = "application/x-ndjson";
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 2000;

/** How requests are sent. */
export type Fetch = (request: Request) => Promise<Response>;

/**
 * Sends requests until the server answers, for up to `patience` milliseconds. A request that changes something gets a
 * key (`Idempotency-Key`), unless it has one, so it is carried out once, however often it is sent.
 *
 * A response with status 429 or 503 is returned if it asks for more patience than is left. Other failures become
 * `Unreachable`.
 */
export function patient(send: Fetch, patience: number): Fetch {
  return async (request) => {
    if (request.method !== "GET" && !request.headers.has("Idempotency-Key")) {
      request.headers.set("Idempotency-Key", newKey());
    }
    const deadline = Date.now() + patience;
    for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      let wait = pause;
      try {
        const response = await send(request.clone());
        wait = Math.max(pause, 1000 * (Number(response.headers.get("Retry-After")) || 0));
        const whole = STREAM === request.headers.get("Accept") && response.ok ? response : await read(response);
        if (!LATER.includes(response.status) || Date.now() + wait > deadline) return whole;
      } catch (error) {
        if (request.signal.aborted) throw error;
        if (Date.now() + wait > deadline) {
          throw new Unreachable(`The server at ${new URL(request.url).origin} does not answer.`, { cause: error });
        }
      }
      await sleep(wait, request.signal);
    }
  };
}

/** A response whose content has arrived: until then, the connection can break. */
async function read(response: Response): Promise<Response> {
  const content = await response.arrayBuffer();
  return new Response(content.byteLength > 0 ? content : null, response);
}

/** A key that nobody else has. (`crypto.randomUUID` exists in browsers only under HTTPS.) */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Wait this many milliseconds. If the signal is aborted, its reason is thrown. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
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

// Streams of items (server-sent events), which are requested again whenever they break off.

import { Refused, refusal, Unreachable } from "./errors.js";
import { address, sleep, unreachable } from "./requests.js";

/** @typedef {import("./requests.js").Fetch} Fetch */
/** @typedef {import("./requests.js").Query} Query */

/** Milliseconds before a stream that broke off is requested again: at first, and after many failures. */
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 10_000;
/** Milliseconds without data, including heartbeats, after which a connection is considered lost. */
const SILENCE = 40_000;
/** Milliseconds after which a stream that has sent nothing may be held back on its way: its first bytes come at once. */
const OPENING = 5000;

/**
 * A stream at an address. It remembers how far it was read, so it can be read on later.
 *
 * @template {{type: string}} Item
 */
export class Stream {
  #send;
  #address;
  #patience;

  /**
   * @param {Fetch} send Sends a request once.
   * @param {string} address
   * @param {object} options
   * @param {Query} [options.query]
   * @param {string | null} [options.last]
   * @param {number} options.patience Milliseconds without a response after which it gives up.
   */
  constructor(send, address, { query = {}, last = null, patience }) {
    this.#send = send;
    this.#address = address;
    this.#patience = patience;
    /** The query of the next request. */
    this.query = query;
    /** The id after which the next request resumes (`Last-Event-ID`); null: it begins where the query says. */
    this.last = last;
  }

  /**
   * The items as they come, each once if they have ids, until the server has no more. Whenever the connection is lost,
   * it is requested again. Throws `Refused`, `Unreachable`, and the reason of the signal when that is aborted.
   *
   * @param {object} [options]
   * @param {AbortSignal | undefined} [options.signal]
   * @param {(state: "live" | "held" | "lost") => void} [options.onState] Called when the first bytes of a connection come, when
   *   they do not, and when it is lost.
   * @param {() => void} [options.onHeard] Called for each item and heartbeat, before the item.
   * @param {() => boolean} [options.isComplete] Whether everything was received, once the server ends the stream.
   * @returns {AsyncGenerator<Item, void, undefined>}
   */
  async *items({ signal, onState = () => {}, onHeard = () => {}, isComplete = () => false } = {}) {
    /** @type {number | null} */
    let failing = null; // since when
    for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      signal?.throwIfAborted();
      const request = new Once(address(this.#address, this.query), this.last, signal);
      const opening = setTimeout(() => onState("held"), OPENING);
      let isLive = false;
      let failed;
      try {
        const response = await request.response(this.#send);
        if (response.status === 204) return;
        for await (const { id, data } of messages(response, request)) {
          if (!isLive) {
            clearTimeout(opening);
            onState("live");
          }
          isLive = true;
          pause = FIRST_PAUSE;
          failing = null;
          onHeard();
          if (id !== null) this.last = id;
          if (data === "") continue;
          const item = JSON.parse(data);
          if (typeof item.code === "string" && typeof item.status === "number") throw new Refused(item.status, item);
          if (item.type !== "Stopping") yield item;
          signal?.throwIfAborted();
        }
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof Unreachable || (error instanceof Refused && passes(error.status)))) throw error;
        failed = error;
        failing ??= Date.now();
      } finally {
        clearTimeout(opening);
        request.end();
      }
      signal?.throwIfAborted();
      if (!failed && isComplete()) return;
      const asked = failed instanceof Refused ? 1000 * (failed.problem.retry_after ?? 0) : 0;
      const wait = Math.max(asked, pause * (0.5 + Math.random())); // not all clients of a server at the same moment
      if (failed && failing !== null && Date.now() + wait > failing + this.#patience) throw failed;
      onState("lost");
      await sleep(wait, signal);
    }
  }
}

/** Whether a refusal may be over later. @param {number} status */
const passes = (status) => status === 429 || status >= 500;

/** A stream requested once. It ends when the signal is aborted, and when nothing was heard for long. */
class Once {
  #ending = new AbortController();
  #end = () => this.#ending.abort();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #silence;
  #request;
  #signal;

  /**
   * @param {string} address
   * @param {string | null} last
   * @param {AbortSignal | undefined} signal
   */
  constructor(address, last, signal) {
    const headers = { Accept: "text/event-stream", ...(last === null ? {} : { "Last-Event-ID": last }) };
    this.#request = new Request(address, { headers, signal: this.#ending.signal, cache: "no-store" });
    this.#signal = signal;
    signal?.addEventListener("abort", this.#end);
    this.heard();
  }

  /** Waits for more. */
  heard() {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(this.#end, SILENCE);
  }

  /** Ends the request, if it has not ended. */
  end() {
    clearTimeout(this.#silence);
    this.#signal?.removeEventListener("abort", this.#end);
    this.#end();
  }

  /** @param {Fetch} send */
  async response(send) {
    let refused;
    try {
      const response = await send(this.#request);
      if (response.ok) return response;
      refused = await refusal(response);
    } catch (error) {
      throw unreachable(this.#request, error);
    }
    throw refused;
  }
}

/**
 * The messages of a stream, until the connection ends. A heartbeat is one without data.
 *
 * @param {Response} response
 * @param {Once} request
 */
async function* messages({ body }, request) {
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let begun = "";
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: "" }));
    if (done) return; // a message that was begun comes again, complete
    request.heard();
    const blocks = (begun + value).split(/\r?\n\r?\n/);
    begun = blocks.pop() ?? "";
    yield* blocks.map(message);
  }
}

/** @param {string} block */
function message(block) {
  /** @type {string | null} */
  let id = null;
  const data = [];
  for (const line of block.split(/\r?\n/)) {
    if (line.startsWith("id:")) id = line.slice(3).trim();
    if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
  }
  return { id, data: data.join("\n") };
}

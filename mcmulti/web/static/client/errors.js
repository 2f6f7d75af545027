// What can go wrong.

/** @typedef {import("./contract.js").components["schemas"]["Problem"]} Problem */

/** The server refused. `code` is for programs, and the message a sentence; `problem` has everything that it said. */
export class Refused extends Error {
  /**
   * @param {number} status
   * @param {Partial<Problem>} problem
   */
  constructor(status, problem) {
    super(problem.detail ?? problem.title ?? `The server answered with status ${status}.`);
    this.name = "Refused";
    /** @readonly */
    this.status = status;
    /** @readonly */
    this.problem = problem;
    /**
     * @readonly
     * @type {string}
     */
    this.code = problem.code ?? "unknown";
  }
}

/** The server could not be reached within the client's patience. `cause` is the error of the last attempt. */
export class Unreachable extends Error {
  /**
   * @param {string} message
   * @param {{cause?: unknown}} [options]
   */
  constructor(message, options) {
    super(message, options);
    this.name = "Unreachable";
  }
}

/**
 * The problem that a response tells, which is not JSON if a proxy wrote it.
 *
 * @param {Response} response
 * @returns {Promise<Refused>}
 */
export async function refusal(response) {
  const text = await response.text();
  try {
    return new Refused(response.status, Object(JSON.parse(text)));
  } catch {
    return new Refused(response.status, {});
  }
}

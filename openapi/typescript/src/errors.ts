// What can go wrong.

import type { components } from "./contract.js";

type Problem = components["schemas"]["Problem"];

/** The server refused. `code` is for programs, and the message a sentence; `problem` has everything that it said. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly code: string;

  constructor(
    readonly status: number,
    readonly problem: Partial<Problem>,
  ) {
    super(problem.detail ?? problem.title ?? `The server answered with status ${status}.`);
    this.code = problem.code ?? "unknown";
  }
}

/** The server could not be reached within the client's patience. `cause` is the error of the last attempt. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

/** The problem that a response tells, which is not JSON if a proxy wrote it. */
export async function refusal(response: Response): Promise<Refused> {
  const text = await response.text();
  try {
    return new Refused(response.status, JSON.parse(text) as Partial<Problem>);
  } catch {
    return new Refused(response.status, {});
  }
}

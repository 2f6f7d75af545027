// A bot on a client that openapi-typescript and openapi-fetch make of the OpenAPI document.
//
// It sits down at a game, or opens one for two, plays it to its end, and prints the standings:
//
//     npm ci && npm run generate && npm run build
//     npm run bot -- http://127.0.0.1:8000 --game GAME

import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

type Schemas = components["schemas"];
type Command = Schemas["Command"];

const WAIT = 25; // seconds that one request waits for the next event
const TRIES = 20;

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    game: { type: "string" }, // sit down here; if omitted, open a game for two
    name: { type: "string", default: `TypeScript bot ${crypto.randomUUID().slice(0, 6)}` },
    token: { type: "string" }, // of a registered player
  },
});
const [server] = positionals;
if (server === undefined) throw new Error("Usage: bot SERVER [--game GAME] [--name NAME] [--token TOKEN]");

const client = createClient<paths>({ baseUrl: server, fetch: patiently });
const token = given.token ?? got(await client.POST("/v1/players", { body: { name: given.name, kind: "bot" } })).token;
client.use({ onRequest: ({ request }) => request.headers.set("Authorization", `Bearer ${token}`) });

const game = given.game ?? got(await client.POST("/v1/games", { body: { ruleset: "mcmulti", setup: { seats: 2 } } })).game;
const path = { game };
got(await client.POST("/v1/games/{game}/seats", { params: { path }, body: { entropy: crypto.randomUUID() } }));
console.log(`Plays game ${game}`);
await play();
const { view } = got(await client.GET("/v1/games/{game}", { params: { path } }));
for (const { rank, seat, cash } of view.standings) console.log(`${rank}. ${view.seats[seat]?.name}: ${cash}`);

/** Move whenever there is something to decide, until the game waits for nobody. Then it is over. */
async function play(): Promise<void> {
  for (;;) {
    const seen = await client.GET("/v1/games/{game}/offers", { params: { path } });
    const now = got(seen);
    if (now.to_move.length === 0) return;
    const moves = now.offers.map(anyMove).filter((move) => weight(move) > 0);
    if (moves.length > 0) {
      await send(heavier(moves), seen.response.headers.get("ETag") ?? "");
    } else {
      // The answer comes with the next event, or without one after this many seconds.
      const query = { after: now.seq, limit: 1, wait: WAIT };
      got(await client.GET("/v1/games/{game}/events", { params: { path, query } }));
    }
  }
}

/** Send what was decided at the position that `etag` names. If the game moved on, or refuses, look again. */
async function send(move: Command, etag: string): Promise<void> {
  const sent = await client.POST("/v1/games/{game}/commands", {
    // The key: carried out once, however often it is sent.
    params: { path, header: { "If-Match": etag, "Idempotency-Key": crypto.randomUUID() } },
    body: { commands: [move] },
  });
  if (![409, 412].includes(sent.response.status)) got(sent);
}

/** The offered command, with any values that the offer admits. */
function anyMove(offer: Schemas["Offer"]): Command {
  const values = Object.entries(offer.fields ?? {}).map(([name, field]) => [name, anyValue(field)]);
  return { type: offer.command, ...Object.fromEntries(values) } as Command;
}

function anyValue(field: Schemas["Field"]): unknown {
  if (field.type === "Form") throw new Error(`A ${field.schema} has to be written, not chosen.`);
  if ("options" in field) return field.options[below(field.options.length)];
  const step = field.step ?? 1;
  return field.min + step * below((field.max - field.min) / step + 1);
}

/** Its probability. A bot that never ends its turn does not save, and one that sells its wells does not pump. */
function weight(move: Command): number {
  switch (move.type) {
    case "LeaveSeat":
      return 0;
    case "RollDice":
    case "EndTurn":
      return 3;
    case "SellAsset":
    case "EndProduction":
      return 0.2;
    default:
      return 1;
  }
}

function heavier(moves: Command[]): Command {
  let left = Math.random() * moves.reduce((sum, move) => sum + weight(move), 0);
  return moves.find((move) => (left -= weight(move)) < 0) ?? moves[0]!;
}

function below(limit: number): number {
  return Math.floor(Math.random() * Math.floor(limit));
}

/** Retry until the server responds and is not too busy. */
async function patiently(request: Request): Promise<Response> {
  for (let tries = 0; tries < TRIES; tries++) {
    const response = await fetch(request.clone()).catch(() => undefined);
    if (response !== undefined && ![429, 503].includes(response.status)) return response;
    await sleep(1000 * Number(response?.headers.get("Retry-After") ?? 1));
  }
  throw new Error("The server does not answer.");
}

function got<T>({ data, error }: { data?: T; error?: Schemas["Problem"] }): T {
  if (data === undefined) throw new Error(error?.detail);
  return data;
}

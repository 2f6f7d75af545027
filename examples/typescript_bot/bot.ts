// A bot on the npm package of this repository: one stream shows the game and what the bot may do.
//
// It sits down at a game of McMulti, or opens one for two, plays it to its end, and prints the standings.
// The README next to this folder says how to install and start it.

import { parseArgs } from "node:util";
import { connect, got, Refused, type Schemas } from "mcmulti-client";

type Command = Schemas["Command"];

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

const client = connect(server);
client.token = given.token ?? (await client.register(given.name)).token;
const opened = { ruleset: "mcmulti", setup: { seats: 2 } } as const;
const game = given.game ?? got(await client.api.POST("/v1/games", { body: opened })).game;
const path = { game };
got(await client.api.POST("/v1/games/{game}/seats", { params: { path }, body: { entropy: crypto.randomUUID() } }));
console.log(`Plays game ${game}`);

for await (const item of client.follow(game, { view: "whole", offers: true })) {
  if (item.type !== "YourView") continue; // an event, the table, or a chat
  const moves = (item.offers?.offers ?? []).map(anyMove).filter((move) => weight(move) > 0);
  while (moves.length > 0 && !(await isDone(heavier(moves), item.etag))); // no moves: it is somebody else's turn
  if (item.view?.status === "finished" && "standings" in item.view) {
    const { standings, seats } = item.view;
    for (const { rank, seat, cash } of standings) console.log(`${rank}. ${seats[seat]?.name}: ${cash}`);
  }
}

/**
 * Send what was decided at the position that `etag` names. Returns false if the rules forbid it. If the game has moved
 * on, the stream shows how.
 */
async function isDone(move: Command, etag: string): Promise<boolean> {
  try {
    await client.send(game, [move], etag);
    return true;
  } catch (error) {
    if (error instanceof Refused && [409, 412].includes(error.status)) return error.status === 412;
    throw error;
  }
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

// Four players play a whole game by post: one round with orders, then empty sheets until the game stands still.
//
//     openapi-generator-cli generate -g typescript-fetch -i ../../../openapi/openapi.json -o client \
//         --additional-properties importFileExtension=.js
//     npm ci && npm run build
//     node build/post.js http://127.0.0.1:8000

import type { Command, OrderSheet, Result } from "./client/index.js";
import { anyMove, moved, offered, registered, seated, tell, type Player } from "./player.js";

const SHEET: OrderSheet = {
  orders: [
    { type: "BuyAssetOrder", kind: "station", plot: { row: 2, column: 5 } },
    {
      type: "IfOrder",
      condition: { type: "CashIs", atLeast: 100 },
      then: [{ type: "BuyAssetOrder", kind: "rig", plot: { row: 4, column: 4 } }],
    },
  ],
  trades: [
    { type: "BuyBarrelsOrder", market: "domestic", good: "gasoline", quantity: 3, notAbove: 16 },
    {
      type: "IfTrade",
      condition: { type: "BarrelsAre", good: "crude", atLeast: 1 },
      then: [{ type: "SellBarrelsOrder", market: "domestic", good: "crude", quantity: "max", notBelow: 5 }],
    },
  ],
  pumps: { type: "SellAtPumps", notBelow: 12 },
};
const EMPTY: OrderSheet = { orders: [], trades: [] };

const server = process.argv[2];
if (server === undefined) throw new Error("Usage: post SERVER");
const players: Player[] = [];
for (const name of ["Ada", "Bob", "Cyd", "Dan"]) players.push(await registered(server, name));
const [first] = players as [Player];
const game = await seated(players, { ruleset: "postal" });
await choose(first, "StartGame");

const forecast = await first.play.forecastOrders({ game, orderSheet: SHEET });
for (const { sentence } of forecast.remarks) throw new Error(sentence); // what looks like a mistake
await choose(first, "HoldRound"); // now the round waits for its deadline
await send(first, { type: "SubmitOrders", round: 1, sheet: SHEET });
await choose(first, "WithdrawOrders");
for (const player of players) await send(player, { type: "SubmitOrders", round: 1, sheet: SHEET });
await choose(first, "HoldRound"); // no more: the round is refereed

for (let round = 2, over = false; !over; round += 1) {
  for (const player of players) {
    over = (await send(player, { type: "SubmitOrders", round, sheet: EMPTY })).toMove.length === 0;
    if (over) break;
  }
}
await tell(first, game);

/** Send the command as it is offered. */
async function choose(player: Player, command: Command["type"]): Promise<void> {
  const { now } = await offered(player, game);
  const offer = now.offers.find((open) => open.command === command);
  if (offer === undefined) throw new Error(`${command} is not offered.`);
  await send(player, anyMove(offer));
}

async function send(player: Player, command: Command): Promise<Result> {
  const { tag } = await offered(player, game);
  const result = await moved(player, game, command, tag);
  if (result === null) throw new Error(`${command.type} was refused.`);
  return result;
}

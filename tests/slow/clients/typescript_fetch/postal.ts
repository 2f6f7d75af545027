// A whole game by post: one round with orders, then empty sheets until the game stands still.
//
//     node build/postal.js http://127.0.0.1:8000

import { anyMove } from "./choices.js";
import { CommandFromJSON, type Command, type OrderSheet, type Result } from "./client/index.js";
import { tell } from "./play.js";
import { seated, viewed, type Player } from "./player.js";

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

const players = await seated(["Ada", "Bob", "Cyd", "Dan"], { ruleset: "postal" });
const [first] = players as [Player];
await choose(first, "StartGame");

const forecast = await first.play.forecastOrders({ game: first.game, orderSheet: SHEET });
for (const { sentence } of forecast.remarks) throw new Error(sentence); // what looks like a mistake
const again = await first.play.forecastText({ game: first.game, orderText: { text: forecast.text } });
if (forecast.text !== again.text || again.events.length === 0) throw new Error("The text means another sheet.");
await choose(first, "HoldRound"); // now the round waits for its deadline
await send(first, { type: "SubmitOrders", round: 1, sheet: SHEET });
await choose(first, "WithdrawOrders");
for (const player of players) await send(player, { type: "SubmitOrders", round: 1, sheet: SHEET });
await choose(first, "HoldRound"); // no more: the round is refereed

for (let round = 2, over = false; !over; round += 1) {
  for (const player of players) {
    over = (await send(player, { type: "SubmitOrders", round, sheet: EMPTY })).table.toMove.length === 0;
    if (over) break;
  }
}
const { standings, seats } = await viewed(first);
tell(first.game, standings.map(({ rank, seat, cash }) => `${rank}. ${seats[seat]?.name}: ${cash}`));

/** Send the command as it is offered. */
async function choose(player: Player, command: Command["type"]): Promise<void> {
  const { offers } = await player.offered();
  const offer = offers.find((open) => open.command === command);
  if (offer === undefined) throw new Error(`${command} is not offered.`);
  await send(player, CommandFromJSON(anyMove(offer)));
}

async function send(player: Player, command: Command): Promise<Result> {
  const { tag } = await player.offered();
  const result = await player.send(command, tag);
  if (result === null) throw new Error(`${command.type} was refused.`);
  return result;
}

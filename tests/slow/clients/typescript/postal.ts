// A whole game by post: one round with orders, then empty sheets until the game stands still.
//
//     node build/postal.js http://127.0.0.1:8000

import { anyMove } from "./choices.js";
import { tell } from "./play.js";
import { seated, viewed, type Player } from "./player.js";

type Command = Parameters<Player["send"]>[0];
type OrderSheet = Parameters<Player["forecast"]>[0];
type Result = NonNullable<Awaited<ReturnType<Player["send"]>>>;

const SHEET: OrderSheet = {
  orders: [
    { type: "BuyAssetOrder", kind: "station", plot: { row: 2, column: 5 } },
    {
      type: "IfOrder",
      condition: { type: "CashIs", at_least: 100 },
      then: [{ type: "BuyAssetOrder", kind: "rig", plot: { row: 4, column: 4 } }],
    },
  ],
  trades: [
    { type: "BuyBarrelsOrder", market: "domestic", good: "gasoline", quantity: 3, not_above: 16 },
    {
      type: "IfTrade",
      condition: { type: "BarrelsAre", good: "crude", at_least: 1 },
      then: [{ type: "SellBarrelsOrder", market: "domestic", good: "crude", quantity: "max", not_below: 5 }],
    },
  ],
  pumps: { type: "SellAtPumps", not_below: 12 },
};
const EMPTY: OrderSheet = { orders: [], trades: [] };

const players = await seated(["Ada", "Bob", "Cyd", "Dan"], { ruleset: "postal" });
const [first] = players as [Player];
await choose(first, "StartGame");

const forecast = await first.forecast(SHEET);
for (const { sentence } of forecast.remarks) throw new Error(sentence); // what looks like a mistake
const again = await first.forecastText(forecast.text);
if (forecast.text !== again.text || again.events.length === 0) throw new Error("The text means another sheet.");
await choose(first, "HoldRound"); // now the round waits for its deadline
await send(first, { type: "SubmitOrders", round: 1, sheet: SHEET });
await choose(first, "WithdrawOrders");
for (const player of players) await send(player, { type: "SubmitOrders", round: 1, sheet: SHEET });
await choose(first, "HoldRound"); // no more: the round is refereed

for (let round = 2, over = false; !over; round += 1) {
  for (const player of players) {
    over = (await send(player, { type: "SubmitOrders", round, sheet: EMPTY })).table.to_move.length === 0;
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
  await send(player, anyMove(offer) as Command);
}

async function send(player: Player, command: Command): Promise<Result> {
  const { tag } = await player.offered();
  const result = await player.send(command, tag);
  if (result === null) throw new Error(`${command.type} was refused.`);
  return result;
}

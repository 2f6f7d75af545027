// Two players play a whole game on the board, each on its own:
//
//     openapi-generator-cli generate -g typescript-fetch -i ../../../openapi/openapi.json -o client \
//         --additional-properties importFileExtension=.js
//     npm ci && npm run build
//     node build/play.js http://127.0.0.1:8000

import type { Offer } from "./client/index.js";
import { any, anyMove, moved, offered, registered, seated, sent, tell, type Player } from "./player.js";

const ACTIVE = 60; // moves of a player; after these it only goes on, until the game stands still
const WAIT = 25; // seconds that one request waits for the next event
const GOES_ON = ["StartGame", "RollDice", "EndPurchases", "EndProduction", "EndCleanUp", "EndTurn", "DeclareVictory"];

const server = process.argv[2];
if (server === undefined) throw new Error("Usage: play SERVER");
const players = [await registered(server, "Ada"), await registered(server, "Bob")];
const game = await seated(players, { ruleset: "mcmulti", setup: { seats: players.length } });
await Promise.all(players.map(play));
await tell(players[0]!, game);

/** Move whenever there is something to decide, until the game waits for nobody: then it is over. */
async function play(player: Player): Promise<void> {
  for (let moves = 0; ; ) {
    const { now, tag } = await offered(player, game);
    if (now.toMove.length === 0) return;
    const offers = now.offers.filter(({ command }) => command !== "LeaveSeat");
    if (offers.length > 0) {
      if (await moved(player, game, anyMove(chosen(offers, moves < ACTIVE)), tag)) moves += 1;
    } else {
      // The answer comes with the next event, or without one after so many seconds.
      await player.log.listEvents({ game, after: now.seq, limit: 1, wait: WAIT });
    }
  }
}

/** First what was never done, then anything; in the end what brings the end nearer. */
function chosen(offers: Offer[], active: boolean): Offer {
  const better = offers.filter(({ command }) => (active ? !sent.has(command) : GOES_ON.includes(command)));
  return any(better.length > 0 ? better : offers);
}

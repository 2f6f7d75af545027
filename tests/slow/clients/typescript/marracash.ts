// A whole game of MarraCash:  node build/marracash.js http://127.0.0.1:8000

import { play, tell } from "./play.js";
import { seated, viewed } from "./player.js";

const seats = await seated(["Ada", "Bob", "Cyd"], { ruleset: "marracash", setup: { seats: 3 } });
await play(seats);
const { winners, seats: players } = await viewed(seats[0]!);
tell(seats[0]!.game, winners.map((seat) => `1. ${players[seat]?.name}: ${players[seat]?.cash}`));

// A whole game of the box:  node build/mcmulti.js http://127.0.0.1:8000

import { play, tell } from "./play.js";
import { seated, viewed } from "./player.js";

const seats = await seated(["Ada", "Bob"], { ruleset: "mcmulti", setup: { seats: 2 } });
await play(seats);
const { standings, seats: players } = await viewed(seats[0]!);
tell(seats[0]!.game, standings.map(({ rank, seat, cash }) => `${rank}. ${players[seat]?.name}: ${cash}`));

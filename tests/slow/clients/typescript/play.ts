// Players on any of the generated clients play a whole game of any rule set, each on its own.
//
// `player.ts` is a player on the client of one generator, `marracash.ts` and so on are the programs. In a copy:
//
//     cd hey_api && cp ../typescript/{play,choices,marracash}.ts . && npm ci
//     npm run generate -- --input ../../../openapi/marracash.json --output client && npm run build
//     node build/marracash.js http://127.0.0.1:8000

import { any, chosen, read, sent, type AnyOffer } from "./choices.js";

/** A player on the client of one generator, at the table of one game. `Offer` is that client's type. */
export interface Seat<Offer> {
  /** What may be done now, and by whom; `tag` names the position. */
  offered(): Promise<{ toMove: number[]; offers: Offer[]; seq: number; tag: string }>;
  /** Send the offered command with any values that it admits; false if the game went on since. */
  moved(offer: Offer, tag: string): Promise<boolean>;
  /** Wait until something happened after an event, or for a while. */
  happened(after: number): Promise<void>;
}

/** All of them play until the game waits for nobody: then it is over. */
export async function play<Offer extends AnyOffer>(seats: Seat<Offer>[]): Promise<void> {
  await Promise.all(seats.map(playOne));
}

async function playOne<Offer extends AnyOffer>(seat: Seat<Offer>): Promise<void> {
  for (let moves = 0; ; ) {
    const { toMove, offers, seq, tag } = await seat.offered();
    if (toMove.length === 0) return;
    const open = offers.filter(({ command }) => command !== "LeaveSeat");
    if (open.length === 0) await seat.happened(seq);
    else if (await seat.moved(any(chosen(open, moves)), tag)) moves += 1;
  }
}

/** Tell the test what was played. */
export function tell(game: string, places: string[]): void {
  console.log(JSON.stringify({ game, read: [...read].sort(), sent: [...sent].sort(), places }));
}

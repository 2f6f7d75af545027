// What players at random choose, whatever the game is and whichever generator made the client.

export const read = new Set<string>(); // kinds of choices that offers had
export const sent = new Set<string>(); // commands that were carried out

const ACTIVE = 60; // moves of a player; after these it only goes on, until the game is over
const GOES_ON = ["StartGame", "RollDice", "EndPurchases", "EndProduction", "EndCleanUp", "EndTurn", "DeclareVictory"];

/** A field of an offer, as far as a choice depends on it. Each client has a type for each kind of field. */
type AnyField =
  | { type: string; options: readonly unknown[] }
  | { type: string; min: number; max: number; step?: number }
  | { type: string; schema: string };

export interface AnyOffer {
  command: string;
  fields?: { [name: string]: AnyField };
}

/** First what was never done, then anything; in the end what brings the end nearer, where there is such a thing. */
export function chosen<Offer extends AnyOffer>(offers: Offer[], moves: number): Offer[] {
  const better = offers.filter(({ command }) => (moves < ACTIVE ? !sent.has(command) : GOES_ON.includes(command)));
  return better.length > 0 ? better : offers;
}

/** The offered command, with any values that the offer admits. */
export function anyMove(offer: AnyOffer): { type: string } {
  const values = Object.entries(offer.fields ?? {}).map(([name, field]) => [name, anyValue(field)]);
  return { type: offer.command, ...Object.fromEntries(values) };
}

function anyValue(field: AnyField): unknown {
  read.add(field.type);
  if ("options" in field) return any(field.options);
  if ("schema" in field) throw new Error(`A ${field.schema} has to be written, not chosen.`);
  const step = field.step ?? 1;
  return field.min + step * below((field.max - field.min) / step + 1);
}

export function any<T>(among: readonly T[]): T {
  return among[below(among.length)]!;
}

let drawn = 20121; // the seed

function below(limit: number): number {
  drawn = (Math.imul(drawn, 1664525) + 1013904223) >>> 0;
  return Math.floor((drawn / 2 ** 32) * Math.floor(limit));
}

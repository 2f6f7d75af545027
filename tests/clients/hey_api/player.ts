// A player on a client that @hey-api/openapi-ts makes of the OpenAPI document.

import { createClient, type Client } from "./client/client/index.js";
import * as api from "./client/index.js";

export type Player = Client;

export const read = new Set<string>(); // kinds of choices that offers had
export const sent = new Set<string>(); // commands that were carried out

/** Registered under a name that nobody bears. */
export async function registered(baseUrl: string, name: string): Promise<Player> {
  const client = createClient({ baseUrl });
  const body = { name: `${name} ${crypto.randomUUID().slice(0, 6)}` };
  const { data } = await api.registerPlayer({ client, body, throwOnError: true });
  client.setConfig({ auth: data.token });
  return client;
}

/** The first opens a game, and all sit down at it. */
export async function seated(players: Player[], body: api.NewGame): Promise<string> {
  const { data } = await api.openGame({ client: players[0]!, body, throwOnError: true });
  const path = { game: data.game };
  for (const client of players) {
    await api.takeSeat({ client, path, body: { entropy: crypto.randomUUID() }, throwOnError: true });
  }
  return data.game;
}

/** Offers, and the tag of the position that they were made in. */
export async function offered(client: Player, game: string): Promise<{ now: api.Offers; tag: string }> {
  const { data, response } = await api.listOffers({ client, path: { game }, throwOnError: true });
  return { now: data, tag: response.headers.get("ETag")! };
}

/** Send what was decided on the position with this tag. Returns null if the game went on since, or refuses. */
export async function moved(client: Player, game: string, move: api.Command, tag: string): Promise<api.Result | null> {
  // The key: carried out once, however often it is sent.
  const headers = { "If-Match": tag, "Idempotency-Key": crypto.randomUUID() };
  const body = { commands: [move] };
  const { data, error, response } = await api.sendCommands({ client, path: { game }, headers, body });
  if (data !== undefined) sent.add(move.type);
  else if (response?.status !== 409 && response?.status !== 412) throw error;
  return data ?? null;
}

/** The offered command, with any values that the offer admits. */
export function anyMove(offer: api.Offer): api.Command {
  const values = Object.entries(offer.fields ?? {}).map(([name, field]) => [name, anyValue(field)]);
  return { type: offer.command, ...Object.fromEntries(values) } as api.Command;
}

function anyValue(field: api.Field): string | number | boolean | api.Site {
  read.add(field.type);
  switch (field.type) {
    case "TextChoice":
      return any(field.options);
    case "NumberChoice":
      return any(field.options);
    case "FlagChoice":
      return any(field.options);
    case "SiteChoice":
      return any(field.options);
    case "Range": {
      const step = field.step ?? 1;
      return field.min + step * below((field.max - field.min) / step + 1);
    }
    case "Form":
      throw new Error(`A ${field.schema} has to be written, not chosen.`);
  }
}

export function any<T>(among: T[]): T {
  return among[below(among.length)]!;
}

function below(limit: number): number {
  return Math.floor(Math.random() * Math.floor(limit));
}

/** Tell the test what was played. */
export async function tell(client: Player, game: string): Promise<void> {
  const { data } = await api.getGame({ client, path: { game }, throwOnError: true });
  const { view } = data;
  const standings = view.standings.map(({ rank, seat, cash }) => `${rank}. ${view.seats[seat]?.name}: ${cash}`);
  console.log(JSON.stringify({ game, read: [...read].sort(), sent: [...sent].sort(), standings }));
}

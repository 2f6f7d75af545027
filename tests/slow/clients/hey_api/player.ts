// A player on a client that @hey-api/openapi-ts makes of the contract of one rule set.

import { anyMove, sent } from "./choices.js";
import { createClient, type Client } from "./client/client/index.js";
import * as api from "./client/index.js";
import type { Seat } from "./play.js";

const WAIT = 25; // seconds that one request waits for the next event

/** The operations, with the token of one player, at one game. */
export class Player implements Seat<api.Offer> {
  constructor(
    readonly client: Client,
    readonly game: string,
  ) {}

  async offered() {
    const { data, response } = await api.listOffers({ client: this.client, path: this, throwOnError: true });
    return { toMove: data.to_move, offers: data.offers, seq: data.seq, tag: response.headers.get("ETag")! };
  }

  async moved(offer: api.Offer, tag: string): Promise<boolean> {
    return (await this.send(anyMove(offer) as api.Command, tag)) !== null;
  }

  async happened(after: number): Promise<void> {
    const query = { after, limit: 1, wait: WAIT };
    await api.listEvents({ client: this.client, path: this, query, throwOnError: true });
  }

  /** Send what was decided on the position with this tag. Returns null if the game went on since, or refuses. */
  async send(move: api.Command, tag: string): Promise<api.Result | null> {
    // The key: carried out once, however often it is sent.
    const headers = { "If-Match": tag, "Idempotency-Key": crypto.randomUUID() };
    const sending = { client: this.client, path: this, headers, body: { commands: [move] } };
    const { data, error, response } = await api.sendCommands(sending);
    if (data !== undefined) sent.add(move.type);
    else if (response?.status !== 409 && response?.status !== 412) throw error;
    return data ?? null;
  }

  /** What orders would lead to; games without orders take none. */
  async forecast(body: api.ForecastOrdersData["body"]): Promise<api.Forecast> {
    return (await api.forecastOrders({ client: this.client, path: this, body, throwOnError: true })).data;
  }

  /** The same for orders that are written as text. */
  async forecastText(text: string): Promise<api.Forecast> {
    return (await api.forecastText({ client: this.client, path: this, body: { text }, throwOnError: true })).data;
  }
}

/** Everybody registers under a name that nobody bears; the first opens a game, and all sit down at it. */
export async function seated(names: string[], body: api.OpenGameData["body"]): Promise<Player[]> {
  const baseUrl = process.argv[2];
  if (baseUrl === undefined) throw new Error("The address of a server is missing.");
  const clients = names.map(() => createClient({ baseUrl }));
  for (const [seat, client] of clients.entries()) {
    const name = `${names[seat]} ${crypto.randomUUID().slice(0, 6)}`;
    const { data } = await api.registerPlayer({ client, body: { name }, throwOnError: true });
    client.setConfig({ auth: data.token });
  }
  const { data: opened } = await api.openGame({ client: clients[0]!, body, throwOnError: true });
  const path = { game: opened.game };
  for (const client of clients) {
    await api.takeSeat({ client, path, body: { entropy: crypto.randomUUID() }, throwOnError: true });
  }
  return clients.map((client) => new Player(client, opened.game));
}

/** What a player sees, of the type that the rule set has. */
export async function viewed({ client, game }: Player): Promise<api.GameView["view"]> {
  return (await api.getGame({ client, path: { game }, throwOnError: true })).data.view;
}

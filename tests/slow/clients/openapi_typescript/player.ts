// A player on openapi-fetch, with the types that openapi-typescript makes of the contract of one rule set.

import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./api.js";
import { anyMove, sent } from "./choices.js";
import type { Seat } from "./play.js";

type Schemas = components["schemas"];
type Body<Path extends "/v1/games" | "/v1/games/{game}/forecast"> =
  paths[Path]["post"]["requestBody"]["content"]["application/json"];

const WAIT = 25; // seconds that one request waits for the next event

/** The operations, with the token of one player, at one game. */
export class Player implements Seat<Schemas["Offer"]> {
  readonly path: { game: string };

  constructor(
    readonly client: Client<paths>,
    readonly game: string,
  ) {
    this.path = { game };
  }

  async offered() {
    const answer = await this.client.GET("/v1/games/{game}/offers", { params: { path: this.path } });
    const { to_move, offers, seq } = got(answer);
    return { toMove: to_move, offers, seq, tag: answer.response.headers.get("ETag")! };
  }

  async moved(offer: Schemas["Offer"], tag: string): Promise<boolean> {
    return (await this.send(anyMove(offer) as Schemas["Command"], tag)) !== null;
  }

  async happened(after: number): Promise<void> {
    const query = { after, limit: 1, wait: WAIT };
    got(await this.client.GET("/v1/games/{game}/events", { params: { path: this.path, query } }));
  }

  /** Send what was decided on the position with this tag. Returns null if the game went on since, or refuses. */
  async send(move: Schemas["Command"], tag: string): Promise<Schemas["Result"] | null> {
    const answer = await this.client.POST("/v1/games/{game}/commands", {
      // The key: carried out once, however often it is sent.
      params: { path: this.path, header: { "If-Match": tag, "Idempotency-Key": crypto.randomUUID() } },
      body: { commands: [move] },
    });
    if ([409, 412].includes(answer.response.status)) return null;
    sent.add(move.type);
    return got(answer);
  }

  /** What orders would lead to; games without orders take none. */
  async forecast(body: Body<"/v1/games/{game}/forecast">): Promise<Schemas["Forecast"]> {
    return got(await this.client.POST("/v1/games/{game}/forecast", { params: { path: this.path }, body }));
  }

  /** The same for orders that are written as text. */
  async forecastText(text: string): Promise<Schemas["Forecast"]> {
    const sent = { params: { path: this.path }, body: { text } };
    return got(await this.client.POST("/v1/games/{game}/forecast/text", sent));
  }
}

/** Everybody registers under a name that nobody bears; the first opens a game, and all sit down at it. */
export async function seated(names: string[], body: Body<"/v1/games">): Promise<Player[]> {
  const baseUrl = process.argv[2];
  if (baseUrl === undefined) throw new Error("The address of a server is missing.");
  const clients = names.map(() => createClient<paths>({ baseUrl }));
  for (const [seat, client] of clients.entries()) {
    const name = `${names[seat]} ${crypto.randomUUID().slice(0, 6)}`;
    const { token } = got(await client.POST("/v1/players", { body: { name } }));
    client.use({ onRequest: ({ request }) => request.headers.set("Authorization", `Bearer ${token}`) });
  }
  const { game } = got(await clients[0]!.POST("/v1/games", { body }));
  const params = { path: { game } };
  for (const client of clients) {
    got(await client.POST("/v1/games/{game}/seats", { params, body: { entropy: crypto.randomUUID() } }));
  }
  return clients.map((client) => new Player(client, game));
}

/** What a player sees, of the type that the rule set has. */
export async function viewed({ client, path }: Player): Promise<Schemas["GameView"]["view"]> {
  return got(await client.GET("/v1/games/{game}", { params: { path } })).view;
}

function got<T>({ data, error }: { data?: T; error?: Schemas["Problem"] }): T {
  if (data === undefined) throw new Error(error?.detail);
  return data;
}

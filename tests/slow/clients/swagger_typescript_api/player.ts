// A player on a client that swagger-typescript-api makes of the contract of one rule set.

import { anyMove, sent } from "./choices.js";
import { Api, HttpResponse, type Command, type Forecast, type GameView, type Offer, type Problem, type Result } from "./client/index.js";
import type { Seat } from "./play.js";

const WAIT = 25; // seconds that one request waits for the next event

/** The operations, with the token of one player, at one game. */
export class Player implements Seat<Offer> {
  constructor(
    readonly client: Api<string>["v1"],
    readonly game: string,
  ) {}

  async offered() {
    const { data, headers } = await this.client.listOffers(this.game);
    return { toMove: data.to_move, offers: data.offers, seq: data.seq, tag: headers.get("ETag")! };
  }

  async moved(offer: Offer, tag: string): Promise<boolean> {
    return (await this.send(anyMove(offer) as Command, tag)) !== null;
  }

  async happened(after: number): Promise<void> {
    await this.client.listEvents(this.game, { after, limit: 1, wait: WAIT });
  }

  /** Send what was decided on the position with this tag. Returns null if the game went on since, or refuses. */
  async send(move: Command, tag: string): Promise<Result | null> {
    // The key: carried out once, however often it is sent.
    const headers = { "If-Match": tag, "Idempotency-Key": crypto.randomUUID() };
    try {
      const { data } = await this.client.sendCommands(this.game, { commands: [move] }, {}, { headers });
      sent.add(move.type);
      return data;
    } catch (error) {
      const refused = error as HttpResponse<unknown, Problem>;
      if ([409, 412].includes(refused.status)) return null;
      throw new Error(refused.error?.detail, { cause: error });
    }
  }

  /** What orders would lead to; games without orders take none. */
  async forecast(sheet: Parameters<Api<string>["v1"]["forecastOrders"]>[1]): Promise<Forecast> {
    return (await this.client.forecastOrders(this.game, sheet)).data;
  }

  /** The same for orders that are written as text. */
  async forecastText(text: string): Promise<Forecast> {
    return (await this.client.forecastText(this.game, { text })).data;
  }
}

/** Everybody registers under a name that nobody has; the first opens a game, and all sit down at it. */
export async function seated(names: string[], newGame: Parameters<Api<string>["v1"]["openGame"]>[0]): Promise<Player[]> {
  const baseUrl = process.argv[2];
  if (baseUrl === undefined) throw new Error("The address of a server is missing.");
  const clients = names.map(
    () => new Api<string>({ baseUrl, securityWorker: (token) => ({ headers: { Authorization: `Bearer ${token}` } }) }),
  );
  for (const [seat, client] of clients.entries()) {
    const name = `${names[seat]} ${crypto.randomUUID().slice(0, 6)}`;
    client.setSecurityData((await client.v1.registerPlayer({ name })).data.token);
  }
  const { data: opened } = await clients[0]!.v1.openGame(newGame);
  for (const { v1 } of clients) await v1.takeSeat(opened.game, { entropy: crypto.randomUUID() });
  return clients.map(({ v1 }) => new Player(v1, opened.game));
}

/** What a player sees, of the type that the rule set has. */
export async function viewed({ client, game }: Player): Promise<GameView["view"]> {
  return (await client.getGame(game)).data.view;
}

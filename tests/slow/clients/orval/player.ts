// A player on a client that orval makes of the contract of one rule set, with its functions for fetch.

import { anyMove, sent } from "./choices.js";
import * as api from "./client.js";
import type { Seat } from "./play.js";

const WAIT = 25; // seconds that one request waits for the next event

type Success<Answer> = Extract<Answer, { status: 200 | 201 }>;

/** The operations, with the token of one player, at one game. */
export class Player implements Seat<api.Offer> {
  constructor(
    readonly token: string,
    readonly game: string,
  ) {}

  async offered() {
    const { data, headers } = got(await api.listOffers(this.game, {}, this.sending()));
    return { toMove: data.to_move, offers: data.offers, seq: data.seq, tag: headers.get("ETag")! };
  }

  async moved(offer: api.Offer, tag: string): Promise<boolean> {
    return (await this.send(anyMove(offer) as api.Command, tag)) !== null;
  }

  async happened(after: number): Promise<void> {
    got(await api.listEvents(this.game, { after, limit: 1, wait: WAIT }, this.sending()));
  }

  /** Send what was decided on the position with this tag. Returns null if the game went on since, or refuses. */
  async send(move: api.Command, tag: string): Promise<api.Result | null> {
    // The key: carried out once, however often it is sent.
    const options = this.sending({ "If-Match": tag, "Idempotency-Key": crypto.randomUUID() });
    const answer = await api.sendCommands(this.game, { commands: [move] }, {}, options);
    if (answer.status === 409 || answer.status === 412) return null;
    sent.add(move.type);
    return got(answer).data;
  }

  /** What orders would lead to; games without orders take none. */
  async forecast(sheet: Parameters<typeof api.forecastOrders>[1]): Promise<api.Forecast> {
    return got(await api.forecastOrders(this.game, sheet, {}, this.sending())).data;
  }

  /** The same for orders that are written as text. */
  async forecastText(text: string): Promise<api.Forecast> {
    return got(await api.forecastText(this.game, { text }, {}, this.sending())).data;
  }

  sending(headers: Record<string, string> = {}): RequestInit {
    return authorized(this.token, headers);
  }
}

/** Everybody registers under a name that nobody has; the first opens a game, and all sit down at it. */
export async function seated(names: string[], newGame: Parameters<typeof api.openGame>[0]): Promise<Player[]> {
  const tokens: string[] = [];
  for (const each of names) {
    const name = `${each} ${crypto.randomUUID().slice(0, 6)}`;
    tokens.push(got(await api.registerPlayer({ name })).data.token);
  }
  const { game } = got(await api.openGame(newGame, {}, authorized(tokens[0]!))).data;
  const players = tokens.map((token) => new Player(token, game));
  for (const player of players) {
    got(await api.takeSeat(game, { entropy: crypto.randomUUID() }, {}, player.sending()));
  }
  return players;
}

/** What a player sees, of the type that the rule set has. */
export async function viewed(player: Player): Promise<api.GameView["view"]> {
  return got(await api.getGame(player.game, {}, player.sending())).data.view;
}

function authorized(token: string, headers: Record<string, string> = {}): RequestInit {
  return { headers: { Authorization: `Bearer ${token}`, ...headers } };
}

/** The answer, if it is not a problem. */
function got<Answer extends { status: number }>(answer: Answer): Success<Answer> {
  if (answer.status !== 200 && answer.status !== 201) throw new Error(JSON.stringify(answer));
  return answer as Success<Answer>;
}

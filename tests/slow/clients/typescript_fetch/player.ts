// A player on a client that openapi-generator makes of the contract of one rule set, with its generator typescript-fetch.

import { anyMove, sent } from "./choices.js";
import * as api from "./client/index.js";
import type { Seat } from "./play.js";

const WAIT = 25; // seconds that one request waits for the next event

/** The operations, with the token of one player, at one game. */
export class Player implements Seat<api.Offer> {
  readonly games: api.GamesApi;
  readonly log: api.LogApi;
  readonly play: api.PlayApi;

  constructor(
    configuration: api.Configuration,
    readonly game: string,
  ) {
    this.games = new api.GamesApi(configuration);
    this.log = new api.LogApi(configuration);
    this.play = new api.PlayApi(configuration);
  }

  async offered() {
    const answer = await this.play.listOffersRaw({ game: this.game });
    const { toMove, offers, seq } = await answer.value();
    return { toMove, offers, seq, tag: answer.raw.headers.get("ETag")! };
  }

  async moved(offer: api.Offer, tag: string): Promise<boolean> {
    return (await this.send(api.CommandFromJSON(anyMove(offer)), tag)) !== null;
  }

  async happened(after: number): Promise<void> {
    await this.log.listEvents({ game: this.game, after, limit: 1, wait: WAIT });
  }

  /** Send what was decided on the position with this tag. Returns null if the game went on since, or refuses. */
  async send(move: api.Command, tag: string): Promise<api.Result | null> {
    // The key: carried out once, however often it is sent.
    const key = { ifMatch: tag, idempotencyKey: crypto.randomUUID() };
    try {
      const result = await this.play.sendCommands({ game: this.game, commands: { commands: [move] }, ...key });
      sent.add(move.type);
      return result;
    } catch (error) {
      if (!(error instanceof api.ResponseError)) throw error;
      if (![409, 412].includes(error.response.status)) throw new Error((await error.response.json()).detail);
      return null;
    }
  }
}

/** Everybody registers under a name that nobody bears; the first opens a game, and all sit down at it. */
export async function seated(names: string[], newGame: api.OpenGameRequest["newGame"]): Promise<Player[]> {
  const basePath = process.argv[2];
  if (basePath === undefined) throw new Error("The address of a server is missing.");
  const anonymous = new api.PlayersApi(new api.Configuration({ basePath }));
  const configurations: api.Configuration[] = [];
  for (const each of names) {
    const name = `${each} ${crypto.randomUUID().slice(0, 6)}`;
    const { token } = await anonymous.registerPlayer({ newPlayer: { name } });
    configurations.push(new api.Configuration({ basePath, accessToken: token }));
  }
  const { game } = await new api.GamesApi(configurations[0]!).openGame({ newGame });
  const players = configurations.map((configuration) => new Player(configuration, game));
  for (const { play } of players) await play.takeSeat({ game, join: { entropy: crypto.randomUUID() } });
  return players;
}

/** What a player sees, of the type that the rule set has. */
export async function viewed({ games, game }: Player): Promise<api.GameView["view"]> {
  return (await games.getGame({ game })).view;
}

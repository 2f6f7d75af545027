// A player on a client that openapi-generator makes of the contract of one rule set, with its generator typescript-axios.

import { isAxiosError } from "axios";
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
    const { data, headers } = await this.play.listOffers(this.game);
    return { toMove: data.to_move, offers: data.offers, seq: data.seq, tag: headers["etag"] as string };
  }

  async moved(offer: api.Offer, tag: string): Promise<boolean> {
    return (await this.send(anyMove(offer) as api.Command, tag)) !== null;
  }

  async happened(after: number): Promise<void> {
    await this.log.listEvents(this.game, after, 1, undefined, WAIT);
  }

  /** Send what was decided on the position with this tag. Returns null if the game went on since, or refuses. */
  async send(move: api.Command, tag: string): Promise<api.Result | null> {
    // The key: carried out once, however often it is sent.
    const key = crypto.randomUUID();
    try {
      const { data } = await this.play.sendCommands(
        this.game,
        { commands: [move] },
        undefined, // dryRun
        undefined, // offers
        undefined, // language
        tag,
        key,
      );
      sent.add(move.type);
      return data;
    } catch (error) {
      if (isAxiosError(error) && [409, 412].includes(error.response?.status ?? 0)) return null;
      throw error;
    }
  }

  /** What orders would lead to; games without orders take none. */
  async forecast(sheet: Parameters<api.PlayApi["forecastOrders"]>[1]): Promise<api.Forecast> {
    return (await this.play.forecastOrders(this.game, sheet)).data;
  }

  /** The same for orders that are written as text. */
  async forecastText(text: string): Promise<api.Forecast> {
    return (await this.play.forecastText(this.game, { text })).data;
  }
}

/** Everybody registers under a name that nobody has; the first opens a game, and all sit down at it. */
export async function seated(names: string[], newGame: Parameters<api.GamesApi["openGame"]>[0]): Promise<Player[]> {
  const basePath = process.argv[2];
  if (basePath === undefined) throw new Error("The address of a server is missing.");
  const anonymous = new api.PlayersApi(new api.Configuration({ basePath }));
  const configurations: api.Configuration[] = [];
  for (const each of names) {
    const name = `${each} ${crypto.randomUUID().slice(0, 6)}`;
    const { data } = await anonymous.registerPlayer({ name });
    configurations.push(new api.Configuration({ basePath, accessToken: data.token }));
  }
  const { data: opened } = await new api.GamesApi(configurations[0]!).openGame(newGame);
  const players = configurations.map((configuration) => new Player(configuration, opened.game));
  for (const { play, game } of players) await play.takeSeat(game, { entropy: crypto.randomUUID() });
  return players;
}

/** What a player sees, of the type that the rule set has. */
export async function viewed({ games, game }: Player): Promise<api.GameView["view"]> {
  return (await games.getGame(game)).data.view;
}

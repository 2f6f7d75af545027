// A player on a client that openapi-generator makes of the OpenAPI document with its generator typescript-fetch.

import * as api from "./client/index.js";

export const read = new Set<string>(); // kinds of choices that offers had
export const sent = new Set<string>(); // commands that were carried out

/** The operations, with the token of one player. */
export class Player {
  readonly games: api.GamesApi;
  readonly log: api.LogApi;
  readonly play: api.PlayApi;

  constructor(basePath: string, accessToken: string) {
    const configuration = new api.Configuration({ basePath, accessToken });
    this.games = new api.GamesApi(configuration);
    this.log = new api.LogApi(configuration);
    this.play = new api.PlayApi(configuration);
  }
}

/** Registered under a name that nobody bears. */
export async function registered(basePath: string, name: string): Promise<Player> {
  const players = new api.PlayersApi(new api.Configuration({ basePath }));
  const newPlayer = { name: `${name} ${crypto.randomUUID().slice(0, 6)}` };
  const { token } = await players.registerPlayer({ newPlayer });
  return new Player(basePath, token);
}

/** The first opens a game, and all sit down at it. */
export async function seated(players: Player[], newGame: api.NewGame): Promise<string> {
  const { game } = await players[0]!.games.openGame({ newGame });
  for (const player of players) await player.play.takeSeat({ game, join: { entropy: crypto.randomUUID() } });
  return game;
}

/** Offers, and the tag of the position that they were made in. */
export async function offered(player: Player, game: string): Promise<{ now: api.Offers; tag: string }> {
  const answer = await player.play.listOffersRaw({ game });
  return { now: await answer.value(), tag: answer.raw.headers.get("ETag")! };
}

/** Send what was decided on the position with this tag. Returns null if the game went on since, or refuses. */
export async function moved(player: Player, game: string, move: api.Command, tag: string): Promise<api.Result | null> {
  // The key: carried out once, however often it is sent.
  const request = { game, commands: { commands: [move] }, ifMatch: tag, idempotencyKey: crypto.randomUUID() };
  try {
    const result = await player.play.sendCommands(request);
    sent.add(move.type);
    return result;
  } catch (error) {
    if (!(error instanceof api.ResponseError)) throw error;
    if (![409, 412].includes(error.response.status)) throw new Error((await error.response.json()).detail);
    return null;
  }
}

/** The offered command, with any values that the offer admits. */
export function anyMove(offer: api.Offer): api.Command {
  const values = Object.entries(offer.fields ?? {}).map(([name, field]) => [name, anyValue(field)]);
  return api.CommandFromJSON({ type: offer.command, ...Object.fromEntries(values) });
}

/** A value as it is in JSON. */
function anyValue(field: api.Field): unknown {
  read.add(field.type);
  switch (field.type) {
    case "TextChoice":
      return any(field.options);
    case "NumberChoice":
      return any(field.options);
    case "FlagChoice":
      return any(field.options);
    case "SiteChoice":
      return api.SiteToJSON(any(field.options));
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
export async function tell(player: Player, game: string): Promise<void> {
  const { view } = await player.games.getGame({ game });
  const standings = view.standings.map(({ rank, seat, cash }) => `${rank}. ${view.seats[seat]?.name}: ${cash}`);
  console.log(JSON.stringify({ game, read: [...read].sort(), sent: [...sent].sort(), standings }));
}

// The number of games in which it is the reader's turn, from the lobby's stream.

import { account, onAccount } from "./account.js";
import { follow, lobbyPoll } from "./api.js";
import { tellTurns } from "./push.js";

/**
 * @param {(games: number) => void} told Called with the number, whenever it may be another one.
 */
export function watchTurns(told) {
  let end = () => {};
  const begin = () => {
    end();
    end = () => {};
    told(0);
    if (!account()) return;
    /** @type {Set<string>} */
    const games = new Set();
    let listed = 0; // rows that are still to come before the list is whole
    const query = { my_turn: true };
    const onItem = (/** @type {any} */ item) => {
      if (item.type === "LobbyHead") {
        games.clear();
        listed = item.rows;
      } else if (item.type === "TableListed") {
        games.add(item.table.game);
        listed = Math.max(0, listed - 1);
      } else if (item.type === "TableGone") games.delete(item.game);
      told(games.size);
      if (!listed) tellTurns(games);
    };
    end = follow("/v1/games/stream", { query, onItem, poll: lobbyPoll(query, onItem) });
  };
  onAccount(begin);
  begin();
}

// In how many games the reader is asked, as the lobby's stream has it.

import { account, onAccount } from "./account.js";
import { follow } from "./api.js";

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
    const games = new Set();
    end = follow("/v1/games/stream", {
      query: { my_turn: true },
      onItem: (item) => {
        if (item.type === "LobbyHead") games.clear();
        else if (item.type === "TableListed") games.add(item.table.game);
        else if (item.type === "TableGone") games.delete(item.game);
        told(games.size);
      },
    });
  };
  onAccount(begin);
  begin();
}

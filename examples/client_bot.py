"""A bot on the Python client: it opens a game or joins one, and plays it to its end.

Usage: python client_bot.py SERVER NAME [GAME]
"""

import sys

from first_bot import any_offer

from mcmulti.client.client import HttpProblem
from mcmulti.client.sync_client import SyncClient


def play(client: SyncClient, game: str) -> list[int]:
    """Play a game at which the client has a seat. Returns the seats that won."""
    for item in client.follow(game, view="whole", offers=True):
        if item["type"] != "YourView":
            continue  # an event, or the table
        if item["view"]["status"] == "finished":
            winners: list[int] = item["view"]["winners"]
            return winners
        offers = [offer for offer in item["offers"]["offers"] if offer["command"] != "LeaveSeat"]
        if offers:
            try:
                client.send(game, [any_offer(item["view"], offers)], item["etag"])
            except HttpProblem as problem:
                if problem.status != 412:  # 412: another player was faster, and the stream shows the new position
                    raise
    return sys.exit("The latest moves were lost.")


if __name__ == "__main__":
    server, name, *joined = sys.argv[1:]
    with SyncClient(server) as client:
        client.register(name, "bot")
        game = joined[0] if joined else client.open_game("mcmulti", seats=2)["game"]
        client.take_seat(game)
        print(game, flush=True)
        print("Winners:", *play(client, game))

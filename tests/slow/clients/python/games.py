"""Whole games on a client that a generator made of the contract of one rule set: all seats are played from here.

A game is opened, every seat played to the end, and the log read in all its forms; then the winners are printed.
"""

import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol
from uuid import UUID, uuid4


class Offered(NamedTuple):
    """Whom the game waits for, what is offered (commands with their fields), and the tag of the position."""

    to_move: list[int]
    offers: list[tuple[str, dict[str, Any]]]
    etag: str


class Player(Protocol):
    """A player with a token on the client of one generator. Fields of offers and views are of that client's types."""

    def open_game(self, new: dict[str, Any]) -> UUID:
        """Open a game, described in JSON."""

    def take_seat(self, game: UUID) -> None:
        """Sit down, with some entropy."""

    def offered(self, game: UUID) -> Offered:
        """What may be done now."""

    def any_value(self, field: Any, lively: bool) -> Any:
        """Any value that the field of an offer may have, as in JSON; a sheet says little unless it is lively."""

    def send(self, game: UUID, command: dict[str, Any], etag: str) -> list[int]:
        """Send what was decided on the game as `etag` names it; tells whom the game waits for then."""

    def view(self, game: UUID) -> Any:
        """The view, of the rule set's type, so there is nothing to distinguish."""

    def read(self, game: UUID) -> None:
        """Read the log in pages and as streams, the replay and the books, and print what is there."""


SEED = 20121
LIVELY = 60
"""So many commands are any of those offered. Then everybody passes, and a game that stands still ends."""
LIKELY = {
    "RollDice": 3,
    "EndTurn": 3,
    "SellAsset": 0.2,
    "EndProduction": 0.2,
    "HoldRound": 0.2,
    "WithdrawOrders": 0.2,
    "SetStanding": 0.1,
    "EndStanding": 0.2,
}
"""How likely a command is chosen, if not 1: who never ends a turn does not save."""
PASSING = {"RollDice", "EndProduction", "EndPurchases", "EndTurn", "SubmitOrders"}


def main(player: Callable[[str, str], Player], server: str, ruleset: str, seats: str, most: str = "100000") -> None:
    """Play a game of a rule set, and print what was played. After `most` moves all but one player resign."""
    random.seed(SEED)
    run = uuid4().hex[:6]
    names = ("Ada", "Ben", "Cleo", "Dan")[: int(seats)]
    players = [player(server, f"{name} {run}") for name in names]
    game = players[0].open_game({"ruleset": ruleset, "setup": {"seats": int(seats)}})
    for each in players:
        each.take_seat(game)
    print(f"Plays game {game}")
    chosen = play(players, game, int(most))
    print("Chose among:", *sorted(chosen))
    players[0].read(game)
    for place in places(players[0].view(game)):
        print(place)


def play(players: list[Player], game: UUID, most: int) -> set[str]:
    """Every seat moves when the game waits for it, until it waits for none. Returns the types of fields it filled."""
    chosen, sent = set[str](), 0
    to_move = players[0].offered(game).to_move
    while to_move:
        if sent == most:
            for leaving in players[1:]:
                leaving.send(game, {"type": "Resign"}, leaving.offered(game).etag)
            break
        player = players[to_move[0]]
        now = player.offered(game)
        offers = [offer for offer in now.offers if offer[0] != "LeaveSeat"]
        if sent >= LIVELY:
            offers = [offer for offer in offers if passes(*offer)] or offers
        [(command, fields)] = random.choices(offers, [LIKELY.get(command, 1) for command, _ in offers])
        chosen |= {type(field).__name__ for field in fields.values()}
        values = {name: player.any_value(field, sent < LIVELY) for name, field in fields.items()}
        to_move = player.send(game, {"type": command, **values}, now.etag)
        sent += 1
    return chosen


def passes(command: str, fields: dict[str, Any]) -> bool:
    """Whether the command leaves everything as it is: holding a round no more does."""
    return command in PASSING or ("hold" in fields and fields["hold"].options == [False])


def places(view: Any) -> Iterator[str]:
    """Who is where in the end, as far as the game says: all of them by rank, or who won."""
    if hasattr(view, "standings"):
        for standing in view.standings:
            yield f"{standing.rank}. {view.seats[standing.seat].name}: {standing.cash}"
    else:
        for seat in (view.seats[winner] for winner in view.winners):
            yield f"1. {seat.name}: {seat.money if hasattr(seat, 'money') else seat.cash}"

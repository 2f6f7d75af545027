"""Take the examples of the OpenAPI document from golden games.

Run as ``python -m tests.api.record_examples``; a test checks that the file is what this makes. What no game has, such
as a token, is made up here and looks the part.
"""

from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
from msgspec import Raw, UnsetType

from mcmulti.api.books_wire import AccountBalance, Balances, Flows, Ledger, Statements, UnitSum
from mcmulti.api.failures import as_problem
from mcmulti.api.play import offered
from mcmulti.api.players import codes
from mcmulti.api.proof import Key, Keys, proof_of
from mcmulti.api.refusals import refusal
from mcmulti.api.replay import Replay
from mcmulti.api.reports import Rounds
from mcmulti.api.statistics import StatisticsOfGame
from mcmulti.api.wire import (
    Events,
    Games,
    GameSummary,
    GameView,
    Health,
    Index,
    Offers,
    Registered,
    Result,
    Rulesets,
    RulesetSummary,
    RulesetView,
)
from mcmulti.domain.core.chance import ScriptedChance
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.commands import BuyBarrels
from mcmulti.domain.postal.sheet import OrderSheet
from mcmulti.events.codec import fold, opened_with
from mcmulti.events.envelope import Head
from mcmulti.events.item import EventItem, open_data, recorded
from mcmulti.events.positions import Position
from mcmulti.events.signing import SigningKey
from mcmulti.projections.forecasts import forecast
from mcmulti.projections.game_statistics import game_statistics
from mcmulti.projections.ledger import balanced, entries, lines
from mcmulti.projections.replay import frames
from mcmulti.projections.reports import reports, rounds
from mcmulti.projections.seats import names
from mcmulti.projections.statements import flows, statements
from mcmulti.referee.ruling import Stale, UnknownMoment
from tests.api.guests import Json
from tests.games import random_postal_game

FILE = Path(__file__).parents[2] / "mcmulti" / "api" / "openapi" / "examples.json"
GOLDEN = Path(__file__).parents[1] / "golden"
KEY = SigningKey(b"an example of a key, of 32 bytes")
BY_POST = "by-post-sales"
"""The golden game that is played in rounds, and which of them is reported."""
ROUND = 1
TOKEN = "mcm_an-example-of-a-token-which-nobody-has-0123"


def main() -> None:
    """Write the file."""
    FILE.write_bytes(examples())


def examples() -> bytes:
    """The examples, as indented JSON."""
    game = _game("four-players")
    content = {
        "schemas": dict(sorted(_schemas().items())),
        "operations": _Moment(game).operations() | _rounds(),
        "problems": _Moment(game).problems(),
        "parameters": {"chart": "cash", "game": _id(game), "round": ROUND, "ruleset": RULESET.name},
    }
    return msgspec.json.format(msgspec.json.encode(content), indent=2) + b"\n"


def _game(name: str) -> list[EventItem]:
    lines = (GOLDEN / f"{name}.jsonl").read_bytes().splitlines()
    return [msgspec.json.decode(line, type=EventItem) for line in lines]


def _id(game: list[EventItem]) -> str:
    return str(msgspec.json.decode(open_data(game[0]))["game_id"])


def _schemas() -> Json:
    """An event and a command of each type: the first there is in the golden games, else in a random game by post."""
    found: Json = {}
    for name in ("four-players", *sorted(file.stem for file in GOLDEN.glob("*.jsonl"))):
        for item in _game(name):
            for raw in (item.data, item.command):
                if not isinstance(raw, UnsetType):
                    value = msgspec.json.decode(raw)
                    found.setdefault(value["type"], value)
    for event in random_postal_game(6):
        found.setdefault(event.type, msgspec.json.decode(event.data))
        command = msgspec.json.decode(event.command or b"null")
        if command is not None:
            found.setdefault(command["type"], command)
    return found | _never_recorded()


def _never_recorded() -> Json:
    """Nobody leaves a golden game before it starts, nor holds a round, and these things happen in none of them."""
    third, fourth = ({"number": number, "sides": 6, "value": 2} for number in (3, 4))
    return {
        "SeatLeft": {"type": "SeatLeft", "seat": 3},
        "LeaveSeat": {"type": "LeaveSeat"},
        "HoldRound": {"type": "HoldRound", "round": 1, "hold": True},
        "WithdrawOrders": {"type": "WithdrawOrders", "round": 1},
        "OrdersWithdrawn": {"type": "OrdersWithdrawn", "seat": 2, "round": 4},
        "HoldChanged": {"type": "HoldChanged", "seat": 2, "round": 4, "hold": True},
        "OrderCurtailed": {"type": "OrderCurtailed", "seat": 1, "line": 3, "asked": 5, "done": 2, "code": "barrels"},
        "DoubleVoided": {"type": "DoubleVoided", "seat": 1, "red": third, "black": fourth},
        "PumpsHeld": {"type": "PumpsHeld", "seat": 3, "line": 6, "quantity": 2},
    }


def _rounds() -> Json:
    """A game by post: the first sheet that was sent, tried out before it was, and what came of the round."""
    game = _game(BY_POST)
    events = [recorded(UUID(_id(game)), item) for item in game]
    ruleset = opened_with(events[0])
    sent = next(index for index, event in enumerate(events) if event.type == "OrdersSubmitted")
    submitted, tried = msgspec.json.decode(events[sent].data), events[:sent]
    head = Head(tried[-1].seq, tried[-1].hash)
    position = Position(events[0].game_id, ruleset, fold(ruleset, tried), head)
    orders = msgspec.convert(submitted["sheet"], OrderSheet)
    page = rounds(events)[:3]
    last = events[-1]
    return {
        "forecastOrders": {"body": submitted["sheet"], "answer": forecast(position, submitted["seat"], orders, "en")},
        "listRounds": {"answer": Rounds(last.game_id, last.seq, last.hash.hex(), page, page[-1].round)},
        "getRoundReport": {"answer": next(each for each in reports(events) if each.round == ROUND)},
    }


class _Moment:
    """A game just before somebody buys barrels, and the command that does it."""

    def __init__(self, game: list[EventItem]) -> None:
        self.game = game
        self.id = UUID(_id(game))
        bought = next(index for index, item in enumerate(game) if item.type == "BarrelsBought")
        self.before, self.done = game[:bought], [game[bought]]
        self.seat = self.done[0].actor or 0
        self.state = self._fold(self.before)
        self.head = Head(self.before[-1].seq, bytes.fromhex(self.before[-1].hash))

    def operations(self) -> Json:
        """Bodies and answers by operation."""
        return {
            "getIndex": {"answer": Index("mcmulti", "0.1.0", "/openapi.json", "/v1/rulesets", "/v1/games")},
            "isAlive": {"answer": Health("ok")},
            "isReady": {"answer": Health("ok")},
            "registerPlayer": {
                "body": {"name": "Player 1"},
                "answer": Registered(UUID(self.state.players[0].player), "Player 1", TOKEN),
            },
            "listKeys": {"answer": Keys((Key(KEY.id, "Ed25519", KEY.public),))},
            "getProof": {"answer": proof_of([recorded(self.id, item) for item in self.before], KEY, after=0, limit=3)},
            "listRulesets": {"answer": Rulesets((RulesetSummary(RULESET.name, RULESET.version, RULESET.title),))},
            "getRuleset": {"answer": self._ruleset()},
            "openGame": {
                "body": {"ruleset": RULESET.name, "setup": msgspec.json.decode(open_data(self.game[0]))["setup"]},
                "answer": self._view(self.game[:1], None),
            },
            "listGames": {"answer": Games((self._summary(),), None)},
            "getGame": {"answer": self._view(self.before, self.seat)},
            "takeSeat": {
                "body": {"seat": 0, "entropy": "my-own-luck"},
                "answer": self._result(self.game[:1], self.game[1:2], 0),
            },
            "listOffers": {"answer": self._offers()},
            "sendCommands": {
                "body": {"commands": [self.done[0].command]},
                "answer": self._result(self.before, self.done, self.seat),
            },
            "listEvents": {"answer": self._events()},
            **self._books(),
            "replayGame": {"answer": self._replay()},
            "getStatistics": {"answer": self._statistics()},
        }

    def problems(self) -> Json:
        """Problems by code, where a game leads to them."""
        refused = RULESET.decide(self.state, self.seat, BuyBarrels("domestic", "crude", 144), ScriptedChance())
        assert isinstance(refused, Rejection)
        errors = {
            "refused": refusal(RULESET, refused, "en", 0),
            "stale": Stale(self.head),
            "unknown_moment": UnknownMoment(self.head),
        }
        return {code: as_problem(error).problem for code, error in errors.items()}

    def _fold(self, events: list[EventItem]) -> Any:
        return fold(RULESET, [recorded(self.id, item) for item in events])

    def _view(self, events: list[EventItem], seat: int | None) -> GameView:
        view = msgspec.json.encode(RULESET.view(self._fold(events), seat))
        return GameView(self.id, RULESET.version, events[-1].seq, events[-1].hash, None, Raw(view))

    def _summary(self) -> GameSummary:
        last = self.before[-1]
        opened = self.game[0].recorded_at
        return GameSummary(self.id, RULESET.name, RULESET.version, "running", last.seq, last.hash, opened, None)

    def _offers(self) -> Offers:
        offers = offered(RULESET, self.state, self.seat, "en")
        to_move = RULESET.to_move(self.state)
        return Offers(self.id, self.head.seq, self.head.hash.hex(), self.seat, to_move, offers)

    def _result(self, before: list[EventItem], events: list[EventItem], seat: int) -> Result:
        to_move = RULESET.to_move(self._fold(before + events))
        return Result(self.id, events[-1].seq, events[-1].hash, seat, tuple(events), to_move, None)

    def _events(self) -> Events:
        page = tuple(self.before[-3:])
        return Events(self.id, self.done[0].seq, self.done[0].hash, page, page[-1].seq)

    def _replay(self) -> Replay:
        before, done = self._fold(self.before), [recorded(self.id, item) for item in self.done[:2]]
        told = tuple(frames(RULESET, before, done, seat=self.seat))
        return Replay(self.id, self.done[-1].seq, self.done[-1].hash, told, told[-1].seq)

    def _books(self) -> Json:
        """The first of what the books say of everything."""
        where = self.id, self.head.seq, self.head.hash.hex()
        log = [recorded(self.id, item) for item in self.before]
        booked = list(entries(log))
        page = tuple(islice(lines(booked), 4))
        balance = balanced(booked)
        cash = tuple(
            AccountBalance(account, unit, units[unit])
            for account, units in balance.accounts.items()
            for unit in units
            if unit == "dollars"
        )
        sums = tuple(UnitSum(unit, amount) for unit, amount in balance.units.items())
        called = names(RULESET, self.state)
        stated = tuple(each for each in statements(booked) if each.unit == "dollars")
        return {
            "getLedger": {"answer": Ledger(*where, page, page[-1].line)},
            "getBalances": {"answer": Balances(*where, cash, sums)},
            "getStatements": {"answer": Statements(*where, called, stated)},
            "getFlows": {"answer": Flows(*where, flows(booked)[:4])},
        }

    def _statistics(self) -> StatisticsOfGame:
        events = [recorded(self.id, item) for item in self.before]
        return StatisticsOfGame(self.id, self.head.seq, self.head.hash.hex(), game_statistics(events))

    def _ruleset(self) -> RulesetView:
        return RulesetView(
            RULESET.name,
            RULESET.version,
            RULESET.title,
            _few(RULESET.texts.components, "board", "setup"),
            _few(RULESET.texts.rules["en"], "market/buy", "market/sell", "purchase/cash-only"),
            _few(codes(RULESET, "en"), "cash", "market_empty"),
        )


def _few(whole: Any, *keys: str) -> Json:
    return {key: whole[key] for key in keys}


if __name__ == "__main__":
    main()

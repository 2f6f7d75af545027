"""Record the examples of the OpenAPI document from golden games.

Run as ``python -m tests.api.record_examples``. A test checks that the file is up to date. Values that no game has, such
as a token, are realistic inventions.
"""

from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
from msgspec import UnsetType

from mcmulti.api.app import ROUTES
from mcmulti.api.openapi import document
from mcmulti.api.openapi.schemas import family_of
from mcmulti.api.readings.reports import Rounds
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.postal.sheets.sheet import OrderSheet
from mcmulti.domain.rulesets import PLAYED_BY_ORDERS, SHIPPED
from mcmulti.events.log.codec import fold, opened_with
from mcmulti.events.log.envelope import Head
from mcmulti.events.log.item import EventItem, open_data, recorded
from mcmulti.events.log.positions import Position
from mcmulti.projections.reports.forecasts import Forecast, forecast, waiting_orders
from mcmulti.projections.reports.rounds import reports, rounds
from tests.api.guests import Json
from tests.api.moment import GOLDEN, ROUND, Moment, golden, id_of, scene_of
from tests.games import random_postal_game
from tests.profiles import Scene, profile_of

FILE = Path(__file__).parents[2] / "mcmulti" / "api" / "openapi" / "examples.json"
BY_POST = "by-post-sales"
"""The golden game that is played in rounds."""


def main() -> None:
    """Write the file."""
    FILE.write_bytes(examples())


def examples() -> bytes:
    """The examples by rule set, as indented JSON."""
    content = {name: _examples(ruleset, scene_of(ruleset)) for name, ruleset in SHIPPED.items()}
    return msgspec.json.format(msgspec.json.encode(content), indent=2) + b"\n"


def _examples(ruleset: Ruleset[Any], scene: Scene) -> Json:
    moment = Moment(ruleset, scene)
    in_rounds = _rounds() if ruleset.name in PLAYED_BY_ORDERS else {}
    return {
        "schemas": dict(sorted(_schemas(ruleset, scene.game).items())),
        "operations": moment.operations() | in_rounds,
        "problems": moment.problems(),
        "parameters": moment.parameters(),
    }


def _schemas(ruleset: Ruleset[Any], first: str) -> Json:
    """An event and a command of each type: the first in golden games of the rule set, else in a random one by post."""
    found: Json = {}
    games = map(golden, (first, *sorted(file.stem for file in GOLDEN.glob("*.jsonl"))))
    for item in (item for game in games if _ruleset(game) == ruleset.name for item in game):
        for raw in (item.data, item.command):
            if not isinstance(raw, UnsetType):
                value = msgspec.json.decode(raw)
                found.setdefault(value["type"], value)
    for event in random_postal_game(6) if ruleset.name in PLAYED_BY_ORDERS else ():
        found.setdefault(event.type, msgspec.json.decode(event.data))
        command = msgspec.json.decode(event.command or b"null")
        if command is not None:
            found.setdefault(command["type"], command)
    commands = (*ruleset.commands.logged, *ruleset.commands.worded)
    known = {kind.__name__ for kind in (*ruleset.events, *commands)}
    invented = {**_never_recorded(), **profile_of(ruleset.name).examples}
    whole = {**_SELDOM_RECORDED, **found, **invented}
    return {_in_the_document(ruleset, name): whole[name] for name in whole if name in known or name in found}


def _in_the_document(ruleset: Ruleset[Any], name: str) -> str:
    """The name of a schema, which begins with the name of the rule set if an earlier one has another by this name."""
    own = f"{family_of(ruleset).prefixes[-1]}{name}"
    return own if own in _schema_names() else name


@cache
def _schema_names() -> frozenset[str]:
    return frozenset(msgspec.json.decode(document(ROUTES))["components"]["schemas"])


_SELDOM_RECORDED: Json = {
    "AnswerEnd": {"type": "AnswerEnd", "how": "rank", "accept": True},
    "AnswerTakeBack": {"type": "AnswerTakeBack", "accept": True},
    "EndProposed": {"type": "EndProposed", "seat": 0, "how": "call_off", "turn": 4},
    "ProposeEnd": {"type": "ProposeEnd", "how": "call_off"},
    "TakeBackAnswered": {"type": "TakeBackAnswered", "seat": 1, "accepted": True},
    "UseBank": {"type": "UseBank", "seconds": 45},
}
"""What a short game may lack."""


def _ruleset(game: list[EventItem]) -> str:
    return str(msgspec.json.decode(open_data(game[0]))["ruleset"])


def _never_recorded() -> Json:
    """What no golden game contains, such as leaving before the start."""
    return {
        "SeatLeft": {"type": "SeatLeft", "seat": 3},
        "LeaveSeat": {"type": "LeaveSeat"},
        "MovedUnasked": {
            "type": "MovedUnasked",
            "seat": 1,
            "why": "vacant",
            "move": "EndTurn",
            "missed": 0,
            "turn": 14,
        },
        "PurchasesPutOff": {"type": "PurchasesPutOff", "seat": 1, "quadrant": 3},
        "AgreeToStart": {"type": "AgreeToStart"},
        "StartAgreedTo": {"type": "StartAgreedTo", "seat": 2, "agreed": 1, "players": 3},
        "SeatsClosedUp": {"type": "SeatsClosedUp", "chairs": [0, 2, 3]},
        "Instruct": {"type": "Instruct", "orders": {"sell_from": 20, "pump": True, "cash_below": 50}},
        "InstructionSet": {
            "type": "InstructionSet",
            "seat": 1,
            "tenure": 0,
            "salt": "8f3c21d09be64a7750d1a2b3c4e5f607",
            "orders": {"sell_from": 20, "pump": True, "cash_below": 50},
        },
        "VoteCast": {"type": "VoteCast", "seat": 2, "accept": True, "salt": "1f" * 16},
        "EndAgreedTo": {"type": "EndAgreedTo", "agreed": 2, "players": 3},
        "EndLongGame": {"type": "EndLongGame"},
        "LengthReached": {"type": "LengthReached", "longest": 15000},
        "PositionSetUp": {
            "type": "PositionSetUp",
            "balances": [],
            "branch_of": {"game": "b705f9cd-1a7e-54ea-997d-e868d46d683d", "seq": 120, "hash": "4f" * 32},
            "entropy": "my-own-luck,0-1",
        },
        "LastRemained": {"type": "LastRemained", "seat": 2},
        "EndProposalFell": {"type": "EndProposalFell", "why": "refused"},
        "EndAgreed": {"type": "EndAgreed", "how": "rank"},
    }


def _rounds() -> Json:
    """A game by post: the first sheet that was sent, tried out before it was, and the result of the round."""
    game = golden(BY_POST)
    events = [recorded(UUID(id_of(game)), item) for item in game]
    ruleset = opened_with(events[0])
    sent = next(index for index, event in enumerate(events) if event.type == "OrdersSubmitted")
    submitted, tried = msgspec.json.decode(events[sent].data), events[:sent]
    head = Head(tried[-1].seq, tried[-1].hash)
    position = Position(events[0].game_id, ruleset, fold(ruleset, tried), head)
    now = Position(events[0].game_id, ruleset, fold(ruleset, events[: sent + 1]), head)
    orders = msgspec.convert(submitted["sheet"], OrderSheet)
    told = forecast(position, submitted["seat"], orders, "en")
    assert isinstance(told, Forecast)
    page = rounds(events)[:3]
    last = events[-1]
    return {
        "forecastOrders": {"body": submitted["sheet"], "answer": told},
        "forecastText": {"body": {"text": told.text}, "answer": told},
        "listOrders": {"answer": waiting_orders(now, submitted["seat"])},
        "listRounds": {"answer": Rounds(last.game_id, last.seq, last.hash.hex(), page, page[-1].round)},
        "getRoundReport": {"answer": next(each for each in reports(events) if each.round == ROUND)},
    }


if __name__ == "__main__":
    main()

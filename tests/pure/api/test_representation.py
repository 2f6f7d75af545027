"""Everything that a response depends on is in its cache key and in its tag, even if the handler ignores it."""

from itertools import combinations
from typing import Any, cast
from uuid import UUID

import pytest
from msgspec import Struct
from msgspec.structs import replace

from mcmulti.api.app import ROUTES
from mcmulti.api.caching.bodies import ResponseCache
from mcmulti.api.caching.representation import Perspective, Representation
from mcmulti.api.http.contract import Beside, Call, Operation
from mcmulti.api.telling.names import Names
from mcmulti.domain.mcmulti import RULESET
from mcmulti.events.log.envelope import Head
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.accounts import Player

GAME = UUID("00000000-0000-4000-8000-000000000001")
HEAD = Head(7, bytes(32))
ADA = Player(UUID("00000000-0000-4000-8000-000000000002"), "Ada")
NOW = Perspective(Position(GAME, RULESET, None, HEAD), past=False, seat=None)


class Asked(Struct, frozen=True, forbid_unknown_fields=True):
    """A query with an additional parameter (`shade`) that no handler uses when it names its response."""

    language: str = "en"
    shade: str = "none"


PLAIN = Asked()
OPERATIONS: list[Operation] = [route.opt["operation"] for route in ROUTES]


class Served:
    """The parts of a service that representations need."""

    def __init__(self) -> None:
        self.responses = ResponseCache()


def operation(id: str = "drawThing") -> Operation:
    return Operation(
        id=id,
        tag="log",
        summary="",
        description="",
        path="/v1/games/{game}/things/{thing}",
        parts=("game", "thing"),
        query=Asked,
        unasked=PLAIN,
        auth="optional",
        headers=(),
        body=(),
        scope="read",
    )


def asked(
    served: Served,
    parameters: Struct = PLAIN,
    path: tuple[str, ...] = (),
    media_type: str = "application/json",
    of: Operation | None = None,
    caller: Player | None = None,
) -> Call:
    service, request = cast(Any, served), cast(Any, None)
    return Call(request, service, media_type, "Authorization", of or operation(), parameters, path, caller)


def at(head: Head, game: UUID = GAME) -> Perspective:
    return NOW._replace(position=Position(game, RULESET, None, head))


def answers(served: Served) -> dict[str, Representation]:
    """Responses that differ in one thing each."""
    plain = asked(served)
    return {
        "plain": Representation(plain, NOW),
        "another parameter": Representation(asked(served, Asked(shade="blue")), NOW),
        "another value": Representation(asked(served, Asked(shade="red")), NOW),
        "another language": Representation(asked(served, Asked(language="de")), NOW),
        "another path": Representation(asked(served, path=("rigs",)), NOW),
        "yet another path": Representation(asked(served, path=("wells",)), NOW),
        "another form": Representation(asked(served, media_type="text/csv"), NOW),
        "a seat": Representation(plain, NOW._replace(seat=0)),
        "another seat": Representation(plain, NOW._replace(seat=1)),
        "names": Representation(plain, NOW._replace(names=Names({}, "0a0b"))),
        "something beside": Representation(plain, NOW._replace(beside=Beside(GAME, GAME))),
        "another event": Representation(plain, at(Head(8, bytes(32)))),
        "another log": Representation(plain, at(Head(7, b"\1" * 32))),
    }


@pytest.mark.parametrize(("one", "other"), list(combinations(answers(Served()), 2)))
def test_no_two_answers_share_a_tag_or_a_body(one: str, other: str) -> None:
    found = answers(Served())
    assert found[one].tag != found[other].tag
    found[one].keep(one.encode())
    assert found[one].kept() == one.encode()
    assert found[other].kept() is None


def test_operations_share_no_body() -> None:
    served = Served()
    Representation(asked(served), NOW).keep(b"drawn")
    assert Representation(asked(served, of=operation("readThing")), NOW).kept() is None


def test_games_share_no_body() -> None:
    served = Served()
    Representation(asked(served), NOW).keep(b"drawn")
    assert Representation(asked(served), at(HEAD, ADA.player_id)).kept() is None


def test_the_same_question_gets_the_same_bytes_whoever_asks() -> None:
    served = Served()
    first = Representation(asked(served), NOW)
    first.keep(b"drawn")
    again = Representation(asked(served, Asked(language="en"), caller=ADA), NOW)
    assert (again.kept(), again.tag) == (b"drawn", first.tag)
    assert first.answer(b"drawn").headers["Cache-Control"] == "public, no-cache"
    assert again.answer(b"drawn").headers["Cache-Control"] == "private, no-cache"


@pytest.mark.parametrize("declared", OPERATIONS, ids=lambda declared: declared.id)
def test_every_query_may_be_part_of_a_key(declared: Operation) -> None:
    """It can be hashed, and comparisons leave out none of its members."""
    unasked = declared.unasked
    assert hash(unasked) == hash(declared.query())
    for name in unasked.__struct_fields__:
        assert replace(unasked, **{name: object()}) != unasked, name

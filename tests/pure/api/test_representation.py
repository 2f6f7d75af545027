"""Everything that a response depends on is in its cache key and in its tag, even if the handler ignores it."""

from itertools import combinations
from typing import Any, cast
from uuid import UUID

import pytest
from msgspec import Struct
from msgspec.structs import replace

from mcmulti.api.app import ROUTES
from mcmulti.api.caching.bodies import ResponseCache
from mcmulti.api.caching.representation import Representation
from mcmulti.api.http.contract import Call, Operation
from mcmulti.events.log.envelope import Head
from mcmulti.events.ports.accounts import Player

GAME = UUID("00000000-0000-4000-8000-000000000001")
HEAD = Head(7, bytes(32))
ADA = Player(UUID("00000000-0000-4000-8000-000000000002"), "Ada")


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


def answers(served: Served) -> dict[str, Representation]:
    """Responses that differ in one thing each."""
    plain = asked(served)
    return {
        "plain": Representation(plain, GAME, HEAD, None),
        "another parameter": Representation(asked(served, Asked(shade="blue")), GAME, HEAD, None),
        "another value": Representation(asked(served, Asked(shade="red")), GAME, HEAD, None),
        "another language": Representation(asked(served, Asked(language="de")), GAME, HEAD, None),
        "another path": Representation(asked(served, path=("rigs",)), GAME, HEAD, None),
        "yet another path": Representation(asked(served, path=("wells",)), GAME, HEAD, None),
        "another form": Representation(asked(served, media_type="text/csv"), GAME, HEAD, None),
        "a seat": Representation(plain, GAME, HEAD, 0),
        "another seat": Representation(plain, GAME, HEAD, 1),
        "names": Representation(plain, GAME, HEAD, None, "0a0b"),
        "something besides": Representation(plain, GAME, HEAD, None, also=GAME),
        "another event": Representation(plain, GAME, Head(8, bytes(32)), None),
        "another log": Representation(plain, GAME, Head(7, b"\1" * 32), None),
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
    Representation(asked(served), GAME, HEAD, None).keep(b"drawn")
    assert Representation(asked(served, of=operation("readThing")), GAME, HEAD, None).kept() is None


def test_games_share_no_body() -> None:
    served = Served()
    Representation(asked(served), GAME, HEAD, None).keep(b"drawn")
    assert Representation(asked(served), ADA.player_id, HEAD, None).kept() is None


def test_the_same_question_gets_the_same_bytes_whoever_asks() -> None:
    served = Served()
    first = Representation(asked(served), GAME, HEAD, None)
    first.keep(b"drawn")
    again = Representation(asked(served, Asked(language="en"), caller=ADA), GAME, HEAD, None)
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

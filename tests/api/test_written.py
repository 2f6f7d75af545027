"""Bodies at hand are those of the head, the seat and the kind that are asked for."""

from uuid import UUID

from mcmulti.api.written import BODIES, Written

GAME = UUID(int=7)


def test_a_body_is_written_once_for_each_moment_kind_and_reader() -> None:
    written = Written()
    asked = [("view", None, 1), ("view", None, 1), ("view", 0, 1), ("offers", 0, 1), ("view", None, 2), ("view", 0, 1)]
    made: list[bytes] = []
    given = []
    for kind, seat, head in asked:
        body = f"{kind} of {seat} at {head}".encode()

        def write(body: bytes = body) -> bytes:
            made.append(body)
            return body

        given.append(written.body(GAME, kind, seat, head, write))
    assert given == [f"{kind} of {seat} at {head}".encode() for kind, seat, head in asked]
    assert made == [b"view of None at 1", b"view of 0 at 1", b"offers of 0 at 1", b"view of None at 2"]


def test_what_was_asked_for_longest_ago_gives_way() -> None:
    written = Written()
    made = []

    def write(number: int) -> bytes:
        made.append(number)
        return b"%d" % number

    for number in (*range(BODIES), 0, BODIES, 0, 1):
        written.body(UUID(int=number), "view", None, 1, lambda number=number: write(number))  # type: ignore[misc]
    assert made == [*range(BODIES), BODIES, 1]

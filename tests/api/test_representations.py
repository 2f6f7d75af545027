"""Entity tags, conditional requests, and content codings: as used by proxies, caches, and all kinds of clients."""

import asyncio
import gzip
import re
import zlib

import httpx
import pytest
from httpx import AsyncClient, Response

from mcmulti.api.http import answers
from mcmulti.api.http.answers import LEAST
from tests.api.guests import Guest, Table, problem
from tests.api.sealed_game import SealedGame

TAG = re.compile(r'"\d+-[0-9a-f]{64}(;[0-9a-z-]+)*"')
PLAIN = {"Accept-Encoding": "identity"}
GZIP = {"Accept-Encoding": "gzip"}
ELSEWHERE = '"1-' + "0" * 64 + '"'


async def _raw(answered: Response) -> bytes:
    """The body as it was sent: httpx decodes what it can."""
    return b"".join([chunk async for chunk in answered.aiter_raw()])


async def _sent(client: AsyncClient, path: str, **headers: str) -> tuple[Response, bytes]:
    """A response and the bytes of its body on the wire."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    async with client.stream("GET", path, headers=named) as answered:
        return answered, await _raw(answered)


# If-Match


async def _roll(ada: Guest, game: str, if_match: str) -> Response:
    return await ada.send(game, {"type": "RollDice"}, dry_run=True, If_Match=if_match)


async def test_the_tag_of_any_representation_names_the_position(table: Table) -> None:
    game = await table.market_phase()
    ada, ben = table.guests
    here = f"/v1/games/{game}"
    shown = [
        await ada.get(here),
        await ben.get(here),
        await table.client.get(here),
        await ada.get(f"{here}/offers"),
        await ada.get(f"{here}/offers", headers=PLAIN),
        await ada.get(f"{here}/ledger", headers={"Accept": "text/csv"}),
        await ada.get(f"{here}/ledger.journal"),
        await ada.get(f"{here}/board.svg?language=de"),
        await ada.get(f"{here}/events"),
        await ada.get(f"{here}/file"),
    ]
    tags = [answered.headers["etag"] for answered in shown]
    assert all(TAG.fullmatch(tag) for tag in tags), tags
    assert len({*tags}) > 6
    for tag in tags:
        assert (await _roll(ada, game, tag)).status_code == 200, tag


LISTS = (
    "{}",
    "W/{}",
    " {} ",
    f"{ELSEWHERE}, {{}}",
    f"{ELSEWHERE},W/{{}}",
    f", {{}} ,, {ELSEWHERE},",
    '"of,another!server",{}',
    '"", {}',
)


async def test_if_match_takes_weak_tags_and_lists(table: Table) -> None:
    """As nginx, Apache, or a cache may pass them on."""
    game = await table.market_phase()
    ada = table.guests[0]
    tag = (await ada.get(f"/v1/games/{game}/offers")).headers["etag"]
    sent = [of.format(known) for of in LISTS for known in (tag, tag[:-1] + '-gzip"')]  # as Apache marks them
    for if_match in (*sent, "*"):
        assert (await _roll(ada, game, if_match)).status_code == 200, if_match
    assert (await ada.send(game, {"type": "RollDice"})).status_code == 200
    now = (await ada.get(f"/v1/games/{game}", headers=PLAIN)).headers["etag"]
    for if_match in sent:
        moved = await _roll(ada, game, if_match)
        problem(moved, 412, "stale")
        assert now.startswith(moved.headers["etag"][:-1])
    problem(await _roll(ada, game, "*"), 409, "out_of_phase")


async def test_tags_on_several_lines_are_one_list(table: Table) -> None:
    game = await table.market_phase()
    ada = table.guests[0]
    tag = (await ada.get(f"/v1/games/{game}/offers")).headers["etag"]
    lines = [("If-Match", ELSEWHERE), ("If-Match", tag), ("Authorization", f"Bearer {ada.token}")]
    path, rolled = f"/v1/games/{game}/commands?dry_run=true", {"commands": [{"type": "RollDice"}]}
    assert (await table.client.post(path, json=rolled, headers=lines)).status_code == 200
    lines[1] = ("If-Match", ELSEWHERE)
    problem(await table.client.post(path, json=rolled, headers=lines), 412, "stale")


async def test_a_tag_that_is_none_of_the_games_fits_no_position(table: Table) -> None:
    game = await table.market_phase()
    for tag in ('"of-somebody-else"', '""', f'{ELSEWHERE}, "x"', 'W/"1"', f'"{"9" * 20}-{"0" * 64}"'):
        problem(await _roll(table.guests[0], game, tag), 412, "stale")


MALFORMED = ("", "1-2", '"1', "w/{}", "{} {}", "W/ {}", "W/*", "*, *", "{}, *", "{}x", '"a b"', "x" * 4001)


async def test_what_is_no_list_of_tags_is_refused(table: Table) -> None:
    game = await table.market_phase()
    ada = table.guests[0]
    tag = (await ada.get(f"/v1/games/{game}/offers")).headers["etag"]
    for text in MALFORMED:
        sent = text.format(tag, tag)
        problem(await _roll(ada, game, sent), 400, "invalid_header")
        for path in ("", "?at=5", "/offers", "/ledger", "/board.svg", "/events"):
            answered = await ada.get(f"/v1/games/{game}{path}", headers={"If-None-Match": sent})
            problem(answered, 400, "invalid_header")
        problem(await ada.get("/openapi.json", headers={"If-None-Match": sent}), 400, "invalid_header")


# If-None-Match


async def test_if_none_match_compares_weakly(table: Table) -> None:
    game = await table.market_phase()
    ada = table.guests[0]
    for path in ("", "?at=5", "/offers", "/ledger", "/events", "/board.svg", "/board.txt", "/statistics", "/proof"):
        address = f"/v1/games/{game}{path}"
        for coding in (PLAIN, GZIP):
            first = await ada.get(address, headers=coding)
            tag = first.headers["etag"]
            for of in (*LISTS, "*"):
                again = await ada.get(address, headers={**coding, "If-None-Match": of.format(tag)})
                assert (again.status_code, again.content) == (304, b"")
                assert "content-encoding" not in again.headers
                assert again.headers["vary"].endswith("Authorization, Accept-Encoding")
                assert again.headers["etag"] == (tag.replace(";gzip", "") if of == "*" else tag)
            stale = await ada.get(address, headers={**coding, "If-None-Match": ELSEWHERE})
            assert stale.status_code == 200


async def test_a_tag_of_another_form_is_not_what_the_client_has(table: Table) -> None:
    game = await table.market_phase()
    ada = table.guests[0]
    for path in ("ledger", "balances", "statements", "flows"):
        address = f"/v1/games/{game}/{path}"
        json = (await ada.get(address)).headers["etag"]
        csv = await ada.get(address, headers={"Accept": "text/csv", "If-None-Match": json})
        assert csv.status_code == 200
        assert csv.headers["content-type"] == "text/csv; charset=utf-8"
        assert csv.headers["vary"].startswith("Accept, Authorization")
        back = await ada.get(address, headers={"If-None-Match": csv.headers["etag"]})
        assert (back.status_code, back.headers["content-type"]) == (200, "application/json")


async def test_each_language_has_a_tag_of_its_own(table: Table) -> None:
    game = await table.market_phase()
    ada = table.guests[0]
    for path in ("board.svg", "board.txt", "board.png", "charts/cash"):
        tags = {
            language: (await ada.get(f"/v1/games/{game}/{path}?language={language}", headers=PLAIN)).headers["etag"]
            for language in ("en", "de")
        }
        assert tags["en"] != tags["de"]
        assert tags["en"] == (await ada.get(f"/v1/games/{game}/{path}", headers=PLAIN)).headers["etag"]


async def test_the_tag_of_another_caller_is_not_what_the_client_has(table: Table) -> None:
    """A game by post: its players read views of their own, spectators another, and sealed data is sealed."""
    sealed = await SealedGame.open(table)
    seated, nobody = table.guests[:4], table.client
    for path in ("", "?at=9", "/events"):
        address = f"{sealed.address}{path}"
        shown = {guest.name: await guest.get(address) for guest in seated}
        shown["nobody"] = await nobody.get(address)
        tags = {name: answered.headers["etag"] for name, answered in shown.items()}
        assert len({*tags.values()}) == 5
        assert len({answered.content for answered in shown.values()}) > 1
        for name, tag in tags.items():
            for guest in seated:
                answered = await guest.get(address, headers={"If-None-Match": tag})
                assert (answered.status_code == 304) == (guest.name == name)
            answered = await nobody.get(address, headers={"If-None-Match": tag})
            assert (answered.status_code == 304) == (name == "nobody")
            assert "Authorization" in answered.headers["vary"]
    eve = table.guests[4]  # registered, with a token, and no seat: she sees what spectators see
    onlooking = (await nobody.get(sealed.address)).headers["etag"]
    assert (await eve.get(sealed.address, headers={"If-None-Match": onlooking})).status_code == 304
    files = {(await guest.get(f"{sealed.address}/file")).headers["etag"] for guest in seated}
    assert len(files) == 4


async def test_offers_are_kept_by_token(table: Table) -> None:
    game = await table.market_phase()
    ada, ben = table.guests
    answered = await ada.get(f"/v1/games/{game}/offers", headers=PLAIN)
    assert "Authorization" in answered.headers["vary"]
    known = {"If-None-Match": answered.headers["etag"]}
    assert (await ben.get(f"/v1/games/{game}/offers", headers=known)).status_code == 200


# Content codings

LARGE = ("", "?at=5", "/ledger", "/board.svg", "/charts/prices", "/events", "/replay")


async def test_a_large_body_is_compressed_for_who_takes_that(table: Table) -> None:
    game = await table.market_phase()
    for path in LARGE:
        await _is_compressed(table, f"/v1/games/{game}{path}")


async def test_a_journal_is_compressed_as_it_is_written(table: Table) -> None:
    """Its length is not known in advance."""
    game = await table.market_phase()
    for path in ("/ledger.journal", "/ledger.beancount"):
        plain, packed = await _are_compressed(table, f"/v1/games/{game}{path}")
        assert "content-length" not in {**plain.headers, **packed.headers}


async def _is_compressed(table: Table, address: str) -> None:
    for answered in await _are_compressed(table, address):
        assert int(answered.headers["content-length"]) == answered.num_bytes_downloaded


async def _are_compressed(table: Table, address: str) -> tuple[Response, Response]:
    """A response without compression, and compressed."""
    plain, body = await _sent(table.client, address, Accept_Encoding="identity")
    assert len(body) >= LEAST
    small, packed = await _sent(table.client, address, Accept_Encoding="gzip")
    again, kept = await _sent(table.client, address, Accept_Encoding="gzip")
    assert "content-encoding" not in plain.headers
    assert small.headers["content-encoding"] == again.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed) == gzip.decompress(kept) == body
    assert len(packed) < len(body) / 2
    for answered in (plain, small):
        assert answered.headers["vary"].endswith("Accept-Encoding")
    if "etag" in plain.headers:
        assert small.headers["etag"] == plain.headers["etag"][:-1] + ';gzip"'
    return plain, small


async def test_a_small_body_is_sent_as_it_is(table: Table) -> None:
    answered, body = await _sent(table.client, "/healthz", Accept_Encoding="gzip")
    assert len(body) < LEAST
    assert "content-encoding" not in answered.headers
    assert "vary" not in answered.headers


TAKEN = (
    ("gzip", True),
    ("GZip", True),
    ("x-gzip", True),
    ("br, zstd, gzip, deflate", True),
    ("gzip;q=0.5", True),
    ("gzip ; q=0.5 , identity;q=0.2", True),
    ("*", True),
    ("br;q=1.0, *;q=0.1", True),
    ("identity;q=0, gzip", True),
    ("gzip;q=1.000", True),
    (None, False),
    ("", False),
    ("identity", False),
    ("br, deflate", False),
    ("gzip;q=0", False),
    ("gzip;q=0, *", False),
    ("gzip;q=0.000", False),
    ("*;q=0", False),
    ("identity, gzip;q=0.5", False),
    ("notgzip, gzipped", False),
    ("gzip;q=inf", False),
    (";;;,,,q=", False),
)


async def test_the_coding_is_what_the_client_takes(table: Table) -> None:
    """RFC 9110, 12.5.3."""
    for accept, packed in TAKEN:
        headers = {} if accept is None else {"Accept-Encoding": accept}
        answered = await table.client.send(httpx.Request("GET", "http://mcmulti/v1/rulesets/mcmulti", headers=headers))
        assert answered.headers.get("content-encoding") == ("gzip" if packed else None), accept
        assert answered.json()["name"] == "mcmulti"


async def test_a_tag_in_a_coding_the_client_refuses_is_not_what_it_has(table: Table) -> None:
    game = await table.market_phase()
    address = f"/v1/games/{game}"
    tag = (await table.client.get(address, headers=GZIP)).headers["etag"]
    assert tag.endswith(';gzip"')
    assert (await table.client.get(address, headers={**PLAIN, "If-None-Match": tag})).status_code == 200
    plain = tag.replace(";gzip", "")
    assert (await table.client.get(address, headers={**GZIP, "If-None-Match": plain})).status_code == 304


async def test_the_contract_is_small_on_the_wire(table: Table) -> None:
    plain, body = await _sent(table.client, "/openapi.json", Accept_Encoding="identity")
    small, packed = await _sent(table.client, "/openapi.json", Accept_Encoding="gzip")
    assert gzip.decompress(packed) == body
    assert len(packed) < len(body) / 10
    assert plain.headers["etag"] != small.headers["etag"]
    for answered in (plain, small):
        known = {"If-None-Match": f"W/{answered.headers['etag']}"}
        again = await table.client.get("/openapi.json", headers=known)
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["vary"] == answered.headers["vary"] == "Accept-Encoding"


async def test_a_stream_of_what_there_is_can_be_read_chunk_by_chunk_though_compressed(table: Table) -> None:
    game = await table.market_phase()
    for path in ("/file", "/replay"):
        await _is_flushed(table, f"/v1/games/{game}{path}")


async def _is_flushed(table: Table, address: str) -> None:
    lines = {"Accept": "application/x-ndjson"}
    async with table.client.stream("GET", address, headers={**lines, **GZIP}) as answered:
        assert answered.headers["content-encoding"] == "gzip"
        assert answered.headers["vary"] == "Accept, Authorization, Accept-Encoding"
        chunks = [chunk async for chunk in answered.aiter_raw()]
    reading = zlib.decompressobj(16 + zlib.MAX_WBITS)
    assert reading.decompress(chunks[0]).endswith(b"\n")
    assert gzip.decompress(b"".join(chunks)) == (await table.client.get(address, headers={**lines, **PLAIN})).content


async def test_a_stream_that_goes_on_is_sent_as_it_is(table: Table) -> None:
    game = await table.market_phase()
    for accept in ("text/event-stream", "application/x-ndjson"):
        address = f"/v1/games/{game}/events?until=9"
        async with table.client.stream("GET", address, headers={"Accept": accept, **GZIP}) as answered:
            assert "content-encoding" not in answered.headers
            assert b"GameOpened" in await _raw(answered)


async def test_a_problem_and_a_result_are_compressed_alike(table: Table) -> None:
    game = await table.start()
    rig = {"type": "BuyAsset", "kind": "rig", "site": {"quadrant": 0, "row": 2, "column": 5}}
    bought = [{**rig, "site": {**rig["site"], "row": row}} for row in (2, 3, 4, 5)]  # type: ignore[dict-item]
    sent = await table.guests[0].send(game, *bought, Accept_Encoding="gzip")
    assert sent.headers["content-encoding"] == "gzip"
    assert sent.headers["cache-control"] == "no-store"
    assert len(sent.json()["events"]) == 4
    told = await table.client.get(f"/v1/games/{game}/charts/{'x' * 40}", headers=GZIP)
    problem(told, 404, "unknown_chart")
    assert "content-encoding" not in told.headers


async def test_a_large_body_is_packed_once_for_all_who_ask_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """200 pages request the same picture after a move."""
    done = 0

    def pack(body: bytes, _: int) -> bytes:
        nonlocal done
        done += 1
        return gzip.compress(body)

    monkeypatch.setattr(answers, "_pack", pack)
    body = b"as large as a picture" * answers.BESIDE
    asked = [asyncio.create_task(answers.packed(bytes(body), keep=False)) for _ in range(200)]
    await asyncio.sleep(0)
    asked[0].cancel()  # canceling one does not affect the others
    answered = await asyncio.gather(*asked[1:])
    assert {gzip.decompress(each) for each in answered} == {body}
    assert done == 1

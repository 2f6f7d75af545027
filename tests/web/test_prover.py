"""The proof in browsers agrees with both verifiers, on the vectors of the guide and on forged games."""

import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from mcmulti.cli.proof.verdict import judged
from mcmulti.events.log.envelope import Head, Recorded, sealed
from mcmulti.events.log.signing import KeyStatement, Revocation, SigningKey, distrust, key_id, revocation, succession
from mcmulti.events.store.game_file import GameRecord, NotAGameFile, heading, line, lines, read, record_of
from mcmulti.projections.proof.proof import verify
from tests.docs.manual import page
from tests.golden.forging import rehashed
from tests.golden.games import FILES, load
from tests.web.proving import Job, evaluated, proven

pytestmark = pytest.mark.needs("node")

GUIDE = page("reference/proof-format", "reference/signatures")
VECTORS: list[dict[str, Any]] = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", GUIDE, re.DOTALL)]
GAME = load(next(file for file in FILES if file.stem == "four-players"))
BY_POST = load(next(file for file in FILES if file.stem == "by-post-sales"))
KEY = SigningKey(b"k" * 32)
WRITTEN = list(lines(record_of(GAME, KEY, {"00000000-0000-4000-9000-000000000000": "</script><b>"})))


def report_on(folder: Path, content: Sequence[bytes], **asked: Any) -> dict[str, Any]:
    (report,) = proven(folder, Job(content, asked))
    return report


def told(reports: list[dict[str, Any]]) -> list[tuple[str, int, int, bool]]:
    """The faults in game files, their places, how many events are proven, and whether the file is sound."""
    return [(each["fault"]["code"], each["fault"]["seq"], each["proven"], each["sound"]) for each in reports]


def first(type_: str, events: Sequence[Recorded] = GAME) -> int:
    """The position of the first event of a type, counted from 0."""
    return next(index for index, event in enumerate(events) if event.type == type_)


def test_the_vectors_of_the_guide_follow(tmp_path: Path) -> None:
    """Each of the ten, with the values to compute from it."""
    program = """
    import { committed, drawn, hashOf, holds, keyed, payloadOf, salted, shortName } from "./prover.js";
    const found = [];
    for (const v of JSON.parse(await new Response(process.stdin).text())) {
      const header = v.header ?? v.sealed_header;
      const [game, number, , entropy] = (v.message ?? v.salt_message ?? "").split(":");
      if (header) {
        const payload = v.payload ?? await payloadOf(v.data, v.command);
        found.push([payload, await hashOf(v.prev_hash, payload, header)]);
      } else if (v.opened_data) found.push([await payloadOf(v.opened_data, v.opened_command)]);
      else if (v.hmac) {
        const value = drawn(await keyed(v.seed), game, Number(number), v.sides, entropy);
        found.push([committed(v.seed), value]);
      } else if (v.salt) found.push([salted(await keyed(v.seed), game, Number(v.salt_message.split(":")[2]))]);
      else if (v.signature) found.push([shortName(v.public), holds(v.public, v.signature, v.message)]);
      else if (v.succession) {
        found.push([holds(v.before, v.endorsed, v.succession), holds(v.public, v.accepted, v.succession)]);
      } else found.push([holds(v.by, v.by_signed, v.revocation), holds(v.revoked, v.by_signed, v.revocation)]);
    }
    console.log(JSON.stringify(await Promise.all(found.map((each) => Promise.all(each)))));
    """
    expected: list[list[Any]] = []
    vectors = [vector for vector in VECTORS if "bot_seed" not in vector]  # a page plays no strategy again
    for vector in vectors:
        if "header" in vector or "sealed_header" in vector:
            expected.append([vector.get("payload_sha256") or vector["payload"], vector["hash"]])
        elif "opened_data" in vector:
            expected.append([vector["payload"]])
        elif "hmac" in vector:
            expected.append([vector["commitment"], vector["value"]])
        elif "salt" in vector:
            expected.append([vector["salt"]])
        elif "signature" in vector:
            expected.append([vector["key"], True])
        else:
            expected.append([True, "succession" in vector])
    assert len(expected) == 10
    assert evaluated(tmp_path, program, vectors) == expected


def test_it_proves_the_golden_games_as_the_first_verifier_does(tmp_path: Path) -> None:
    games = [load(file) for file in FILES]
    for events, report in zip(
        games, proven(tmp_path, *(Job(lines(record_of(events, KEY))) for events in games)), strict=True
    ):
        proof = verify(events)
        assert (report["fault"], report["sound"], report["revealed"]) == (None, True, True)
        counted = (report["events"], report["proven"], report["commands"], report["draws"])
        assert counted == (proof.events, proof.events, proof.commands, proof.draws)
        assert report["signed"] == {
            "state": "valid",
            "key": KEY.id,
            "public": KEY.public,
            "doubt": None,
            "since": None,
            "other": None,
        }
        assert report["told"] == sorted(report["told"])
        assert report["told"][-1] == 1


def test_salts_are_computed_again(tmp_path: Path) -> None:
    assert (
        report_on(tmp_path, [*lines(record_of(BY_POST))])["salts"]
        == sum(b'"salt"' in event.data for event in BY_POST)
        > 0
    )


def test_of_a_game_that_is_played_the_dice_are_as_recorded(tmp_path: Path) -> None:
    report = report_on(tmp_path, [*lines(record_of(GAME[:300]))])
    assert (report["sound"], report["revealed"], report["proven"]) == (True, False, 300)
    assert report["signed"]["state"] == "none"


def test_what_is_sealed_is_chained_by_its_digest(tmp_path: Path) -> None:
    sheets = [index for index, event in enumerate(BY_POST) if event.type == "OrdersSubmitted"]
    before = BY_POST[: sheets[5]]
    shown = [sealed(event) if event.type == "OrdersSubmitted" else event for event in before]
    report = report_on(tmp_path, [*lines(record_of(shown, KEY))])
    assert (report["sound"], report["sealed"], report["proven"]) == (True, 5, len(before))
    changed = shown[sheets[1]]._replace(payload=b"x" * 32)
    (other, after) = proven(
        tmp_path,
        Job(lines(record_of([*shown[: sheets[1]], changed, *shown[sheets[1] + 1 :]]))),
        Job(lines(record_of([*BY_POST[: sheets[0]], sealed(BY_POST[sheets[0]]), *BY_POST[sheets[0] + 1 :]]))),
    )
    assert other["fault"] == {"code": "changed", "seq": sheets[1] + 1}
    assert after["fault"] == {"code": "sealed", "seq": sheets[0] + 1}


CHANGED = [
    ("DiceRolled", rb'"value":\d', b'"value":9', "changed"),
    ("AssetBought", rb'"price":', b'"price": ', "changed"),
    ("BarrelsSold", rb'"prices":\[', b'"prices":[1,', "changed"),
    ("TurnBegan", rb'"actor":.*?,', b'"actor":7,', "changed"),
    ("TurnBegan", rb'"rule":"', b'"rule":"x', "changed"),
    ("TurnBegan", rb'"recorded_at":"....', b'"recorded_at":"1999', "changed"),
    ("EconomyChanged", rb'"hash":"....', b'"hash":"0000', "changed"),
    ("EconomyChanged", rb'"prev_hash":"....', b'"prev_hash":"0000', "unlinked"),
    ("EconomyChanged", rb'"seq":', b'"seq":1', "missing"),
    ("EconomyChanged", rb"\}\n", b',"more":1}\n', "unreadable"),
    ("EconomyChanged", rb"\}\n", b"}\r\n", "unreadable"),
    ("EconomyChanged", rb"^.*\n", b"\n", "unreadable"),
    ("EconomyChanged", rb"^.*$", b"[" * 50_000, "unreadable"),
    ("EconomyChanged", rb'"data":\{', b'"data":{' + b'"a":[' * 50_000, "unreadable"),
    ("EconomyChanged", rb'"data":\{', b'"data":{"__proto__":1,', "changed"),
    ("EconomyChanged", rb'"data":\{.*\},"rule"', b'"data":null,"rule"', "unreadable"),
    ("EconomyChanged", rb'"data":\{.*\},"rule"', b'"rule"', "unreadable"),
    ("EconomyChanged", rb"^(.*)\n", rb"\1\1\n", "unreadable"),
    ("EconomyChanged", rb"^.*$", b"\xff", "unreadable"),
]
"""The type of an event, what is changed in the first one of it, and what that is called."""


def test_what_was_changed_is_found(tmp_path: Path) -> None:
    """Everything that the second verifier finds, at the same event."""
    files, expected = [], []
    for type_, pattern, instead, code in CHANGED:
        index = first(type_) + 1
        changed = list(WRITTEN)
        changed[index] = re.sub(pattern, instead, changed[index], count=1, flags=re.DOTALL)
        assert changed != WRITTEN
        files.append(changed)
        expected.append((code, index, index - 1, False))
    assert told(proven(tmp_path, *map(Job, files))) == expected


ADDED_OR_LEFT_OUT: list[tuple[list[bytes], str, int]] = [
    ([*WRITTEN[:100], *WRITTEN[101:]], "missing", 100),
    ([*WRITTEN[:100], WRITTEN[100], *WRITTEN[100:]], "missing", 101),
    ([*WRITTEN[:100], WRITTEN[101], WRITTEN[100], *WRITTEN[102:]], "missing", 100),
    (WRITTEN[:-1], "head", len(GAME)),
    (WRITTEN[:1], "no_events", 0),
    (WRITTEN[1:], "no_file", 0),
    ([], "no_file", 0),
    ([b"\xef\xbb\xbf" + WRITTEN[0], *WRITTEN[1:]], "no_file", 0),
    ([WRITTEN[0].replace(b'"format":1', b'"format":2'), *WRITTEN[1:]], "no_file", 0),
    ([WRITTEN[0].replace(b'{"type"', b'{ "type"'), *WRITTEN[1:]], "no_file", 0),
    ([WRITTEN[0].replace(b'"version":1', b'"version":2'), *WRITTEN[1:]], "opening", 1),
    ([WRITTEN[0].replace(b'"seq":', b'"seq":1'), *WRITTEN[1:]], "head", 10 ** len(str(len(GAME))) + len(GAME)),
    ([re.sub(rb'"hash":"....', b'"hash":"0000', WRITTEN[0]), *WRITTEN[1:]], "head", len(GAME)),
]
"""Lines, and the fault in them, with its place."""


def test_lines_that_were_added_or_left_out_are_found(tmp_path: Path) -> None:
    reports = proven(tmp_path, *(Job(changed) for changed, _, _ in ADDED_OR_LEFT_OUT))
    assert [each[:2] for each in told(reports)] == [(code, seq) for _, code, seq in ADDED_OR_LEFT_OUT]


def _with(index: int, **changes: Any) -> list[Recorded]:
    """The game with members of an event's data changed."""
    data = msgspec.json.encode({**msgspec.json.decode(GAME[index].data), **changes})
    return [*GAME[:index], GAME[index]._replace(data=data), *GAME[index + 1 :]]


def _instead(index: int, **changes: Any) -> list[Recorded]:
    """The game with parts of an event's envelope changed."""
    return [*GAME[:index], GAME[index]._replace(**changes), *GAME[index + 1 :]]


ROLLED, LAST = first("DiceRolled"), len(GAME) - 1
STARTED = first("GameStarted")
CONTINUED = next(index for index, event in enumerate(GAME) if index > 20 and event.command is None)
DIE = msgspec.json.decode(GAME[ROLLED].data)["black"]


FORGED = [
    (_with(ROLLED, black={**DIE, "value": DIE["value"] % 6 + 1}), "draw", ROLLED),
    (_with(ROLLED, black={**DIE, "sides": 8}), "draw", ROLLED),
    (_with(ROLLED, black={**DIE, "value": 9}), "draw_number", ROLLED),
    (_with(ROLLED, black={**DIE, "value": "6"}), "draw_number", ROLLED),
    (_with(ROLLED, black={**DIE, "number": DIE["number"] + 1}), "draw_number", ROLLED),
    (_with(ROLLED, more={**DIE}), "draw_number", ROLLED),
    (
        _with(ROLLED, black=0),
        "draw_number",
        next(i for i, e in enumerate(GAME) if i > ROLLED and b'"sides"' in e.data),
    ),
    (_with(STARTED, entropy="loaded"), "entropy", STARTED),
    (_with(1, entropy="loaded"), "entropy", STARTED),
    (_with(0, commitment="00" * 32), "seed", LAST),
    (_with(0, game_id="00000000-0000-4000-8000-0000000000ff"), "opening", 0),
    (_with(0, ruleset="chess"), "opening", 0),
    (_with(LAST, seed="00" * 32), "seed", LAST),
    (_with(LAST, seed=7), "seed", LAST),
    (_with(LAST, salt="00"), "salt", LAST),
    (_instead(ROLLED, type="EconomyChanged"), "mislabelled", ROLLED),
    (_instead(CONTINUED, actor=9), "apart", CONTINUED),
    (_instead(CONTINUED, command_id=None), "apart", CONTINUED),
    (_instead(CONTINUED, recorded_at=GAME[CONTINUED].recorded_at + timedelta(days=1)), "apart", CONTINUED),
    ([*GAME, GAME[LAST]._replace(seq=LAST + 2)], "after_end", LAST + 1),
]
"""Forged events, and the fault in them, with its place, counted from 0."""


def test_what_was_forged_is_found_though_the_chain_was_hashed_again(tmp_path: Path) -> None:
    """Everything that can be found without the rules."""
    reports = proven(tmp_path, *(Job(lines(_record(forged))) for forged, _, _ in FORGED))
    assert told(reports) == [(code, seq + 1, seq, False) for _, code, seq in FORGED]


def _record(forged: list[Recorded]) -> GameRecord:
    """A forged log as a game file, with the chain hashed again. The first line names the rule set."""
    events = rehashed(forged)
    head = Head(events[-1].seq, events[-1].hash)
    return GameRecord(heading(GAME[0].game_id, "mcmulti", 1, head, KEY), events)


def test_the_first_event_that_is_wrong_is_named_though_the_chain_breaks_later(tmp_path: Path) -> None:
    forged = rehashed(_with(ROLLED, black={**DIE, "value": DIE["value"] % 6 + 1}))
    broken = [*forged[:-50], forged[-50]._replace(rule="other/rule"), *forged[-49:]]
    fault = report_on(tmp_path, [*lines(record_of(broken))])["fault"]
    assert (fault["code"], fault["seq"]) == ("draw", ROLLED + 1)
    assert (fault["number"], fault["found"]) == (DIE["number"], str(DIE["value"] % 6 + 1))
    assert fault["expected"] == str(DIE["value"])


@pytest.mark.parametrize(("noted", "held"), [(57, True), (58, False)])
def test_an_event_that_was_noted_must_be_there(noted: int, held: bool, tmp_path: Path) -> None:
    tag = f'"{noted}-{GAME[56].hash.hex()}"'
    heads = (tag, f"W/{tag}", tag.strip('"'), f'W/"{noted}-{GAME[56].hash.hex()};seat-0;gzip"')
    for report in proven(tmp_path, *(Job(WRITTEN, {"head": head}) for head in heads)):
        assert (report["witnessed"], report["sound"]) == (held, held)


def test_a_head_that_somebody_else_signed_does_not_count(tmp_path: Path) -> None:
    other = record_of(GAME[:700], KEY).file.signature
    forged = [re.sub(rb'"signature":"\w+"', f'"signature":"{other}"'.encode(), WRITTEN[0]), *WRITTEN[1:]]
    report = report_on(tmp_path, forged)
    assert (report["fault"], report["sound"]) == (None, False)
    assert (report["signed"]["state"], report["signed"]["doubt"]) == ("invalid", "forged")
    unsigned = [*lines(record_of(GAME))]
    (by_none, wanted) = proven(tmp_path, Job(unsigned), Job(unsigned, {"key": KEY.id}))
    assert (by_none["sound"], wanted["sound"]) == (True, False)


KEYS = [SigningKey(bytes([number]) * 32) for number in range(1, 4)]
AT = GAME[-1].recorded_at.astimezone(UTC).replace(microsecond=0)


def _statements(starts: Sequence[datetime], revoked: Sequence[datetime | None], forged: int | None) -> tuple[Any, ...]:
    """A server's statement of its three keys. The signatures under number `forged` are invalid."""
    found = []
    for place, (key, since, until) in enumerate(zip(KEYS, starts, revoked, strict=True)):
        before = KEYS[place - 1] if place else None
        said = succession(before.public, key.public, since) if before else b""
        endorsed = ("00" * 64 if place == forged else before.sign_bytes(said)) if before else None
        by = KEYS[-1]
        gone = Revocation(until, by.public, by.sign_bytes(revocation(key.public, until))) if until else None
        found.append(KeyStatement(key.public, since, endorsed, key.sign_bytes(said) if before else None, gone))
    return tuple(found)


def test_keys_are_trusted_as_the_first_verifier_trusts_them(tmp_path: Path) -> None:
    """Whoever signed, whichever key was noted, and whatever was revoked: more than six hundred of them."""
    day = timedelta(days=1)
    schedules = [
        [AT - 30 * day, AT - 20 * day, AT + day],
        [AT - 30 * day, AT, AT],
        [AT - 9 * day, AT - day, AT - day / 2],
    ]
    revocations: list[list[datetime | None]] = [
        [None] * 3,
        [AT - 25 * day, None, None],
        [AT - day, None, None],
        [None, AT - day, None],
    ]
    askings = [None, KEYS[0].public, KEYS[1].id, KEYS[2].public, SigningKey(b"x" * 32).public, "0" * 16]
    jobs, expected = [], []
    for starts, revoked, forged, signer, asked in product(schedules, revocations, (None, 1, 2), KEYS, askings):
        statements = _statements(starts, revoked, forged)
        expected.append(distrust(statements, signer.public, asked, GAME[-1].recorded_at) is None)
        signed = {"game": str(GAME[0].game_id), "seq": LAST + 1, "hash": GAME[-1].hash.hex(), "key": signer.public}
        signed["signature"] = signer.sign(GAME[0].game_id, Head(LAST + 1, GAME[-1].hash))
        jobs.append({"heading": signed, "keys": msgspec.to_builtins(statements), "key": asked})
    program = """
    import { signedBy } from "./prover.js";
    const { jobs, at } = JSON.parse(await new Response(process.stdin).text());
    const found = [];
    for (const { heading, keys, key } of jobs) found.push(await signedBy(heading, at, { keys, key: key ?? undefined }));
    console.log(JSON.stringify(found));
    """
    at = json.loads(msgspec.json.encode(GAME[-1].recorded_at))
    found = evaluated(tmp_path, program, {"jobs": jobs, "at": at})
    assert [each["state"] == "valid" for each in found] == expected
    doubts = {each["doubt"] for each in found}
    assert doubts == {None, "other_key", "unfollowed", "vouched_revoked", "revoked", "superseded"}


def test_a_file_with_all_keys_of_its_server_is_read(tmp_path: Path) -> None:
    day = timedelta(days=1)
    signer = SigningKey(KEYS[2].seed, _statements([AT - 3 * day, AT - 2 * day, AT - day], [None] * 3, None))
    report = report_on(tmp_path, [*lines(record_of(GAME, signer))], key=key_id(KEYS[0].public))
    assert (report["sound"], report["signed"]["other"]) == (True, KEYS[0].id)
    assert report["signed"]["key"] == KEYS[2].id


def test_names_are_no_part_of_it(tmp_path: Path) -> None:
    other = GameRecord(record_of(GAME, KEY).file, GAME)
    assert report_on(tmp_path, [line(other.file), *WRITTEN[1:]])["sound"]
    assert report_on(tmp_path, WRITTEN)["heading"]["names"] == {"00000000-0000-4000-9000-000000000000": "</script><b>"}


def test_a_browser_that_lacks_ed25519_says_so_and_proves_the_rest(tmp_path: Path) -> None:
    program = """
    import { prove } from "./prover.js";
    const lacking = () => Promise.reject(new DOMException("Unrecognized name.", "NotSupportedError"));
    crypto.subtle.generateKey = lacking;
    const content = Buffer.from(JSON.parse(await new Response(process.stdin).text()), "latin1");
    const report = await prove(new Uint8Array(content), { key: "0".repeat(16) });
    console.log(JSON.stringify(report));
    """
    report = evaluated(tmp_path, program, b"".join(WRITTEN).decode("latin1"))
    assert (report["signed"]["state"], report["fault"], report["proven"]) == ("unsupported", None, len(GAME))
    assert not report["sound"]


def test_without_webcrypto_it_finds_the_same_and_checks_no_signature(tmp_path: Path) -> None:
    """As on a page loaded over http: a sound file, one with salts, and forged dice, salts, and seeds."""
    program = """
    Object.defineProperty(globalThis, "crypto", { value: {} });
    const { prove, slowly } = await import("./prover.js");
    const reports = [];
    for (const content of JSON.parse(await new Response(process.stdin).text())) {
      reports.push(await prove(new Uint8Array(Buffer.from(content, "latin1"))));
    }
    const digest = (_, n) => Buffer.from(slowly(new Uint8Array(n).fill(n))).toString("hex");
    const digests = Array.from({ length: 200 }, digest);
    console.log(JSON.stringify({ reports, digests }));
    """
    die = _with(ROLLED, black={**DIE, "value": DIE["value"] % 6 + 1})
    games = [GAME, BY_POST, *map(rehashed, (die, _with(LAST, salt="00"), _with(LAST, seed="00" * 32)))]
    files = [b"".join(lines(record_of(events, KEY))) for events in games]
    found = evaluated(tmp_path, program, [content.decode("latin1") for content in files])
    assert found["digests"] == [sha256(bytes([n]) * n).hexdigest() for n in range(200)]
    with_it = proven(tmp_path, *(Job([content]) for content in files))
    for without, report in zip(found["reports"], with_it, strict=True):
        assert without["signed"]["state"] == "unsupported"
        assert {**without, "signed": None} == {**{k: v for k, v in report.items() if k != "told"}, "signed": None}
    assert [report["fault"] and report["fault"]["code"] for report in with_it] == [None, None, "draw", "salt", "seed"]


ODD = (b"NaN", b"1e999", b'"\\ud800"', b"\xed\xa0\x80", b"[" * 20_000, b"{}", b'"__proto__":{},', b"\r", b"\0", b"\xff")


def _mangled(random: Random, content: list[bytes]) -> list[bytes]:
    """The file with a random change."""
    changed, at = list(content), random.randrange(len(content))
    whole = changed[at]
    begin = random.randrange(len(whole))
    part = whole[begin : begin + random.randint(1, 40)]
    match random.randrange(9):
        case 0:
            changed[at : at + 1] = []
        case 1:
            changed.insert(random.randrange(len(changed)), whole)
        case 2:
            other = random.randrange(len(changed))
            changed[at], changed[other] = changed[other], whole
        case 3:
            changed[at:] = [whole[:begin]]
        case 4:
            changed[at] = whole[:begin] + bytes([random.randrange(256)]) + whole[begin + 1 :]
        case 5:
            changed[at] = whole[:begin] + part + whole[begin:]
        case 6:
            odd = (
                b"NaN",
                b"1e999",
                b'"\\ud800"',
                b"\xed\xa0\x80",
                b"[" * 20_000,
                b"{}",
                b'"__proto__":{},',
                b"\r",
                b"\0",
            )
            changed[at] = whole[:begin] + random.choice(odd) + whole[begin:]
        case 7:
            changed[at] = re.sub(rb'"(hash|prev_hash|payload)":"(..)', rb'"\1":"00', whole, count=1)
        case _:
            changed[at] = re.sub(rb'("\w+":)("[^"]*"|\d+)', rb"\1\2,\1\2", whole, count=1)  # a key twice
    return changed


@pytest.mark.parametrize("of", ["game", "by_post", "signed"])
def test_whatever_is_changed_both_verifiers_say_the_same(of: str, tmp_path: Path) -> None:
    """Files with one or several changes: they are sound or not, and the same event is the first wrong one."""
    content = {
        "game": [*lines(record_of(GAME))],
        "by_post": [*lines(record_of(BY_POST, KEY))],
        "signed": [*lines(record_of(GAME[:60], KEY))],
    }[of]
    random = Random(of)
    files = []
    for _ in range(60):
        changed = _mangled(random, content)
        files.append(changed if random.random() < 0.7 else _mangled(random, changed))
    for changed, report in zip(files, proven(tmp_path, *map(Job, files)), strict=True):
        try:
            verdict = judged(read(b"".join(changed).splitlines(keepends=True)))
        except NotAGameFile:
            assert not report["sound"] or changed[1:] == content[1:], report["fault"]
            continue
        assert report["sound"] == verdict.sound, (report["fault"], verdict.proof.fault)
        assert (report["fault"] or {}).get("seq") == (verdict.proof.wrong if report["fault"] else None), verdict.proof

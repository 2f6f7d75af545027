"""The verdict on a game, and on the series among several."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from rich.markup import escape
from rich.text import Text

from mcmulti.events.log.envelope import Head, Recorded
from mcmulti.events.log.signing import KeyStatement, distrust, is_signed, key_id
from mcmulti.events.store.game_file import GameRecord
from mcmulti.projections.proof.proof import Claim, Proof, claims, verify
from mcmulti.projections.proof.series import place_of, series_fault

_HEAD = re.compile(r'(?:W/)?"?(\d{1,10})-([0-9a-f]{64})(?:[;-][!#-~]*)?"?')
_KEY = re.compile("[0-9a-f]{64}|[0-9a-f]{16}")


class Signed(Struct, frozen=True):
    """The signer of the head. `valid`: the signature is right, and its key was valid; `fault` says why not.

    `asked`: the requested key, if it is another of the server's keys.
    """

    key: str
    public: str
    valid: bool
    fault: str | None = None
    asked: str | None = None


class WantedKey(NamedTuple):
    """The required signer of a head: a key or its id, and what is known of the server's keys from other sources."""

    key: str | None = None
    keys: tuple[KeyStatement, ...] | None = None


ANYBODY = WantedKey()
"""Any signer, or none."""


class Verdict(Struct, frozen=True):
    """The findings about a game.

    `sound`: nothing is wrong with it. `proven`: the dice are proven too, which requires the revealed seed. `signed`:
    None for an unsigned head. `witnessed`: whether the log contains the event that you noted; None if you did not ask.
    """

    game: str
    ruleset: str
    version: int
    sound: bool
    proven: bool
    proof: Proof
    signed: Signed | None
    key_missing: bool
    witnessed: bool | None


def noted_head(text: str | None) -> Head | None:
    """Parse an ETag that you noted, with or without its quotes. Raises ValueError."""
    if text is None:
        return None
    match = _HEAD.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text!r} must look like an ETag, 57-9c359d98… with 64 digits.")
    return Head(int(match[1]), bytes.fromhex(match[2]))


def noted_key(text: str | None) -> str | None:
    """Parse a public key, or the id of one. Raises ValueError."""
    if text is not None and not _KEY.fullmatch(text):
        raise ValueError(f"{text!r} must be a public key (64 hexadecimal digits) or the id of one (16 digits).")
    return text


def noted_keys(text: bytes) -> tuple[KeyStatement, ...]:
    """Parse a server's list of keys, current key first. Raises ValueError."""
    try:
        return tuple(reversed(msgspec.json.decode(text, type=_Listing).keys))
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ValueError(f"these are not keys in the format of GET /v1/keys: {error}") from error


class _Listing(Struct):
    keys: tuple[KeyStatement, ...]


def judged(record: GameRecord, asked: WantedKey = ANYBODY, witness: Head | None = None) -> Verdict:
    """Verify a game. It must be signed by the requested signer, and contain the event `witness`, if given."""
    file, proof = record.file, _proof(record)
    signed = _signed(record, asked)
    unsigned = asked.key is not None and signed is None
    witnessed = None if witness is None else any((e.seq, e.hash) == witness for e in record.events)
    sound = proof.fault is None and not unsigned and (signed is None or signed.valid) and witnessed in (None, True)
    return Verdict(
        str(file.game),
        file.ruleset,
        file.version,
        sound,
        sound and proof.seed_revealed,
        proof,
        signed,
        unsigned,
        witnessed,
    )


def _signed(record: GameRecord, asked: WantedKey) -> Signed | None:
    """The findings about the signature, if there is one."""
    file, key = record.file, asked.key
    if file.signature is None or file.key is None:
        return None
    own = key_id(file.key)
    if not is_signed(file.key, file.signature, file.game, file.head):
        return Signed(own, file.key, False, "it does not match its key and this head")
    keys = file.keys if asked.keys is None else asked.keys
    at = record.events[-1].recorded_at if record.events else datetime.min.replace(tzinfo=UTC)
    fault = distrust(keys, file.key, key, at)
    return Signed(own, file.key, fault is None, fault, None if key in (own, file.key) else key)


def _proof(record: GameRecord) -> Proof:
    """The proof of the events, up to the head. In a database, rows may follow it, or be missing."""
    head = record.file.head
    proof = verify(record.events, record.file.seed)
    if proof.fault is not None or head == (proof.seq, bytes.fromhex(proof.hash)):
        return proof
    if proof.seq > head.seq:
        return replace(proof, fault=f"event {head.seq + 1} comes after the head, {head.seq}", wrong=head.seq + 1)
    if proof.seq < head.seq:
        return replace(proof, fault=f"event {proof.seq + 1} is missing: the head is {head.seq}", wrong=proof.seq + 1)
    return replace(proof, fault=f"event {head.seq} does not have the head's hash", wrong=head.seq)


def claim_line(claim: Claim) -> Text:
    """A claim, marked as one that holds, does not, or is open."""
    return Text.assemble("  ", Text.from_markup(_MARKS[claim.holds]), f" {claim.what}")


def marked(verdict: Verdict) -> Iterator[Text | str]:
    """The verdict in marked lines, as rich text or markup."""
    yield f"Game [b]{verdict.game}[/b], rule set {escape(verdict.ruleset)}, version {verdict.version}"
    yield from map(claim_line, (*claims(verdict.proof), *_about_the_head(verdict)))
    if verdict.proof.fault:
        yield f"  [red]{escape(verdict.proof.fault)}[/]"
        yield f"Proven only up to event {verdict.proof.events:,}."
    elif not verdict.sound:
        yield "The log is sound, but does not match what you asked for."
    elif not verdict.proven:
        yield "Sound so far. The dice can be proven once the game is over and its seed revealed."
    else:
        yield "Proven."


def marked_in_a_line(verdict: Verdict) -> str:
    """The verdict as one line in a list of games."""
    said = verdict.proof.fault or (
        "proven" if verdict.proven else "sound so far" if verdict.sound else "not as asked for"
    )
    mark = _MARKS[None if verdict.sound and not verdict.proven else verdict.sound]
    about = f"{escape(verdict.ruleset)} {verdict.version}, {verdict.proof.events} events"
    return f"{mark} {verdict.game} ({about}): {escape(said)}"


_MARKS = {True: "[green]✓[/]", False: "[red]✗[/]", None: "[yellow]·[/]"}


def _about_the_head(verdict: Verdict) -> Iterator[Claim]:
    proof, signed = verdict.proof, verdict.signed
    if proof.fault is None:
        yield Claim(True, f"head {proof.seq}-{proof.hash}")
    if signed is not None and signed.valid:
        other = f"; both it and key {signed.asked} confirm that they belong to the same server" if signed.asked else ""
        yield Claim(True, f"signed by key {signed.key}{other}")
    elif signed is not None:
        yield Claim(False, f"the signature is invalid (key {signed.key}): {signed.fault}")
    else:
        yield Claim(False if verdict.key_missing else None, "the head is not signed")
    if verdict.witnessed is not None:
        holds = "holds" if verdict.witnessed else "does not hold"
        yield Claim(verdict.witnessed, f"the log {holds} the event that was noted")


class SeriesProof(Struct, frozen=True):
    """What was found about a series. `present`: how many of its `tables` were among the games. `proven`: all of them
    were, each is proven, and all had the same dice. `fault`: why they had not, null if they had as far as is known.
    """

    series: str
    tables: int
    present: int
    proven: bool
    fault: str | None

    @property
    def marked(self) -> str:
        """The proof as a line, as rich markup."""
        said = f"series {self.series}, {self.present} of {self.tables} tables"
        if self.fault is not None:
            return f"{_MARKS[False]} {said}: {self.fault}"
        if self.proven:
            return f"{_MARKS[True]} {said}: the same dice at every table"
        return f"{_MARKS[None]} {said}: the same dice so far"


class SeriesTables:
    """Collects the tables of series, to prove them together."""

    def __init__(self) -> None:
        self._found: defaultdict[tuple[str, int], list[tuple[Verdict, Sequence[Recorded]]]] = defaultdict(list)
        self.sound = True
        """Whether no series had a fault."""

    def collect(self, record: GameRecord, verdict: Verdict) -> None:
        """Take in a game; nothing happens if it is in no series, or not sound."""
        place = place_of(record.events[0]) if record.events and verdict.proof.fault is None else None
        if place is not None:
            self._found[place.series, place.tables].append((verdict, record.events))

    def proofs(self) -> Iterator[SeriesProof]:
        """The proof of each series."""
        for (series, tables), found in self._found.items():
            fault = series_fault([events for _, events in found])
            self.sound = self.sound and fault is None
            proven = fault is None and len(found) == tables and all(verdict.proven for verdict, _ in found)
            yield SeriesProof(series, tables, len(found), proven, fault)

"""What is said of a game that somebody wants to have proven."""

import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace
from rich.markup import escape

from mcmulti.events.envelope import Head
from mcmulti.events.game_file import GameRecord
from mcmulti.events.signing import is_signed, key_id
from mcmulti.projections.proof import Claim, Proof, claims, verify

_HEAD = re.compile(r'(?:W/)?"?(\d{1,10})-([0-9a-f]{64})(?:[;-][!#-~]*)?"?')
_KEY = re.compile("[0-9a-f]{64}|[0-9a-f]{16}")


class Signed(Struct, frozen=True):
    """Who signed the head. `valid`: the signature is right, and by the key that was asked for, if one was."""

    key: str
    public: str
    valid: bool


class Verdict(Struct, frozen=True):
    """What was found out about a game.

    `sound`: nothing is wrong with it. `proven`: and the dice are proven too, which takes the revealed seed. `signed` is
    None for a head that nobody signed; `witnessed` tells whether the log holds the event that somebody noted, None if
    nobody asked.
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
    """An ETag as somebody noted it, with or without its quotes; raises ValueError."""
    if text is None:
        return None
    match = _HEAD.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text!r} is not like 57-9c359d98… with 64 digits, as an ETag is.")
    return Head(int(match[1]), bytes.fromhex(match[2]))


def noted_key(text: str | None) -> str | None:
    """A public key, or the id of one; raises ValueError."""
    if text is not None and not _KEY.fullmatch(text):
        raise ValueError(f"{text!r} is neither a public key, 64 hexadecimal digits, nor the id of one, 16.")
    return text


def judged(record: GameRecord, key: str | None = None, witness: Head | None = None) -> Verdict:
    """Prove a game; it must be signed by `key` and hold the event of `witness`, if these are given."""
    file, proof = record.file, _proof(record)
    signed = None
    if file.signature is not None and file.key is not None:
        own = key_id(file.key)
        valid = is_signed(file.key, file.signature, file.game, file.head) and key in (None, own, file.key)
        signed = Signed(own, file.key, valid)
    unsigned = key is not None and signed is None
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


def _proof(record: GameRecord) -> Proof:
    """The proof of the events, up to the head: in a database there may be rows behind it, or some that are missing."""
    head = record.file.head
    proof = verify(record.events)
    if proof.fault is not None or head == (proof.seq, bytes.fromhex(proof.hash)):
        return proof
    if proof.seq > head.seq:
        return replace(proof, fault=f"event {head.seq + 1} stands behind the head, {head.seq}", wrong=head.seq + 1)
    if proof.seq < head.seq:
        return replace(proof, fault=f"event {proof.seq + 1} is missing: the head is {head.seq}", wrong=proof.seq + 1)
    return replace(proof, fault=f"event {head.seq} does not have the hash that the head names", wrong=head.seq)


def marked(verdict: Verdict) -> Iterator[str]:
    """The verdict in lines with a mark, as rich takes them."""
    yield f"Game [b]{verdict.game}[/b], rule set {escape(verdict.ruleset)}, version {verdict.version}"
    for claim in (*claims(verdict.proof), *_about_the_head(verdict)):
        yield f"  {_MARKS[claim.holds]} {escape(claim.what)}"
    if verdict.proof.fault:
        yield f"  [red]{escape(verdict.proof.fault)}[/]"
        yield f"Proven up to event {verdict.proof.events:,}, and no further."
    elif not verdict.sound:
        yield "The log is sound, but it is not what was asked for."
    elif not verdict.proven:
        yield "Sound so far. The dice are proven when the game is over and its seed revealed."
    else:
        yield "Proven."


def marked_in_a_line(verdict: Verdict) -> str:
    """The verdict as a line among those of other games."""
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
        yield Claim(True, f"signed by key {signed.key}")
    elif signed is not None:
        yield Claim(False, f"the signature is not that of the key asked for, or not of this head (key {signed.key})")
    else:
        yield Claim(False if verdict.key_missing else None, "the head is not signed")
    if verdict.witnessed is not None:
        holds = "holds" if verdict.witnessed else "does not hold"
        yield Claim(verdict.witnessed, f"the log {holds} the event that was noted")

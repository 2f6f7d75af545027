"""Signatures of heads."""

from uuid import UUID

import pytest

from mcmulti.events.log.envelope import Head
from mcmulti.events.log.signing import SigningKey, is_signed, key_id, statement

SEED = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
PUBLIC = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
"""RFC 8032, 7.1, test 1."""
GAME, HEAD = UUID(int=24), Head(950, b"\xab" * 32)


def test_the_public_key_is_that_of_the_rfc() -> None:
    assert SigningKey(SEED).public == PUBLIC


def test_the_id_of_a_key_begins_its_hash() -> None:
    """`printf d75a… | xxd -r -p | sha256sum` begins with these digits."""
    assert key_id(PUBLIC) == SigningKey(SEED).id == "21fe31dfa154a261"


def test_what_is_signed_is_written_out() -> None:
    assert statement(GAME, HEAD) == (
        b"mcmulti head v1\n00000000-0000-0000-0000-000000000018\n950\n" + b"ab" * 32 + b"\n"
    )


def test_a_signature_holds_for_one_head_of_one_game_by_one_key() -> None:
    signature = SigningKey(SEED).sign(GAME, HEAD)
    assert signature == SigningKey(SEED).sign(GAME, HEAD)
    assert is_signed(PUBLIC, signature, GAME, HEAD)
    assert not is_signed(PUBLIC, signature, UUID(int=25), HEAD)
    assert not is_signed(PUBLIC, signature, GAME, Head(951, HEAD.hash))
    assert not is_signed(PUBLIC, signature, GAME, Head(950, b"\xac" * 32))
    assert not is_signed(SigningKey(bytes(32)).public, signature, GAME, HEAD)


@pytest.mark.parametrize("broken", ["", "zz", "00", "00" * 64, "é"])
def test_what_is_no_key_or_signature_signs_nothing(broken: str) -> None:
    assert not is_signed(PUBLIC, broken, GAME, HEAD)
    assert not is_signed(broken, SigningKey(SEED).sign(GAME, HEAD), GAME, HEAD)

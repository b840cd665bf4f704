"""What looks random counts as a secret, and what has order in it does not."""

from __future__ import annotations

import pytest

from hardtack.build.source.secret_checks import CHECKS
from hardtack.build.source.secrets import redacted, secrets_in

LETTERS = "Q7dXc2VbN9mKp4LzR8tYw3Hs6JfGu5Ae"
"""Random ones."""


@pytest.mark.parametrize("check", ["random", "mixed"])
@pytest.mark.parametrize(
    "value",
    [
        b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0abcdefghijklmn",
        b"zyxwvutsrqponmlkjihgfedcbaZ9YXWVUTSRQPON",
        b"Q7dXc2VbN9mKp4LzQ7dXc2VbN9mKp4Lz",
        b"Q7dXc2VbAAAAAAN9mKp4LzR8tYw3Hs6JfGu5Ae",
        b"Q7dXc2VbQ7dXc2VbQ7dXc2VbQ7dXc2Vb",
    ],
    ids=["in order", "in order, backwards", "twice the same", "one letter six times", "four times the same"],
)
def test_letters_in_order_and_parts_that_are_repeated_are_not_random(check: str, value: bytes) -> None:
    assert not CHECKS[check](value)
    assert CHECKS[check](LETTERS.encode())


@pytest.mark.parametrize("digit", "0123456789")
def test_any_digit_makes_small_letters_more_than_a_word(digit: str) -> None:
    assert CHECKS["random"](f"qzkvwxjr{digit}fghbnmty".encode())
    assert CHECKS["password"](f"qzkvwxjr{digit}fgh".encode())
    assert not CHECKS["random"](b"qzkvwxjrfghbnmty")
    assert not CHECKS["password"](b"qzkvwxjrfgh")


def test_sixteen_different_letters_are_enough_to_be_mixed_and_fifteen_are_not() -> None:
    assert CHECKS["mixed"](b"Q7dXc2VbN9mKp4Lz")
    assert not CHECKS["mixed"](b"Q7dXc2VbN9mKp4L")


def test_a_value_of_eight_letters_may_be_a_password_and_one_of_seven_is_none() -> None:
    assert CHECKS["password"](b"qzkv7xjr")
    assert not CHECKS["password"](b"qzkv7xj")


def test_a_key_without_its_last_line_ends_where_the_next_block_begins() -> None:
    head, key = "-----BEGIN PRIVATE KEY-----", "\n".join(f"{LETTERS[turn:]}{LETTERS[:turn]}{LETTERS[::-1]}" for turn in range(1, 9))
    certificate = "\n".join(f"{LETTERS[::-1][turn:]}{LETTERS}{LETTERS[:turn]}" for turn in range(11, 19))
    text = f"{head}\n{key}\n-----BEGIN CERTIFICATE-----\n{certificate}\n-----END CERTIFICATE-----\n".encode()
    found = redacted(text, secrets_in(text)).decode()
    assert certificate in found
    assert [] == [line for line in key.splitlines() if line in found]


def test_of_several_tokens_of_one_kind_in_a_text_none_stays() -> None:
    tokens = [f"ghp_{LETTERS[turn:]}{LETTERS[:turn]}Zq3x" for turn in range(3)]
    text = "".join(f"token_{number} = '{token}'\n" for number, token in enumerate(tokens)).encode()
    found = redacted(text, secrets_in(text)).decode()
    assert 3 == found.count("[REDACTED:")
    assert [] == [token for token in tokens if token[8:] in found]


@pytest.mark.parametrize("length", [4, 8, 15, 16, 63])
def test_the_last_line_of_a_key_goes_however_short_it_is(length: int) -> None:
    lines = [f"{LETTERS[turn:]}{LETTERS[:turn]}{LETTERS[::-1]}" for turn in range(1, 9)]
    last = (LETTERS[9:] + LETTERS)[:length]
    text = "\n".join(["-----BEGIN PRIVATE KEY-----", *lines, last, "-----END PRIVATE KEY-----", ""]).encode()
    found = redacted(text, secrets_in(text)).decode()
    assert [] == [line for line in (*lines, last) if line in found]

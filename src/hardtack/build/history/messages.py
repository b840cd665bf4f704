"""The message of a commit in, its subject and body out: bounded, without secrets, addresses and trailers that name people."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from hardtack.build.source.secrets import Secret, secrets_in, without_secrets
from hardtack.bundle.indexes.history import MOST_BODY_BYTES, MOST_SUBJECT_BYTES

_MOST_READ: Final = 64 << 10
"""Bytes of a message that are looked at."""
_PEOPLE: Final = re.compile(r"\s*(?:[A-Za-z]+-)*(?:[A-Za-z]+-[Bb]y|[Cc][Cc]|[Aa]uthor|[Cc]ommitter|[Cc]o-[Aa]uthor)[ \t]*:.*@.*")
"""``Signed-off-by: Name <address>``, ``Co-authored-by: ...``, ``Cc: ...``."""
_ADDRESS: Final = re.compile(r"<?[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}>?")
_ADDRESS_MARKER: Final = "[address]"
_CONTROLS: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_PULL_REQUEST: Final = re.compile(r"Merge pull request (#[0-9]{1,9}) from \S+")
_MERGE_REQUEST: Final = re.compile(r"Merge branch '.*' into '.*'")
_SEE: Final = re.compile(r"^See merge request \S*?(![0-9]{1,9})$", re.MULTILINE)


class Message(NamedTuple):
    """What is stored of a message."""

    subject: str
    """One line."""
    body: str
    secrets: tuple[Secret, ...]
    """Those that were found, whether or not they are still there."""


def message_of(raw: bytes, *, is_merge: bool, keep_secrets: bool) -> Message:
    """The subject and body of a commit's message, which is UTF-8 or else read as Latin-1.

    The subject of a merge that a forge made of a pull request is the request's title, which is the first line of the body, with
    its number.
    """
    raw = raw[:_MOST_READ].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    raw, secrets = (raw, list(secrets_in(raw))) if keep_secrets else without_secrets(raw)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        # The last character may be cut in two.
        text = raw[: error.start].decode("utf-8") if error.start >= _MOST_READ - 4 else raw.decode("latin-1")
    text = _ADDRESS.sub(_ADDRESS_MARKER, "\n".join(line for line in text.split("\n") if not _PEOPLE.fullmatch(line)))
    text = _CONTROLS.sub("", text.replace("\t", " "))
    subject, _, body = text.strip().partition("\n\n")
    subject, body = " ".join(subject.split()), body.strip()
    if is_merge:
        subject, body = _request_of(subject, body)
    return Message(cut(subject, MOST_SUBJECT_BYTES), cut(_tidy(body), MOST_BODY_BYTES), tuple(secrets))


def _request_of(subject: str, body: str) -> tuple[str, str]:
    """Subject and body of a merge: of the pull request that it merges, where the body begins with its title."""
    title, _, rest = body.partition("\n")
    if not title.strip():
        return subject, body
    if match := _PULL_REQUEST.fullmatch(subject):
        return f"{title.strip()} ({match[1]})", rest.strip()
    if _MERGE_REQUEST.fullmatch(subject) and (seen := _SEE.search(rest)):
        return f"{title.strip()} ({seen[1]})", _SEE.sub("", rest).strip()
    return subject, body


def _tidy(body: str) -> str:
    return re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip() for line in body.split("\n"))).strip()


def cut(text: str, most: int) -> str:
    """``text``, cut at a character so that its UTF-8 has at most that many bytes, with an ellipsis where it was cut."""
    data = text.encode("utf-8")
    return text if len(data) <= most else data[: most - 3].decode("utf-8", "ignore") + "…"

"""A file's bytes until they are text that may be indexed: the encoding is guessed, secrets are taken out, the file is judged.

A case of ``decode`` is a path, a NUL, and the file's bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from driver import Generator, Target
from mutations import blind, in_text, is_safe
from planted import RULES, contexts_of, planted

from hardtack.build.source.decode import SourceOptions, decode, skip_before_reading
from hardtack.build.source.encodings.reading import NoText, text_of
from hardtack.build.source.paths import label_of, printable
from hardtack.build.source.secrets import is_key_file, path_without_secret, secret_file, secrets_in, without_secrets
from hardtack.nouns.outline import Skip

_FIXTURES = Path(__file__).parents[3] / "fixtures"
_CODECS = (
    *("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1", "cp1251", "koi8-r", "shift_jis", "euc_jp"),
    *("gb18030", "big5", "euc_kr", "iso2022_jp", "iso2022_kr", "cp437", "iso8859_7", "cp1255", "utf-7"),
)
_TEXTS = (
    "def straße():\n    return 'naïve café'\n",
    "# Это комментарий на русском языке\nprint('привет')\n",
    "// 日本語のコメントです。\nint main(void) { return 0; }\n",
    "/* 这是一个中文注释 */\nvar x = 1;\n",
    "# -*- coding: latin-1 -*-\n# Ελληνικά και עברית\n",
)
_LABELS = (
    b"utf-8",
    b"latin-1",
    b"cp1252",
    b"shift_jis",
    b"rot13",
    b"base64",
    b"hex",
    b"idna",
    b"unicode_escape",
    b"undefined",
    b"mbcs",
)
_BYTES = (
    *(
        b"\xff\xfe",
        b"\xfe\xff",
        b"\xef\xbb\xbf",
        b"\xff\xfe\0\0",
        b"\0",
        b"\x1b$B",
        b"\x1b(B",
        b"\x1b$)C",
        b"\x0e",
        b"\x0f",
        b"\x85",
    ),
    *(b"\xd8\x00", b"\x00\xdc", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\x80", b"\x81", b"\x8e", b"\xa1", b"\x1a", b"\r"),
    *(b"# -*- coding: " + label + b" -*-\n" for label in _LABELS),
    *(b'<?xml version="1.0" encoding="' + label + b'"?>\n' for label in _LABELS[:4]),
)
_PATHS = (
    b"a.py",
    b"a.xml",
    b"a.html",
    b"a.rst",
    b"a.bin",
    b"a.ipynb",
    b"a.min.js",
    b"x.po",
    b"deep/er/.env",
    b"id_rsa",
    b"package-lock.json",
)
_AROUND_SECRETS = (
    *(
        b"-----BEGIN RSA PRIVATE KEY-----\n",
        b"-----END RSA PRIVATE KEY-----\n",
        b"-----BEGIN ",
        b"LS0tLS1CRUdJTi",
        b"Private-Lines: 9\n",
    ),
    *(b'" + "', b"' '", b'"\n  "', b"\\n", b"%0A", b"\\u002b", b"%2B", b"= '", b": ", b"password", b"secret=", b"AKIA", b"ghp_"),
    *(b"://a:b@c", b"Bearer ", b"Basic ", b"[REDACTED:x]", b"A" * 40, b"0123456789abcdef" * 4, b"==", b"://", b"@", b"eyJ"),
)


@cache
def _encoded() -> tuple[bytes, ...]:
    found = [text.encode(codec, "replace") for text in _TEXTS for codec in _CODECS]
    return tuple(dict.fromkeys((*found, *(text * 40 for text in found[:8]))))


def _another_encoding(generator: Generator, seed: bytes) -> bytes:
    data = in_text(generator, seed, _BYTES)
    return data + generator.choice(_encoded()) if generator.random() < 0.2 else data


def _guess(case: bytes) -> str:
    for path in ("a.py", "a.xml"):
        found = text_of(path, case, [("cp1252",), ("shift_jis",)])
        if isinstance(found, NoText):
            assert found.reason.isprintable(), found.reason
            continue
        decoded = found.text.decode("utf-8")
        assert "\0" not in decoded, "a NUL in a text"
        assert found.encoding.isprintable()
    label = label_of(case[:5000])
    assert label is None or is_safe(label)
    assert is_safe(printable(case[:5000]))
    return "no text" if isinstance(found, NoText) else "text"


def _secret_seeds() -> Sequence[bytes]:
    texts = [text for rule in RULES for _, text in contexts_of(planted(rule, 1), 1).values()]
    return tuple(dict.fromkeys(text.encode() for text in texts if len(text) < 6000))


def _another_secret(generator: Generator, seed: bytes) -> bytes:
    return in_text(generator, seed, _AROUND_SECRETS)[:30_000]


def _gate(case: bytes) -> str:
    secrets = secrets_in(case, "config/settings.py")
    at = 0
    for start, end in sorted(place for secret in secrets for place in secret.places):
        assert at <= start <= end <= len(case), "places overlap or lie outside"
        at = end
    assert all(1 <= secret.line <= case.count(b"\n") + 1 for secret in secrets)
    clean, found = without_secrets(case, "config/settings.py")
    assert found[: len(secrets)] == list(secrets)
    assert clean.count(b"\n") == case.count(b"\n"), "another number of lines"
    assert len(clean) <= len(case) + 60 * len(found), "longer than its markers"
    again = secrets_in(clean, "config/settings.py")
    assert not again, f"a secret is left or made by taking out others: {again[0].rule}"
    is_key_file(case)
    name = case[:200].decode("utf-8", "replace")
    secret_file(name)
    path_without_secret(name)
    return "secrets" if secrets else "none"


def _file_seeds() -> Sequence[bytes]:
    found = [path for folder in sorted((_FIXTURES / "languages").iterdir()) for path in sorted(folder.rglob("input*"))[:1]]
    return [
        *(path.name.encode() + b"\0" + path.read_bytes() for path in found if path.is_file()),
        b"x.ipynb\0"
        + b'{"nbformat":4,"metadata":{"kernelspec":{"language":"python"}},"cells":[{"cell_type":"code","source":["a=1"]}]}',
        b"big.txt\0version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n",
        b"gen.go\0// Code generated by protoc. DO NOT EDIT.\npackage x\n",
    ]


def _another_file(generator: Generator, seed: bytes) -> bytes:
    path, _, data = seed.partition(b"\0")
    if generator.random() < 0.2:
        path = blind(generator, generator.choice(_PATHS)).replace(b"\0", b"") or b"a"
    elif generator.random() < 0.3:
        path = generator.choice(_PATHS)
    return path + b"\0" + in_text(generator, data, _BYTES if generator.random() < 0.5 else ())


def _decode(case: bytes) -> str:
    path, _, data = case.partition(b"\0")
    label = label_of(path)
    if label is None:
        return "no label"
    options = SourceOptions()
    if skip := skip_before_reading(label, len(data), options):
        assert skip.detail.isprintable()
        return "skipped by name"
    found = decode(label, data, options)
    if isinstance(found, Skip):
        assert found.detail.isprintable(), found.detail
        return "skipped"
    found.text.decode("utf-8")
    assert found.size == len(data)
    return "read"


TARGETS = (
    Target(name="encodings", seeds=_encoded, mutate=_another_encoding, execute=_guess),
    Target(name="secrets", seeds=_secret_seeds, mutate=_another_secret, execute=_gate, share=2),
    Target(name="decode", seeds=_file_seeds, mutate=_another_file, execute=_decode),
)

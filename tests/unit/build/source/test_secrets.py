"""Secrets are found in every form and way of writing; what only looks like one stays."""

from __future__ import annotations

import base64
import hashlib
import json
import random
import re
import string
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from itertools import pairwise
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from planted import RULES, contexts_of, planted, private_key, putty_key

from hardtack.build.source.decode import SourceOptions, decode, skip_before_reading
from hardtack.build.source.secret_checks import CHECKS
from hardtack.build.source.secret_rules import SecretRule, forms, sources, tokens
from hardtack.build.source.secrets import is_key_file, path_without_secret, redacted, secret_file, secret_in_path, secrets_in
from hardtack.bundle.format.layout import is_identifier
from hardtack.nouns.outline import Skip, SkipReason, SourceFile

_BY_NAME = {rule.name: rule for rule in RULES}


def cleaned(text: str) -> str:
    data = text.encode()
    return redacted(data, secrets_in(data)).decode()


def rest_of(value: str) -> str:
    """The value without what all of its kind begin with."""
    return value[min(14, len(value) // 3) :]


def leaks(value: str, text: str) -> list[str]:
    """What is left of it, eight letters at a time."""
    rest = rest_of(value)
    return [rest[at : at + 8] for at in range(len(rest) - 7) if rest[at : at + 8] in text]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_secret_is_taken_out_of_every_context_it_can_stand_in(rule: SecretRule) -> None:
    for seed in range(2):
        each = planted(rule, seed)
        contexts = contexts_of(each, seed)
        assert {"assignment", "json", "yaml"} <= contexts.keys()
        for context, (_, text) in contexts.items():
            found = cleaned(text)
            assert (context, []) == (context, leaks(each.value, found)), text
            assert "[REDACTED:" in found
            assert text.count("\n") == found.count("\n")
            assert found == cleaned(found), "what is left is no secret"


def test_of_a_value_that_is_longer_than_its_rule_knows_no_tail_is_left() -> None:
    longer = []
    for rule in RULES:
        chance = random.Random(rule.name)
        each, tail = planted(rule, 3), "".join(chance.choices(string.ascii_letters + string.digits, k=4000))
        value = each.value.rstrip("=") + tail
        found = cleaned(f"{each.name} = '{each.carrier.replace('{}', value)}'\n")
        if "[REDACTED:" in found:  # others are known by their length
            longer.append(rule.name)
            assert (rule.name, []) == (rule.name, leaks(value, found))
    assert len(longer) > 60


@pytest.mark.parametrize(
    "rule", ["url-password", "connection-password", "netrc-password", "npmrc-auth", "docker-auth", "basic-auth"]
)
def test_a_password_is_taken_out_whole_however_long_it_is(rule: str) -> None:
    chance = random.Random(rule)
    each, value = planted(_BY_NAME[rule], 1), "".join(chance.choices(string.ascii_letters + string.digits, k=3000))
    if _BY_NAME[rule].check == "login":
        value = base64.b64encode(f"app:{value}".encode()).decode()
    assert [] == leaks(value, cleaned(f"address = '{each.carrier.replace('{}', value)}'\n"))


def test_at_least_forty_formats_stand_in_all_five_contexts() -> None:
    complete = [rule.name for rule in RULES if len(contexts_of(planted(rule, 0), 0)) == 5]
    assert len(complete) > 100


def test_rules_are_told_apart_and_each_says_who_documents_it() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES) >= 60
    assert {rule.source for rule in RULES} <= sources().keys()
    assert [] == [rule.name for rule in RULES if not is_identifier(rule.name)], "a manifest counts secrets by it"
    assert {rule.check for rule in RULES} <= CHECKS.keys()
    assert all(re.fullmatch(r"[a-z0-9-]{2,40}", rule.name) for rule in RULES)
    letters = re.compile(rb"[A-Za-z0-9_.-]+")
    assert all(letters.fullmatch(start) for rule in tokens() for start in rule.starts)


@pytest.mark.parametrize("kind", ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED ", "DSA "])
@pytest.mark.parametrize(
    "written",
    [
        lambda key: f"before\n{key}after\n",
        lambda key: "key: |\n" + "".join(f"  {line}\n" for line in key.splitlines()),
        lambda key: json.dumps({"type": "service_account", "private_key": key}) + "\n",
        lambda key: "KEY = (\n" + "".join(f'    "{line}\\n"\n' for line in key.splitlines()) + ")\n",
        lambda key: "var key = " + " +\n  ".join(f"'{line}\\n'" for line in key.splitlines()) + ";\n",
        lambda key: f"https://ca.internal/import?key={quote(key, safe='')}&x=1\n",
        lambda key: f'a = "{key[:20]}" + "{key[20:300]}" + "{key[300:]}"\n'.replace("\n", "\\n") + "\n",
    ],
    ids=["file", "yaml", "json", "python", "javascript", "url", "split"],
)
def test_of_a_private_key_nothing_is_left_but_its_frame_and_its_lines(kind: str, written: Callable[[str], str]) -> None:
    key = private_key(random.Random(kind), kind)
    text = written(key)
    found = cleaned(text)
    body = "".join(key.splitlines()[1:-1])
    assert not [body[at : at + 12] for at in range(len(body) - 11) if body[at : at + 12] in found]
    assert text.count("\n") == found.count("\n")
    assert 1 == found.count("[REDACTED:private-key]")


def test_a_key_that_was_cut_off_is_taken_out_as_far_as_it_goes() -> None:
    key = private_key(random.Random(1))
    found = cleaned("\n".join([*key.splitlines()[:-2], "", "And so on.", ""]))
    assert "And so on." in found
    assert key.splitlines()[1] not in found


@pytest.mark.parametrize("letters", [32, 48, 800, 6000])
@pytest.mark.parametrize(
    "written",
    [
        lambda key: f"before\n{key}after\n",
        lambda key: key.replace("\n", "\r\n"),
        lambda key: "key: |\n" + "".join(f"  {line}\n" for line in key.splitlines()),
        lambda key: json.dumps({"key": key}) + "\n",
        lambda key: "KEY = (\n" + "".join(f'    "{line}\\n"\n' for line in key.splitlines()) + ")\n",
        lambda key: "var key = " + " +\n  ".join(f"'{line}\\r\\n'" for line in key.splitlines()) + ";\n",
        lambda key: f"https://ca.internal/import?key={quote(key, safe='')}&x=1\n",
    ],
    ids=["file", "windows", "yaml", "json", "python", "javascript", "url"],
)
def test_of_a_putty_key_the_private_lines_are_taken_out_and_no_others(letters: int, written: Callable[[str], str]) -> None:
    key, private = putty_key(random.Random(letters), letters)
    text = written(key)
    found = cleaned(text)
    written_private = [quote(line, safe="") if "https:" in text else line for line in private]
    assert all(line in text and line not in found for line in written_private)
    assert found == cleaned(found)
    assert text.count("\n") == found.count("\n")
    assert ["private-key"] == [secret.rule for secret in secrets_in(text.encode())]
    assert "Public-Lines" in found
    assert "Private-MAC" in found
    rest = found.replace("[REDACTED:private-key]", "")
    assert len(rest) + sum(map(len, written_private)) == len(text), "all else stays"


def test_a_putty_key_that_was_cut_off_is_taken_out_as_far_as_its_lines_were_counted() -> None:
    key, private = putty_key(random.Random(5))
    found = cleaned(key[: key.index("Private-MAC")] + "x = load_the_configuration_File1(path)\n")
    assert not [line for line in private if line in found]
    assert "x = load_the_configuration_File1(path)\n" in found


def test_a_putty_key_file_is_skipped_whole_and_its_public_part_is_kept() -> None:
    key, _ = putty_key(random.Random(6))
    for text in (key, key.replace("\n", "\r\n"), f"\n{key}"):
        item = _file(text.encode(), "keys/deploy.txt")
        assert isinstance(item, Skip)
        assert (SkipReason.SECRET, "private-key") == (item.reason, item.detail)
    kept = _file(f"x = (\n{key})\n".encode())
    assert isinstance(kept, SourceFile)
    assert kept.secrets
    public = _file(key[: key.index("Private-Lines")].encode(), "keys/deploy.txt")
    assert isinstance(public, SourceFile)
    assert () == public.secrets


@pytest.mark.parametrize("lengths", [(20_000, 40, 43), (40, 90_000, 43), (40, 200, 40_000), (300_000, 300_000, 300_000)])
def test_a_jwt_is_taken_out_whole_however_long_its_parts_are(lengths: tuple[int, int, int]) -> None:
    chance = random.Random(str(lengths))
    body = [base64.urlsafe_b64encode(chance.randbytes(length)).decode()[:length] for length in lengths]
    value = f"eyJ{body[0]}.eyJ{body[1]}.{body[2]}"
    for before in ("", "Bearer ", "id_", "a-b_", "\\n", "x='"):
        assert f"{before}[REDACTED:jwt] after\n" == cleaned(f"{before}{value} after\n")


@pytest.mark.parametrize("letters", [16_000, 60_000, 600_000])
def test_a_private_key_in_base64_is_taken_out_whole_however_long_it_is(letters: int) -> None:
    value = base64.b64encode(private_key(random.Random(letters), letters=letters).encode()).decode()
    assert 'key: "[REDACTED:private-key-base64]" # after\n' == cleaned(f'key: "{value}" # after\n')


def test_a_private_key_in_base64_is_found_behind_its_certificates() -> None:
    key = private_key(random.Random(8))
    certificates = "".join(private_key(random.Random(n), letters=3000).replace("RSA PRIVATE KEY", "CERTIFICATE") for n in (9, 10))
    value = base64.b64encode((certificates + key).encode()).decode()
    assert "tls: [REDACTED:private-key-base64]\n" == cleaned(f"tls: {value}\n")


def _look_alikes() -> dict[str, str]:
    chance = random.Random(7)
    digest = hashlib.sha512(b"a").digest()
    letters = "".join(chance.choices("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", k=16))
    return {
        "git commit": f"commit {hashlib.sha1(b'a').hexdigest()}",
        "SHA-256": f"sha256:{hashlib.sha256(b'a').hexdigest()}",
        "SHA-512 of a lock file": f'"integrity": "sha512-{base64.b64encode(digest).decode()}",',
        "digest of a Go module": f"example.org/m v1.2.3 h1:{base64.b64encode(digest[:32]).decode()}",
        "MD5": f"etag = '{hashlib.md5(b'a').hexdigest()}'",
        "UUID": f"id: {uuid.UUID(int=chance.getrandbits(128))}",
        "picture": f"url(data:image/png;base64,{base64.b64encode(chance.randbytes(900)).decode()})",
        "certificate": private_key(chance).replace("RSA PRIVATE KEY", "CERTIFICATE"),
        "public key": private_key(chance).replace("RSA PRIVATE KEY", "PUBLIC KEY"),
        "frame of a key": "-----BEGIN RSA " + "PRIVATE KEY-----\n...\n-----END RSA " + "PRIVATE KEY-----",
        "documented key of AWS": "AKIA" + "IOSFODNN7" + "EXAMPLE",
        "documented secret of AWS": "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEY",
        "documented key of Stripe": "sk_" + "test_" + "4eC39HqLyjWDarjtT1zdp7dc",
        "documented token of GitHub": "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a",
        "tutorial's JWT": ".".join(
            base64.urlsafe_b64encode(part).decode().rstrip("=")
            for part in (b'{"alg":"HS256","typ":"JWT"}', b'{"sub":"1234567890","name":"John Doe","iat":1516239022}', digest[:32])
        ),
        "letters x": "ghp_" + "x" * 36,
        "zeros": "xoxb-" + "0" * 12 + "-" + "0" * 12 + "-" + "0" * 24,
        "digits in order": "sk-ant-api03-" + "0123456789" * 9,
        "words": "glpat-this-is-not-a-real-one-at-all",
        "placeholder": "token = ghp_<your-token-here>",
        "URL with a made-up password": "postgres://user:password@localhost/db https://me:secret@example.com/ redis://:changeme1@h/",
        "URL with a variable": "https://bot:${GITHUB_TOKEN_2}@github.com/o/n https://x:%(pw1)s@h/ mysql://u:{pass_word9}@h/d",
        "base32 in capitals without a start": f"MFRGGZDF{letters}",
        "long name": "sk_test_connection_pool_is_closed_when_the_client_goes_away",
        "variable of npm": "//packages.internal/:_authToken=${NPM_TOKEN}",
        "variable that ends in _auth": "wgs84_auth = SpatialReference2x(4326).auth_name9",
        "private variable": "_auth = OAuth2PasswordBearer2.from_settings_v2",
        "login of the RFC": "Authorization: Basic " + base64.b64encode(b"Aladdin:open sesame").decode(),
    }


@pytest.mark.parametrize("what", sorted(_look_alikes()))
def test_what_only_looks_like_a_secret_stays(what: str) -> None:
    text = _look_alikes()[what] + "\n"
    assert text == cleaned(text)


def test_the_line_of_a_secret_is_told_and_never_its_value() -> None:
    each = planted(_BY_NAME["github-token"], 3)
    (secret,) = secrets_in(f"one\ntwo\nthree = '{each.value}'\n".encode())
    assert ("github-token", 3) == (secret.rule, secret.line)
    assert each.value not in repr(secret)


def test_a_rule_of_one_kind_of_file_is_held_against_that_kind_alone() -> None:
    line = b"_auth=YXBwOlhrMzlkTHEwMm1Oc1E5WnQ3VmI=\n"
    assert [secret.rule for secret in secrets_in(line, "web/.npmrc")] == ["npmrc-file-auth"]
    assert secrets_in(line, "web/session.py") == []


def test_overlapping_secrets_are_one() -> None:
    token = planted(_BY_NAME["github-token"], 4).value
    text = f"https://bot:{token}@github.com/o/n\n"
    assert "https://bot:[REDACTED:github-token]@github.com/o/n\n" == cleaned(text)
    assert 1 == len(secrets_in(text.encode()))


def test_a_marker_does_not_tell_how_long_the_value_was() -> None:
    short, long = (f"t = '{planted(_BY_NAME['gitlab-token'], seed).value}'" for seed in (1, 2))
    assert len(short) != len(long)
    assert cleaned(short) == cleaned(long)


def _file(data: bytes, path: str = "a.py", mode: str = "redact") -> SourceFile | Skip:
    options = SourceOptions(secrets=mode)  # type: ignore[arg-type]
    return skip_before_reading(path, len(data), options) or decode(path, data, options)


def test_a_redacted_file_has_the_digest_of_what_is_stored_and_the_blob_of_what_was_there() -> None:
    value = planted(_BY_NAME["npm-token"], 1).value
    data = f'token = "{value}"\nuse(token)\n'.encode()
    file = _file(data)
    assert isinstance(file, SourceFile)
    assert b'token = "[REDACTED:npm-token]"\nuse(token)\n' == file.text
    assert hashlib.sha256(file.text).hexdigest() == file.sha256
    assert hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest() == file.blob_id
    assert (("npm-token", 1),) == file.secrets
    kept = _file(data, mode="warn")
    assert isinstance(kept, SourceFile)
    assert (data, (("npm-token", 1),)) == (kept.text, kept.secrets)


def test_a_secret_in_utf_16_is_found_like_any_other() -> None:
    value = planted(_BY_NAME["github-token"], 1).value
    file = _file(f"token = '{value}'\n".encode("utf-16"), "a.txt")
    assert isinstance(file, SourceFile)
    assert b"token = '[REDACTED:github-token]'\n" == file.text


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        *((path, "env-file") for path in (".env", "web/.env", ".env.local", ".env.production", "a/.env.staging.local")),
        *((path, "ssh-key-file") for path in ("id_rsa", ".ssh/id_ed25519")),
        *((path, "credentials-file") for path in (".netrc", "home/.pgpass", ".git-credentials")),
        *(
            (path, "")
            for path in (
                ".env.example",
                ".env.sample",
                ".env.test",
                ".environment",
                "env.py",
                ".env.dist",
                "id_rsa.pub",
                "a.env.ts",
            )
        ),
    ],
)
def test_files_that_are_secrets_whole_are_known_by_name(path: str, rule: str) -> None:
    assert rule == secret_file(path)
    item = _file(b"A=1\n", path)
    assert bool(rule) == (isinstance(item, Skip) and item.reason is SkipReason.SECRET and item.detail == rule)
    kept = _file(b"A=1\n", path, "warn")
    assert isinstance(kept, SourceFile)
    assert ((((rule, 1),)) if rule else ()) == kept.secrets


def test_a_file_that_is_a_key_and_nothing_else_is_skipped_whole() -> None:
    key = private_key(random.Random(2))
    certificate = private_key(random.Random(3)).replace("RSA PRIVATE KEY", "CERTIFICATE")
    for text in (key, certificate + key, f"\n{key}\n\n"):
        assert is_key_file(text.encode())
        item = _file(text.encode(), "tls/server.pem")
        assert isinstance(item, Skip)
        assert (SkipReason.SECRET, "private-key") == (item.reason, item.detail)
    assert not is_key_file(certificate.encode())
    assert not is_key_file(f"{key}x = 1\n".encode())


def test_a_secret_in_a_name_is_found_and_the_name_not_told() -> None:
    value = planted(_BY_NAME["github-token"], 5).value
    assert "github-token" == secret_in_path(f"dumps/{value}/a.py") == secret_in_path(f"dumps/x-{value}.json")
    assert (
        "dumps/[REDACTED:github-token]"
        == path_without_secret(f"dumps/x-{value}.json")
        == path_without_secret(f"dumps/{value}/a.py")
    )
    for path in ("src/hardtack/build/source/a_module_with_a_long_name.py", f"objects/{hashlib.sha256(b'').hexdigest()}", "a"):
        assert "" == secret_in_path(path)
        assert path == path_without_secret(path)


@given(st.text(alphabet="ab\"'+ \\\n\r%/2F.&=:@-", max_size=200))
def test_text_without_a_secret_stays_as_it_is_however_it_is_quoted(text: str) -> None:
    assert text == cleaned(text)


@given(
    st.integers(0, 10_000),
    st.text(alphabet="a\"'+ \n\\%=:{}[](),;", max_size=40),
    st.text(alphabet="a\"'+ \n\\%=:{}[](),;", max_size=40),
)
def test_whatever_stands_around_a_secret_stays(seed: int, before: str, after: str) -> None:
    value = planted(_BY_NAME["github-token"], seed).value
    text = f"{before} {value} {after}"
    assert f"{before} [REDACTED:github-token] {after}" == cleaned(text)


_HOSTILE = sorted(
    {start for rule in tokens() for start in rule.starts}
    | {key for rule in RULES for key in rule.keys}
    | {
        b"-----BEGIN RSA " + b"PRIVATE KEY-----",
        b"://a:",
        b'"" + "',
        b"%2F",
        b"a\\\n",
        b"sv=&sig=",
        b"eyJ0.eyJ0.",
        b"Private-Lines: 1\n",
        b"password=a;user=",
        b"machine a login ",
        b"password=",
        b'"password":"',
        b"key</key>",
        b"name | ",
        b"kind: Secret\n",
        b"kind: Secret\ndata:\n  a: YWJjZGVm\n",
        b'"kty":"oct","k":"a1B2c3D4e5F6g7H8"',
        b"LS0tLS1CRUdJTi",
        b"Z2hwX0FC\n",
        b"Z2hwX0FC\\n",
        b"a\\nb\\n",
        b'\\n",\n"',
        b"// aB1c\n",
        b"curl -u a:",
    }
)


def test_texts_made_to_keep_a_pattern_busy_are_through_at_once() -> None:
    # Not a race against a clock: with a pattern that goes wrong this would not end.
    for start in _HOSTILE:
        for unit in (start, start + b"a1B2"):
            secrets_in(unit * (16_384 // len(unit)))


@pytest.mark.parametrize(
    "unit", [b"-eyJ", b"_eyJa1B2c3D4e5", b"\\neyJ", b".eyJa1b2c3d4e5", b"/LS0tLS1" + b"CRUdJTi", b"Private-Lines: 1\n"]
)
def test_a_beginning_again_and_again_is_not_gone_through_to_the_end_from_each(unit: bytes) -> None:
    # A megabyte: a pattern without a bound that starts anew at each would take hours.
    assert [] == secrets_in(unit * ((1 << 20) // len(unit)))


def test_every_rule_has_a_name_that_a_manifest_may_file_it_by() -> None:
    rules = {rule.name for rule in (*tokens(), *forms())}
    assert all(map(is_identifier, rules))


def test_the_rules_are_read_when_the_first_text_is_looked_through() -> None:
    script = "import sys; from hardtack.build.source import secrets; sys.exit('tomllib' in sys.modules)"
    assert 0 == subprocess.run([sys.executable, "-c", script], check=False).returncode
    assert secrets_in(f"token = {planted(_BY_NAME['github-token'], 1).value}".encode())


@pytest.mark.parametrize(
    "unit",
    [
        *(b"KIND: Secret data:{ \n", b"Kind: Secret data:\n", b"kind: Secret\n data: {data: ", b"\\nkind: Secret\\ndata:\\n"),
        *(
            b"xkind: Secret stringData: ",
            b"kind: Secret\ndata: {a:b",
            b"data: a:+b:",
            b"sv=sig=",
            b"sv=&sig=",
            b"?sig=sr=",
            b"&sig=aB1c",
        ),
    ],
)
def test_a_text_of_64_kib_takes_a_fraction_of_a_second_whatever_is_repeated_in_it(unit: bytes) -> None:
    text = b"kind: Secret\nabcdefghij1klmnopqrstuv\n" + unit * ((64 << 10) // len(unit))
    before = time.process_time()
    secrets_in(text)
    assert time.process_time() - before < 2  # ten times what it takes


@pytest.mark.parametrize("between", ["&", "&amp;", "\\u0026"])
@pytest.mark.parametrize("order", ["?sv=2022-11-02{0}sr=b{0}sig={1}", "?a=1{0}sig={1}{0}se=2031-01-01"])
def test_a_signature_of_azure_is_found_beside_the_terms_that_it_signs(between: str, order: str) -> None:
    value = planted(_BY_NAME["azure-signature"], 3).value
    found = cleaned("https://orders.blob/box" + order.format(between, value))
    assert [] == leaks(value, found)
    assert "[REDACTED:" not in cleaned("https://orders.blob/box" + order.format(between, "short").replace("short", "a" * 44))


@pytest.mark.parametrize("kind", ["kind", "Kind", "KIND", '"kind"'])
@pytest.mark.parametrize("order", ["{kind}: Secret\n{data}", "{data}{kind}: Secret\n"])
def test_of_every_secret_of_a_list_of_manifests_the_values_go(kind: str, order: str) -> None:
    values = [base64.b64encode(planted(_BY_NAME["password"], seed).value.encode()).decode() for seed in range(6)]
    maps = [f"data:\n  first: {one}\nstringData:\n  second: {two[:-2]}\n" for one, two in pairwise(values)]
    text = "---\n".join(order.format(kind=kind, data=each) for each in maps)
    found = cleaned(text)
    assert [] == [value for value in values if value[:-2] in found]
    assert text.count("\n") == found.count("\n")


@pytest.mark.parametrize("seed", range(40))
def test_a_salt_with_any_signs_is_taken_out_where_it_is_split(seed: int) -> None:
    each = planted(_BY_NAME["wordpress-salt"], seed)
    for joint in ("' . '", "'\n            . '", '" + "', "' || '"):
        quote = joint[-1]
        text = f"define({quote}AUTH_KEY{quote}, {quote}{each.value[:30]}{joint}{each.value[30:]}{quote});\n"
        assert [] == leaks(each.value, cleaned(text)), text

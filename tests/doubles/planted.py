"""A rule and a seed in, a value that has its form out, and the ways in which source files hold values.

Values are made when a test runs: a file of the project that held one would itself be one that holds a secret.
"""

from __future__ import annotations

import base64
import json
import random
import re
import string
from collections.abc import Callable
from dataclasses import dataclass
from re import _parser  # type: ignore[attr-defined]
from typing import Any
from urllib.parse import quote

from hardtack.build.source.secret_checks import CHECKS, is_random
from hardtack.build.source.secret_rules import SecretRule, forms, named, tokens

RULES = tuple(rule for rule in (*tokens(), *forms(), *{rule.name: rule for rule in reversed(named())}.values()) if not rule.files)
"""A rule of every name that is looked for in all files; of those of one name the first."""
_PLAIN = string.ascii_letters + string.digits


@dataclass(frozen=True)
class Planted:
    """A value, and what it needs around it to be known."""

    rule: str
    value: str
    name: str = "credential"
    carrier: str = "{}"
    """What the value stands in: a URL, a header, a connection string."""
    is_plain: bool = True
    """Whether it may stand in a query string as well."""

    @property
    def carried(self) -> str:
        return self.carrier.replace("{}", self.value)


def _sample(parsed: Any, chance: random.Random, longest: int) -> str:
    """Text that a parsed pattern matches; what it looks around for is left to luck."""
    out = []
    for kind, what in parsed:
        name = str(kind)
        if name == "LITERAL":
            out.append(chr(what))
        elif name == "IN":
            out.append(chance.choice(_letters(what)))
        elif name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            least, most, inner = what
            count = chance.randint(int(least), min(int(most), max(int(least), longest)))
            out += [_sample(inner, chance, longest) for _ in range(count)]
        elif name == "SUBPATTERN":
            out.append(_sample(what[-1], chance, longest))
        elif name == "BRANCH":
            out.append(_sample(chance.choice(what[1]), chance, longest))
        elif name not in ("ASSERT", "ASSERT_NOT", "AT"):
            raise AssertionError(name)
    return "".join(out)


def _letters(members: Any) -> str:
    if str(members[0][0]) == "NEGATE":
        return _PLAIN
    found = ""
    for kind, what in members:
        found += chr(what) if str(kind) == "LITERAL" else "".join(map(chr, range(what[0], what[1] + 1)))
    return found


def _matching(pattern: bytes, chance: random.Random, accepted: Callable[[bytes], bool], longest: int) -> str:
    parsed = _parser.parse(pattern.decode())
    while True:
        text = _sample(parsed, chance, longest)
        if re.fullmatch(pattern, text.encode()) and accepted(text.encode()):
            return text


def _password(chance: random.Random, letters: int = 16) -> str:
    accepted = CHECKS["chosen"]
    while not accepted((value := "".join(chance.choices(_PLAIN, k=letters))).encode()):
        pass
    return value


_CARRIERS = {
    "url-password": "postgres://app:{}@db.internal:5432/orders",
    "connection-password": "Server=db.internal;Database=orders;User Id=app;Password={};Encrypt=true",
    "netrc-password": "machine db.internal login app password {}",
    "npmrc-auth": "//packages.internal/:_authToken={}",
    "docker-auth": '{"auths": {"images.internal": {"auth": "{}"}}}',
    "basic-auth": "Authorization: Basic {}",
    "bearer-token": "Authorization: Bearer {}",
    "braintree-token": "access_token$production${}",
    "slack-webhook": "https://hooks.slack.com/services/{}",
    "discord-webhook": "https://discord.com/api/webhooks/123456789012345678/{}",
    "teams-webhook": "https://acme.webhook.office.com/webhookb2/{}",
    "chat-webhook": "https://chat.internal/hooks/{}",
    "azure-signature": "https://orders.blob/box?sv=2022-11-02&sr=b&sig={}",
    "laravel-key": "APP_KEY=base64:{}",
    "password-hash": "app:{}",
    "option-password": "mysql -h db.internal -u app -p{} orders",
    "curl-user": "curl -fsS -u app:{} https://api.internal/v1",
    "command-password": "redis-cli -h cache.internal -a {} ping",
    "added-password": "htpasswd -b /etc/users app {}",
    "secure-string": 'ConvertTo-SecureString "{}" -AsPlainText',
    "chpasswd": "echo root:{} | chpasswd",
    "piped-password": "echo {} | docker login -u app --password-stdin images.internal",
    "piped-secret": "printf '{}' | docker secret create orders -",
    "chpasswd-list": r"chpasswd: list: | root:{}",
    "sent-password": r'expect "password:" - send "{}\\r"',
    "go-source-name": "app:{}@tcp(db.internal:3306)/orders",
    "pgpass": "db.internal:5432:orders:app:{}",
    "shared-secret": "psk={}",
    "bundler-login": "BUNDLE_GEMS__CONTRIBSYS__COM=app:{}",
    "openvpn-login": "<auth-user-pass> app {} </auth-user-pass>",
    "login-line": "[smtp.internal]:587 app:{}",
    "wordpress-salt": "define('AUTH_KEY', '{}');",
    "credentials-call": 'Credentials("Nexus", "packages.internal", "app", "{}")',
    "connect-call": 'DriverManager.getConnection("jdbc:postgresql://db.internal/orders", "app", "{}")',
    "login-call": 'HTTPBasicAuth("app", "{}")',
    "login-pair": "stats auth app:{}",
    "oracle-login": "sqlplus app/{}@db.internal:1521/orders",
    "share-password": r"net use Z: \\files\orders {} /user:app",
    "snmp-password": "snmpget -v3 -u app -A {} router.internal sysUpTime",
}
_NAMES = {
    "aws-secret-key": "aws_secret_access_key",
    "discord-token": "discord_token",
    "asana-token": "asana_token",
    "azure-storage-key": "AccountKey",
    "azure-shared-key": "SharedAccessKey",
    "wireguard-key": "PrivateKey",
    "connection-password": "connection",
    "password": "DB_PASSWORD",
    "secret": "client_secret",
    "application-key": "SECRET_KEY_BASE",
}


def _value_of(pattern: bytes) -> bytes:
    """The part of a pattern that is the group ``value``, without what is escaped there."""
    start = pattern.index(b"(?P<value>") + len(b"(?P<value>")
    depth, at, in_class = 1, start, False
    while depth:
        letter = pattern[at : at + 1]
        if letter == b"\\":
            at += 1
        elif in_class or letter == b"[":
            in_class = letter != b"]"
        else:
            depth += (letter == b"(") - (letter == b")")
        at += 1
    return pattern[start : at - 1].replace(b"|%2[BbFf]", b"").replace(b"9%/+", b"9/+").replace(b"(?:%3D|=)", b"=")


def planted(rule: SecretRule, seed: int) -> Planted:
    """A value of a rule, and where it may stand."""
    chance = random.Random(f"{rule.name} {seed}")
    if rule.starts:
        start = chance.choice(rule.starts).decode()
        return Planted(rule.name, start + _matching(rule.pattern, chance, is_random, 48))
    carrier = _CARRIERS.get(rule.name, "{}")
    if rule.check in ("password", "chosen"):
        value = _password(chance, 24 if rule.check == "chosen" else 16)
    elif rule.check == "login":
        value = base64.b64encode(f"app:{_password(chance)}".encode()).decode()
    elif rule.name == "wordpress-salt":
        value = "".join(chance.choices(_PLAIN + "!@#%^&*()-_ []{}<>~+=,.;:/?|", k=64))
    else:
        pattern = rule.pattern if rule in named() else _value_of(rule.pattern)
        value = _matching(pattern.replace(b"|%2[BbFf]", b""), chance, CHECKS[rule.check], 60)
    name = _NAMES.get(rule.name, f"{rule.name.split('-')[0]}_api_key" if rule in named() else "credential")
    return Planted(rule.name, value, name, carrier, is_plain=carrier == "{}" or carrier.startswith("https:"))


def private_key(chance: random.Random, kind: str = "RSA ", letters: int = 800) -> str:
    body = base64.b64encode(chance.randbytes(letters * 3 // 4)).decode()
    lines = [body[at : at + 64] for at in range(0, len(body), 64)]
    dashes = "-" * 5
    return "\n".join((f"{dashes}BEGIN {kind}PRIVATE KEY{dashes}", *lines, f"{dashes}END {kind}PRIVATE KEY{dashes}", ""))


def putty_key(chance: random.Random, letters: int = 800) -> tuple[str, list[str]]:
    """A key file of PuTTY's, of nothing but chance, and the lines of it that are private."""

    def lines_of(letters: int) -> list[str]:
        body = base64.b64encode(chance.randbytes(letters * 3 // 4)).decode()
        return [body[at : at + 64] for at in range(0, len(body), 64)]

    public, private = lines_of(372), lines_of(letters)
    head = ["PuTTY-User-" + "Key-File-3: ssh-rsa", "Encryption: none", "Comment: build", f"Public-Lines: {len(public)}", *public]
    return "\n".join([*head, f"Private-Lines: {len(private)}", *private, f"Private-MAC: {chance.randbytes(32).hex()}", ""]), private


_JOINTS = {
    "py": ('"{}" + "{}"', '"{}" "{}"', "('{}'\n    '{}')", '"{}\\\n{}"', 'b"{}" \\\n    b"{}"'),
    "js": ("'{}' + '{}'", '"{}" +\n  "{}"', "`{}` + `{}`"),
    "java": ('"{}" + "{}"', '"{}"\n        + "{}"'),
    "go": ('"{}" + "{}"', '"{}" +\n\t"{}"'),
    "php": ("'{}' . '{}'", '"{}"\n . "{}"'),
    "c": ('"{}" "{}"', '"{}"\n  "{}"', 'L"{}" L"{}"'),
    "lua": ("'{}' .. '{}'",),
    "ex": ('"{}" <> "{}"',),
    "hs": ('"{}" ++ "{}"',),
    "sql": ("'{}' || '{}'",),
    "sh": ('"{}""{}"', "'{}'\\\n'{}'"),
}
"""Ending of a file's name to how a string is put together there."""

_ASSIGNMENTS = {
    "py": '{name} = "{value}"\n',
    "rb": "{name} = '{value}'\n",
    "toml": '{name} = "{value}"\n',
    "sh": 'export {name}="{value}"\n',
    "ini": "{name} = {value}\n",
    "properties": "{name}={value}\n",
    "ts": 'const {name}: string = "{value}";\n',
    "cs": 'var {name} = "{value}";\n',
    "go": '{name} := "{value}"\n',
    "tf": '{name} = "{value}"\n',
    "Dockerfile": 'FROM scratch\nENV {name}="{value}"\n',
}


def contexts_of(each: Planted, seed: int) -> dict[str, tuple[str, str]]:
    """Context to (ending of the file's name, its text); the ending, and how a string is cut, are chosen by the seed."""
    chance = random.Random(f"{each.rule} {each.value} {seed}")
    carried, name = each.carried, each.name
    quotes = '"' in carried
    endings = sorted(_ASSIGNMENTS) if not quotes else ["ini", "properties"]
    ending = chance.choice(endings)
    found = {"assignment": (ending, _ASSIGNMENTS[ending].format(name=name, value=carried))}
    document = json.dumps({"name": "demo", "settings": {name: carried}}, indent=chance.choice((None, 2)))
    notebook = json.dumps({"cells": [{"cell_type": "code", "outputs": [{"text": [f"{name}: {carried}\n"]}]}]})
    found["json"] = chance.choice((("json", document), ("ipynb", notebook)))
    yaml = chance.choice((f"{name}: {carried}\n", f"env:\n  - {name}: '{carried}'\n", f"{name}: |\n  {carried}\n"))
    found["yaml"] = (chance.choice(("yml", "yaml")), yaml)
    if each.is_plain:
        url = f"https://api.internal/v1?{name}={quote(carried, safe='')}&page=2"
        if carried.startswith(("https:", "postgres:")):
            url = carried
        found["url"] = (chance.choice(("md", "html", "txt", "js")), f'See <a href="{url}">this</a>.\n')
    elif each.rule == "url-password":
        found["url"] = ("md", f"Connect to {carried} first.\n")
    if not quotes:
        ending = chance.choice(sorted(_JOINTS))
        # People cut a value between letters; one that is cut beside a punctuation mark is not found (docs/secrets.md).
        cuts = [at for at in range(4, len(each.value) - 3) if each.value[at - 1 : at + 1].isalnum()]
        at = chance.choice(cuts)
        before, after = each.carrier.split("{}")
        joint = chance.choice(_JOINTS[ending]).replace("{}", "\0")
        whole = joint.replace("\0", before + each.value[:at], 1).replace("\0", each.value[at:] + after, 1)
        found["split"] = (ending, f"{name} = {whole}\n")
    return found

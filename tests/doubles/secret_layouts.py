"""A layout and a seed in, a text that holds a secret as real files do out: each format of a file, tool or encoding is one.

Values are made when a test runs: a file of the project that held one would itself be one that holds a secret.
"""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from planted import private_key

_ALNUM: Final = string.ascii_letters + string.digits


@dataclass(frozen=True)
class Laid:
    """A text, and the secrets in it: no eight letters in a row of any may be left."""

    text: str
    secrets: tuple[str, ...]


def _alnum(chance: random.Random, letters: int = 20) -> str:
    """A value as password managers make them."""
    while True:
        value = "".join(chance.choices(_ALNUM, k=letters))
        if sum(letter.isdigit() for letter in value) >= 2:
            return value


def _hex(chance: random.Random, letters: int = 32) -> str:
    return "".join(chance.choices("0123456789abcdef", k=letters))


def _base64(chance: random.Random, size: int = 32) -> str:
    return base64.b64encode(chance.randbytes(size)).decode()


def _github(chance: random.Random) -> str:
    return "gh" + "p_" + _alnum(chance, 36)


def _aws(chance: random.Random) -> str:
    return "AK" + "IA" + "".join(chance.choices("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", k=16))


def _encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _wrapped(text: str, width: int, before: str = "", after: str = "") -> str:
    return "".join(f"{before}{text[at : at + width]}{after}\n" for at in range(0, len(text), width))


def _rsa(chance: random.Random, letters: int = 1600) -> str:
    """The frame of a key, and in it what is one by its structure: version 0 and a long number."""
    return private_key(chance, "", letters)


def _body(key: str) -> str:
    return "".join(key.splitlines()[1:-1])


def _der(head: str) -> Callable[[random.Random], Laid]:
    def make(chance: random.Random) -> Laid:
        value = base64.b64encode(bytes.fromhex(head) + chance.randbytes(600)).decode()
        return Laid(f"key = {value}\n", (value[40:],))

    return make


def _line(template: str, value: Callable[[random.Random], str] = _alnum) -> Callable[[random.Random], Laid]:
    """One secret in a line or a few; ``@`` stands for it."""

    def make(chance: random.Random) -> Laid:
        secret = value(chance)
        return Laid(template.replace("@", secret) + "\n", (secret,))

    return make


def _of_encoded(
    template: str, plain: Callable[[random.Random], str], width: int = 0, indent: str = "  "
) -> Callable[[random.Random], Laid]:
    """A secret in Base64, on one line or wrapped; ``@`` stands for it."""

    def make(chance: random.Random) -> Laid:
        secret = _encoded(plain(chance))
        shown = _wrapped(secret, width, indent).strip() if width else secret
        pieces = tuple(secret[at : at + width] for at in range(0, len(secret), width)) if width else (secret[14:],)
        return Laid(template.replace("@", shown) + "\n", pieces[1:] if len(pieces) > 1 else pieces)

    return make


def _pem(width: int, joint: str = "\n", kind: str = "RSA ") -> Callable[[random.Random], Laid]:
    def make(chance: random.Random) -> Laid:
        key = private_key(chance, kind)
        first, *_, last = key.splitlines()
        body = _body(key)
        lines = [body[at : at + width] for at in range(0, len(body), width)]
        return Laid(joint.join((first, *lines, last)) + "\n", tuple(lines))

    return make


def _jwk(shape: Callable[[Mapping[str, str]], str], kind: str = "RSA") -> Callable[[random.Random], Laid]:
    def make(chance: random.Random) -> Laid:
        def number(size: int) -> str:
            return base64.urlsafe_b64encode(chance.randbytes(size)).decode().rstrip("=")

        private = {"EC": {"d": 32}, "OKP": {"d": 32}, "oct": {"k": 48}}.get(
            kind, {"d": 256, "p": 128, "q": 128, "dp": 128, "qi": 128}
        )
        secrets = {name: number(size) for name, size in private.items()}
        public = {"kty": kind, "kid": "signing", **({"n": number(256), "e": "AQAB"} if kind == "RSA" else {})}
        return Laid(shape({**public, **secrets}) + "\n", tuple(secrets.values()))

    return make


def _manifest(chance: random.Random) -> Laid:
    values = (_encoded(_alnum(chance, 18)), _encoded(_alnum(chance, 24)))
    text = (
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: orders\ntype: Opaque\n"
        f"data:\n  username: YXBw\n  api: {values[0]}\n  other: {values[1]}\n"
    )
    return Laid(text, values)


def _manifest_of_strings(chance: random.Random) -> Laid:
    value = _alnum(chance, 18)
    return Laid(f"kind: Secret\napiVersion: v1\nstringData:\n  login: app\n  entry: {value}\nmetadata:\n  name: orders\n", (value,))


def _manifest_list(chance: random.Random) -> Laid:
    values = tuple(_encoded(_alnum(chance)) for _ in range(2))
    items = [{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}, "data": {"entry": value}} for value in values]
    return Laid(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}, indent=2) + "\n", values)


def _static_key(chance: random.Random) -> Laid:
    lines = [_hex(chance) for _ in range(16)]
    dashes = "-" * 5
    text = "\n".join((f"{dashes}BEGIN OpenVPN Static key V1{dashes}", *lines, f"{dashes}END OpenVPN Static key V1{dashes}"))
    return Laid(text + "\n", tuple(lines))


def _wordpress(chance: random.Random) -> str:
    return "".join(chance.choices(_ALNUM + "!@#%^&*()-_ []{}<>~+=,.;:/?|", k=64))


def _django(chance: random.Random) -> str:
    return "".join(chance.choices("abcdefghijklmnopqrstuvwxyz0123456789!@#%^&*(-_=+)", k=50)).replace("*" * 3, "x1y")


_SEC1 = "30770201010420"
_PKCS8 = "308204bd020100300d06092a864886f70d0101010500048204a7"
_PKCS1 = "308204a40201000282010100"
_PKCS8_ENCRYPTED = "308205283052"[:8] + "305206092a864886f70d01050d"
_PKCS12 = "308209a00201033082096606092a864886f70d010701"

LAYOUTS: Final[Mapping[str, Callable[[random.Random], Laid]]] = {
    # Values that go over lines
    "PEM wrapped at 12": _pem(12),
    "PEM wrapped at 5": _pem(5),
    "PEM wrapped at 30": _pem(30, kind="EC "),
    "PEM in one line, with spaces": _pem(64, " "),
    "PEM in one line, escaped": _pem(64, "\\n"),
    "PEM wrapped at 20, escaped": _pem(20, "\\n", "OPENSSH "),
    "PGP private key": lambda chance: Laid(
        (key := private_key(chance, "PGP ").replace("PRIVATE KEY-", "PRIVATE KEY BLOCK-")), (_body(key),)
    ),
    "static key of OpenVPN": _static_key,
    "PEM in Base64": _of_encoded("tls.key: @", _rsa),
    "PEM in Base64 at 76": _of_encoded("tls.key: |\n  @", _rsa, 76),
    "PEM in Base64 at 64, folded": _of_encoded("tls.key: >-\n  @", _rsa, 64),
    "PEM in Base64 at 16": _of_encoded("tls.key: |\n  @", _rsa, 16),
    "PEM in Base64 at 9": _of_encoded("tls.key: |\n  @", _rsa, 9),
    "token in Base64": _of_encoded("credential: @", _github),
    "token in Base64 at 20": _of_encoded("credential: |\n  @", _github, 20),
    "token in Base64 at 10": _of_encoded("credential: |\n  @", _github, 10),
    "login with a token in Base64": _of_encoded("credential: @", lambda chance: f"bot:{_github(chance)}"),
    "settings in Base64": _of_encoded("user-data: @", lambda chance: f"#!/bin/sh\nexport DB_PASSWORD={_alnum(chance)}\n"),
    "settings in Base64 at 76": _of_encoded(
        "user-data: |\n  @", lambda chance: f"#!/bin/sh\nexport DB_PASSWORD={_alnum(chance)}\nset -e\n", 76
    ),
    "access key of AWS in Base64": _of_encoded("id: @", lambda chance: f"aws_access_key_id = {_aws(chance)}"),
    # Keys by their structure
    "PKCS #1": _der(_PKCS1),
    "PKCS #8": _der(_PKCS8),
    "PKCS #8, encrypted": _der(_PKCS8_ENCRYPTED),
    "PKCS #12": _der(_PKCS12),
    "SEC 1": _der(_SEC1),
    "key of OpenSSH without its frame": _der(b"openssh-key-v1\0\0\0\0\4none\0\0\0\4none".hex()),
    "JSON Web Key": _jwk(lambda key: json.dumps(key)),
    "JSON Web Key over lines": _jwk(lambda key: json.dumps({"keys": [key]}, indent=4)),
    "JSON Web Key of a curve": _jwk(lambda key: json.dumps(key), "EC"),
    "JSON Web Key of an Edwards curve in YAML": _jwk(
        lambda key: "\n".join(f"{name}: {value}" for name, value in key.items()), "OKP"
    ),
    "JSON Web Key, symmetric": _jwk(lambda key: json.dumps(key, indent=2), "oct"),
    "JSON Web Key in single quotes": _jwk(lambda key: "{" + ", ".join(f"{name}: '{value}'" for name, value in key.items()) + "}"),
    "secret key of minisign": _line("untrusted comment: minisign encrypted secret key\n@", lambda c: "RWRTY0Iy" + _base64(c, 99)),
    "key of WireGuard": _line("[Interface]\nAddress = 10.0.0.2/24\nPrivateKey = @", _base64),
    "shared key of WireGuard": _line("[Peer]\nPresharedKey = @\nAllowedIPs = 0.0.0.0/0", _base64),
    "age": _line(
        "# public key: age1\n@", lambda c: "AGE-SECRET-" + "KEY-1" + "".join(c.choices("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", k=58))
    ),
    # Structures
    "Secret of Kubernetes": _manifest,
    "Secret of Kubernetes with strings": _manifest_of_strings,
    "Secrets of Kubernetes in a list": _manifest_list,
    "template of Helm with a literal": _line('kind: Secret\ndata:\n  entry: {{ "@" | b64enc | quote }}'),
    "kubectl create secret": _line("kubectl create secret generic orders --from-literal=password=@"),
    "kubeconfig, token": _line("users:\n- name: admin\n  user:\n    token: @", lambda c: _alnum(c, 40)),
    "kubeconfig, password": _line("users:\n- name: admin\n  user:\n    username: admin\n    password: @"),
    "kubeconfig, key": _of_encoded("users:\n- user:\n    client-key-data: @", _rsa),
    "provider of Terraform": _line('provider "aws" {\n  region     = "eu-west-1"\n  secret_key = "@"\n}', lambda c: _alnum(c, 40)),
    "variables of Terraform": _line('db_user     = "app"\ndb_password = "@"'),
    "state of Terraform": _line('{\n  "type": "aws_db_instance",\n  "attributes": {"engine": "postgres", "password": "@"}\n}'),
    "compose, map": _line("services:\n  db:\n    environment:\n      POSTGRES_PASSWORD: @"),
    "compose, list": _line("services:\n  db:\n    environment:\n      - MYSQL_ROOT_PASSWORD=@"),
    "compose, token": _line("services:\n  bot:\n    environment:\n      - BOT_TOKEN=@", lambda c: _alnum(c, 32)),
    "compose, secret": _line('services:\n  web:\n    environment:\n      SESSION_SECRET: "@"', lambda c: _hex(c, 40)),
    "Spring properties": _line("spring.datasource.username=app\nspring.datasource.password=@"),
    "Spring YAML": _line("spring:\n  datasource:\n    username: app\n    password: @"),
    "Ansible": _line("ansible_user: deploy\nansible_password: @"),
    "Ansible, become": _line("[web:vars]\nansible_become_pass=@"),
    "workflow of GitHub": _line("jobs:\n  build:\n    env:\n      DEPLOY_TOKEN: @", lambda c: _alnum(c, 32)),
    "Dockerfile": _line("FROM scratch\nENV API_KEY=@", lambda c: _alnum(c, 32)),
    "systemd": _line("[Service]\nEnvironment=DB_PASSWORD=@"),
    "Kafka": _line('sasl.jaas.config=PlainLoginModule required username="app" password="@";'),
    # Frameworks
    "Laravel": _line("APP_NAME=Shop\nAPP_KEY=base64:@", _base64),
    "Rails": _line("production:\n  secret_key_base: @", lambda c: _hex(c, 128)),
    "Django": _line("DEBUG = False\nSECRET_KEY = '@'", _django),
    "Django, prefixed": _line('SECRET_KEY = "django-insecure-@"', _django),
    "Flask": _line('app.secret_key = "@"', lambda c: _hex(c, 48)),
    "Symfony": _line("APP_ENV=prod\nAPP_SECRET=@", _hex),
    "Phoenix": _line('config :shop, ShopWeb.Endpoint,\n  secret_key_base: "@"', lambda c: _base64(c, 48)),
    "WordPress": _line("define('AUTH_KEY',         '@');", _wordpress),
    "WordPress, salt": _line("define( 'LOGGED_IN_SALT', '@' );", _wordpress),
    "Express": _line("app.use(session({ secret: '@', resave: false }));", lambda c: _alnum(c, 32)),
    "JWT": _line("JWT_SECRET=@", lambda c: _base64(c, 48)),
    # Package managers
    "pypirc": _line("[pypi]\nusername = app\npassword = @"),
    "Maven": _line("<server>\n  <id>nexus</id>\n  <username>app</username>\n  <password>@</password>\n</server>"),
    "Gradle": _line("signing.keyId=24875D73\nsigning.password=@"),
    "Gradle, Sonatype": _line("ossrhUsername=app\nossrhPassword=@"),
    "NuGet": _line('<add key="Username" value="app" />\n<add key="ClearTextPassword" value="@" />'),
    "Composer": _line('{"http-basic": {"packages.internal": {"username": "app", "password": "@"}}}'),
    "Poetry": _line('[http-basic.internal]\nusername = "app"\npassword = "@"'),
    "pip": _line("[global]\nindex-url = https://app:@{host}/simple".replace("@{host}", "@@packages.internal").replace("@@", "@\0")),
    "Cargo": _line('[registries.internal]\ntoken = "@"', lambda c: _alnum(c, 32)),
    "Yarn": _line("npmScopes:\n  internal:\n    npmAuthToken: @", lambda c: _alnum(c, 36)),
    "npm": _line("//packages.internal/:_authToken=@", lambda c: _alnum(c, 36)),
    "sbt": _line('credentials += Credentials("Nexus", "packages.internal", "app", "@")'),
    "Bundler": _line('BUNDLE_GEMS__INTERNAL: "app:@"'),
    "gem": _line(":rubygems_api_key: @", _hex),
    "docker config": _of_encoded('{"auths": {"images.internal": {"auth": "@"}}}', lambda c: f"app:{_alnum(c)}"),
    "htpasswd, bcrypt": _line("app:$2y$05$@", lambda c: "".join(c.choices(_ALNUM + "./", k=53))),
    "htpasswd, Apache": _line("app:$apr1$x7Kd92ba$@", lambda c: "".join(c.choices(_ALNUM + "./", k=22))),
    # Commands
    "curl with a login": _line("curl -fsS -u deploy:@ https://api.internal/v1/orders"),
    "curl with a token": _line('curl -H "Authorization: Bearer @" https://api.internal/v1', lambda c: _alnum(c, 40)),
    "curl with a key": _line("curl -H 'X-Api-Key: @' https://api.internal/v1", lambda c: _alnum(c, 32)),
    "mysql": _line("mysqldump -h db.internal -u root -p@ orders"),
    "psql": _line("PGPASSWORD=@ psql -h db.internal -U app orders"),
    "sshpass": _line("sshpass -p '@' ssh deploy" + "\0web.internal"),
    "docker login": _line("docker login -u app -p @ images.internal"),
    "docker login from a pipe": _line('echo "@" | docker login images.internal -u app --password-stdin'),
    "aws configure": _line("aws configure set aws_secret_access_key @", lambda c: _alnum(c, 40)),
    "export": _line("export GITHUB_API_TOKEN=@", lambda c: _alnum(c, 40)),
    "redis-cli": _line("redis-cli -h cache.internal -a @ info"),
    "chpasswd": _line("echo 'root:@' | chpasswd"),
    "option of a command": _line("vaultctl login --username app --password @ --quiet"),
    "SQL": _line("ALTER USER app WITH PASSWORD '@';"),
    "SQL of MySQL": _line("CREATE USER 'app' IDENTIFIED BY '@';"),
    "openssl": _line("openssl pkcs12 -in a.p12 -passin pass:@ -nodes"),
    # Addresses and connections
    "JDBC": _line("jdbc:postgresql://db.internal/orders?user=app&password=@&ssl=true"),
    "ODBC": _line("Driver={SQL Server};Server=db.internal;Database=orders;Uid=app;Pwd=@;"),
    "AMQP": _line("amqps://app:@\0mq.internal:5671/orders"),
    "Redis": _line("rediss://:@\0cache.internal:6380/0"),
    "MongoDB": _line("mongodb+srv://app:@\0cluster0.internal/orders?retryWrites=true"),
    "cache of StackExchange": _line("cache.internal:6380,password=@,ssl=True,abortConnect=False"),
    "query string": _line("https://api.internal/v1/orders?page=2&api_key=@", lambda c: _alnum(c, 32)),
    "webhook of Slack": _line("https://hooks.slack.com/services/T0AB12CD3/B0EF45GH6/@", lambda c: _alnum(c, 24)),
    "webhook of Mattermost": _line(
        "https://chat.internal/hooks/@", lambda c: "".join(c.choices(string.ascii_lowercase + string.digits, k=26))
    ),
    # Networks
    "IPsec": _line('203.0.113.1 203.0.113.2 : PSK "@"'),
    "OpenVPN login": _line("client\n<auth-user-pass>\napp\n@\n</auth-user-pass>"),
    "wifi": _line('network={\n  ssid="office"\n  psk="@"\n}'),
    "Postfix": _line("[smtp.internal]:587 app:@"),
    "netrc": _line("machine api.internal\nlogin app\npassword @"),
    "pgpass": _line("db.internal:5432:orders:app:@"),
    "LDAP": _line("binddn cn=app,dc=internal\nbindpw @"),
    # What a program takes where its environment has nothing
    "fallback of Ruby": _line('password: <%= ENV.fetch("DATABASE_PASSWORD") { "@" } %>'),
    "fallback of JavaScript": _line('const apiKey = process.env.API_KEY || "@";'),
    "fallback of Kotlin": _line('val token = System.getenv("DEPLOY_TOKEN") ?: "@"'),
    "fallback of Rust": _line('let key = env::var("API_KEY").unwrap_or_else(|_| "@".into());'),
    "variable of Terraform with a default": _line('variable "db_password" {\n  type    = string\n  default = "@"\n}'),
    # Declarations of languages
    "property of C#": _line('public string ApiKey { get; set; } = "@";'),
    "Visual Basic": _line('Dim password As String = "@"'),
    "Go, with a type": _line('var clientSecret string = "@"'),
    "long string of Lua": _line("local password = [[@]]"),
    "Erlang": _line('{password, "@"}.'),
    # Calls with a login
    "DBI": _line('my $dbh = DBI->connect("dbi:mysql:orders", "app", "@");'),
    "PDO": _line("new PDO('mysql:host=db.internal;dbname=orders', 'app', '@');"),
    "Sequelize": _line('new Sequelize("orders", "app", "@", { dialect: "postgres" })'),
    "PlainAuth": _line('smtp.PlainAuth("", "app", "@", "mail.internal")'),
    "basic login of Rust": _line('client.get(url).basic_auth("app", Some("@"))'),
    "pair of requests": _line('requests.get(url, auth=("app", "@"))'),
    "name of a source of Go": _line('dsn := "app:@\0tcp(db.internal:3306)/orders?parseTime=true"'),
    # Elements, servers and commands
    "element with attributes": _line('<wsse:Password Type="wsse:PasswordText">@</wsse:Password>'),
    "answer file of Windows": _line("<AdministratorPassword>\n  <Value>@</Value>\n</AdministratorPassword>"),
    "parameter of ARM": _line('"adminPassword": {\n  "value": "@"\n}'),
    "manifest of Android": _line('<meta-data android:name="com.maps.API_KEY" android:value="@"/>'),
    "HAProxy": _line("listen stats\n  stats auth admin:@"),
    "Apache": _line("SetEnv DB_PASSWORD @"),
    "Redis, replicas": _line("masterauth @"),
    "name in two lines": _line('api:\n  encryption:\n    key: "@"'),
    "Capistrano": _line("set :deploy_password, '@'"),
    "login of any command": _line("upload -u app -p @ dist/orders.whl"),
    "EAP": _line('app : EAP "@"'),
    "SNMP": _line('createUser monitor SHA "@"'),
    "cloud-init": _line("chpasswd:\n  list: |\n    root:@"),
    "expect": _line('expect "password:"\nsend "@\\r"'),
    "SQL*Plus": _line("sqlplus app/@\0db.internal:1521/orders"),
    "share of Windows": _line("net use Z: \\\\files\\orders @ /user:app"),
    "secret of Docker from a pipe": _line("printf '@' | docker secret create orders -"),
    "HTTPie": _line("http -a app:@ https://api.internal/v1"),
    "ssh-keygen": _line("ssh-keygen -t ed25519 -N '@' -f key"),
}
"""The name of a layout -> what makes a text of it; NUL stands for an at sign that belongs to the layout."""


def laid(layout: str, seed: int) -> Laid:
    """A text of a layout."""
    made = LAYOUTS[layout](random.Random(f"{layout} {seed}"))
    return Laid(made.text.replace("\0", "@"), made.secrets)


def contexts_of_text(text: str) -> dict[str, str]:
    """Context -> a file in which the text stands there."""
    lines = text.splitlines()
    cells = [{"cell_type": "code", "metadata": {}, "source": [f"{line}\n" for line in lines], "outputs": []}]
    return {
        "file": text,
        "comment": "".join(f"# {line}\n" for line in lines) + "def after():\n    return 1\n",
        "comment of a language with slashes": "".join(f"    // {line}\n" for line in lines) + "func after() {}\n",
        "string": f"text = {json.dumps(text)}\nuse(text)\n",
        "setting": json.dumps({"name": "demo", "script": text}, indent=2) + "\n",
        "block of YAML": "script: |\n" + "".join(f"    {line}\n" for line in lines) + "after: true\n",
        "notebook": json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n",
        "patch": f"@@ -0,0 +1,{len(lines)} @@\n" + "".join(f"+{line}\n" for line in lines),
        "documentation": f"Then write:\n\n```\n{text}```\n\nAnd go on.\n",
    }

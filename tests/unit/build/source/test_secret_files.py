"""Files that hold nothing but secrets are left out by name, in any case and as any copy; templates and programs are kept."""

from __future__ import annotations

import random
import string

import pytest

from hardtack.build.source.decode import SourceOptions, decode, skip_before_reading
from hardtack.nouns.outline import Skip, SkipReason, SourceFile

_OPTIONS = SourceOptions(vendor=True)
_ALNUM = string.ascii_letters + string.digits


def _left_out(path: str, text: str) -> bool:
    data = text.encode()
    item = skip_before_reading(path, len(data), _OPTIONS) or decode(path, data, _OPTIONS)
    return isinstance(item, Skip) and item.reason is SkipReason.SECRET


def _value(name: str, letters: int = 24) -> str:
    return "".join(random.Random(name).choices(_ALNUM, k=letters))


WHATEVER_THEY_HOLD = (
    *(".env", ".ENV", ".Env", "web/.env", ".env.local", ".env.production", ".env.staging.local", ".env.prod"),
    *("prod.env", "production.env", "config/staging.env", "local.env", "secrets.env", ".env~", ".env.bak", ".env.old"),
    *(".env.save", ".env.orig", ".env.swp", ".env.1", ".env.2024-05-01", ".env.production.bak", "env.bak/.env"),
    *(".env-backup", "id_rsa", ".ssh/id_ed25519", "id_rsa.bak", "id_rsa.old", "id_dsa", "id_ecdsa", "id_ed25519_sk"),
    *("deploy_id_rsa", "id_rsa_work", "id_ed25519.key", "ID_RSA", "id_rsa~", "ssh_host_rsa_key", "ssh_host_ed25519_key"),
    *(".netrc", "_netrc", ".NETRC", ".netrc.bak", ".authinfo", ".pgpass", "pgpass.conf", ".git-credentials"),
    *(".git-credentials~", ".my.cnf", ".mylogin.cnf", ".s3cfg", ".boto", ".pypirc", ".pypirc.bak", ".htpasswd"),
    *("conf/.htpasswd", ".htpasswd.old", "site.htpasswd", ".dockercfg", ".passwd-s3fs", ".smbcredentials"),
    *(".vault-token", ".vault_pass", ".rclone.conf", "rclone.conf", "sftp-config.json", "recentservers.xml"),
    *("filezilla.xml", "kubeconfig", ".kubeconfig", "prod.kubeconfig", ".kube/config", "home/.kube/config"),
    *(".docker/config.json", ".aws/credentials", ".aws/credentials.bak", ".gem/credentials", ".cargo/credentials.toml"),
    *(".config/gh/hosts.yml", ".config/gcloud/application_default_credentials.json", ".config/pypoetry/auth.toml"),
    *(".composer/auth.json", ".sbt/.credentials", ".ivy2/.credentials", ".terraformrc"),
    *(".terraform.d/credentials.tfrc.json", ".huggingface/token", ".kaggle/kaggle.json", ".streamlit/secrets.toml"),
    *(".erlang.cookie", "jupyter_cookie_secret", "chap-secrets", "etc/ipsec.secrets", "sasl_passwd"),
    *("terraform.tfstate", "terraform.tfstate.backup", "terraform.tfstate.1700000000.backup"),
    *("env/prod/terraform.tfstate", "default.tfstate", "config/master.key", "config/credentials/production.key"),
    *("config/credentials.yml.key", "MASTER.KEY", "server.p12", "client.pfx", "keystore.jks", "debug.keystore"),
    *("vault.kdbx", "passwords.kdb", "key.ppk", "office.ovpn", "client.OVPN", "krb5.keytab", "auth_key.p8"),
    *("release.keystore.bak", ".bash_history", ".zsh_history", ".psql_history", ".mysql_history", ".python_history"),
    *(".node_repl_history", "wallet.dat", "logins.json", "key4.db", "secring.gpg", "hudson.util.Secret", "privkey.pem"),
    *(".ngrok2/ngrok.yml", ".oci/config", ".databrickscfg"),
)

BY_WHAT_THEY_HOLD = {
    ".envrc": "export API_TOKEN=@",
    "web/.envrc.bak": "export DB_PASSWORD=@",
    "app.env": "SESSION_SECRET=@",
    "docker.env": "POSTGRES_PASSWORD=@",
    ".env_vars": "API_KEY=@",
    ".npmrc": "//packages.internal/:_authToken=@",
    ".yarnrc.yml": "npmAuthToken: @",
    "pip.conf": "[global]\nindex-url = https://app:@\0packages.internal/simple",
    "nuget.config": '<configuration><add key="ClearTextPassword" value="@" /></configuration>',
    ".m2/settings.xml": "<settings><server><username>app</username><password>@</password></server></settings>",
    "auth.json": '{"http-basic": {"packages.internal": {"username": "app", "password": "@"}}}',
    "gradle.properties": "signing.password=@",
    "keystore.properties": "storePassword=@\nkeyPassword=@",
    "prod.tfvars": 'db_password = "@"',
    "terraform.tfvars": 'api_token = "@"',
    "secrets.auto.tfvars": 'client_secret = "@"',
    "kubeconfig-prod.yaml": "users:\n- user:\n    token: @",
    "secrets.yml": "api_token: @",
    "secrets.yaml": "db:\n  password: @",
    "config/secrets.yml": "production:\n  secret_key_base: @@@",
    "secret.json": '{"client_secret": "@"}',
    "secrets.toml": 'api_key = "@"',
    "secrets.properties": "db.password=@",
    "credentials.json": '{"installed": {"client_id": "1", "client_secret": "@"}}',
    "client_secret_1234.json": '{"web": {"client_id": "1", "client_secret": "@"}}',
    "credentials.yml": "password: @",
    "Credentials.YML.old": "password: @",
    "passwords.txt": "admin:@",
    "password.txt": "@",
    "token.txt": "@",
    "api_key.txt": "@",
    "secret.key": "@",
    "tokens.txt.bak": "@\n@",
    "secrets/api": "@",
    "wp-config.php": "<?php\ndefine('DB_PASSWORD', '@');",
    "wg0.conf": "[Interface]\nPrivateKey = =",
    "shadow": "root:$6$x7Kd92bar$@@@@:19000:0:99999:7:::",
    "accessKeys.csv": "Access key ID,Secret access key\n1,2\n@",
    ".secrets": "DEPLOY_TOKEN=@",
    "office.nmconnection": "[wifi-security]\npsk=@",
    "vault_pass": "@",
    "deploy_key": "-----BEGIN OPENSSH " + "PRIVATE KEY-----\n@@@@@@@@\n-----END OPENSSH " + "PRIVATE KEY-----",
    "server.key": "-----BEGIN RSA " + "PRIVATE KEY-----\n@@@@@@@@\n-----END RSA " + "PRIVATE KEY-----",
    "tls/server.key.bak": "-----BEGIN RSA " + "PRIVATE KEY-----\n@@@@@@@@\n-----END RSA " + "PRIVATE KEY-----",
    "private.pem": "-----BEGIN " + "PRIVATE KEY-----\n@@@@@@@@\n-----END " + "PRIVATE KEY-----",
    "robot.json": '{"type": "service_account", "private_key": "-----BEGIN '
    + 'PRIVATE KEY-----\\n@@@@@@@@\\n-----END PRIVATE KEY-----"}',
}

KEPT = {
    **dict.fromkeys(
        (".env.example", ".env.sample", ".env.template", ".env.dist", ".env.test", "example.env", ".ENV.EXAMPLE"), "TOKEN=\n"
    ),
    **dict.fromkeys(("env.py", "a.env.ts", "prod.env.js", "environment.env.ts", "setup_env.sh", ".environment"), "x = 1\n"),
    **dict.fromkeys(("id_rsa.pub", "keys/id_ed25519.pub"), "ssh-ed25519 AAAA build\n"),
    **dict.fromkeys(("credentials.py", "secrets.go", "token.ts", "auth.rb", "password.java", "kubeconfig.go"), "x = load(1)\n"),
    ".npmrc": "save-exact=true\nregistry=https://packages.internal/\n",
    ".envrc": "use flake\nlayout python3\n",
    "pip.conf": "[global]\ntimeout = 60\n",
    "gradle.properties": "org.gradle.jvmargs=-Xmx2g\nversion=1.2.3-SNAPSHOT\n",
    "prod.tfvars": 'region = "eu-west-1"\ninstance_type = "t3.large"\n',
    "templates/secret.yaml": "apiVersion: v1\nkind: Secret\ndata:\n  password: {{ .Values.auth.password | b64enc }}\n",
    "secrets.yml": "api_token: <%= ENV['API_TOKEN'] %>\n",
    "server.pem": "-----BEGIN CERTIFICATE-----\nMIIC\n-----END CERTIFICATE-----\n",
    "auth.json": '{"enabled": true, "providers": ["local"]}\n',
    "history.md": "# History\n",
}


@pytest.mark.parametrize("path", WHATEVER_THEY_HOLD)
def test_a_file_whose_name_says_that_it_is_a_secret_is_left_out_unread(path: str) -> None:
    assert _left_out(path, "nothing = here\n")


@pytest.mark.parametrize("path", sorted(BY_WHAT_THEY_HOLD))
def test_a_file_whose_name_may_be_that_of_a_secret_is_left_out_if_it_holds_one(path: str) -> None:
    text = BY_WHAT_THEY_HOLD[path].replace("PrivateKey = =", f"PrivateKey = {_value(path, 42)}E=")
    *parts, last = text.split("@")
    text = "".join(part + _value(f"{path} {number}") for number, part in enumerate(parts)) + last
    assert _left_out(path, text.replace("\0", "@") + "\n")


@pytest.mark.parametrize("path", sorted(KEPT))
def test_a_template_a_program_and_a_file_of_settings_are_kept(path: str) -> None:
    assert not _left_out(path, KEPT[path])


PROGRAM = """import sys
@wraps(func)
sys.exit(main())
unix2dos(full_path)
x9.Y8k2.b64Decode(raw)
b2Sum8X4k9Q
"""


@pytest.mark.parametrize(
    "path",
    [
        *("secrets/main.py", "secrets/store.go", "secrets/Vault.java", "secrets/lib.rs", "secrets/mod.ts", "app/secrets/x.rb"),
        *("secrets/a.kt", "secrets/a.swift", "secrets/a.cs", "secrets/a.cpp", "secrets/a.h", "secrets/a.sh", "secrets/a.ex"),
        *(
            "secrets/a.f90",
            "secrets/a.vb",
            "secrets/a.nim",
            "secrets/a.sql",
            "secrets/a.html",
            ".secrets/a.lua",
            ".ssh/rotate.pl",
            "secrets/main.py.bak",
        ),
        *("env.rs", "env.c", "env.hpp", "env.dev.kt", "dev.env.zig", "env.scala", "auth.php", "token.php", "secrets.php"),
        *("token.rs.old", "credentials.swift", "system-connections/dial.py"),
    ],
)
def test_a_program_is_kept_whatever_its_lines_look_like_and_only_its_secrets_go(path: str) -> None:
    value = _value(path)
    for text in (PROGRAM, f"{PROGRAM}client_secret = '{value}'\n"):
        item = skip_before_reading(path, len(text), _OPTIONS) or decode(path, text.encode(), _OPTIONS)
        assert isinstance(item, SourceFile)
        assert b"unix2dos" in item.text
        assert value[:8].encode() not in item.text


@pytest.mark.parametrize("path", ["secrets/api", "secrets/notes", "token.txt"])
def test_a_call_is_no_value_that_somebody_chose(path: str) -> None:
    assert not _left_out(path, "x9.Y8k2.b64Decode(raw)\nsys.exit(main())\n")
    assert _left_out(path, f"x9.Y8k2.b64Decode(raw)\n{_value(path)}\n")


@pytest.mark.parametrize("path", ["secrets.edn", "secrets/prod.tfvars", "wp-config.php", "secrets/prod.edn", "secrets/prod.hcl"])
def test_settings_that_are_written_as_programs_are_left_out_with_a_secret_in_them(path: str) -> None:
    assert _left_out(path, f"password = '{_value(path)}'\n")


def test_there_are_far_more_than_sixty_names() -> None:
    assert len(WHATEVER_THEY_HOLD) + len(BY_WHAT_THEY_HOLD) >= 150

"""The path of a file in, whether files of that name hold nothing but secrets out.

Names are compared without case, and without what editors, programs and people append to copies. A name that may also be that of a
template or of a program's settings does not decide alone: such a file is a secret if it holds one value that is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from hardtack.build.source.secret_checks import is_chosen
from hardtack.build.source.secret_file_names import CERTAIN, FOLDERS, UNSURE, UNSURE_FOLDERS
from hardtack.nouns.model import Content

ENV: Final = "env-file"
SSH_KEY: Final = "ssh-key-file"
CREDENTIALS: Final = "credentials-file"

_ENV_PARTS_KEPT: Final = frozenset(
    (
        *(
            "example",
            "examples",
            "sample",
            "samples",
            "template",
            "templates",
            "tpl",
            "tmpl",
            "dist",
            "default",
            "defaults",
            "schema",
        ),
        *(
            "test",
            "testing",
            "ci",
            "d",
            "ts",
            "js",
            "md",
            "py",
            "go",
            "rb",
            "java",
            "vault",
            "enc",
            "encrypted",
            "gpg",
            "sops",
            "j2",
        ),
        *("erb", "hbs", "stub", "skel", "txt", "rst", "html", "in", "cjs", "mjs", "tsx", "json", "yml", "yaml", "sh", "php"),
    )
)
"""Parts of the name of an environment file that is meant to be published, as it lists variables without values, or of a program."""
_ENV_STAGES: Final = frozenset(
    (
        *(
            "prod",
            "production",
            "prd",
            "stage",
            "staging",
            "stg",
            "dev",
            "devel",
            "development",
            "local",
            "live",
            "qa",
            "uat",
            "preprod",
        ),
        *("secret", "secrets", "private", "credentials", "creds"),
    )
)

# What editors, programs and people append to the name of a copy, once or more, or set before it.
_COPY: Final = re.compile(
    r"(?:~|#|[._-](?:bak|bkp|bk|back|backup|old|orig|original|save|saved|sav|sw[nop]|tmp|temp|copy|prev|previous|rej|disabled|off|new"
    r"|dpkg-(?:old|dist|new)|rpm(?:save|new|orig)|pacnew|pacsave|[0-9]{1,3}|v[0-9]{1,2}|[0-9]{8,14}"
    r"|[0-9]{4}[-_.][0-9]{2}[-_.][0-9]{2}(?:[-_t.][0-9]{4,6})?)|[ _-]?\([0-9]{1,3}\)|[ _-]+copy(?:[ _-]?[0-9]{1,3})?)$"
)
_BEFORE: Final = re.compile(r"^(?:\.?#|copy of |backup[-_.]|bak[-_.]|old[-_.])(?=.)")
_COPY_INSIDE: Final = re.compile(r"(?: copy(?: [0-9]+)?|[ _-]?\([0-9]+\)|[._-](?:bak|backup|old|orig|copy))(?=\.[a-z0-9]{1,12}$)")

_ENDINGS: Final = frozenset(
    (
        *(
            "ppk",
            "p12",
            "pfx",
            "pkcs12",
            "jks",
            "jceks",
            "bks",
            "keystore",
            "kdb",
            "kdbx",
            "kwallet",
            "keychain",
            "keychain-db",
            "p8",
        ),
        *(
            "ovpn",
            "tblk",
            "keytab",
            "tfstate",
            "psafe3",
            "opvault",
            "agilekeychain",
            "1pif",
            "pkcs8",
            "pvk",
            "kubeconfig",
            "htpasswd",
        ),
        *("netrc", "pgpass", "dockercfg", "sparsebundle-key", "agekey"),
    )
)
"""Endings of the names of files that are secrets as a whole."""
_TFSTATE: Final = re.compile(r"[a-z0-9_.-]*\.tfstate(?:[._-][0-9]+)?(?:\.backup)?")
_SSH_KEY: Final = re.compile(r"(?:[a-z0-9_.-]*[._-])?id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:_sk)?(?:[._-][a-z0-9_.-]+)?")
_UNSURE_NAME: Final = re.compile(
    r"[a-z0-9_.-]*\.tfvars(?:\.json)?"
    r"|(?:[a-z0-9_.-]*[._-])?kubeconfig(?:[._-][a-z0-9_.-]+)?"
    r"|(?:[a-z0-9_.-]*[._-])?(?:deploy|private|server|client|tls|ssl|priv|master|signing|host|secret|encryption|ca|api)[._-]?keys?"
    r"(?:\.(?:pem|key|txt|json|der|asc))?"
    r"|[a-z0-9_.-]*(?:firebase-adminsdk|service[-_]?account|client_secret|gcp|gcloud|google)[a-z0-9_.@-]*\.json"
    r"|(?:[a-z0-9]{1,20}[._-])?(?:secrets?|credentials?|creds|passwords?|passwd|tokens?|auth)(?:[._-](?:prod|production|staging|dev|development|local))?"
    r"(?:\.(?:ya?ml|json|toml|ini|txt|properties|xml|cfg|conf|csv|env|edn|key))?"
    r"|[a-z0-9_.-]+\.(?:key|pem|gpg|asc|sec|rdp|remmina|nmconnection|netrc)"
)
_PUBLIC: Final = frozenset(("pub", "crt", "cer", "csr", "lock"))
_OTHER_PROGRAMS: Final = frozenset(
    (
        *("ada", "adb", "ads", "asm", "awk", "bas", "bzl", "coffee", "cr", "cu", "d", "elm", "f", "f03"),
        *("f90", "f95", "fish", "for", "frag", "fs", "fsi", "fsx", "gd", "gleam", "glsl", "hack", "hlsl", "hx"),
        *("idr", "ino", "jsp", "lisp", "ll", "lsp", "nim", "nims", "odin", "p4", "pas", "phps", "pp", "purs"),
        *("pony", "raku", "razor", "re", "rei", "rkt", "s", "scm", "sml", "sv", "svh", "tcl", "templ", "twig"),
        *("v", "vala", "vb", "vbs", "vert", "vhd", "vhdl", "vy", "wat", "wgsl"),
    )
)
"""Endings of programs in languages without a reading of their own here."""
_SETTINGS_IN_CODE: Final = frozenset(("edn", "tfvars", "hcl"))
"""Endings of files of a program's language that hold its settings."""
_LINE: Final = re.compile(rb"(?m)^[ \t]{0,9}(?:[A-Za-z0-9_.@-]{1,40}:)?(?P<value>[^\s:]{8,}+)[ \t\r]{0,9}$")
_MOST_BYTES_OF_A_LIST: Final = 4096


def secret_file(path: str) -> str:
    """The rule by which a file of this name is a secret as a whole, whatever it holds; empty if it is none."""
    return _first(path, _certain)


def is_secret_by_content(path: str, text: bytes, *, has_secrets: bool) -> str:
    """The rule by which a file of this name that holds this text is a secret as a whole; empty if it is none.

    Templates are none, and manifests, in which the secrets alone are replaced: people search for them.

    Args:
        path: relative to its root.
        text: all of it.
        has_secrets: a rule finds one in the text.
    """
    if has_secrets and text.lstrip().startswith(b"{") and b'"service_account"' in text and b'"private_key"' in text:
        return CREDENTIALS
    rule = _first(path, _unsure)
    if not rule or b"{{" in text or b"apiVersion:" in text:
        return ""
    is_list = len(text) <= _MOST_BYTES_OF_A_LIST and b"-----BEGIN" not in text
    return rule if has_secrets or (is_list and any(map(_is_listed_secret, _LINE.finditer(text)))) else ""


def _is_listed_secret(line: re.Match[bytes]) -> bool:
    """Whether a line is nothing but a value that somebody chose; a call of a program is none."""
    return b"(" not in line["value"] and is_chosen(line["value"])


@cache
def _endings_of_programs() -> frozenset[str]:
    from hardtack.build.languages.registry import languages  # a build that finds nothing changed does not load it

    code = (each for each in languages().values() if each.content is Content.CODE)
    endings = {extension.rpartition(".")[2] for each in code for extension in each.extensions}
    return frozenset(endings - _SETTINGS_IN_CODE) | _OTHER_PROGRAMS


def _is_program(name: str) -> bool:
    """Whether a file is one by the name of which it may be a copy; secrets in it are replaced, as people search for the rest."""
    return _names_of(name)[-1].rpartition(".")[2] in _endings_of_programs()


def _first(path: str, rule_of: Callable[[str, str], str]) -> str:
    """The rule of a name, or of the name that it is a copy of."""
    folder, _, name = path.lower().rpartition("/")
    return next((rule for each in _names_of(name) if (rule := rule_of(folder, each))), "")


def _names_of(name: str) -> list[str]:
    """A name in lower case, and those that it is a copy of."""
    names = [name]
    while True:
        name = _COPY_INSIDE.sub("", _COPY.sub("", _BEFORE.sub("", name)))
        if not name or name == names[-1]:
            break
        names.append(name)
        if names[0].startswith(".") and not name.startswith("."):
            names.append("." + name)
    return names


def _certain(folder: str, name: str) -> str:
    if "env" in name and (rule := _rule_of_env(name, is_certain=True)):
        return rule
    if _SSH_KEY.fullmatch(name) and not name.endswith((".pub", ".md", ".py", ".go", ".rb", ".java", ".crt")):
        return SSH_KEY
    ending = name.rpartition(".")[2]
    if name in CERTAIN or (ending in _ENDINGS and ending != name) or _TFSTATE.fullmatch(name) or _is_in(FOLDERS, folder, name):
        return CREDENTIALS
    return ""


def _unsure(folder: str, name: str) -> str:
    if "env" in name and (rule := _rule_of_env(name, is_certain=False)):
        return rule
    if name.rpartition(".")[2] in _PUBLIC:
        return ""
    if name in UNSURE:
        return CREDENTIALS
    is_named = _UNSURE_NAME.fullmatch(name) or _is_in(UNSURE_FOLDERS, folder, name)
    return CREDENTIALS if is_named and not _is_program(name) else ""


def _is_in(folders: Mapping[str, tuple[str, ...]], folder: str, name: str) -> bool:
    parts = folder.rsplit("/", 2)
    names = (*folders.get(parts[-1], ()), *folders.get("/".join(parts[-2:]), ()))
    return any(name == each or (each.startswith("*") and name.endswith(each[1:])) for each in names)


def _rule_of_env(name: str, *, is_certain: bool) -> str:
    """Whether a name is that of an environment file with values: ``.env``, ``.env.local``, ``prod.env``."""
    parts = re.split(r"[._-]", name)
    if "env" not in parts or not _ENV_PARTS_KEPT.isdisjoint(parts):
        return ""
    if name == ".env" or name.startswith(".env."):
        return ENV
    is_env = name.endswith(".env") or ".env." in name or name.startswith(("env.", "_env", ".env"))
    is_sure = is_env and (not is_certain or not _ENV_STAGES.isdisjoint(parts))
    return ENV if is_sure and not _is_program(name) else ""

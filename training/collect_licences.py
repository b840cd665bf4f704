"""Reads the licences of a package as SPDX identifiers, and says whether we may learn from it.

Only permissive licences count: whoever uses the encoder has to do no more than keep a notice. A choice between licences is
permissive when one of them is; what is licensed in parts has to be so in all of them, or the other parts' files are left out.
"""

from __future__ import annotations

import fnmatch
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from email.parser import Parser
from typing import Final

PERMISSIVE: Final = (
    # (how it is written, SPDX identifier), most telling first; matched against a folded text
    (r"\bapache\b(?![- ,]*(?:software )?(?:license)?[- ,]*(?:version)?[- ]*1)|\basl[- ]?2", "Apache-2.0"),
    (r"\bbsd[- ]?(?:2|simplified|freebsd)|\b2-clause\b", "BSD-2-Clause"),
    (r"\bbsd[- ]?(?:4|original)", "BSD-4-Clause"),
    (r"\b0bsd\b", "0BSD"),
    (r"\bbsd\b|\bnew bsd|\b3-clause\b", "BSD-3-Clause"),
    (r"\bmit\b|\bexpat\b|\bx11\b", "MIT"),
    (r"\bisc\b", "ISC"),
    (r"\bzlib\b|\blibpng\b", "Zlib"),
    (r"\bboost\b|\bbsl-1", "BSL-1.0"),
    (r"\bpsf|\bpython software foundation\b|\bpython-2", "PSF-2.0"),
    (r"\bunicode\b", "Unicode-3.0"),
    (r"\bunlicense\b", "Unlicense"),
    (r"\bcc0\b", "CC0-1.0"),
    (r"\bpublic[- ]domain\b", "public-domain"),
    (r"\bpostgresql\b", "PostgreSQL"),
    (r"\bhpnd\b|\bhistorical permission\b", "HPND"),
    (r"\bncsa\b", "NCSA"),
    (r"\bopenldap\b|\boldap\b", "OLDAP-2.8"),
    (r"\bruby\b", "Ruby"),
)
_RESTRICTIVE: Final = re.compile(
    r"\b[al]?gpl|\bgnu\b|\bmpl|\bmozilla\b|\bcddl\b|\bepl\b|\beclipse\b|\beupl\b|\bosl\b|\bcc[- ]by|\bsspl\b|\bbusl\b"
    r"|\bbusiness source\b|\bcommercial\b|\bproprietary\b|\bnon-?commercial\b|\bartistic\b|\bpolyform\b|\bcommons clause\b"
    r"|\bms-pl\b|\bofl\b|\bgfdl\b|\belastic\b"
)


def permissive_licence(text: str) -> str:
    """The SPDX identifier of a licence named in a few words; empty when it is not a permissive one.

    A choice (``MIT or GPL-2``) is permissive by its permissive part, a sum (``MIT and GPL-2``) is not.
    """
    for choice in re.split(r"\s+or\s+|\||/(?=\w)|\bdual\b", text.lower()):
        if _RESTRICTIVE.search(choice):
            continue
        for pattern, identifier in PERMISSIVE:
            if re.search(pattern, choice):
                return identifier
    return ""


_TEXTS: Final = (
    # (words that a licence's full text holds, SPDX identifier); commas, comment marks and white space are one blank
    ("apache license version 2.0", "Apache-2.0"),
    ("permission is hereby granted free of charge to any person obtaining a copy of this software and associated", "MIT"),
    ("permission to use copy modify and/or distribute this software for any purpose with or without fee is hereby granted", "ISC"),
    ("permission to use copy modify and distribute this software for any purpose with or without fee is hereby granted", "ISC"),
    ("neither the name", "BSD-3-Clause"),
    ("redistribution and use in source and binary forms with or without modification are permitted", "BSD-2-Clause"),
    ("this software is provided 'as-is' without any express or implied", "Zlib"),
    ("boost software license - version 1.0", "BSL-1.0"),
    ("this is free and unencumbered software released into the public domain", "Unlicense"),
)


_RESTRICTIVE_TEXT: Final = re.compile(
    r"gnu (?:lesser |affero |library )?general public|mozilla public|eclipse public"
    r"|business source|commons clause|server side public"
)
RESTRICTED: Final = "restricted"


def licence_of_text(text: str) -> str:
    """The SPDX identifier of a licence given by its text; :data:`RESTRICTED` for one that is not permissive, empty if not known."""
    flat = re.sub(r"(?:[\s*#,]|//)+", " ", text.lower())
    if _RESTRICTIVE_TEXT.search(flat[:3_000]):
        return RESTRICTED
    return next((identifier for words, identifier in _TEXTS if words in flat), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """On what terms a package comes."""

    licence: str
    """SPDX identifier; empty when the package must not be used."""
    excluded: tuple[str, ...] = ()
    """Globs of paths, from the package's root, that stand under another licence."""

    def allows(self, path: str) -> bool:
        """Whether the file at ``path`` may be used."""
        return bool(self.licence) and not any(fnmatch.fnmatchcase(path, glob) for glob in self.excluded)


def terms_of_npm(manifest: bytes) -> Terms:
    """What ``package.json`` says."""
    named = json.loads(manifest)
    found = named.get("license") or named.get("licenses") or ""
    if isinstance(found, list):
        found = " or ".join(entry.get("type", "") if isinstance(entry, dict) else str(entry) for entry in found)
    elif isinstance(found, dict):
        found = found.get("type", "")
    return Terms(licence=permissive_licence(found))


def terms_of_wheel(metadata: str) -> Terms:
    """What a wheel's ``METADATA`` says: its expression, else its classifiers, else the first line of its licence field."""
    headers = Parser().parsestr(metadata, headersonly=True)
    classifiers = [line for line in headers.get_all("Classifier", []) if line.startswith("License ::")]
    stated = headers.get("License-Expression") or " and ".join(classifiers) or (headers.get("License") or "").partition("\n")[0]
    return Terms(licence=permissive_licence(stated))


def terms_of_debian(copyright_file: str) -> Terms:
    """What a machine-readable ``debian/copyright`` says: the licence of ``Files: *``, and the globs that differ for the worse."""
    licence, excluded = "", []
    for stanza in re.split(r"\n\s*\n", copyright_file):
        fields = dict(_fields(stanza.splitlines()))
        if "Files" not in fields:
            continue
        globs = fields["Files"].split()
        found = permissive_licence(fields.get("License", "").partition("\n")[0])
        if "*" in globs:
            licence = found
        elif not found:
            excluded += [glob for glob in globs if not glob.startswith("debian/")]
    return Terms(licence=licence, excluded=tuple(sorted(excluded)))


def _fields(lines: Iterable[str]) -> Iterable[tuple[str, str]]:
    """The fields of one stanza, continuation lines joined by line ends."""
    name, value = "", ""
    for line in lines:
        if line[:1].isspace():
            value += "\n" + line.strip()
            continue
        if name:
            yield name, value
        name, _, value = (part.strip() for part in line.partition(":"))
    if name:
        yield name, value


def terms_of_tree(licence_files: Mapping[str, str]) -> Terms:
    """What the licence files at a repository's top say: one at least has to be known, and none restrictive."""
    found = [licence for _, text in sorted(licence_files.items()) if (licence := licence_of_text(text))]
    return Terms(licence="" if not found or RESTRICTED in found else found[0])

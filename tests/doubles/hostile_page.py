"""A bundle of which every text that may be anything is made to break out of a page."""

from __future__ import annotations

import json
from pathlib import Path

import msgpack
from bundles import built
from forge import FIELDS, Forge

from hardtack.bundle.format import layout

PAYLOADS = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' autofocus onfocus=alert(1) x='",
    "</title></style></script><svg onload=alert(1)>",
    "javascript:alert(1)",
    "{{ 7 * 7 }}{% raw %}",
    "\u202e<b>\u2028\x00\x1b[31m</textarea>",
    "]]><!-- --!><a href=//evil.example/x>",
    "http://evil.example/beacon",
)
FILES = {
    "<script>alert(1)<": {"script>.py": "def jar():\n    return 1\n"},
    '"><img src=x onerror=alert(1)>': {"a b'\"&<>.py": "import jar\n\nclass Jar:\n    pass\n\n\nJar()\n"},
}
TEXT = "".join(f"# {payload!r}\n" for payload in PAYLOADS) + "".join(f"KEY{n} = {p!r}\n" for n, p in enumerate(PAYLOADS))


def forge_of(bundle: Path) -> Forge:
    """A bundle, to be changed."""
    names = [path.relative_to(bundle).as_posix() for path in sorted(bundle.rglob("*")) if path.is_file()]
    members = {name: (bundle / name).read_bytes() for name in names}
    return Forge(members=members, document=json.loads(members.pop(layout.MANIFEST)))


def hostile_bundle(place: Path) -> Path:
    """A bundle that opens, and of which every text that may be anything is made to break out of a page."""
    files: dict[str, str | bytes] = {f"{folder}/{name}": text for folder, inner in FILES.items() for name, text in inner.items()}
    markdown = "".join(f"# {payload}\n\ntext\n\n" for payload in PAYLOADS if "\x00" not in payload)
    html = "<script>alert(1)</script><img src=x onerror=alert(2)><h1 id='x'>jar</h1>\n"
    whole = {**files, "pay.py": TEXT, "README.md": markdown, "index.html": html, "img.svg": "<svg onload=alert(1)></svg>\n"}
    forge = forge_of(built(place.parent / f"{place.name}-honest", whole))
    number = 0
    for member, names in {
        layout.SYMBOLS: ("name", "qualified_name", "signature", "doc", "package"),
        layout.FILES: ("package",),
        layout.RELATIONS: ("name",),
    }.items():
        rows = forge.rows(member)
        for row in rows:
            for name in names:
                row[FIELDS[member].index(name)] = PAYLOADS[number % len(PAYLOADS)]
                number += 1
        forge.set_packed_rows(member, [msgpack.packb(row) for row in rows])
    document = forge.document
    document["provenance"].update(repository=PAYLOADS[1], subdirectory=PAYLOADS[0])
    document["options"].update({PAYLOADS[3]: PAYLOADS[0], "keep": list(PAYLOADS[:5])})
    document["tool"] = PAYLOADS[0]
    for language in document["languages"]:
        language["name"] = PAYLOADS[1]
    return forge.save(place)

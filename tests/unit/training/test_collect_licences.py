"""Which licences count as permissive, and what packages say of theirs."""

from __future__ import annotations

import pytest

from collect_licences import licence_of_text, permissive_licence, terms_of_debian, terms_of_npm, terms_of_tree, terms_of_wheel

MIT = "Permission is hereby granted, free of charge, to any person obtaining a copy\nof this software and associated documentation"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("MIT", "MIT"),
        ("Expat", "MIT"),
        ("Apache-2.0", "Apache-2.0"),
        ("License :: OSI Approved :: Apache Software License", "Apache-2.0"),
        ("BSD-3-clause", "BSD-3-Clause"),
        ("BSD-2-clause", "BSD-2-Clause"),
        ("MIT or GPL-2+", "MIT"),
        ("(MIT OR Apache-2.0)", "MIT"),
        ("MIT and GPL-2+", ""),
        ("GPL-3+", ""),
        ("LGPL-2.1", ""),
        ("MPL-2.0", ""),
        ("Artistic or GPL-1+", ""),
        ("SEE LICENSE IN LICENSE.md", ""),
        ("", ""),
    ],
)
def test_only_permissive_licences_have_an_identifier(text: str, expected: str) -> None:
    assert permissive_licence(text) == expected


def test_a_licence_is_known_by_its_text_in_any_layout() -> None:
    assert licence_of_text("// " + MIT.replace("\n", "\n// ")) == "MIT"
    assert licence_of_text("GNU GENERAL PUBLIC LICENSE Version 3") == "restricted"
    assert licence_of_text("Ask us.") == ""


def test_one_restrictive_licence_file_rules_a_repository_out() -> None:
    assert terms_of_tree({"LICENSE": MIT, "NOTICE": "Ask us."}).licence == "MIT"
    assert terms_of_tree({"LICENSE": MIT, "COPYING": "GNU Affero General Public License"}).licence == ""
    assert terms_of_tree({}).licence == ""


def test_npm_packages_state_it_in_three_ways() -> None:
    assert terms_of_npm(b'{"license": "ISC"}').licence == "ISC"
    assert terms_of_npm(b'{"license": {"type": "MIT"}}').licence == "MIT"
    assert terms_of_npm(b'{"licenses": [{"type": "GPL-2.0"}, {"type": "MIT"}]}').licence == "MIT"
    assert terms_of_npm(b"{}").licence == ""


def test_a_wheel_states_it_by_expression_before_classifier_before_field() -> None:
    both = (
        "Metadata-Version: 2.4\nLicense-Expression: MIT\nClassifier: License :: OSI Approved :: GNU General Public License\n\nMIT"
    )
    assert terms_of_wheel(both).licence == "MIT"
    assert terms_of_wheel("Name: x\nLicense: BSD\n").licence == "BSD-3-Clause"
    assert (
        terms_of_wheel("Name: x\nLicense: BSD\nClassifier: License :: OSI Approved :: GNU General Public License\n").licence == ""
    )


def test_debian_files_under_another_licence_are_left_out() -> None:
    terms = terms_of_debian(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\n"
        "Files: *\nCopyright: 2020 A\nLicense: Expat\n Permission is hereby granted\n\n"
        "Files: lib/old/*\n extra.c\nCopyright: 2001 B\nLicense: GPL-2+\n\n"
        "Files: debian/*\nCopyright: 2021 C\nLicense: GPL-3+\n"
    )
    assert terms.licence == "MIT"
    assert terms.allows("src/main.c")
    assert not terms.allows("lib/old/deep/main.c")
    assert not terms.allows("extra.c")


def test_a_debian_copyright_that_no_machine_reads_allows_nothing() -> None:
    assert not terms_of_debian("This package was debianised by A.\n\nIt is under the MIT licence.\n").allows("main.c")

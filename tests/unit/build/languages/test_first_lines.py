"""A file without a known extension says its language in its first lines: by its interpreter, or by what it tells an editor."""

from __future__ import annotations

import pytest

from hardtack.build.languages.registry import detect


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("#!/usr/bin/env -S deno run --allow-read", "typescript"),
        ("#!/usr/bin/env -Sdeno run", "typescript"),
        ("#!/usr/bin/env JARS=3 python3", "python"),
        ("#!/usr/bin/env -i -u JARS python3 -u", "python"),
        ("#!/opt/bin/python3.12", "python"),
        ("#!/usr/bin/perl5.36 -w", "perl"),
        ("#! /usr/bin/env ruby3.2", "ruby"),
        ("#!/opt/node20", "javascript"),
    ],
)
def test_an_interpreter_is_known_behind_env_and_with_its_version(line: str, language: str) -> None:
    assert detect("bin/jars", f"{line}\n".encode()).id == language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("#!/bin/sh\n''':'\nexec python3 -- \"$0\" \"$@\"\n'''\nprint()\n", "python"),
        ('#!/bin/sh\n"exec" "python3" "$0" "$@"\n', "python"),
        ("#!/bin/sh\neval 'exec perl -wS $0 ${1+\"$@\"}'\n  if 0;\n", "perl"),
        ('#!/bin/bash\nexec /usr/bin/env ruby -x "$0" "$@"\n', "ruby"),
        ('#!/bin/sh\nexec python3 jars.py "$@"\n', "bash"),
        ('#!/bin/sh\nexec node "$(dirname "$0")/jars.js"\n', "bash"),
        ('#!/bin/sh\nexec an-unknown-program "$0"\n', "bash"),
    ],
)
def test_a_shell_that_runs_another_interpreter_on_the_same_file_gives_that_language(text: str, language: str) -> None:
    assert detect("bin/jars", text.encode()).id == language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("# -*- mode: perl -*-\n", "perl"),
        ("# -*- Ruby -*-\n", "ruby"),
        ("#!/bin/sh\n# -*- coding: utf-8; mode: python -*-\n", "python"),
        ("jars\n" * 500 + "# vim: set ts=4 ft=ruby:\n", "ruby"),
        ("# vi: syntax=sh\njars\n", "bash"),
        ("# -*- coding: utf-8 -*-\njars\n", "text"),
        ("# -*- mode: no-such-language -*-\njars\n", "text"),
    ],
)
def test_a_modeline_says_the_language(text: str, language: str) -> None:
    assert detect("jars", text.encode()).id == language


def test_a_known_extension_comes_before_all_of_this() -> None:
    assert detect("jars.py", b"#!/usr/bin/perl\n# -*- mode: ruby -*-\n").id == "python"

"""Lines as text and as JSON."""

from __future__ import annotations

from hardtack.query.files.grep import LineMatch
from hardtack.render.lines import lines_to_json, matches_to_json, render_counts, render_entries, render_matches, render_paths
from hardtack.render.style import PLAIN, Style

MATCHES = [LineMatch("a.py", 1, "one jar"), LineMatch("a.py", 20, "jar \x1b[31m jar"), LineMatch("b/c.md", 3, "a jar\r")]


def test_a_pipe_gets_a_line_each_as_it_is_stored() -> None:
    assert "a.py:1:one jar\na.py:20:jar \x1b[31m jar\nb/c.md:3:a jar\r\n" == render_matches(MATCHES, "jar", PLAIN)


def test_what_is_coloured_has_no_control_characters_but_those_of_its_colours() -> None:
    shown = render_matches(MATCHES, "jar", Style(color=True))
    assert "\\u{1b}[31m" in shown
    assert shown.count("\x1b") == 2 * (shown.count("\x1b[0m"))


def test_a_terminal_gets_a_block_a_file_and_nothing_it_would_obey() -> None:
    expected = "a.py\n1:one jar\n20:jar \\u{1b}[31m jar\n\nb/c.md\n3:a jar\\u{d}\n"
    assert expected == render_matches(MATCHES, "jar", Style(columns=80))


def test_what_was_looked_for_is_set_off_in_colour() -> None:
    for style, start in ((Style(color=True), "\x1b[35ma.py\x1b[0m:"), (Style(color=True, columns=80), "\x1b[35ma.py\x1b[0m\n")):
        assert render_matches(MATCHES[:1], "jar", style) == f"{start}\x1b[32m1\x1b[0m:one \x1b[1;31mjar\x1b[0m\n"
        assert render_matches(MATCHES[:1], "j.r", style) == f"{start}\x1b[32m1\x1b[0m:one jar\n"


def test_nothing_is_no_line() -> None:
    assert "" == render_matches([], "jar", PLAIN) == render_matches([], "jar", Style(columns=80))
    assert "" == render_paths([]) == render_counts([]) == render_entries([], PLAIN)


def test_paths_come_once_and_counts_with_them() -> None:
    assert "a.py\nb/c.md\n" == render_paths(MATCHES)
    assert "a.py:2\nb/c.md:1\n" == render_counts(MATCHES)


def test_lines_are_objects_in_json() -> None:
    assert [("code", 1), ("code", 20), ("docs", 3)] == [
        (match["repo"], match["line"]) for match in matches_to_json(MATCHES, {"b/c.md"})
    ]
    assert [{"line": 7, "text": "x"}, {"line": 8, "text": ""}] == lines_to_json(["x", ""], 7)

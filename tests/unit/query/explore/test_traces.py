"""Which ends a question gives to a trace."""

from __future__ import annotations

import pytest

from hardtack.query.explore.asked import trace_in


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("from Echo.ServeHTTP to Router.Find", ("Echo.ServeHTTP", "Router.Find")),
        ("trace from a.b() to pkg.C.d.", ("a.b()", "pkg.C.d")),
        ("How does a call get from Echo.ServeHTTP to Router.Find? Tell me.", ("Echo.ServeHTTP", "Router.Find")),
        ("from main.go to the parser in lib/x.rb", ("main.go", "the parser in lib/x.rb")),
        ("the path from read to write. Then what?", ("read", "write")),
        ("how does a.Request reach b.Handler.serve; and who says so", ("a.Request", "b.Handler.serve")),
        ("what is a Router", None),
    ],
)
def test_a_dot_inside_a_name_ends_no_end_of_a_trace(text: str, ends: tuple[str, str] | None) -> None:
    assert ends == trace_in(text)

"""A spool is the list of what was appended, wherever that lies, and leaves nothing behind."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hardtack.bundle import spool
from hardtack.bundle.spool import Spool
from hardtack.errors import SourceError


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces=st.lists(st.binary(max_size=40), max_size=60), pending=st.integers(1, 100), start=st.integers(-70, 70))
def test_a_spool_is_the_list_of_what_was_appended_at_any_time(
    tmp_path: Path, pieces: list[bytes], pending: int, start: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spool, "_PENDING", pending)
        made, expected = Spool(tmp_path), []
        for piece in pieces:
            made.append(piece)
            expected.append(piece)
            assert piece == made[-1]
        assert (len(expected), expected) == (len(made), list(made))
        assert expected == [made[number] for number in range(len(pieces))]
        assert expected[start:] == made[start:]
        made.close()
        assert [] == list(tmp_path.iterdir())


def test_what_is_not_there_is_an_index_error(tmp_path: Path) -> None:
    made = Spool(tmp_path)
    made.append(b"one")
    for number in (1, -2):
        with pytest.raises(IndexError):
            made[number]


def test_many_bytes_take_little_memory_and_no_name_on_the_disk(tmp_path: Path) -> None:
    made, piece = Spool(tmp_path), bytes(1 << 20)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(200):
        made.append(piece)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50 << 10  # KiB
    assert [] == list(tmp_path.iterdir())
    assert 200 == sum(1 for each in made if each == piece)
    made.close()


def test_a_disk_that_is_full_is_one_sentence_with_a_remedy(tmp_path: Path) -> None:
    made, before = Spool(tmp_path), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (3 << 20, before[1]))
    try:
        with pytest.raises(SourceError, match=r"^The bundle could not be written: File too large\.$") as refused:
            for _ in range(5):
                made.append(bytes(1 << 20))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        made.close()
    assert "Free some space and build again." == refused.value.hint

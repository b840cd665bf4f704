"""The tree of errors: what each carries and what it becomes."""

from __future__ import annotations

import inspect
import re
import sys

import pytest

from hardtack import errors
from hardtack.errors import EncoderMismatch, FormatError, HardtackError, IntegrityError, MissingExtra, UnsupportedFormat

CLASSES = [value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, HardtackError)]
_DRAWN = re.compile(r"(?:├──|└──|^   ?)\s*(?P<name>[A-Z]\w+)(?:\s+(?P<code>\d))?\s*", re.MULTILINE)


@pytest.mark.parametrize("error", CLASSES, ids=lambda error: error.__name__)
def test_every_error_says_what_it_means_in_one_sentence(error: type[HardtackError]) -> None:
    assert error.__doc__ is not None
    assert error.__doc__.partition("\n")[0].endswith(".")
    assert error.__doc__ != HardtackError.__doc__ or error is HardtackError


@pytest.mark.parametrize("error", CLASSES, ids=lambda error: error.__name__)
def test_every_error_has_a_code_of_its_own_or_is_a_kind_of_the_one_that_has(error: type[HardtackError]) -> None:
    assert re.fullmatch(r"[A-Z]+(_[A-Z]+)*", error.code)
    (own,) = [other for other in CLASSES if vars(other).get("code") == error.code]
    assert issubclass(error, own)


def test_the_exit_codes_are_pinned() -> None:
    top = {error.__name__: error.exit_code for error in CLASSES if error.__base__ is HardtackError}
    expected = {
        "UsageError": 2,
        "NotFound": 1,
        "BundleError": 3,
        "BuildError": 4,
        "SourceError": 5,
        "PolicyError": 6,
        "UncheckedError": 7,
    }
    assert expected == top
    assert 70 == HardtackError.exit_code


def test_an_error_below_another_leaves_with_the_same_exit_code() -> None:
    for error in CLASSES:
        if error.__base__ is not HardtackError and error is not HardtackError:
            assert "exit_code" not in vars(error)


def test_the_tree_that_the_module_draws_is_the_one_there_is() -> None:
    drawing = (errors.__doc__ or "").partition("\n\n")[2].partition("\n\n``str")[0]
    drawn: dict[str, str] = {}
    above: list[tuple[int, str]] = [(-1, "Exception")]
    for line in drawing.splitlines():
        if match := _DRAWN.search(line):
            depth = match.start("name")
            above = [entry for entry in above if entry[0] < depth]
            drawn[match["name"]] = above[-1][1]
            above.append((depth, match["name"]))
            if match["code"]:
                assert int(match["code"]) == getattr(errors, match["name"]).exit_code
    actual = {error.__name__: error.__base__.__name__ for error in CLASSES if error.__base__}
    assert actual == drawn


def test_the_module_imports_nothing_outside_the_standard_library() -> None:
    imported = re.findall(r"^(?:from|import) (\w+)", inspect.getsource(errors), re.MULTILINE)
    assert imported
    assert set(imported) <= {"__future__", *sys.stdlib_module_names}


def test_an_error_is_its_sentence_and_may_carry_a_hint() -> None:
    error = HardtackError("It went wrong.", hint="Try again.")
    assert ("It went wrong.", "Try again.", "") == (str(error), error.hint, HardtackError("x").hint)


def test_errors_carry_what_a_program_needs_to_act_on_them() -> None:
    assert "build" == MissingExtra("Building", "build").extra
    assert "Building needs the 'build' extra, which is not installed." == str(MissingExtra("Building", "build"))
    assert "members[0].size" == FormatError("Bad.", field="members[0].size").field
    assert ("a", "b") == IntegrityError("Bad.", faults=["a", "b"]).faults
    unsupported = UnsupportedFormat("New.", found=9, readable=(1, 2), hint="Update.")
    assert (9, (1, 2)) == (unsupported.found, unsupported.readable)
    mismatch = EncoderMismatch("Other.", wanted="x", found="y")
    assert ("x", "y") == (mismatch.wanted, mismatch.found)


@pytest.mark.parametrize("error", [FormatError("Bad."), IntegrityError("Bad.", faults=[])], ids=lambda error: type(error).__name__)
def test_damage_always_comes_with_a_way_out(error: HardtackError) -> None:
    assert "Build or download the bundle again." == error.hint

"""A notebook is its cells: one script in the language of its kernel, without outputs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hardtack.build.source.decode import SourceOptions, decode, skip_before_reading
from hardtack.nouns.outline import Skip, SkipReason, SourceFile


def notebook(*cells: dict[str, Any], language: str = "python", **more: Any) -> bytes:
    metadata = {"kernelspec": {"name": "x", "language": language}}
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": list(cells), **more}).encode()


def code(*lines: str, picture: int = 0) -> dict[str, Any]:
    outputs = [{"output_type": "display_data", "data": {"image/png": "iVBOR" * picture}}] if picture else []
    return {"cell_type": "code", "source": [f"{line}\n" for line in lines], "outputs": outputs, "execution_count": 1}


def prose(text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "source": text}


def read(data: bytes, path: str = "study.ipynb") -> SourceFile:
    file = decode(path, data, SourceOptions())
    assert isinstance(file, SourceFile)
    return file


def test_code_cells_are_code_and_prose_is_comments() -> None:
    file = read(notebook(prose("# Waves\nheights by hour"), code("def height(hour):", "    return hour * 2")))
    assert (file.language, file.encoding) == ("python", "notebook")
    assert file.text.decode() == (
        "# %% [markdown]\n# # Waves\n# heights by hour\n\n# %%\ndef height(hour):\n    return hour * 2\n\n"
    )


def test_a_plot_of_two_megabytes_is_left_out_and_the_cells_stay() -> None:
    data = notebook(code("plot(heights)", picture=400_000))
    assert skip_before_reading("study.ipynb", len(data), SourceOptions()) is None
    assert read(data).text == b"# %%\nplot(heights)\n\n"


@pytest.mark.parametrize(
    ("kernel", "language", "mark"),
    [
        ("R", "r", "#"),
        ("julia", "julia", "#"),
        ("scala", "scala", "//"),
        ("rust", "rust", "//"),
        ("javascript", "javascript", "//"),
    ],
)
def test_the_kernel_says_the_language(kernel: str, language: str, mark: str) -> None:
    file = read(notebook(prose("Said."), code("x"), language=kernel))
    assert (file.language, file.text.decode()) == (language, f"{mark} %% [markdown]\n{mark} Said.\n\n{mark} %%\nx\n\n")


def test_what_only_ipython_reads_is_a_comment() -> None:
    file = read(notebook(code("%matplotlib inline", "!pip install x", "rest = 5 % 2"), code("%%bash", "ls"), code("%%time", "f()")))
    assert file.text.decode() == (
        "# %%\n# %matplotlib inline\n# !pip install x\nrest = 5 % 2\n\n\n# %%\n# %%bash\n# ls\n#\n\n# %%\n# %%time\nf()\n\n"
    )


def test_version_3_has_its_cells_in_worksheets() -> None:
    cell = {"cell_type": "code", "language": "python", "input": "x = 1", "outputs": []}
    data = json.dumps({"nbformat": 3, "metadata": {}, "worksheets": [{"cells": [cell]}]}).encode()
    assert read(data).text == b"# %%\nx = 1\n"


@pytest.mark.parametrize("data", [b"{}", b"[1]", b"not json", b'{"nbformat": 4, "cells": 5}', b"[" * 100_000, b'{"cells": [1]}'])
def test_what_is_no_notebook_is_read_as_any_other_file(data: bytes) -> None:
    item = decode("a.ipynb", data, SourceOptions())
    assert isinstance(item, Skip) or item.encoding == "utf-8"


def test_cells_over_the_limit_are_too_large() -> None:
    item = decode("a.ipynb", notebook(code(*["x = 1"] * 400)), SourceOptions(max_file_size=1000))
    assert isinstance(item, Skip)
    assert item.reason is SkipReason.TOO_LARGE

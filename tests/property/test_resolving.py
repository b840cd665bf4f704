"""Whatever files a repository is made of, resolving ends and points nowhere but into it."""

from __future__ import annotations

from dataclasses import replace

from earlier_builds import by_name, related
from hypothesis import given, settings
from hypothesis import strategies as st
from source_files import source_file

from hardtack.build.relations.relate import Relater
from hardtack.build.workers.analyse import analyse
from hardtack.nouns.outline import SourceFile
from hardtack.nouns.relations import Reference

NAMES = ("a", "b", "A", "B")
name = st.sampled_from(NAMES)
PYTHON = st.one_of(
    st.builds("from {} import {} as {}\n".format, st.sampled_from(("m0", "m1", ".m0", "m2")), name, name),
    st.builds("from {} import *\nimport {}\n".format, st.sampled_from(("m0", "m1", ".m1")), st.sampled_from(("m0", "m0.a"))),
    st.builds("class {}({}.{}, {}):\n    {}: {}\n    def {}(self, {}: '{}') -> {}: return self.{}.{}()\n".format, *[name] * 12),
    st.builds("{} = {}.{}\n{}.{}.{}()\n".format, *[name] * 6),
    st.builds("def {}({}):\n    {} = {}.{}()\n    {}, {} = {}()\n    return {}.{}\n".format, *[name] * 10),
)
TYPESCRIPT = st.one_of(
    st.builds("export {{ {} as {} }} from './{}'\n".format, name, name, st.sampled_from(("m0", "m1"))),
    st.builds("export * from './{}'\nimport {} from './m0'\n".format, st.sampled_from(("m0", "m1")), name),
    st.builds("type {} = {} & {}.{} | {}<{}>\nexport default {}\n".format, *[name] * 7),
    st.builds("class {} extends {} {{ {}: {}; {}() {{ this.{}.{}() }} }}\n".format, *[name] * 7),
    st.builds("const {} = {{ {}: {}.{} }}\n{}.{}({{ {} }})\n".format, *[name] * 7),
)
GO = st.one_of(
    st.builds("type {} struct {{ *{}; {} {} }}\ntype {} interface {{ {}; {}() {} }}\n".format, *[name] * 8),
    st.builds("func (x *{}) {}({} {}) ({}, {}) {{ {}, y := x.{}.{}(); return {}{{{}: y}} }}\n".format, *[name] * 11),
)

CPP = st.one_of(
    st.builds('#include "{}.h"\n'.format, st.sampled_from(("m0", "m1"))),
    st.builds("class {} : public {} {{ public: void {}(int {}); static {}* {}(); {} {}; }};\n".format, *[name] * 8),
    st.builds("void {}::{}(int {}) {{ {}(1); this->{}(); {}.{}(); }}\n".format, *[name] * 7),
    st.builds("{}* {}::{}() {{ return new {}; }}\nint {}::{} = 1;\n".format, *[name] * 6),
    st.builds("namespace {} {{ void {}(int {}); class {} {{ void {}(); }}; }}\n".format, *[name] * 5),
    st.builds("extern int {}(int {});\nstatic int {}() {{ return {}::{}(); }}\n".format, *[name] * 5),
    st.builds("int {}(int {}) {{ {} x; x.{}(); return {}(); }}\ntypedef struct {} {};\n".format, *[name] * 7),
)


def files_of(language: str, suffixes: str, opening: str, fragment: st.SearchStrategy[str]) -> st.SearchStrategy[list[SourceFile]]:
    """Up to three files; ``suffixes`` are those of the first, of the second ..., the last of all that follow."""
    texts = st.lists(st.lists(fragment, max_size=6).map("".join), min_size=1, max_size=3)
    each = suffixes.split()
    return texts.map(
        lambda all_of: [
            source_file(f"m{number}{each[min(number, len(each) - 1)]}", opening + text, language)
            for number, text in enumerate(all_of)
        ]
    )


LANGUAGES = (
    ("python", ".py", "", PYTHON),
    ("typescript", ".ts", "", TYPESCRIPT),
    ("go", ".go", "package m\n", GO),
    ("cpp", ".h .h .cpp", "", CPP),
)
REPOSITORIES = st.one_of(*(files_of(*given) for given in LANGUAGES))


@settings(max_examples=150, deadline=None)
@given(REPOSITORIES)
def test_references_and_relations_lead_to_symbols_and_files_of_the_bundle(repository: list[SourceFile]) -> None:
    relater, symbols = Relater([]), 0
    for file in repository:
        indexed = analyse(file, None)
        symbols += len(indexed.symbols)
        relater.add(file, indexed)
    related = relater.relate([])
    referred: list[Reference] = [each for named in related.references.values() for each in named]
    ends = [ordinal for each in referred for ordinal in (each.source, each.target)]
    ends += [ordinal for each in related.relations for ordinal in (each.source, each.target)]
    assert [ordinal for ordinal in ends if not -1 <= ordinal < symbols] == []
    assert [each for each in related.relations if not -1 <= each.target_file < len(repository)] == []
    texts = [file.text for file in repository]
    assert [each for each in referred if not texts[each.file][each.start : each.start + 1].isalpha()] == []


PAIRS = st.one_of(*(st.tuples(files_of(*given), files_of(*given)) for given in LANGUAGES))


@settings(max_examples=300, deadline=None)
@given(PAIRS, st.integers(0, 2), st.integers(0, 2))
def test_what_is_taken_over_from_an_earlier_build_is_what_is_found_anew(
    pair: tuple[list[SourceFile], list[SourceFile]], changed: int, read_again: int
) -> None:
    before, other = pair
    after = [*before]
    after[changed % len(before)] = replace(other[changed % len(other)], path=before[changed % len(before)].path)
    again = [before[read_again % len(before)].path]
    assert by_name(related(after, related(before)[1], read_again=again)[0]) == by_name(related(after)[0])

"""Each role in a small tree, beside what looks like it and is not."""

from __future__ import annotations

import filecmp
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from checkouts import write
from own_work import users_cache

from hardtack.build.pipeline import NO_BASE, BuildOptions, build_bundle
from hardtack.build.reuse.base_bundle import SAMPLED_FILES
from hardtack.build.source.tree import SourceOptions
from hardtack.bundle.reader import open_bundle
from hardtack.nouns.roles import PRECEDENCE, Role, is_own_code
from hardtack.store.built import BuiltHere

RolesOf = Callable[[Mapping[str, str]], dict[str, str]]

CODE = "def open_jar(jar):\n    return jar.lid.turn()\n"


def of_code(*paths: str) -> dict[str, str]:
    """Files of code, each with another function."""
    return {path: CODE.replace("open_jar", f"open_{number}") for number, path in enumerate(paths)}


def test_every_role_has_its_place_in_the_order() -> None:
    assert sorted(Role) == sorted(PRECEDENCE)


def test_tests_and_what_they_read(roles_of: RolesOf) -> None:
    assert {
        "jar/contest.py": "source",
        "jar/lid.py": "source",
        "jar/testing/tools.py": "source",
        "mocks/jar.py": "test",
        "t/lid.pl": "test",
        "tests/data.json": "test",
        "tests/fixtures/jar.py": "fixture",
        "tests/test_lid.py": "test",
        "testdata/jar.py": "fixture",
    } == roles_of(
        {
            **of_code("jar/contest.py", "jar/lid.py", "jar/testing/tools.py", "mocks/jar.py", "tests/fixtures/jar.py"),
            **of_code("tests/test_lid.py", "testdata/jar.py"),
            "t/lid.pl": "sub open { return 1; }\n",
            "tests/data.json": '{"jar": 1}\n',
        }
    )


def test_benchmarks_examples_and_tools(roles_of: RolesOf) -> None:
    files = {
        "benchmarks/jar.py": "benchmark",
        "jar/bench_lid.py": "benchmark",
        "jar/benchmark.py": "source",
        "include/benchmark/jar.h": "source",
        "examples/jar.py": "example",
        "jar/example_lid.py": "example",
        "jar/openapi_examples.py": "source",
        "jar/sample_rate.py": "source",
        "src/main/java/com/example/Jar.java": "source",
        "scripts/release.py": "tool",
        "jar/scripts/run.py": "source",
        "setup.py": "tool",
    }
    assert files == roles_of(dict.fromkeys(files, CODE) | {"src/main/java/com/example/Jar.java": "class Jar { }\n"})


def test_code_that_stands_in_documents(roles_of: RolesOf) -> None:
    files = {
        "README.md": "documentation",
        "docs/code/jar.py": "documentation",
        "docs_src/jar.py": "documentation",
        "packages/lid/docs/lid.py": "documentation",
        "packages/lid/package.json": "configuration",
        "jar/docs/parse.py": "source",
        "jar/docstring.py": "source",
        "examples/README.md": "documentation",
    }
    assert files == roles_of(of_code(*files) | {"packages/lid/package.json": "{}\n", "README.md": "# Jars\n"})


def test_a_folder_that_holds_nearly_all_code_is_what_the_tree_is_about(roles_of: RolesOf) -> None:
    main = [f"examples/jar_{number}.py" for number in range(20)]
    assert {"source", "tool"} == set(roles_of(of_code(*main, "setup.py")).values())
    assert {"source", "example"} == set(roles_of(of_code(*main, "jar.py", "lid.py", "shelf.py")).values())
    tests = [f"tests/jar_{number}.c" for number in range(20)]
    assert {"source", "test"} == set(roles_of(dict.fromkeys((*tests, "jar.c"), "int open(void) { return 1; }\n")).values())


def test_templates_are_told_from_the_sources_of_a_template_engine(roles_of: RolesOf) -> None:
    files = {
        "{{cookiecutter.name}}/jar.py": "template",
        "create/templates/react/package.json": "template",
        "create/templates/react/src/jar.js": "template",
        "create/index.js": "source",
        "deploy/jar.yaml.tmpl": "template",
        "jar/template/engine.py": "source",
        "jar/templates/index.html": "source",
        "jar/templates/page.html.j2": "source",
    }
    assert files == roles_of(dict.fromkeys(files, CODE) | {"create/templates/react/package.json": "{}\n"})


def test_translations_are_told_from_what_translates(roles_of: RolesOf) -> None:
    files = {
        "README.md": "documentation",
        "README.zh-CN.md": "translation",
        "config.it.json": "configuration",
        "docs/de/jar.md": "translation",
        "docs/en/jar.md": "documentation",
        "docs/ja/jar.md": "translation",
        "jar/i18n/format.py": "source",
        "jar/i18n/is.py": "source",
        "jar/locale/de.json": "translation",
        "jar/locale/en.json": "configuration",
        "jar/locale/nl.js": "translation",
        "lang/cs.py": "source",
        "lang/ml.py": "source",
        "po/sv.po": "translation",
    }
    texts = {path: "{}\n" if path.endswith(".json") else "# Jars\n" if path.endswith(".md") else CODE for path in files}
    assert files == roles_of(texts)


def test_the_greatest_of_several_versions_is_the_present_one(roles_of: RolesOf) -> None:
    old = [f"api/v{version}/{name}.py" for version in (2, 9) for name in ("jar", "lid")]
    files = {
        "site/versioned_docs/version-1/jar.py": "superseded",
        **dict.fromkeys(old, "superseded"),
        "api/v9/only_there.py": "superseded",
        **dict.fromkeys(("api/v10/jar.py", "api/v10/lid.py"), "source"),
        **dict.fromkeys(("codec/v1/reader.py", "codec/v2/writer.py"), "source"),
        **dict.fromkeys(("mesh/v1/jar.py", "mesh/v2alpha1/jar.py"), "source"),
        "mesh/v1beta1/jar.py": "superseded",
        "ipv4/jar.py": "source",
        "ipv6/jar.py": "source",
    }
    assert files == roles_of(of_code(*files))


def test_a_first_version_inside_its_successor_is_superseded_and_a_later_module_supersedes(roles_of: RolesOf) -> None:
    files = {
        **dict.fromkeys(("jar/lid.py", "jar/shelf.py"), "source"),
        **dict.fromkeys(("jar/v1/lid.py", "jar/v1/shelf.py", "jar/v1/typing.py"), "superseded"),
        **dict.fromkeys(("pot/lid.py", "pot/v2/lid.py"), "source"),
        **dict.fromkeys(("mug/cup.py", "mug/v1/glass.py", "mug/v1/bowl.py"), "source"),
        "mug/v1/cup.py": "superseded",
        **dict.fromkeys(("pan/pan.go", "pan/v2/pan.go"), ""),
        "pan/v2/go.mod": "configuration",
    } | {"pan/pan.go": "superseded", "pan/v2/pan.go": "source"}
    texts = of_code(*files) | {"pan/v2/go.mod": "module example.org/pan/v2\n"}
    assert files == roles_of(texts | dict.fromkeys(("pan/pan.go", "pan/v2/pan.go"), "package pan\n\nfunc Fry() {}\n"))


KOTLIN = "public final class jar/Lid {\n\tpublic fun <init> ()V\n\tpublic final fun turn (I)V\n}\n\n"
KLIB = "// Klib ABI Dump\n// Targets: [linuxX64]\nfinal class jar/Lid { // jar/Lid|null[0]\n}\n"
GO = "pkg tar, const TypeBlock = 52\npkg tar, func NewReader(io.Reader) *Reader\npkg os (linux-386), type File struct\n"
EXTRACTOR = '## API Report File for "jar"\n\n```ts\nexport function open(): void;\n```\n'


def test_lists_of_public_names_are_told_by_their_form(roles_of: RolesOf) -> None:
    texts = {
        "api/go1.txt": GO,
        "api/jar.api": KOTLIN,
        "api/jar.klib.api": KLIB,
        "report/jar.api.md": EXTRACTOR,
        "src/PublicAPI.Shipped.txt": "#nullable enable\nJar.Lid\nJar.Lid.Turn(int by) -> void\n",
        "src/PublicAPI.net8.0.Unshipped.txt": "",
        "service/jar.api": 'type Request {\n\tName string `path:"name"`\n}\n',
        "notes/api.txt": "pkg means package\n",
        "docs/jar.api.md": "# The API of jars\n",
    }
    roles = roles_of(texts)
    assert {
        *("api/go1.txt", "api/jar.api", "api/jar.klib.api", "report/jar.api.md"),
        *("src/PublicAPI.Shipped.txt", "src/PublicAPI.net8.0.Unshipped.txt"),
    } == {path for path, role in roles.items() if role == "listing"}


def test_copies_with_a_licence_of_their_own_are_vendored(roles_of: RolesOf) -> None:
    files = {
        "LICENSE": "documentation",
        "deps/zlib/LICENSE": "vendored",
        "deps/zlib/src/inflate.py": "vendored",
        "jar/deps/resolve.py": "source",
        "external/own.py": "source",
        "crates/lid/LICENSE": "documentation",
        "crates/lid/lid.py": "source",
    }
    assert files == roles_of(
        of_code(*files) | dict.fromkeys(("LICENSE", "deps/zlib/LICENSE", "crates/lid/LICENSE"), "Do as you like.\n")
    )


def test_what_a_project_keeps_of_a_program_is_generated_and_what_it_keeps_of_others_vendored(tmp_path: Path) -> None:
    files = {
        "jar.py": CODE,
        "jar_pb.py": f"# Code generated by jarc. DO NOT EDIT.\n{CODE}",
        "node_modules/lid/lid.js": "function lid() { return 1 }\n",
        "generated/shelf.py": CODE,
    }
    options = BuildOptions(jobs=1, profile="keyword", source=SourceOptions(keep=("jar_pb.py", "node_modules/")))
    build_bundle(write(tmp_path / "tree", files), tmp_path / "bundle", options)
    with open_bundle(tmp_path / "bundle") as bundle:
        roles = {file.path: file.role for file in bundle.files}
    assert {
        "generated/shelf.py": "generated",
        "jar.py": "source",
        "jar_pb.py": "generated",
        "node_modules/lid/lid.js": "vendored",
    } == roles


def test_roots_of_one_bundle_are_looked_at_from_their_own_top(tmp_path: Path) -> None:
    one, two = (
        write(tmp_path / "one", of_code("scripts/jar.py", "jar.py")),
        write(tmp_path / "two", of_code("lid.py", "lid/t/a.py")),
    )
    build_bundle(tmp_path, tmp_path / "bundle", BuildOptions(jobs=1, profile="keyword", roots=(("docs", one), ("t", two))))
    with open_bundle(tmp_path / "bundle") as bundle:
        roles = {file.path: file.role for file in bundle.files}
    assert {"docs/jar.py": "source", "docs/scripts/jar.py": "tool", "t/lid.py": "source", "t/lid/t/a.py": "source"} == roles


@pytest.mark.parametrize(
    ("content", "role", "is_own"), [("code", "source", True), ("code", "tool", True), ("code", "amalgamation", False)]
)
def test_code_of_the_project_itself_is_what_people_wrote(content: str, role: str, is_own: bool) -> None:
    assert is_own is is_own_code(content, role)


def test_bytes_of_code_are_those_of_sources_and_tools(tmp_path: Path) -> None:
    files = of_code("jar.py", "examples/jar.py", "docs/jar.py", "scripts/jar.py", "tests/test_jar.py")
    build_bundle(write(tmp_path / "tree", files), tmp_path / "bundle", BuildOptions(jobs=1, profile="keyword"))
    with open_bundle(tmp_path / "bundle") as bundle:
        (python,) = bundle.manifest.languages
        assert python.code_bytes == len(files["jar.py"]) + len(files["scripts/jar.py"])


@pytest.mark.parametrize(
    ("change", "became"),
    [
        ({"lib/label.py": None}, {"dist/all.py": "source"}),
        ({"api/v3/jar.py": CODE, "api/v3/lid.py": CODE}, {"api/v2/jar.py": "superseded", "api/v2/lid.py": "superseded"}),
        ({"docs/fr/jar.md": "# Bocaux\n", "docs/de/jar.md": "# Gläser\n"}, {"docs/fr/jar.md": "translation"}),
        ({"deps/zlib/LICENSE": "Do as you like.\n"}, {"deps/zlib/inflate.py": "vendored"}),
        ({"lib/jar.py": CODE}, {"dist/all.py": "source"}),
    ],
)
def test_roles_after_a_change_are_those_of_a_build_from_nothing(
    tmp_path: Path, change: Mapping[str, str | None], became: Mapping[str, str]
) -> None:
    parts = {
        f"lib/{name}.py": "".join(f"def {name}_{verb}({name}):\n    return {name}.{verb}(0.5)\n\n\n" for verb in ("open", "close"))
        for name in ("jar", "shelf", "label")
    }
    others = of_code("api/v2/jar.py", "api/v2/lid.py", "deps/zlib/inflate.py", *(f"more/{n}.py" for n in range(SAMPLED_FILES)))
    tree = write(tmp_path / "tree", {**parts, **others, "dist/all.py": "".join(parts.values())})
    options = BuildOptions(jobs=1, profile="keyword")
    place, whole = tmp_path / "bundle", tmp_path / "whole"
    build_bundle(tree, place, options, own=BuiltHere(users_cache))
    with open_bundle(place) as bundle:
        assert "amalgamation" == {file.path: file.role for file in bundle.files}["dist/all.py"]
    for path, text in change.items():
        if text is None:
            (tree / path).unlink()
        else:
            write(tree, {path: text})
    report = build_bundle(tree, place, options, own=BuiltHere(users_cache))
    build_bundle(tree, whole, replace(options, base=NO_BASE))
    assert report.taken_over > 0
    members = sorted(path.relative_to(whole).as_posix() for path in whole.rglob("*") if path.is_file())
    assert filecmp.cmpfiles(place, whole, members, shallow=False) == (members, [], [])
    with open_bundle(place) as bundle:
        roles = {file.path: file.role for file in bundle.files}
    assert became == {path: roles[path] for path in became}

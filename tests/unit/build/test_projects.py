"""Manifests of package managers, as people write them and as nobody should."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardtack.build.projects import LARGEST_MANIFEST, MAX_PREFIXES, project_of
from hardtack.nouns.projects import Project, project_of_row, project_row


def declared(path: str, text: str) -> Project:
    project = project_of(path, text.encode())
    assert project is not None
    assert (path, path.rpartition("/")[0]) == (project.path, project.directory)
    return project


def told(project: Project) -> tuple[str, str, str, str]:
    return project.ecosystem, project.name, project.version, project.language_version


def test_a_go_module_names_itself_and_its_go() -> None:
    project = declared("services/api/go.mod", "// about\nmodule example.org/ship/api // the API\n\ngo 1.22\n\ntoolchain go1.23.1\n")
    assert ("go", "example.org/ship/api", "", "1.22") == told(project)
    assert (("example.org/ship/api", "services/api/"),) == project.prefixes


def test_a_go_module_may_stand_in_a_block_and_in_quotes() -> None:
    assert "example.org/a" == declared("go.mod", 'module (\n\t"example.org/a"\n)\n').name
    assert "example.org/b" == declared("go.mod", "module `example.org/b`\n").name


def test_modules_that_are_replaced_by_folders_lead_there() -> None:
    text = "module a\nreplace b v1.0.0 => ../b // for now\nreplace (\n\tc => ./inner/c\n\td => d.org v1.0.0\n\te => ../../../x\n)\n"
    assert (("a", "x/a/"), ("b", "x/b/"), ("c", "x/a/inner/c/")) == declared("x/a/go.mod", text).prefixes


def test_a_go_workspace_has_a_go_and_no_name() -> None:
    assert ("go", "", "", "1.24") == told(declared("go.work", "go 1.24\n\nuse (\n\t./a\n\t./b\n)\n"))


def test_a_composer_package_leads_from_namespaces_to_folders() -> None:
    text = json.dumps(
        {
            "name": "acme/shop",
            "version": "2.1.0",
            "require": {"php": "^8.2"},
            "autoload": {
                "psr-4": {"App\\": "app/", "Shop\\": ["src", "lib/"]},
                "psr-0": {"Old\\Name\\": "legacy", "Twig_": "t", "Bare": "b"},
            },
            "autoload-dev": {"psr-4": {"Tests\\": "tests/", "": "fallback"}},
        }
    )
    project = declared("shop/composer.json", text)
    assert ("composer", "acme/shop", "2.1.0", "^8.2") == told(project)
    assert (
        ("App\\", "shop/app/"),
        ("Shop\\", "shop/src/"),
        ("Shop\\", "shop/lib/"),
        ("Old\\Name\\", "shop/legacy/Old/Name/"),
        ("Twig_", "shop/t/Twig/"),
        ("Bare\\", "shop/b/Bare/"),
        ("Tests\\", "shop/tests/"),
        ("", "shop/fallback/"),
    ) == project.prefixes


def test_an_npm_package_is_imported_by_its_name() -> None:
    project = declared("packages/server/package.json", '{"name": "@trpc/server", "version": "11.0.0", "engines": {"node": ">=18"}}')
    assert ("npm", "@trpc/server", "11.0.0", ">=18") == told(project)
    assert (("@trpc/server", "packages/server/"),) == project.prefixes


SETTINGS = """{
  // what TypeScript's own template looks like
  "compilerOptions": {
    /* Modules */ "baseUrl": "./src", // "rootDir": "./",
    "paths": {
      "@/*": ["./*", "./generated/*"],
      "~lib": ["lib/index.ts"],
      "vue": ["shims/vue.d.ts"],
      "*": ["*"],
      "a*b": ["never/*"],
      "@scope/*": ["../packages/*/src"],
      "//no/comment/*": ["./kept/*"],
    },
  },
}
"""


@pytest.mark.parametrize("name", ["tsconfig.json", "jsconfig.json", "tsconfig.base.json"])
def test_settings_of_typescript_say_where_aliases_lead(name: str) -> None:
    project = declared(f"web/{name}", SETTINGS)
    assert ("npm", "", "", "") == told(project)
    assert (
        ("@/", "web/src/"),
        ("@/", "web/src/generated/"),
        ("~lib", "web/src/lib/"),
        ("vue", "web/src/shims/vue/"),
        ("", "web/src/"),
        ("//no/comment/", "web/src/kept/"),
    ) == project.prefixes


def test_aliases_without_a_base_begin_at_the_settings_own_folder() -> None:
    assert (("#", "web/src/"),) == declared("web/tsconfig.json", '{"compilerOptions": {"paths": {"#*": ["./src/*"]}}}').prefixes


def test_a_distribution_of_pep_621_says_its_python() -> None:
    text = (
        '[project]\nname = "crates"\nversion = "1.4"\nrequires-python = ">=3.9"\n[tool.setuptools.packages.find]\nwhere = ["lib"]\n'
    )
    project = declared("python/pyproject.toml", text)
    assert ("pypi", "crates", "1.4", ">=3.9") == told(project)
    assert (("", "python/lib/"),) == project.prefixes


def test_a_dynamic_version_is_not_guessed() -> None:
    assert "" == declared("pyproject.toml", '[project]\nname = "a"\ndynamic = ["version"]\n').version


@pytest.mark.parametrize(
    ("tool", "expected"),
    [
        ('[tool.hatch.build.targets.wheel]\npackages = ["src/crates"]', ("crates", "src/crates/")),
        ('[tool.hatch.build.targets.wheel]\nsources = ["src"]', ("", "src/")),
        ('[tool.setuptools.package-dir]\n"" = "src"', ("", "src/")),
        ('[tool.setuptools]\npackage-dir = {crates = "code/crates"}', ("crates", "code/crates/")),
        ('[[tool.poetry.packages]]\ninclude = "crates"\nfrom = "source"', ("", "source/")),
        ('[tool.maturin]\npython-source = "python"', ("", "python/")),
        ('[tool.pdm.build]\npackage-dir = "src"', ("", "src/")),
        ('[tool.uv.build-backend]\nmodule-root = ""', ("", "")),
    ],
)
def test_each_build_backend_is_heard_on_where_packages_lie(tool: str, expected: tuple[str, str]) -> None:
    assert (expected,) == declared("pyproject.toml", f'[project]\nname = "crates"\n{tool}\n').prefixes


@pytest.mark.parametrize("python", ['"^3.9"', '{version = "^3.9"}'])
def test_a_distribution_of_poetry_says_its_python(python: str) -> None:
    text = f'[tool.poetry]\nname = "crates"\nversion = "0.3.1"\n[tool.poetry.dependencies]\npython = {python}\n'
    assert ("pypi", "crates", "0.3.1", "^3.9") == told(declared("pyproject.toml", text))


def test_a_distribution_of_setup_cfg_says_where_its_packages_lie() -> None:
    text = (
        "[metadata]\nname = crates\nversion = attr: crates.version\n[options]\npython_requires = >=3.8\npackage_dir =\n    = src\n"
    )
    project = declared("setup.cfg", text)
    assert ("pypi", "crates", "", ">=3.8") == told(project)
    assert (("", "src/"),) == project.prefixes


def test_a_crate_is_imported_with_underscores() -> None:
    text = '[package]\nname = "tokio-util"\nversion = "0.7.1"\nrust-version = "1.71"\nedition = "2021"\n'
    project = declared("tokio-util/Cargo.toml", text)
    assert ("cargo", "tokio-util", "0.7.1", "1.71") == told(project)
    assert (("tokio_util", "tokio-util/src/"),) == project.prefixes


def test_a_crate_may_have_another_name_and_lie_elsewhere() -> None:
    text = '[package]\nname = "a"\nversion.workspace = true\n[lib]\nname = "b"\npath = "b.rs"\n[[bin]]\npath = "core/main.rs"\n'
    project = declared("x/Cargo.toml", text)
    assert ("cargo", "a", "", "") == told(project)
    assert (("b", "x/b.rs/"), ("", "x/core/")) == project.prefixes


POM = """<?xml version="1.0" encoding="UTF-16"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <parent><groupId>org.example</groupId><artifactId>ship</artifactId><version>3.2.1</version></parent>
  <artifactId>orders</artifactId>
  <dependencies><dependency><groupId>other</groupId><artifactId>x</artifactId><version>9</version></dependency></dependencies>
  <build><plugins>
    <plugin><artifactId>maven-jar-plugin</artifactId><configuration><source>no</source></configuration></plugin>
    <plugin><artifactId>maven-compiler-plugin</artifactId><configuration><release>21</release></configuration></plugin>
  </plugins></build>
</project>
"""


def test_an_artifact_takes_group_and_version_from_its_parent() -> None:
    project = declared("orders/pom.xml", POM)
    assert ("maven", "org.example:orders", "3.2.1", "21") == told(project)
    assert ("", "orders/src/main/java/") == project.prefixes[0]


def test_properties_count_where_the_file_itself_defines_them() -> None:
    text = "<project><groupId>g</groupId><artifactId>a</artifactId><version>{}</version><properties>{}</properties></project>"
    known = "<revision>1.5</revision><java.version>17</java.version>"
    assert ("maven", "g:a", "1.5", "17") == told(declared("pom.xml", text.format("${revision}", known)))
    assert ("maven", "g:a", "", "17") == told(declared("pom.xml", text.format("${elsewhere}", known)))


def test_an_aggregating_pom_leads_nowhere() -> None:
    assert () == declared("pom.xml", "<project><artifactId>a</artifactId><packaging>pom</packaging></project>").prefixes


def test_an_msbuild_project_is_called_like_its_file_unless_it_says_otherwise() -> None:
    text = '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net8.0</TargetFramework>{}</PropertyGroup></Project>'
    assert ("nuget", "Shop.Web", "", "net8.0") == told(declared("src/Shop.Web.csproj", text.format("")))
    named = "<PackageId>Shop</PackageId><Version>$(Common)</Version><VersionPrefix>2.0</VersionPrefix>"
    assert ("nuget", "Shop", "2.0", "net8.0") == told(declared("src/Shop.Web.csproj", text.format(named)))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("main.go", "module a\n"),
        ("go.mod.txt", "module a\n"),
        ("package-lock.json", '{"name": "a"}'),
        ("package.json", ""),
        ("package.json", "[]"),
        ("package.json", "{"),
        ("package.json", '{"private": true}'),
        ("package.json", '{"name": 7, "version": ["1"], "engines": "node"}'),
        ("composer.json", '{"autoload": {"psr-4": ["App"], "psr-0": null}, "require": []}'),
        ("tsconfig.json", '{"compilerOptions": {"paths": {"a": {"b": 1}}, "baseUrl": 3}}'),
        ("pyproject.toml", "[tool.ruff]\nline-length = 100\n"),
        ("pyproject.toml", "project = 3\n[tool]\npoetry = [1]\n"),
        ("setup.cfg", "[flake8]\nmax-line-length = 100\n"),
        ("setup.cfg", "no section"),
        ("Cargo.toml", '[workspace]\nmembers = ["a"]\n'),
        ("Cargo.toml", "[package"),
        ("pom.xml", "<project>"),
        ("pom.xml", "<project/>"),
        ("pom.xml", '<!DOCTYPE project [<!ENTITY a "b">]><project><artifactId>&a;</artifactId></project>'),
        ("go.work", "use ./a\n"),
    ],
)
def test_what_says_nothing_or_is_broken_is_no_project(path: str, text: str) -> None:
    assert None is project_of(path, text.encode())


def test_a_byte_order_mark_does_no_harm() -> None:
    assert "a" == declared("package.json", '\ufeff{"name": "a"}').name


@pytest.mark.parametrize(
    "name",
    ["a\nb", "\ud800", "\u202egnp", "\x1b[31m", "x" * 201, "nul\0"],
    ids=["line", "surrogate", "turned", "escape", "long", "nul"],
)
def test_a_name_that_is_unfit_to_be_shown_is_not_said(name: str) -> None:
    assert ("npm", "", "1", "") == told(declared("package.json", json.dumps({"name": name, "version": "1"})))


@pytest.mark.parametrize("folder", ["/etc", "../../x", "a/../../..", "..\\x", "a\0b", "C:\\x", "x" * 300])
def test_no_prefix_leads_out_of_the_tree(folder: str) -> None:
    assert () == declared("a/composer.json", json.dumps({"name": "n", "autoload": {"psr-4": {"A\\": folder}}})).prefixes


def test_a_prefix_may_lead_to_the_top_and_back_down() -> None:
    text = json.dumps({"name": "n", "autoload": {"psr-4": {"A\\": "..", "B\\": "./../lib//b/"}}})
    assert (("A\\", ""), ("B\\", "lib/b/")) == declared("a/composer.json", text).prefixes


def test_prefixes_are_counted() -> None:
    text = json.dumps({"name": "n", "autoload": {"psr-4": {f"A{number}\\": "src" for number in range(500)}}})
    assert MAX_PREFIXES == len(declared("composer.json", text).prefixes)


HALF = LARGEST_MANIFEST // 2 - 1_000
LONG = "x" * HALF
ATTACKS = {
    "nested json": ("package.json", "[" * LARGEST_MANIFEST),
    "nested toml": ("pyproject.toml", "a = " + "[" * HALF),
    "nested xml": ("pom.xml", "<a>" * (LARGEST_MANIFEST // 3)),
    "dotted keys": ("pyproject.toml", "a." * HALF + "b = 1"),
    "lines of dotted keys": ("Cargo.toml", ("a." * 60 + "b = 1\n") * 8_000),
    "laughs": (
        "pom.xml",
        '<!DOCTYPE p [<!ENTITY a "ha">'
        + "".join(f'<!ENTITY a{n} "{"&a;" * 50}">' for n in range(20))
        + "]><project><artifactId>&a19;</artifactId></project>",
    ),
    "a file as entity": (
        "pom.xml",
        '<!DOCTYPE p [<!ENTITY a SYSTEM "file:///etc/passwd">]><project><artifactId>&a;</artifactId></project>',
    ),
    "properties of properties": (
        "pom.xml",
        f"<project><properties><a>{LONG}</a></properties><version>{'${a}' * 100_000}</version></project>",
    ),
    "a long name of many children": ("pom.xml", f"<{LONG[: HALF // 2]}>{'<b>x</b>' * 60_000}</{LONG[: HALF // 2]}>"),
    "unclosed comments": ("tsconfig.json", "/*" * HALF),
    "unclosed strings": ("tsconfig.json", '"\\' * HALF),
    "commas": ("tsconfig.json", ", " * HALF),
    "a long base": (
        "tsconfig.json",
        json.dumps({"compilerOptions": {"baseUrl": LONG, "paths": {f"a{n}": ["b"] for n in range(20_000)}}}),
    ),
    "a long namespace": ("composer.json", json.dumps({"autoload": {"psr-0": {LONG: ["a"] * 50_000}}})),
    "a long alias": ("tsconfig.json", json.dumps({"compilerOptions": {"paths": {f"{LONG}*": ["a/*"] * 60_000}}})),
    "many digits": ("package.json", '{"version": ' + "9" * HALF + "}"),
    "a long version": ("go.mod", "module " + " " * HALF + "\ngo 1" + "." * HALF),
    "blocks": ("go.mod", "module (\n" * 100_000),
    "a line of blanks": ("setup.cfg", "[options]\na" + " " * HALF + "b\n"),
    "many lines of blanks": ("setup.cfg", "[options]\n" + ("a" + " " * 4000 + "b\n") * 200),
    "defaults of many sections": (
        "setup.cfg",
        "[DEFAULT]\n" + "".join(f"{n:x}=\n" for n in range(60_000)) + "".join(f"[{n:x}]\n" for n in range(60_000)),
    ),
    "keys below a long header": (
        "pyproject.toml",
        "[" + ".".join("a" * 900) + "]\n" + "".join(f"{n:x}=1\n" for n in range(90_000)),
    ),
    "long keys below long headers": (
        "Cargo.toml",
        "[" + ".".join("a" * 32) + "]\n" + "".join(f"{'.'.join('b' * 29)}.{n:x}=1\n" for n in range(15_000)),
    ),
    "dots in an inline table": ("Cargo.toml", "a = { " + ".".join("b" * 200_000) + " = 1 }"),
    "dots behind a string of four quotes": ("Cargo.toml", 'a = { b = """c"""", ' + ".".join("d" * 200_000) + ' = 1, e = "f" }'),
    "dots and blanks": ("pyproject.toml", " . ".join("d" * 100_000) + " = 1"),
    "nested inline tables": ("Cargo.toml", "a = " + "{a=" * 100_000 + "1" + "}" * 100_000),
    "hexadecimal digits": ("Cargo.toml", "a = 0x" + "f" * HALF),
    "digits with underscores": ("Cargo.toml", "a = " + "1_" * (HALF // 2) + "1"),
    "elements below long names": (
        "pom.xml",
        "".join(f"<{name * 100}>" for name in "abcdefg") + "<a>b</a>" * 100_000 + "".join(f"</{name * 100}>" for name in "gfedcba"),
    ),
    "a property that is inserted often": (
        "pom.xml",
        "<project><properties><a>" + "b" * HALF + "</a></properties><artifactId>" + "${a}" * 49 + "</artifactId></project>",
    ),
    "options": ("setup.cfg", "[options]\npackage_dir =\n" + "    a = b\n" * 90_000),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_hostile_manifest_ends_soon(attack: str) -> None:
    path, text = ATTACKS[attack]
    assert len(text) <= LARGEST_MANIFEST
    started = time.process_time()
    project = project_of(path, text.encode())
    assert time.process_time() - started < 5  # each takes less than a second; without bounds some take hours
    assert project is None or len(str(project)) < 50_000


def test_what_is_larger_than_any_manifest_is_not_read() -> None:
    text = '{"name": "a"}'
    assert None is project_of("package.json", text.ljust(LARGEST_MANIFEST + 1).encode())
    assert None is not project_of("package.json", text.ljust(LARGEST_MANIFEST).encode())


PATHS = st.sampled_from(
    [
        *(
            "go.mod",
            "go.work",
            "a/composer.json",
            "package.json",
            "a/b/tsconfig.json",
            "pyproject.toml",
            "setup.cfg",
            "x/Cargo.toml",
        ),
        *("pom.xml", "a/b.csproj"),
    ]
)
WORDS = st.sampled_from(
    ["name", "version", "project", "package", "tool", "poetry", "autoload", "psr-4", "paths", "compilerOptions", ".."]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS | st.text(), inner, max_size=5),
    max_leaves=25,
)


@settings(deadline=None)
@given(PATHS, st.binary() | st.text().map(str.encode) | VALUES.map(lambda value: json.dumps(value).encode()))
def test_whatever_the_bytes_no_exception_leaves_and_no_folder_leads_out(path: str, text: bytes) -> None:
    project = project_of(path, text)
    folders: list[Any] = [] if project is None else [folder for _, folder in project.prefixes]
    assert [] == [
        folder for folder in folders if folder.startswith("/") or ".." in folder.split("/") or (folder and folder[-1] != "/")
    ]


def test_a_project_leaves_a_worker_as_a_row_and_comes_back() -> None:
    project = declared("web/tsconfig.json", SETTINGS)
    assert project == project_of_row(project_row(project))

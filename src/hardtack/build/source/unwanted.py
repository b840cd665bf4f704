"""A path in, the reason why it is not indexed out, from its names alone: no file is opened.

A wrong entry of these tables removes a project's own code, so a name is listed only if it has one meaning everywhere; ``lib``,
``deps``, ``external``, ``extern``, ``build``, ``dist``, ``target``, ``out`` and ``venv`` (a module of Python itself) are not. Where
a name has two meanings, something else must tell: what lies beside it, or the content.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from hardtack.nouns.outline import Skip, SkipReason

_VENDORED_DIRECTORIES: dict[str, str] = {
    "node_modules": "npm, yarn and pnpm install here",
    "bower_components": "Bower installs here",
    "jspm_packages": "jspm installs here",
    ".yarn": "Yarn keeps its releases, plugins and package cache here",
    ".pnpm-store": "pnpm's package cache",
    "_vendor": "pip, setuptools and others: copies inside a Python package",
    "vendored": "spelt-out form of the same",
    "_vendored": "spelt-out form of the same",
    "third_party": "the usual name in Google's and LLVM's projects",
    "third-party": "variant spelling",
    "thirdparty": "variant spelling",
    "3rdparty": "the usual name in Qt's and OpenCV's projects",
    "Godeps": "godep's workspace, before Go had modules",
    "Pods": "CocoaPods installs here",
    "Carthage": "Carthage checks out and builds here",
    "site-packages": "inside every Python environment",
    ".venv": "a Python environment",
    ".virtualenv": "a Python environment",
    "__pypackages__": "PEP 582's install directory",
    "__pycache__": "Python's compiled files",
    ".eggs": "setuptools' build requirements",
    ".tox": "environments made for tests",
    ".nox": "environments made for tests",
    ".bundle": "Bundler's state and gems",
    ".gradle": "Gradle's state and caches",
    ".terraform": "downloaded providers and modules",
    ".dart_tool": "pub's packages and build state",
    "elm-stuff": "Elm's packages",
    ".build": "Swift's package checkouts and build state",
    ".next": "Next.js' build output",
    ".nuxt": "Nuxt's build output",
    ".svelte-kit": "SvelteKit's build output",
}

_GENERATED_NAMES = frozenset(
    {
        # Lock files: thousands of lines of hashes that say nothing about the code.
        *("package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "deno.lock"),
        *("Cargo.lock", "poetry.lock", "Pipfile.lock", "pdm.lock", "uv.lock", "pixi.lock", "conda-lock.yml", "pylock.toml"),
        *("composer.lock", "Gemfile.lock", "Podfile.lock", "Package.resolved", "Cartfile.resolved", "pubspec.lock"),
        *("go.sum", "go.work.sum", "Gopkg.lock", "glide.lock", "mix.lock", "rebar.lock", "shard.lock", "stack.yaml.lock"),
        *("cabal.project.freeze", "gradle.lockfile", "packages.lock.json", "paket.lock", "project.assets.json", "conan.lock"),
        *("flake.lock", "MODULE.bazel.lock", ".terraform.lock.hcl"),
        # Scripts that a tool puts into every project, byte for byte.
        *("gradlew", "gradlew.bat", "mvnw", "mvnw.cmd", ".pnp.cjs", ".pnp.loader.mjs"),
    }
)

# Pictures (SVG and EPS too: nobody searches them as text), fonts, sound, films, archives. No text has these extensions, so none of
# these files is read.
_ASSET_EXTENSIONS = frozenset(
    {
        *("png", "jpg", "jpeg", "gif", "bmp", "ico", "icns", "webp", "avif", "heic", "tif", "tiff", "psd", "svg"),
        *("svgz", "eps", "ttf", "otf", "woff", "woff2", "eot", "mp3", "wav", "ogg", "flac", "m4a", "aac", "mp4"),
        *("m4v", "mov", "avi", "mkv", "webm", "wmv", "flv", "zip", "tar", "gz", "tgz", "bz2", "xz", "zst", "lz4"),
        *("7z", "rar", "jar", "war", "ear", "aar", "whl", "egg", "gem", "nupkg", "deb", "rpm", "apk", "ipa", "dmg"),
        *("iso", "cab", "msi", "crate", "phar", "hardtack"),
    }
)

# Compiled code, documents, data and weights. Each of these extensions is text elsewhere (``.pt`` page templates, ``.mo`` Modelica,
# ``.pdb`` proteins, ``.pth`` Python's paths, ``.lib``, ``.obj``, ``.doc``), so the content decides unless the file is large.
_BINARY_EXTENSIONS = frozenset(
    {
        *("ai", "mid", "o", "a", "so", "dylib", "dll", "exe", "lib", "obj", "pdb", "class", "pyc", "pyo", "pyd"),
        *("wasm", "bc", "beam", "elc", "node", "rlib", "rmeta", "lockb", "pdf", "doc", "docx", "xls", "xlsx", "ppt"),
        *("pptx", "odt", "ods", "odp", "epub", "mobi", "db", "sqlite", "sqlite3", "mdb", "parquet", "arrow"),
        *("feather", "avro", "orc", "npy", "npz", "pkl", "pickle", "h5", "hdf5", "onnx", "pt", "pth", "ckpt"),
        *("safetensors", "gguf", "tflite", "faiss", "msgpack", "mo", "gmo", "jks", "p12", "pfx", "keystore", "der"),
    }
)


def skip_by_name(path: str, *, vendored: frozenset[str] | None, is_large: bool) -> Skip | None:
    """Why a path (relative to its root) is skipped because of its names, or None.

    Args:
        path: the path.
        vendored: the directories ``vendor`` that hold other people's code, by :func:`vendor_directories`; None keeps vendored code.
        is_large: the file is over the limit, so its content will not be looked at.
    """
    *directories, name = path.split("/")
    if vendored is not None and (found := _vendored_directory(directories, vendored)):
        return Skip(path=path, reason=SkipReason.VENDORED, detail=f"{found}/")
    if name in _GENERATED_NAMES or name.endswith(".tsbuildinfo"):
        return Skip(path=path, reason=SkipReason.GENERATED, detail=f"named {name}")
    stem, dot, extension = name.lower().rpartition(".")
    if dot and stem and (extension in _ASSET_EXTENSIONS or (is_large and extension in _BINARY_EXTENSIONS)):
        return Skip(path=path, reason=SkipReason.BINARY, detail=f"*.{extension}")
    return None


def has_binary_name(path: str) -> bool:
    """Whether files with this extension are mostly binary."""
    return path.lower().rpartition(".")[2] in _BINARY_EXTENSIONS


def has_minified_name(path: str) -> bool:
    """Whether the name says that a program took the line breaks out: ``jquery.min.js``."""
    return path.lower().endswith((".min.js", ".min.mjs", ".min.cjs", ".min.css", ".min.html"))


def _vendored_directory(directories: list[str], vendored: frozenset[str]) -> str:
    """The first directory of a path that holds other people's code; empty without one."""
    for place, name in enumerate(directories):
        if name in _VENDORED_DIRECTORIES or (name == _VENDOR and "/".join(directories[: place + 1]) in vendored):
            return name
    return ""


_VENDOR = "vendor"
_PROJECT_FILES = frozenset(
    {
        *("package.json", "composer.json", "go.mod", "Gemfile", "Cargo.toml", "pyproject.toml", "setup.py"),
        *("pom.xml", "build.gradle", "build.gradle.kts", "CMakeLists.txt", "Makefile", "bower.json", "mix.exs"),
        "Package.swift",
    }
)
_ASSET_DIRECTORIES = frozenset(
    {
        *("assets", "css", "dist", "javascripts", "js", "media", "public", "scripts", "static", "styles"),
        *("stylesheets", "web", "www", "wwwroot"),
    }
)
_LICENCE = re.compile(r"(?:LICEN[CS]E|COPYING|NOTICE|UNLICENSE)(?:[.-][A-Za-z0-9.-]+)?|(?i:license|copying)(?:\.(?:txt|md|rst))?")
_INSTALLED = frozenset({"modules.txt", "autoload.php", ".cargo-checksum.json", "bower.json", "composer.lock"})


def vendor_directories(paths: Iterable[str]) -> frozenset[str]:
    """The directories named ``vendor`` among ``paths`` that hold other people's code.

    "Vendor" is a word of business too: ``app/models/vendor/``, ``com/acme/vendor/``, a Django application. So one counts only where
    package managers and people put copies, at the top or beside a project's manifest or among a site's assets, or if what is in it
    brings a licence or a manifest of its own. A Python package there (``vendor/__init__.py``) is a project's own without those.
    """
    projects: set[str] = {""}
    found: dict[str, bool] = {}
    packages: set[str] = set()
    for path in paths:
        directory, _, name = path.rpartition("/")
        if name in _PROJECT_FILES:
            projects.add(directory)
        if f"/{_VENDOR}/" not in f"/{path}":
            continue
        brings = name in _PROJECT_FILES or name in _INSTALLED or has_minified_name(name) or _LICENCE.fullmatch(name) is not None
        parts = directory.split("/")
        for place, part in enumerate(parts):
            if part == _VENDOR:
                above = "/".join(parts[: place + 1])
                found[above] = found.get(above, False) or brings
        if name == "__init__.py" and parts[-1] == _VENDOR:
            packages.add(directory)
    return frozenset(above for above, brings in found.items() if brings or _is_usual_place(above, projects, packages))


_DEPENDENCIES = frozenset({"deps", "dependencies", "extern", "external", "externals", "extlib", "extlibs"})
"""Names of folders that hold other people's code or a project's own: what is in them must bring a licence."""


def licensed_dependencies(paths: Iterable[str]) -> frozenset[str]:
    """The directories directly in a folder for dependencies (``deps/zlib``) that bring a licence of their own."""
    folders = (path.rpartition("/")[0] for path in paths if _LICENCE.fullmatch(path.rpartition("/")[2]))
    return frozenset(folder for folder in folders if folder.rpartition("/")[0].rpartition("/")[2] in _DEPENDENCIES)


def project_folders(paths: Iterable[str]) -> frozenset[str]:
    """The directories among ``paths`` in which a project begins: they hold a package manager's or a build tool's manifest."""
    return frozenset(directory for directory, _, name in (path.rpartition("/") for path in paths) if name in _PROJECT_FILES)


def _is_usual_place(vendor: str, projects: set[str], packages: set[str]) -> bool:
    """Whether a directory named ``vendor`` lies where copies of other people's code usually lie."""
    outer = vendor.rpartition("/")[0]
    return vendor not in packages and (outer in projects or outer.rpartition("/")[2] in _ASSET_DIRECTORIES)

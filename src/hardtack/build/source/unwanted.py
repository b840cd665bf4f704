"""A path in, the reason why it is not indexed out, from its names alone: no file is opened.

There are three tables: directories of vendored code, names of generated files, extensions of binary formats. A wrong entry silently
removes a project's own code, so a name is listed only if it has one meaning everywhere; ``lib``, ``deps``, ``external``,
``extern``, ``build``, ``dist``, ``target``, ``out`` and ``venv`` (a module of Python itself) are not.
"""

from __future__ import annotations

import re

from hardtack.nouns.outline import Skip, SkipReason

_VENDORED_DIRECTORIES: dict[str, str] = {
    "node_modules": "npm, yarn and pnpm install here",
    "bower_components": "Bower installs here",
    "jspm_packages": "jspm installs here",
    ".yarn": "Yarn keeps its releases, plugins and package cache here",
    ".pnpm-store": "pnpm's package cache",
    "vendor": "Go, Composer, Bundler and many projects' copies of their dependencies",
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

# In com/acme/vendor/Vendor.java "vendor" is a business term, and Laravel's views/vendor holds an application's own overrides.
_OWN_VENDOR = re.compile(r"(?:^|/)(?:java|kotlin|scala|groovy|views|lang)/(?:[^/]+/)*vendor/")

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

_GENERATED_SUFFIXES = (
    *(".map", ".snap", ".tsbuildinfo"),
    *("_pb2.py", "_pb2.pyi", "_pb2_grpc.py", ".pb.go", ".pb.gw.go", ".pb.validate.go", ".pb.cc", ".pb.h", ".pb.swift", ".pb.rb"),
    *("_pb.js", "_pb.d.ts", "_pb.ts", "_grpc_web_pb.js", ".pb.dart", ".pbgrpc.dart", ".pbobjc.h", ".pbobjc.m"),
    *(".g.dart", ".freezed.dart", ".g.cs", ".g.i.cs", ".Designer.cs", ".designer.cs"),
)

_MINIFIED_SUFFIXES = (".min.js", ".min.mjs", ".min.cjs", ".min.css", ".min.html")

_ASSET_EXTENSIONS = frozenset(
    {
        # Pictures (SVG too: nobody searches it as text), fonts, audio, video.
        *(
            "png",
            "jpg",
            "jpeg",
            "gif",
            "bmp",
            "ico",
            "icns",
            "webp",
            "avif",
            "heic",
            "tif",
            "tiff",
            "psd",
            "svg",
            "svgz",
            "eps",
            "ai",
        ),
        *("ttf", "otf", "woff", "woff2", "eot", "mp3", "wav", "ogg", "flac", "m4a", "aac", "mid"),
        *("mp4", "m4v", "mov", "avi", "mkv", "webm", "wmv", "flv"),
        # Archives and packages.
        *("zip", "tar", "gz", "tgz", "bz2", "xz", "zst", "lz4", "7z", "rar", "jar", "war", "ear", "aar", "whl", "egg", "gem"),
        *("nupkg", "deb", "rpm", "apk", "ipa", "dmg", "iso", "cab", "msi", "crate", "phar", "hardtack"),
        # Compiled code.
        *("o", "a", "so", "dylib", "dll", "exe", "lib", "obj", "pdb", "class", "pyc", "pyo", "pyd", "wasm", "bc", "beam", "elc"),
        *("node", "rlib", "rmeta", "lockb"),
        # Documents, data and weights in binary forms.
        *("pdf", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "odt", "ods", "odp", "epub", "mobi"),
        *("db", "sqlite", "sqlite3", "mdb", "parquet", "arrow", "feather", "avro", "orc", "npy", "npz", "pkl", "pickle", "h5"),
        *("hdf5", "onnx", "pt", "pth", "ckpt", "safetensors", "gguf", "tflite", "faiss", "msgpack", "mo", "gmo", "jks", "p12"),
        *("pfx", "keystore", "der"),
    }
)


def skip_by_name(path: str, *, vendor: bool) -> Skip | None:
    """Why a path (relative to its root) is skipped because of its names, or None. ``vendor`` keeps vendored code."""
    *directories, name = path.split("/")
    if not vendor and not _VENDORED_DIRECTORIES.keys().isdisjoint(directories):
        found = next((part for part in directories if part in _VENDORED_DIRECTORIES and not _is_own_vendor(part, path)), None)
        if found is not None:
            return Skip(path=path, reason=SkipReason.VENDORED, detail=f"{found}/")
    if name in _GENERATED_NAMES:
        return Skip(path=path, reason=SkipReason.GENERATED, detail=name)
    lowered = name.lower()
    for suffix in _MINIFIED_SUFFIXES:
        if lowered.endswith(suffix):
            return Skip(path=path, reason=SkipReason.MINIFIED, detail=f"*{suffix}")
    for suffix in _GENERATED_SUFFIXES:
        if name.endswith(suffix):
            return Skip(path=path, reason=SkipReason.GENERATED, detail=f"*{suffix}")
    stem, dot, extension = lowered.rpartition(".")
    if dot and stem and extension in _ASSET_EXTENSIONS:
        return Skip(path=path, reason=SkipReason.BINARY, detail=f"*.{extension}")
    return None


def _is_own_vendor(part: str, path: str) -> bool:
    return part == "vendor" and _OWN_VENDOR.search(path) is not None

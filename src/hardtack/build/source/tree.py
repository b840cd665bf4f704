"""A directory in, its files out: the entry point for every source tree.

The files of a git checkout come from its commit (``worktree=True``: from the disk), those of any other directory from the disk.
Provenance says which; ``notes`` warn the user. Files are read one at a time while ``files()`` is iterated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from hardtack.build.source import git
from hardtack.build.source.commit import files_of_commit
from hardtack.build.source.decode import SourceOptions
from hardtack.build.source.known import NOTHING_KNOWN, Known, KnownFiles
from hardtack.build.source.paths import MAX_PATH_BYTES
from hardtack.build.source.secrets import path_without_secret, secret_in_path
from hardtack.build.source.walk import WalkScope, files_on_disk, scope_of_checkout, scope_of_directory, walk
from hardtack.errors import SourceUnreadable, UsageError
from hardtack.nouns.model import Provenance
from hardtack.nouns.outline import Skip, SkipReason, SourceFile

__all__ = ["Known", "KnownFiles", "SourceOptions", "SourceTree", "open_tree", "open_trees"]

_ROOT_NAME = re.compile(r"[A-Za-z0-9._-]{1,64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceTree:
    """A source tree that can be read, any number of times."""

    provenance: Provenance
    notes: tuple[str, ...]
    """Remarks for the user, one sentence each, without a final full stop."""
    read: Callable[[KnownFiles], Iterator[SourceFile | Known | Skip]]
    """Implements ``files_beside``."""
    paths: Callable[[], int]
    """Implements ``count``."""
    keeps_secrets: bool = False
    """A file whose name holds a secret is not skipped."""
    check: Callable[[], None] = lambda: None
    """Called before each path is given; it raises when the build has to end."""
    repository: git.Repository | None = None
    """The repository whose commit it is; None where files come from the disk or from several roots."""

    def count(self) -> int:
        """Number of paths, indexed or not; no file is opened."""
        return self.paths()

    def files(self) -> Iterator[SourceFile | Skip]:
        """Every path of the tree in the order of its UTF-8 bytes.

        Raises:
            SourceUnreadable: git lacks an object, or the root cannot be listed.
        """
        return (item for item in self.files_beside(NOTHING_KNOWN) if not isinstance(item, Known))

    def files_beside(self, known: KnownFiles) -> Iterator[SourceFile | Known | Skip]:
        """The same, with ``Known`` values for known files, which are neither read from git nor decoded.

        Raises:
            SourceUnreadable: git lacks an object, or the root cannot be listed.
        """
        for item in self.read(known):
            self.check()
            yield item if isinstance(item, Known) else self._checked_name(item)

    def _checked_name(self, item: SourceFile | Skip) -> SourceFile | Skip:
        """``item``, or a redacted skip if its name holds a secret."""
        if rule := secret_in_path(item.path):
            if self.keeps_secrets and isinstance(item, SourceFile):
                return replace(item, secrets=((rule, 0), *item.secrets))
            return Skip(path=path_without_secret(item.path), reason=SkipReason.SECRET, detail=rule)
        if isinstance(item, Skip) and secret_in_path(item.detail):
            return replace(item, detail="")  # the path of an ignore file
        return item


def open_tree(
    root: Path,
    *,
    worktree: bool = False,
    commit: str = "",
    options: SourceOptions | None = None,
    exclude: Path | None = None,
    repository: str | None = None,
    follow_git: bool = False,
) -> SourceTree:
    """The source tree at ``root``.

    Args:
        root: A directory: a checkout or a part of one, a bare repository, or any other.
        worktree: Read a checkout's files, not its commit.
        commit: Full id of the commit to read; HEAD's if empty.
        options: Which files are indexed.
        exclude: A directory that is not entered when files are read from the disk: the bundle's.
        repository: The repository's name in the provenance, instead of the ``origin`` remote.
        follow_git: Read a repository whose git directory leads into another one.

    Raises:
        PolicyError: The git directory leads into another repository, and ``follow_git`` is not set.
        SourceUnreadable: ``root`` is no readable directory, or git cannot read its repository, or it has no such commit.
        UsageError: ``worktree`` is set for a bare repository.
    """
    options = options or SourceOptions()
    _require_directory(root)
    root = root.absolute()
    found, notes = _repository_at(root, follow=follow_git)
    if commit:
        if found is None:
            raise SourceUnreadable(f"{root} is no checkout, so it has no commit {commit[:12]}.", hint="Name a git checkout.")
        return _tree_of_commit(replace(found, commit=commit), options, notes, is_head=False, exclude=exclude, repository=repository)
    if found is not None and found.is_bare and worktree:
        raise UsageError(f"{root} is a bare repository and has no working tree.", hint="Leave out --worktree to index its commit.")
    if found is None or not found.commit:
        if found is not None and found.is_bare:
            raise SourceUnreadable(f"The repository {root} has no commit yet.", hint="Name a repository with at least one commit.")
        limits = options.limits
        scope = scope_of_checkout(found, exclude, limits) if found else scope_of_directory(root, exclude, limits)
        return _tree_on_disk(scope, options, Provenance(repository=repository or ""), notes)
    return _tree_of_commit(found, options, notes, worktree=worktree, exclude=exclude, repository=repository)


def _tree_of_commit(
    found: git.Repository,
    options: SourceOptions,
    notes: tuple[str, ...],
    *,
    worktree: bool = False,
    is_head: bool = True,
    exclude: Path | None,
    repository: str | None,
) -> SourceTree:
    """The tree of the commit; the files on the disk with ``worktree``, or if HEAD's commit has nothing at the root."""
    root = found.root
    commit = git.read_commit(found)
    tree = git.subtree_of(found, commit)
    if tree is None and not is_head:
        raise SourceUnreadable(f"{root} is no part of commit {commit.id[:12]}.", hint="Name a commit that has the directory.")
    if tree is None:
        note = f"{root} is no part of commit {commit.id[:7]} of the repository around it; its files were read from the disk"
        scope = scope_of_directory(root, exclude, options.limits)
        return _tree_on_disk(scope, options, Provenance(repository=repository or ""), (*notes, note))
    subdirectory = found.prefix.rstrip(b"/").decode("utf-8", "backslashreplace")
    provenance = Provenance(
        repository=git.origin_of(found) if repository is None else repository,
        commit=commit.id,
        commit_time=commit.time,
        subdirectory=subdirectory if options.secrets == "warn" else path_without_secret(subdirectory),
        source="files" if worktree else "commit",
    )
    changed = 0 if found.is_bare or not is_head else git.count_changed(found, tree, options.limits)
    if worktree:
        # If git could not compare the checkout safely, it counts as changed.
        scope = scope_of_checkout(found, exclude, options.limits)
        return _tree_on_disk(scope, options, provenance._replace(is_dirty=changed != 0), notes)
    return SourceTree(
        provenance=provenance,
        notes=(*notes, *_notes_on_changes(changed, commit.id)),
        read=lambda known: files_of_commit(found, commit, tree, options, known),
        paths=lambda: sum(1 for _ in git.list_tree(found, tree, options.limits)),
        keeps_secrets=options.secrets == "warn",
        repository=found,
    )


def open_trees(
    roots: Sequence[tuple[str, Path]],
    *,
    worktree: bool = False,
    options: SourceOptions | None = None,
    exclude: Path | None = None,
    repository: str | None = None,
    follow_git: bool = False,
) -> SourceTree:
    """One tree of several, each under its name: ``name/path``. The arguments are those of :func:`open_tree`, for every root.

    Provenance names a repository and a commit if the roots agree on both, as parts of one checkout do.

    Raises:
        UsageError: a name is malformed or used twice, or there is no root.
        SourceUnreadable: as :func:`open_tree`.
    """
    names = [name for name, _ in roots]
    for name in names:
        if not _ROOT_NAME.fullmatch(name) or name in {".", ".."} or names.count(name) > 1:
            fault = "is given twice" if names.count(name) > 1 else "is not a name"
            raise UsageError(f"The root name {name!r} {fault}.", hint="Name each root once, with letters, digits and . _ - only.")
    if not names:
        raise UsageError("No root is given.", hint="Name at least one: --root NAME=DIR.")
    # Sorted with a slash after the name, as in the paths.
    trees = [
        (name, open_tree(root, worktree=worktree, options=options, exclude=exclude, repository=repository, follow_git=follow_git))
        for name, root in sorted(roots, key=lambda item: f"{item[0]}/")
    ]
    return SourceTree(
        provenance=_joint_provenance(trees),
        notes=tuple(f"{name}: {note}" for name, tree in trees for note in tree.notes),
        read=lambda known: chain.from_iterable(_prefixed(name, tree, known) for name, tree in trees),
        paths=lambda: sum(tree.count() for _, tree in trees),
        keeps_secrets=True,  # each tree has checked its own names
    )


def _require_directory(root: Path) -> None:
    try:
        exists, is_directory = root.exists(), root.is_dir()
    except OSError as error:
        raise SourceUnreadable(f"The path {root} cannot be read: {error.strerror}.", hint="Make it readable.") from error
    if not exists:
        raise SourceUnreadable(f"The path {root} does not exist.", hint="Name a directory or a git checkout.")
    if not is_directory:
        raise SourceUnreadable(f"{root} is not a directory.", hint="Name the directory that holds it.")


def _repository_at(root: Path, *, follow: bool) -> tuple[git.Repository | None, tuple[str, ...]]:
    """(the repository that holds ``root`` or None, notes if there is one that cannot be used)."""
    marker = root / ".git"
    try:
        found = git.find_repository(root, follow=follow)
    except git.GitMissing:
        return None, (f"The git program was not found, so {root} was read as a plain directory",) if marker.exists() else ()
    if found is not None:
        return found, found.notes
    return None, (f"{marker} is no usable repository, so {root} was read as a plain directory",) if marker.exists() else ()


def _tree_on_disk(scope: WalkScope, options: SourceOptions, provenance: Provenance, notes: tuple[str, ...]) -> SourceTree:
    return SourceTree(
        provenance=provenance,
        notes=notes,
        read=lambda known: files_on_disk(scope, options, known),
        paths=lambda: sum(1 for _ in walk(scope)),
        keeps_secrets=options.secrets == "warn",
    )


def _notes_on_changes(changed: int | None, commit: str) -> tuple[str, ...]:
    if changed == 0:
        return ()
    said = {None: "Tracked files may differ from", 1: "1 tracked file differs from"}.get(
        changed, f"{changed} tracked files differ from"
    )
    return (f"{said} commit {commit[:7]}; the bundle holds the commit (use --worktree for the files)",)


def _joint_provenance(trees: Sequence[tuple[str, SourceTree]]) -> Provenance:
    provenances = [tree.provenance for _, tree in trees]
    first = provenances[0]
    agree = all((other.repository, other.commit) == (first.repository, first.commit) for other in provenances)
    return Provenance(
        repository=first.repository if agree else "",
        commit=first.commit if agree else "",
        commit_time=first.commit_time if agree else None,
        source="commit" if all(each.source == "commit" for each in provenances) else "files",
        is_dirty=any(each.is_dirty for each in provenances),
        roots=tuple(name for name, _ in trees),
    )


def _prefixed(name: str, tree: SourceTree, known: KnownFiles) -> Iterator[SourceFile | Known | Skip]:
    for item in tree.files_beside(known.below(f"{name}/")):
        path = f"{name}/{item.path}"
        if isinstance(item, SourceFile) and len(path.encode()) > MAX_PATH_BYTES:
            yield Skip(path=path, reason=SkipReason.UNSAFE_PATH, detail="too long with its root's name")
        else:
            yield replace(item, path=path)

"""The options of a build in, its base out: the bundle that this user built at the destination, or one that was named.

Hashes show that a bundle is what it was when it was built, not who built it. What is not used costs the build one line.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from hardtack.build.options import AUTO, NO_BASE, BuildOptions, OwnWork, recorded
from hardtack.build.reuse.base_bundle import BaseBundle, Unusable
from hardtack.build.reuse.up_to_date import is_compatible
from hardtack.bundle.format import layout
from hardtack.bundle.integrity import read_manifest
from hardtack.bundle.placing import Destination
from hardtack.bundle.reader import Bundle, open_bundle
from hardtack.encoders import Encoder
from hardtack.errors import BuildError, HardtackError
from hardtack.nouns.model import Provenance


@contextmanager
def opened_base(
    options: BuildOptions,
    destination: Destination,
    provenance: Provenance,
    encoder: Encoder | None,
    notes: list[str],
    own: OwnWork | None,
) -> Iterator[BaseBundle | None]:
    """The base of a build; None if there is none, or it cannot be used.

    Args:
        options: what to build, and which base to use.
        destination: where the new bundle goes.
        provenance: of the source tree.
        encoder: of the new bundle.
        notes: the reason is added here if the base cannot be used.
        own: remembers what this user's builder made.

    Raises:
        BuildError: it cannot be used, and the options ask for no build without it.
    """
    is_named = options.base != AUTO
    path = Path(options.base) if is_named else destination.at
    if options.base == NO_BASE or not (is_named or (path / layout.MANIFEST).exists()):
        yield None
        return
    with ExitStack() as stack:
        base = None
        try:
            digest = None if is_named else _own_digest(destination, own)
            bundle = stack.enter_context(_checked(path, digest, options, provenance, encoder))
            base = BaseBundle(bundle, encoder, is_named=is_named, is_believed=options.only_over_base)
        except (Unusable, HardtackError) as error:
            if options.only_over_base:
                raise BuildError(str(error)) from error
            notes.append(refusal(options, destination, error))
        yield base


def refusal(options: BuildOptions, destination: Destination, error: Exception) -> str:
    """The note that says why a base is not used."""
    path = destination.path if options.base == AUTO else options.base
    return f"Nothing was taken over from {path}: {str(error).replace(str(destination.at), str(path)).rstrip('.')}"


def _own_digest(destination: Destination, own: OwnWork | None) -> str:
    """The digest of the bundle that lies at the destination, which this user's builder made there.

    Raises:
        Unusable: it did not, or nothing tells.
        HardtackError: what is remembered cannot be read, or there is no bundle.
    """
    if own is None:
        raise Unusable("nothing remembers who built it")
    _, digest = read_manifest(destination.at)
    if not own.has(destination.real, digest):
        raise Unusable("you did not build it here, so it is taken over from only when it is named with --base")
    return digest


def _checked(path: Path, digest: str | None, options: BuildOptions, provenance: Provenance, encoder: Encoder | None) -> Bundle:
    """The bundle at ``path``, verified; ``digest`` is that of the only one that will do."""
    bundle = open_bundle(path, digest=digest)
    manifest = bundle.manifest
    identity = manifest.encoder
    reason = ""
    if manifest.provenance.repository != provenance.repository:
        reason = f"it is of {manifest.provenance.repository or 'a repository without a name'}"
    elif manifest.provenance.roots != provenance.roots:
        reason = "it is of other roots, and what is a test is told by a path below its root"
    elif dict(manifest.options) != recorded(options):
        reason = "it was built with other options"
    elif not is_compatible(manifest, options):
        reason = "it was made by another version of Hardtack or of an engine"
    elif (identity and (identity.name, identity.fingerprint)) != (encoder and (encoder.name, encoder.fingerprint)):
        reason = "its vectors are of another encoder"
    elif not bundle.has_text:
        reason = "it holds no text"
    if reason:
        bundle.close()
        raise Unusable(reason)
    return bundle

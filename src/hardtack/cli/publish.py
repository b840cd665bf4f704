"""``hardtack publish``: uploads a bundle to where others pull it from."""

from __future__ import annotations

import json
from pathlib import Path

import click

from hardtack.cli import environment, options
from hardtack.cli.exits import interruptible, say, show
from hardtack.cli.progress import transfer_progress
from hardtack.render.style import inert_line


@click.command("publish")
@click.argument("bundle", type=click.Path(path_type=Path), required=False, metavar="[PACK|DIR]")
@click.option("--to", "target", required=True, metavar="ADDRESS", help="A folder, or a bucket: s3://bucket/directory.")
@click.option("--ref", multiple=True, metavar="NAME", help="Have this branch or tag name it; may be repeated.")
@click.option("--commit", default="", metavar="COMMIT", help="Refuse a bundle of any other commit.")
@click.option("--public", default="", metavar="ADDRESS", help="Where others read what lies there, to read it back as they do.")
@click.option("--private", "is_private", is_flag=True, help="The repository is private: refuse a place that anybody can read.")
@click.option(
    "--expires",
    "days",
    type=click.IntRange(0, 366),
    default=30,
    show_default=True,
    metavar="DAYS",
    help="How long readers may believe what --ref names; 0 for ever.",
)
@click.option("--replace", is_flag=True, help="Replace another pack of the same commit, or a newer commit's reference.")
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors.")
@options.json_option
def command(
    *,
    bundle: Path | None,
    target: str,
    ref: tuple[str, ...],
    commit: str,
    public: str,
    is_private: bool,
    days: int,
    replace: bool,
    quiet: bool,
    as_json: bool,
) -> int:
    """Publish a bundle, so that "hardtack pull --from ADDRESS" finds it by its commit, and by the references that are named.

    It is uploaded, read back as others read it and compared; only then is it pointed to. A bundle of files that were not committed
    is refused. Without a name, the bundle of the directory you stand in.

    \b
    hardtack publish --to /srv/bundles/api --ref main
    hardtack publish --to s3://bundles/api --public https://example.org/api
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    from hardtack.store.publish import publish  # these load urllib3, which help does without
    from hardtack.store.sources.named import target_of

    place = bundle or environment.own_bundle().path
    source = target_of(
        target,
        environment.source_settings(),
        public=public,
        replaces=replace,
        is_private=is_private,
        expires_after=days * 86_400,
        progress=None if quiet else transfer_progress(),
    )
    interruptible()
    pack, published = publish(place, source, refs=ref, commit=commit)
    if not quiet:
        for note in published.notes:
            say(f"hardtack: {inert_line(note)}")
    if as_json:
        document = {
            "schema": "hardtack.publish/1",
            "address": published.address,
            "pack_digest": published.pack_digest,
            "digest": pack.bundle_digest,
            "commit": pack.manifest.provenance.commit,
            "refs": list(ref),
            "was_there": published.already_there,
        }
        click.echo(json.dumps(document))
    else:
        how = "was there" if published.already_there else "published"
        show(f"{inert_line(published.address)}: {how}, {pack.size} bytes; {pack.bundle_digest}")
    return 0

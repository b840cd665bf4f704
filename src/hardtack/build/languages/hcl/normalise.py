"""HCL names: the scope ``resource "aws_instance`` is ``resource.aws_instance``."""

from __future__ import annotations


def names_of(name: str, scope: str) -> tuple[str, str]:
    """The name unchanged, the scope's words with dots between them."""
    return name, ".".join(scope.replace('"', " ").split())

"""Bytes in, SCIP's messages out: the gateway to the ``protobuf`` package, which the extra ``scip`` installs.

The messages are the part that is read here of ``scip.proto`` (https://github.com/scip-code/scip, Apache License 2.0). They are
declared as data, since code that ``protoc`` generates runs with few versions of the package. Other fields are passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from hardtack.errors import MissingExtra

DEFINITION: Final = 1
"""Bit of ``Occurrence.symbol_roles``: the symbol is defined here."""
FORWARD_DEFINITION: Final = 0x40
"""Bit of ``Occurrence.symbol_roles``: the symbol is declared here, and defined elsewhere."""
UTF_8, UTF_16, UTF_32 = 1, 2, 3
"""``Document.position_encoding``: what a character in a range counts."""

_MANY: Final = "repeated "
_FIELDS: Final = {
    "Named": {"relative_path": (1, "string")},  # a Document of which only the path is wanted
    "Document": {
        "relative_path": (1, "string"),
        "occurrences": (2, _MANY + "Occurrence"),
        "text": (5, "string"),
        "position_encoding": (6, "int32"),
    },
    "Occurrence": {
        "range": (1, _MANY + "int32"),
        "symbol": (2, "string"),
        "symbol_roles": (3, "int32"),
        "single_line_range": (8, "SingleLineRange"),
        "multi_line_range": (9, "MultiLineRange"),
    },
    "SingleLineRange": {"line": (1, "int32"), "start_character": (2, "int32"), "end_character": (3, "int32")},
    "MultiLineRange": {
        "start_line": (1, "int32"),
        "start_character": (2, "int32"),
        "end_line": (3, "int32"),
        "end_character": (4, "int32"),
    },
    "Metadata": {"tool_info": (2, "ToolInfo"), "project_root": (3, "string")},
    "ToolInfo": {"name": (1, "string"), "version": (2, "string")},
}
"""Message -> field -> its number and type."""


class Messages(NamedTuple):
    """Functions that parse bytes; each raises :attr:`Malformed` if they are no such message."""

    metadata: Callable[[bytes], Any]
    named: Callable[[bytes], Any]
    document: Callable[[bytes], Any]
    Malformed: type[Exception]


@cache
def messages() -> Messages:
    """The parsers of SCIP's messages.

    Raises:
        MissingExtra: the extra ``scip`` is not installed.
    """
    classes, malformed = message_classes()
    return Messages(classes["Metadata"].FromString, classes["Named"].FromString, classes["Document"].FromString, malformed)


@cache
def message_classes() -> tuple[Mapping[str, Any], type[Exception]]:
    """(class of each message by name, the error of bytes that are none).

    Raises:
        MissingExtra: the extra ``scip`` is not installed.
    """
    try:
        from google.protobuf import descriptor_pb2, descriptor_pool, message, message_factory
    except ImportError as error:
        raise MissingExtra("Reading a SCIP index", "scip") from error
    file = descriptor_pb2.FileDescriptorProto(name="hardtack/scip.proto", package="scip", syntax="proto3")
    field_type = descriptor_pb2.FieldDescriptorProto
    plain = {"string": field_type.TYPE_STRING, "int32": field_type.TYPE_INT32}
    for name, fields in _FIELDS.items():
        declared = file.message_type.add(name=name)
        for field, (number, written) in fields.items():
            kind = written.removeprefix(_MANY)
            declared.field.add(
                name=field,
                number=number,
                label=field_type.LABEL_REPEATED if written.startswith(_MANY) else field_type.LABEL_OPTIONAL,
                type=plain.get(kind, field_type.TYPE_MESSAGE),
                type_name=None if kind in plain else f".scip.{kind}",
            )
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    found = {name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"scip.{name}")) for name in _FIELDS}
    return found, message.DecodeError

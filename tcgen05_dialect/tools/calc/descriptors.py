"""`tcgen05 calc idesc`, `sdesc` and `mask`: encoding and decoding of descriptors."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeVar

from ...calculator import descriptors
from ...calculator.answer import ANSWER_FORMATS
from ...calculator.descriptors import Derivation, derivation, kind_of
from ...calculator.grid import UsageError
from ...calculator.multiplication import multiplication
from ...isa.element import ELEMENTS, element
from ...isa.mma.instruction_descriptor import InstructionDescriptor
from ...isa.mma.shapes import A_MEMORY, KINDS, SHAPES, instruction_k, stored_elements
from ...isa.mma.sparse import ZeroColumnMask
from ...isa.model.rule import in_order, raise_any
from ...isa.shared_memory.descriptor import SWIZZLES, SharedMemoryDescriptor
from ...isa.shared_memory.layout import ATOM_ORDERS, MAJORS, SharedMemoryLayout
from ..command import ArgumentParser
from .arguments import Commands, OneOf, add_format, extents, integer, kind

_ValueT = TypeVar("_ValueT")
_IDESC_FIELDS = {
    "kind": "the kind of the product",
    "m": "the number of rows of D",
    "n": "the number of columns of D",
    "a": "the element type of A",
    "b": "the element type of B",
    "d": "the element type of D",
    "transpose_a": "A is M-major",
    "transpose_b": "B is N-major",
    "negate_a": "negate the elements of A",
    "negate_b": "negate the elements of B",
    "saturate": "saturate the integers of D",
    "sparse": "A is sparse",
    "sparsity_selector": "the metadata of a sparse A that the product uses",
    "max_shift": "the maximum shift of B, in columns",
    "scale_type": "the type of the scale factors",
    "sfa_id": "the byte of a column that has the scale factors of A",
    "sfb_id": "the byte of a column that has the scale factors of B",
    "k96": "a K of 96 elements",
}
"""Field of an instruction descriptor -> what it says."""
_SDESC_FIELDS = {
    "start_address": "the address of the matrix in shared memory, in bytes",
    "leading_byte_offset": "the leading dimension byte offset, or address if absolute",
    "stride_byte_offset": "the stride dimension byte offset",
    "base_offset": "the base offset, if the start of the swizzle pattern is not aligned",
    "leading_absolute": "the leading dimension is given by an absolute address",
    "swizzle": "the swizzle mode",
}
"""Field of a shared memory descriptor -> what it says."""


def add(commands: Commands) -> None:
    """Add the sub-commands."""
    _add_idesc(commands.group("idesc", "encode or explain an instruction descriptor"))
    _add_sdesc(commands.group("sdesc", "encode, explain or derive a shared memory descriptor"))
    _add_mask(commands.group("mask", "encode or explain a zero-column mask descriptor"))


def _add_fields(
    parser: ArgumentParser,
    owner: type,
    meanings: Mapping[str, str],
    names: Mapping[str, Collection[str]],
    defaults: Mapping[str, str] | None = None,
) -> None:
    """
    Add an option for each field of the dataclass `owner`, with its meaning. `names` are the legal
    values of the fields that have names. `defaults` describe the defaults of optional fields that
    have none in the dataclass.
    """
    for field in dataclasses.fields(owner):
        option = f"--{field.name.replace('_', '-')}"
        if field.type == "bool":
            parser.add_argument(option, action="store_true", help=meanings[field.name])
            continue
        default = None if field.default is dataclasses.MISSING else field.default
        shown = (defaults or {}).get(field.name) or (None if default is None else str(default))
        legal = names.get(field.name)
        notes = [
            meanings[field.name] + (f": {', '.join(legal)}" if legal else ""),
            *([f"(default: {shown})"] if shown else []),
        ]
        parser.add_argument(
            option,
            metavar="X",
            type=OneOf(field.name, legal) if legal else integer,
            required=field.default is dataclasses.MISSING and shown is None,
            default=default,
            help=" ".join(notes),
        )


def _fields(options: argparse.Namespace, owner: type) -> dict[str, Any]:
    return {field.name: getattr(options, field.name) for field in dataclasses.fields(owner)}


def _add_value(parser: ArgumentParser) -> None:
    help_ = "the number, in decimal or with 0x, 0o or 0b"
    parser.add_argument("value", metavar="VALUE", type=integer, help=help_)


def _add_idesc(commands: Commands) -> None:
    encode = commands.add(
        "encode",
        _encode_idesc,
        "encode an instruction descriptor from its fields",
        (
            "--kind f16 --a bf16 --m 128 --n 256",
            "--kind i8 --a s8 --b u8 --m 64 --n 32 --saturate --cta-group 1",
        ),
    )
    shapes = {name: in_order(SHAPES.values(name)) for name in ("a", "b", "d")}
    scales = in_order(SHAPES.values("scale") - {None})
    names = {"kind": tuple(KINDS), **shapes, "scale_type": scales}
    defaults = {"a": "the first of the kind", "b": "that of A", "d": "the widest"}
    _add_fields(encode, InstructionDescriptor, _IDESC_FIELDS, names, defaults)
    form = encode.add_argument_group("the MMA that uses it (default: any)")
    form.add_argument("--ws", action="store_true", help="with .ws")
    form.add_argument("--cta-group", metavar="N", type=integer, help="1 or 2")
    form.add_argument(
        "--a-memory",
        metavar="M",
        type=OneOf("memory of A", in_order(A_MEMORY.values("a_memory"))),
        default="shared",
        help="memory of A, shared or tensor (default: shared)",
    )
    add_format(encode, ANSWER_FORMATS)
    decode = commands.add(
        "decode",
        _decode_idesc,
        "explain an instruction descriptor",
        ("0x8200490 --kind f16", "0x820_0490"),
    )
    _add_value(decode)
    decode.add_argument(
        "--kind",
        metavar="KIND",
        type=kind,
        help=f"{', '.join(KINDS)} (default: one line for each)",
    )
    add_format(decode, ANSWER_FORMATS)


def _encode_idesc(options: argparse.Namespace) -> str:
    types = {name: getattr(options, name) for name in ("a", "b", "d")}
    mma = multiplication(options.kind, **types, sparse=options.sparse)
    given = _fields(options, InstructionDescriptor)
    descriptor = InstructionDescriptor(**given | {name: getattr(mma, name) for name in types})
    word = descriptor.encode()
    if options.ws or options.cta_group is not None or options.a_memory != "shared":
        descriptor.verify(options.ws, options.cta_group or 1, options.a_memory)
    else:
        readings = InstructionDescriptor.explain(options.kind, word)
        raise_any(each.violation for each in readings if each.violation is not None)
    return descriptors.instruction_descriptor(options.kind, word).render(options.format)


def _decode_idesc(options: argparse.Namespace) -> str:
    if options.kind is None:
        answer = descriptors.instruction_descriptor_of_any_kind(options.value)
    else:
        answer = descriptors.instruction_descriptor(options.kind, options.value)
    return answer.render(options.format)


def _add_sdesc(commands: Commands) -> None:
    encode = commands.add(
        "encode",
        _encode_sdesc,
        "encode a shared memory descriptor from its fields",
        (
            "--start-address 0x8400 --leading-byte-offset 16 --stride-byte-offset 1024 "
            "--swizzle swizzle_128b",
        ),
    )
    names = {"swizzle": tuple(SWIZZLES)}
    _add_fields(encode, SharedMemoryDescriptor, _SDESC_FIELDS, names)
    add_format(encode, ANSWER_FORMATS)
    decode = commands.add(
        "decode",
        lambda options: descriptors.shared_memory_descriptor(options.value).render(options.format),
        "explain a shared memory descriptor",
        ("0x4000404000010840",),
    )
    _add_value(decode)
    add_format(decode, ANSWER_FORMATS)
    _add_derive(
        commands.add(
            "derive",
            _derive,
            "derive the descriptors of a tile from its layout",
            (
                "--element bf16 --tile 128x64 --swizzle swizzle_128b --address 0x8400",
                "--element tf32 --tile 16x16 --swizzle no_swizzle --atom-order mn_first",
            ),
            "Derives the descriptor of each MMA of a tile, and the box of the tensor map that "
            "fills the tile.",
        )
    )


def _add_derive(derive: ArgumentParser) -> None:
    derive.add_argument(
        "--tile", metavar="MNxK", type=extents, required=True, help="extents in elements"
    )
    for option, names, default, what in (
        ("--element", tuple(ELEMENTS), None, "the type of the elements"),
        ("--swizzle", tuple(SWIZZLES), "swizzle_128b", "the swizzle mode"),
        ("--major", MAJORS, MAJORS[0], "dimension of adjacent elements"),
        ("--atom-order", ATOM_ORDERS, ATOM_ORDERS[0], "dimension of adjacent swizzle atoms"),
    ):
        legal = ", ".join(names)
        derive.add_argument(
            option,
            metavar="X",
            type=OneOf(option.strip("-"), names),
            required=default is None,
            default=default,
            help=f"{what}: {legal}{f' (default: {default})' if default else ''}",
        )
    derive.add_argument(
        "--address",
        metavar="N",
        type=integer,
        default=0,
        help="start of the tile, in bytes (default: 0)",
    )
    derive.add_argument(
        "--kind",
        metavar="KIND",
        type=kind,
        help="kind of the MMA (default: the first that supports the element type)",
    )
    derive.add_argument(
        "--sparse",
        choices=("a", "b"),
        help=("the MMA has a sparse A; the value says whether the tile is part of A or of B"),
    )
    derive.add_argument(
        "--mma-mn", metavar="N", type=integer, help="M or N of one MMA (default: the tile's)"
    )
    add_format(derive, ANSWER_FORMATS)


def _encode_sdesc(options: argparse.Namespace) -> str:
    descriptor = SharedMemoryDescriptor(**_fields(options, SharedMemoryDescriptor))
    word = descriptor.encode()
    descriptor.verify()
    return descriptors.shared_memory_descriptor(word).render(options.format)


def _derive(options: argparse.Namespace) -> str:
    of = kind_of(options.element, options.kind)
    sparse = options.sparse is not None
    mn, k = options.tile
    tile = SharedMemoryLayout(
        mn,
        k,
        element(options.element).bits,
        options.major,
        options.swizzle,
        options.atom_order,
        KINDS[of].pads,
    )
    mma_k = stored_elements(instruction_k(of, sparse), options.sparse == "a")
    mma_mn = mn if options.mma_mn is None else options.mma_mn
    derived = Derivation(tile, options.element, options.address, mma_mn, mma_k)
    return derivation(derived).render(options.format)


def _add_mask(commands: Commands) -> None:
    encode = commands.add(
        "encode",
        _encode_mask,
        "encode a zero-column mask descriptor from its fields",
        (
            "--skip-span 2 --use-span 3 --m 128 --n 64",
            "--start-count 0 1 2 1 --first-span 1 1 0 0 --skip-span 2 --use-span 3 "
            "--column-shift 2 --m 32 --n 128",
        ),
        "Encodes a zero-column mask descriptor. Runs of SKIP + 1 zero columns and of USE + 1 used "
        "columns alternate.",
    )
    for option, type_, what in (
        ("--start-count", integer, "columns missing from its first run"),
        ("--first-span", OneOf("first span", ("0", "1")), "1 if it begins with zero columns"),
    ):
        help_ = f"for each sub-mask in order: {what} (default: 0)"
        encode.add_argument(option, metavar="X", nargs="+", type=type_, default=(), help=help_)
    for option, what in (
        ("--skip-span", "length of a run of zero columns, less one"),
        ("--use-span", "length of a run of used columns, less one"),
        ("--column-shift", "columns by which reads of B are shifted"),
    ):
        encode.add_argument(
            option, metavar="N", type=integer, default=0, help=f"{what} (default: 0)"
        )
    encode.add_argument("--all-used", action="store_true", help="use all columns")
    _add_extents(encode)
    decode = commands.add(
        "decode",
        lambda options: _mask(options.value, options),
        "explain a zero-column mask descriptor, and list the columns",
        ("0x0003028000000000 --m 128 --n 64",),
    )
    _add_value(decode)
    _add_extents(decode)


def _add_extents(parser: ArgumentParser) -> None:
    for name in ("m", "n"):
        help_ = f"{name.upper()} of the MMA, to list the columns"
        parser.add_argument(f"--{name}", metavar="X", type=integer, help=help_)
    add_format(parser, ANSWER_FORMATS)


def _encode_mask(options: argparse.Namespace) -> str:
    mask = ZeroColumnMask(
        _each("start counts", options.start_count, ZeroColumnMask().start_count),
        _each(
            "first spans", [each == "1" for each in options.first_span], ZeroColumnMask().first_span
        ),
        not options.all_used,
        options.skip_span,
        options.use_span,
        options.column_shift,
    )
    return _mask(mask.encode(), options)


def _each(what: str, given: Sequence[_ValueT], default: Sequence[_ValueT]) -> tuple[_ValueT, ...]:
    """The values given for the first sub-masks, and the default for the others."""
    if len(given) > len(default):
        raise UsageError(f"number of {what}", len(given), f"up to {len(default)}")
    return (*given, *default[len(given) :])


def _mask(word: int, options: argparse.Namespace) -> str:
    if (options.m is None) != (options.n is None):
        raise UsageError("extents of the MMA", "only one of --m and --n", "both or none")
    return descriptors.zero_column_mask(word, options.m, options.n).render(options.format)

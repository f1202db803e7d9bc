"""`tcgen05 calc`: answers to questions about instructions, descriptors, layouts and launches."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ...calculator import QuestionError, UsageError
from ...calculator.answer import ANSWER_FORMATS, GRID_FORMATS, PICTURES, printed
from ...calculator.operands import MEMORIES
from ...isa.element import ELEMENTS
from ...isa.mma.shapes import KINDS, SHAPES, VECTOR_SIZES
from ...isa.model.rule import Violation, in_order, plural, printable
from ...isa.shared_memory.descriptor import SWIZZLES
from ...isa.shared_memory.layout import ATOM_ORDERS, MAJORS
from ...isa.targets import TARGETS
from ..command import COMMAND, ArgumentParser, add_options, add_version, rows_of, run
from ..files import complain, write_output
from .answers import (
    ANSWERS,
    OneOf,
    extents,
    integer,
    kind,
    matrix_name,
    matrix_role,
    span,
)

_TYPES = {name: in_order(SHAPES.values(name)) for name in ("a", "b", "d")}
_SCALES = in_order(SHAPES.values("scale") - {None})
_SIZES = tuple(name for name in VECTOR_SIZES if name is not None)
_TABLES = tuple(name for name in GRID_FORMATS if name not in PICTURES)


def _listed(names: Sequence[str] | Mapping[str, object]) -> str:
    return ", ".join(names)


_FORM = f"""\
--a T            | element type of A (default: the first of the kind)
--cta-group X=1  | CTAs, 1 or 2 (default: 1)
--ws             | with .ws
--sparse         | with a sparse A
--scale-vectorsize S | size of the scale vectors: {_listed(_SIZES)} (default: the first of the kind,
    if it has scale factors)"""
_MMA = f"""\
--m X            | M (default: the largest)
--n X            | N (default: the largest)
--k X            | K of the tiles, a multiple of K of the instruction (default: the smallest)
--b T            | element type of B (default: that of A)
--d T            | element type of D (default: the widest)
{_FORM}"""
_KIND = f"""\
--kind KIND={next(iter(KINDS))} | {_listed(KINDS)} (default: %(default)s)"""
_ACCESS = """\
--through SHAPE.NUM | use registers after tcgen05.ld of the whole matrix, or before tcgen05.st,
    with accesses of this form, such as 32x32b.x8 or 32x32b.x8.pack::16b
--split-offset N | distance of the halves of 16x32bx2, in columns (default: the columns of one
    half)"""
_PLACEMENT = f"""\
placement of the matrix:
--memory M       | {" or ".join(MEMORIES)} (default: shared for A and B, tensor for the others)
--major MAJOR    | major dimension in shared memory: {" or ".join(MAJORS)} (default: {MAJORS[0]})
--swizzle MODE   | {_listed(SWIZZLES)} (default: swizzle_128b where it is legal)
--atom-order ORDER | dimension of adjacent swizzle atoms: {" or ".join(ATOM_ORDERS)} (default:
    {ATOM_ORDERS[0]})
--address ADDRESS=0 | address of the matrix: a byte of shared memory, or lane << 16 | column of
    tensor memory (default: 0, which makes all places relative to the matrix)"""
_MATRIX = "MATRIX           | A, B, D, SFA, SFB or metadata"
_CALCULATION = """\
--output-calculation | for an element of D, also list the products whose sum it is, and the places
    of their factors; --memory, --major and --swizzle then apply to A and B"""
_PART = """\
--transpose      | swap rows and columns
--overview       | merge cells of one colour, such as those in the lanes of a warp, into one entry
--rows FIRST-LAST | only these rows of the table, counted from 0
--columns FIRST-LAST | only these columns of the table, counted from 0"""
_GRID = f"{_MATRIX}\n{_PART}\n{_ACCESS}\n{_KIND}\n{_MMA}\n--format grid"
_LOCATED = f"{_ACCESS}\n{_CALCULATION}\n{_KIND}\n{_MMA}\n--format text"
_VALUE = "VALUE            | the number, in decimal or with 0x, 0o or 0b"
_COLUMNS = """\
--m X            | M of the MMA, to list the columns
--n X            | N of the MMA, to list the columns"""
_FILE = """\
FILE             | IR or PTX; - for the standard input
--kernel"""
_TABLE = f"""
list | list the instructions and kinds of MMA of a target
$ --target sm_100a
$ --format markdown
--target TARGET  | such as sm_100a (default: all targets)
--format answer

detail | describe one MMA in detail | Describes one MMA: shapes, types, memory and size of the
    operands, options, targets, and the layouts as formulas in both directions.
$ f16 --a bf16 --m 128 --n 256
$ mxf4nvf4 --cta-group 2 --sparse --format json
KIND             | {_listed(KINDS)}
{_MMA}
--format answer

locate | locate an element of a matrix | Locates an element of a matrix: the CTA of the pair, and
    its lane and column of tensor memory or its byte of shared memory; with --through, its register
    after tcgen05.ld.
$ D 3 17 --through 32x32b.x8
$ A 5 12 --a bf16 --swizzle swizzle_128b
$ 'SFB[0][130]' --kind mxf4 --cta-group 2 --m 128
$ D 3 17 --output-calculation
ELEMENT...       | matrix and indices, such as D 3 17 or 'D[3][17]': A[m][k], B[k][n], D[m][n],
    SFA[m][f], SFB[f][n], metadata[m][chunk]
{_LOCATED}
{_PLACEMENT}

element | list the elements of a matrix at a place | Lists the elements of a matrix in a cell of
    tensor memory, a byte of shared memory, or a register after tcgen05.ld.
$ D --lane 3 --column 17
$ A --byte 0x2c8 --a bf16
$ D --through 16x256b.x1 --warp 1 --thread 5 --register 2 --column 16
$ metadata --kind f16 --sparse --lane 9 --column 0
{_MATRIX}
{_LOCATED}
the place:
--cta X          | CTA of the pair (default: 0)
--lane X         | lane of tensor memory, or of the address of the access
--column X       | column of tensor memory, or of the address of the access
--byte X         | byte of shared memory
--warp X         | warp of the warpgroup, with --through (default: 0)
--thread X       | thread of the warp, with --through (default: 0)
--register X     | register of the thread, with --through (default: 0)
--unswizzled     | number the bytes as if there were no swizzling
{_PLACEMENT}

layout | print the place of each element of a matrix | Prints a matrix with the place of each
    element: l is the lane and c the column of tensor memory, w the warp, t the thread and r the
    register, b the lowest bit, and hexadecimal numbers are bytes of shared memory.
$ D --n 16 --format markdown
$ D --through 16x256b.x1 --format svg -o d.svg
$ A --a bf16 --format html -o a.html
{_GRID}
{_PLACEMENT}

placement | print the element at each place of a memory | Prints tensor memory, shared memory or,
    with --through, the registers of all threads, with the elements of a matrix that they hold.
$ A --a bf16 --format svg -o a.svg
$ D --ws --m 64 --overview
$ SFA --kind mxf4nvf4 --transpose
$ D --through 32x32b.x8 --format json
{_GRID}
--cta X=0        | CTA of the pair (default: 0)
--unswizzled     | show shared memory as if there were no swizzling
{_PLACEMENT}

fragment | compare the ld and st accesses that cover a matrix in tensor memory | Compares the shapes
    and repeat factors of tcgen05.ld and tcgen05.st that cover a matrix: the accesses of each warp,
    and the 32-bit registers of each thread.
$ D --m 128 --n 256
$ D --d f16 --n 64 --pack
$ A --memory tensor --a bf16 --k 64
[MATRIX]         | D, A, SFA, SFB or metadata (default: D)
--pack           | with .pack::16b or .unpack::16b, for 16-bit elements
--columns N      | number of columns (default: all)
{_KIND}
{_MMA}
--format table
{_PLACEMENT}

idesc | encode or explain an instruction descriptor

idesc encode | encode an instruction descriptor from its fields
$ --kind f16 --a bf16 --m 128 --n 256
$ --kind i8 --a s8 --b u8 --m 64 --n 32 --saturate --cta-group 1
--kind KIND!     | the kind of the product: {_listed(KINDS)}
--m X!           | the number of rows of D
--n X!           | the number of columns of D
--a T            | the element type of A: {_listed(_TYPES["a"])} (default: the first of the kind)
--b T            | the element type of B: {_listed(_TYPES["b"])} (default: that of A)
--d T            | the element type of D: {_listed(_TYPES["d"])} (default: the widest)
--transpose-a    | A is M-major
--transpose-b    | B is N-major
--negate-a       | negate the elements of A
--negate-b       | negate the elements of B
--saturate       | saturate the integers of D
--sparse         | A is sparse
--sparsity-selector X=0 | the metadata of a sparse A that the product uses (default: 0)
--max-shift X=0  | the maximum shift of B, in columns (default: 0)
--scale-type T   | the type of the scale factors: {_listed(_SCALES)}
--sfa-id X=0     | the byte of a column that has the scale factors of A (default: 0)
--sfb-id X=0     | the byte of a column that has the scale factors of B (default: 0)
--k96            | a K of 96 elements
--format answer
the MMA that uses it (default: any):
--ws             | with .ws
--cta-group N    | 1 or 2
--a-memory M=shared | memory of A, shared or tensor (default: shared)

idesc decode | explain an instruction descriptor
$ 0x8200490 --kind f16
$ 0x820_0490
{_VALUE}
--kind KIND      | {_listed(KINDS)} (default: one line for each)
--format answer

sdesc | encode, explain or derive a shared memory descriptor

sdesc encode | encode a shared memory descriptor from its fields
$ --start-address 0x8400 --leading-byte-offset 16 --stride-byte-offset 1024 --swizzle swizzle_128b
--start-address X! | the address of the matrix in shared memory, in bytes
--leading-byte-offset X! | the leading dimension byte offset, or address if absolute
--stride-byte-offset X! | the stride dimension byte offset
--base-offset X=0 | the base offset, if the start of the swizzle pattern is not aligned (default: 0)
--leading-absolute | the leading dimension is given by an absolute address
--swizzle MODE=no_swizzle | the swizzle mode: {_listed(SWIZZLES)} (default: %(default)s)
--format answer

sdesc decode | explain a shared memory descriptor
$ 0x4000404000010840
{_VALUE}
--format answer

sdesc derive | derive the descriptors of a tile from its layout | Derives the descriptor of each MMA
    of a tile, and the box of the tensor map that fills the tile.
$ --element bf16 --tile 128x64 --swizzle swizzle_128b --address 0x8400
$ --element tf32 --tile 16x16 --swizzle no_swizzle --atom-order mn_first
--tile MNxK!     | extents in elements
--element T!     | the type of the elements: {_listed(ELEMENTS)}
--swizzle MODE=swizzle_128b | the swizzle mode: {_listed(SWIZZLES)} (default: %(default)s)
--major MAJOR={MAJORS[0]} | dimension of adjacent elements: {_listed(MAJORS)} (default: %(default)s)
--atom-order ORDER={ATOM_ORDERS[0]} | dimension of adjacent swizzle atoms: {_listed(ATOM_ORDERS)}
    (default: %(default)s)
--address N=0    | start of the tile, in bytes (default: 0)
--kind KIND      | kind of the MMA (default: the first that supports the element type)
--sparse {{a,b}} | the MMA has a sparse A; the value says whether the tile is part of A or of B
--mma-mn N       | M or N of one MMA (default: the tile's)
--format answer

mask | encode or explain a zero-column mask descriptor

mask encode | encode a zero-column mask descriptor from its fields | Encodes a zero-column mask
    descriptor. Runs of SKIP + 1 zero columns and of USE + 1 used columns alternate.
$ --skip-span 2 --use-span 3 --m 128 --n 64
$ --start-count 0 1 2 1 --first-span 1 1 0 0 --skip-span 2 --use-span 3 --column-shift 2 --m 32
    --n 128
--start-count X  | for each sub-mask in order: columns missing from its first run (default: 0)
--first-span X   | for each sub-mask in order: 1 if it begins with zero columns (default: 0)
--skip-span N=0  | length of a run of zero columns, less one (default: 0)
--use-span N=0   | length of a run of used columns, less one (default: 0)
--column-shift N=0 | columns by which reads of B are shifted (default: 0)
--all-used       | use all columns
{_COLUMNS}
--format answer

mask decode | explain a zero-column mask descriptor, and list the columns
$ 0x0003028000000000 --m 128 --n 64
{_VALUE}
{_COLUMNS}
--format answer

plan | choose the tile of a matrix product by a roofline | Lists the tiles of a product of M x K and
    K x N elements, the fastest first. The cycles are those of a model: the larger one of the times
    of the tensor cores and of the loads from the L2 cache, in as many waves of CTAs as the tiles
    need. `compile` takes the first tile for functions of tensors.
$ 8192 8192 4096 bf16
$ 64 4096 4096 e4m3 --batch 8
M                | the extent M
N                | the extent N
K                | the extent K
TYPE             | the type of the elements, such as bf16
--batch N=1      | the number of products (default: 1)
--format answer

tmem | plan tensor memory: columns of each matrix, allocation, unused columns | Plans the tensor
    memory of a CTA. The matrices lie side by side in the order of the options; the plan has the
    columns of each, the allocation and the unused columns. Extents are those of the whole matrix,
    even if two CTAs share it; :N means N matrices.
$ --accumulator 128x128:2 --a-operand 128x64
$ --kind mxf8f6f4 --accumulator 128x256 --scale-a 128x128 --scale-b 256x128
--accumulator MxN[:N]... | an accumulator
--a-operand MxK[:N]... | a matrix A
--scale-a MxK[:N]... | the scale factors of M x K elements of A
--scale-b NxK[:N]... | the scale factors of K x N elements of B
--metadata MxK[:N]... | the sparsity metadata of M x K elements of A
{_KIND}
{_FORM}
--format picture

launch | print what a kernel says about its launch | Prints what a kernel of IR or PTX says about
    its launch, with the keys of launch files: grid, block, cluster, dynamic shared memory, and the
    boxes of tensor maps.
$ examples/ws/gemm.mlir
$ examples/ws/gemm.mlir --format json
{_FILE}
--format launch

memory | draw the shared memory and tensor memory of a kernel | Draws the shared memory and tensor
    memory of a kernel in IR or PTX: names, places, and the lines of the program from the first use
    to the last.
$ examples/ws/gemm.mlir
$ examples/ws/attention.mlir --format svg -o memory.svg
{_FILE}
--format picture
"""
"""A paragraph for each sub-command: its name, its help and, if that does not do, its description;
examples; and the rows of its arguments. The word after `--format` is a key of _FORMATS."""
_FORMATS = {
    "answer": ANSWER_FORMATS,
    "picture": (*ANSWER_FORMATS, *PICTURES),
    "grid": tuple(GRID_FORMATS),
    "table": _TABLES,
    "text": ("text", *_TABLES),
    "launch": ("toml", "json"),
}
_INTEGER = {"type": integer}
_SETTINGS: dict[str, dict[str, Any]] = {
    **dict.fromkeys(("X", "N", "VALUE", "ADDRESS", "m", "n", "k"), _INTEGER),
    "KIND": {"type": kind},
    "T": {"type": OneOf("element type", tuple(ELEMENTS))},
    "S": {"type": OneOf("scale_vectorsize", _SIZES)},
    "M": {"type": OneOf("memory", MEMORIES)},
    "MAJOR": {"type": OneOf("major", MAJORS)},
    "MODE": {"type": OneOf("swizzle mode", SWIZZLES)},
    "ORDER": {"type": OneOf("order of the atoms", ATOM_ORDERS)},
    "MATRIX": {"type": matrix_name},
    "TARGET": {"type": OneOf("target", tuple(TARGETS)), "metavar": "T"},
    "FIRST-LAST": {"type": span},
    "MNxK": {"type": extents},
}
"""Parameters of arguments by the name of the value, or by that of the argument."""
_OWN_SETTINGS: dict[str, dict[str, dict[str, Any]]] = {
    "idesc encode": {
        name: {"type": OneOf(name, legal)}
        for name, legal in (*_TYPES.items(), ("scale_type", _SCALES))
    },
    "sdesc derive": {"sparse": {"default": None}},
    "mask encode": {
        "start_count": {**_INTEGER, "nargs": "+", "default": ()},
        "first_span": {"type": OneOf("first span", ("0", "1")), "nargs": "+", "default": ()},
    },
    "fragment": {"matrix": {"type": matrix_name, "default": "D"}},
    "tmem": {
        name: {"type": partial(matrix_role, role), "dest": "asked"}
        for name, role in (
            ("accumulator", "D"),
            ("a_operand", "A"),
            ("scale_a", "SFA"),
            ("scale_b", "SFB"),
            ("metadata", "metadata"),
        )
    },
}
"""Parameters of arguments that only one command has."""


COMMANDS = {
    rows[0].partition(" | ")[0]: rows for rows in map(rows_of, _TABLE.strip().split("\n\n"))
}
"""Sub-command -> its paragraph of the table."""


def main(arguments: Sequence[str], program: str) -> int:
    """Run a sub-command and return the exit status: 0 after an answer, 1 for a question without an
    answer, 2 for wrong arguments."""
    return run(program, lambda: _answer(arguments, program))


def parser(program: str, asked: str | None = None) -> ArgumentParser:
    """The parser of all sub-commands, or only of `asked`, which is faster to create."""
    made = ArgumentParser(
        prog=program,
        description="Answers questions about instructions, descriptors and layouts of tcgen05.",
    )
    add_version(made)
    groups = {"": (made, _sub_commands(made))}
    is_alone = any(name.split()[0] == asked for name in COMMANDS)
    for name, rows in COMMANDS.items():
        if is_alone and name.split()[0] != asked:
            continue
        group, _, last = name.rpartition(" ")
        is_group = any(each.startswith(f"{name} ") for each in COMMANDS)
        owner, commands = groups[group]
        head, *rows = rows
        _, help_, *description = (" ".join(each.split()) for each in head.split(" | "))
        command = commands.add_parser(
            last,
            help=help_,
            description=description[0] if description else f"{help_[0].upper()}{help_[1:]}.",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if is_group:
            groups[name] = command, _sub_commands(command)
        else:
            _fill(command, name, rows)
            if group:
                first = command.epilog.splitlines()[1]
                owner.epilog = f"{owner.epilog or 'examples:'}\n{first}"
    return made


def _sub_commands(parser: ArgumentParser) -> Any:
    return parser.add_subparsers(title="commands", metavar=COMMAND, required=True)


def _fill(parser: ArgumentParser, command: str, rows: Sequence[str]) -> None:
    """Add the examples and the arguments of a sub-command."""
    examples = [
        f"  {parser.prog} {' '.join(each[1:].split())}" for each in rows if each.startswith("$")
    ]
    parser.epilog = "\n".join([f"{plural('example', len(examples))}:", *examples])
    parser.set_defaults(action=ANSWERS[command], parser=parser)
    rows = ["-o", *(each for each in rows if not each.startswith("$"))]
    formats = next(_FORMATS[each.split()[1]] for each in rows if each.startswith("--format"))
    settings = {
        "metavar": "F",
        "type": OneOf("format", formats),
        "default": formats[0],
        "help": f"{_listed(formats)} (default: {formats[0]})",
    }
    add_options(parser, rows, _SETTINGS | _OWN_SETTINGS.get(command, {}) | {"format": settings})


def _answer(arguments: Sequence[str], program: str) -> int:
    """Print the answer and return 0; without an answer, print the error and return 1."""
    asked = arguments[0] if arguments else None
    options = parser(program, asked).parse_args(arguments)
    try:
        text = printed(options.action(options), options.format)
    except (Violation, QuestionError) as error:
        complain(f"{options.parser.prog}: error: {printable(str(error))}")
        return 2 if isinstance(error, UsageError) else 1
    write_output(options.output, text.encode())
    return 0

"""docs/layouts.md and its pictures, which `tcgen05 calc` draws."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tcgen05_dialect.calculator.answer import printed
from tcgen05_dialect.isa.mma.shapes import DATA_PATH_LAYOUTS
from tcgen05_dialect.tools.calc import parser

from .shown import ROOT

FILE = ROOT / "docs" / "layouts.md"
PROGRAM = "tcgen05 calc"


class Shown(NamedTuple):
    """A picture: its file, its caption and the arguments that draw it."""

    file: str
    text: str
    arguments: str

    def svg(self) -> str:
        words = self.arguments.split()
        options = parser(PROGRAM, words[0]).parse_args([*words, "--format", "svg"])
        return printed(options.action(options), options.format)

    def markdown(self) -> Iterator[str]:
        yield f"{self.text}: `{self.arguments}`\\"
        yield f"![{self.text}](layouts/{self.file}.svg)\n"


_HEAD = """\
# Layouts

Pictures of the layouts that tcgen05.mma uses for its matrices. `tcgen05 calc`, the words above a
picture and `--format svg` draw it. `--format html` writes a page that shows the name of the element
under the pointer. Options select other types, extents and swizzle modes; without `--overview`,
`--rows` and `--columns` every element is drawn. [The calculator](calculator.md) also answers
questions about one element. `make docs` writes this page.
"""

_D_TEXT = """\
The accumulator D has one element in each 32-bit cell and one row in each lane. In some layouts half
or three quarters of its columns are in other lanes. The layout follows from M, `.cta_group`, `.ws`
and the sparsity of A (PTX ISA 9.7.16.10.5). A in tensor memory and the sparsity metadata use the
lanes of D."""

_LD_TEXT = """\
A warp can access 32 lanes of tensor memory; its index in the warpgroup selects them. The shape of
the access determines which element each thread receives: t is the thread, r the register (PTX ISA
9.7.16.8.1). The pictures show the first 32 rows of D and some columns. `--through` selects the
access that reads D."""

_SHARED_TEXT = """\
A and B in shared memory consist of swizzle atoms. An atom has 8 rows and the width of the swizzle;
the swizzle exchanges chunks of 16 bytes within it. With 32-byte atoms it exchanges chunks of 32
bytes in atoms of 4 rows (PTX ISA 9.7.16.3 and 9.7.16.10.6). The pictures show 128 bytes of memory
in each row. Each colour is one chunk."""

_A_TEXT = """\
Elements of A in tensor memory are packed in cells. With kinds that mix sizes, elements of 4 and 6
bits take 8 bits each; with other kinds they are packed. In shared memory, the kinds that mix sizes
pack 16 such elements at the beginning of each 16 bytes (PTX ISA 9.7.16.10.4)."""

_SCALE_TEXT = """\
Four scale factors of a row of A, or of a column of B, share a cell. The lanes of each warp hold a
copy (PTX ISA 9.7.16.10.7.2). The layout in shared memory is the source layout
of tcgen05.cp.32x128b.warpx4, which copies them to these cells."""

_METADATA_TEXT = """\
An index of four bits selects the stored elements of a chunk of A (PTX ISA 9.7.16.10.8). With kinds
f16 and tf32 two rows share a pair of lanes; each lane holds half of the indices of both rows."""


def _d_layouts() -> Iterator[Shown]:
    shown: set[str] = set()
    for point in sorted(DATA_PATH_LAYOUTS.points(), key=lambda point: point["layout"]):
        name = point["layout"]
        if name in shown:
            continue
        shown.add(name)
        words = [f"--m {point['m']}"]
        words += [f"--cta-group {point['cta_group']}"] * (point["cta_group"] > 1)
        words += [f"--{flag}" for flag in ("ws", "sparse") if point[flag]]
        text = f"Layout {name}: M = {point['m']}, cta_group {point['cta_group']}"
        text += "".join(f", {what}" for flag, what in _FLAGS.items() if point[flag])
        yield Shown(f"d_{name.lower()}", text, f"placement D {' '.join(words)} --overview")


_FLAGS = {"ws": ".ws", "sparse": "sparse A"}
_ACCESSES = ("32x32b.x8", "16x64b.x8", "16x128b.x4", "16x256b.x2", "16x32bx2.x8")


def _accesses() -> Iterator[Shown]:
    for access in _ACCESSES:
        file = f"ld_{access.replace('.', '_')}"
        arguments = f"layout D --n 32 --through {access} --rows 0-31"
        yield Shown(file, f"D through {access}", arguments)


_K_MAJOR = "placement A --a bf16 --overview --rows 0-15"
_MN_MAJOR = "placement B --n 128 --major mn_major"
_PAGE: tuple[tuple[str, str, tuple[Shown, ...]], ...] = (
    ("D in tensor memory", _D_TEXT, tuple(_d_layouts())),
    ("D in registers", _LD_TEXT, tuple(_accesses())),
    (
        "A and B in shared memory",
        _SHARED_TEXT,
        (
            Shown("k_major_128b", "K-major, 128-byte swizzle", _K_MAJOR),
            Shown("k_major_64b", "K-major, 64-byte swizzle", f"{_K_MAJOR} --swizzle swizzle_64b"),
            Shown("k_major_32b", "K-major, 32-byte swizzle", f"{_K_MAJOR} --swizzle swizzle_32b"),
            Shown("k_major_none", "K-major, no swizzle", f"{_K_MAJOR} --swizzle no_swizzle"),
            Shown(
                "k_major_128b_elements",
                "An atom of the 128-byte swizzle, element by element",
                "placement A --kind tf32 --rows 0-7",
            ),
            Shown(
                "mn_major_128b",
                "MN-major, 128-byte swizzle: N runs along the rows",
                f"{_MN_MAJOR} --b bf16 --overview --rows 0-15",
            ),
            Shown(
                "mn_major_128b_atom_32b",
                "MN-major, 128-byte swizzle with 32-byte atoms, for elements of 32 bits",
                f"{_MN_MAJOR} --kind tf32 --overview --rows 0-15",
            ),
        ),
    ),
    (
        "A in tensor memory, and elements of 4 and 6 bits",
        _A_TEXT,
        (
            Shown(
                "a_tensor_16",
                "A of 16 bits in tensor memory",
                "layout A --memory tensor --a bf16 --rows 0-3",
            ),
            Shown(
                "a_tensor_6",
                "A of 6 bits in tensor memory",
                "layout A --memory tensor --kind f8f6f4 --a e2m3 --rows 0-3 --columns 0-15",
            ),
            Shown(
                "a_shared_6",
                "A of 6 bits in shared memory, without swizzle",
                "layout A --kind f8f6f4 --a e2m3 --swizzle no_swizzle --rows 0-8 --columns 0-16",
            ),
        ),
    ),
    (
        "Scale factors",
        _SCALE_TEXT,
        (
            Shown(
                "sfa_tensor",
                "SFA in tensor memory",
                "placement SFA --kind mxf4nvf4 --rows 0-7",
            ),
            Shown(
                "sfa_tensor_overview",
                "SFA in tensor memory: the lanes and columns of each row",
                "placement SFA --kind mxf4nvf4 --overview",
            ),
            Shown(
                "sfb_pair",
                "SFB in tensor memory, M = 128 of a pair: half of the columns in half of the lanes",
                "placement SFB --kind mxf4 --m 128 --cta-group 2 --overview",
            ),
            Shown(
                "sfa_shared",
                "SFA in shared memory",
                "placement SFA --kind mxf4nvf4 --memory shared --overview --columns 0-7",
            ),
        ),
    ),
    (
        "Sparsity metadata",
        _METADATA_TEXT,
        (
            Shown("metadata_f16", "Kind f16", "placement metadata --sparse --rows 0-31"),
            Shown(
                "metadata_f8f6f4",
                "Kind f8f6f4",
                "placement metadata --kind f8f6f4 --sparse --rows 0-7",
            ),
        ),
    ),
)


def pictures() -> dict[Path, str]:
    """The pictures that the page shows."""
    return {
        FILE.with_suffix("") / f"{shown.file}.svg": shown.svg()
        for _, _, section in _PAGE
        for shown in section
    }


def text() -> str:
    """The text of the page."""
    lines = [_HEAD]
    for title, prose, section in _PAGE:
        lines += [f"## {title}\n", f"{prose}\n"]
        lines += [line for shown in section for line in shown.markdown()]
    return "\n".join(lines).rstrip() + "\n"

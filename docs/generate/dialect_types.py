"""The section of docs/dialect.md on types and attributes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields

from tcgen05_dialect.isa.element import PACKINGS
from tcgen05_dialect.isa.mma import instruction_descriptor, shapes, sparse
from tcgen05_dialect.isa.mma.instruction_descriptor import descriptor_layout
from tcgen05_dialect.isa.model.rule import describe
from tcgen05_dialect.isa.shared_memory.descriptor import SWIZZLES, UNIT_BYTES
from tcgen05_dialect.isa.shared_memory.layout import (
    ATOM_ORDERS,
    MAJORS,
    SWIZZLE_COMBINATIONS,
    SharedMemoryLayout,
    swizzle_modes,
)
from tcgen05_dialect.operations.syntax import docstring
from tcgen05_dialect.tcgen05.types import (
    ROLES,
    InstructionDescriptorAttr,
    SharedMemoryDescriptorType,
    TensorMemoryType,
    ZeroColumnMaskAttr,
)

from .markdown import anchor, code, table

_TENSOR_MEMORY = "!tcgen05.tmem<ROWSxCOLUMNSxELEMENT(, ROLE)?(, LAYOUT)?(, packed)?>"
_DESCRIPTOR = (
    "!tcgen05.smem_descriptor<MNxKxELEMENT, MAJOR, SWIZZLE(, mn_first)?(, packed)?(, k = ORIGIN)?>"
)
_IDESC = "#tcgen05.idesc<KIND, A x B -> D, MxN(, OPTION( VALUE)?)*>"
_MASK = "#tcgen05.zero_column_mask<OPTION( VALUE)?(, OPTION( VALUE)?)*>"
_LAYOUTS = """\
If D has 128 rows in a CTA, each in a lane of its own, the type needs no layout. Otherwise the types
of D, of an A in tensor memory and of metadata name the layout:
"""
_M64 = """\
To make such a matrix, slice an allocation, which has all lanes. A slice of the matrix itself counts
lanes and columns of tensor memory, not rows and columns of the matrix.

- Layout F (M = 64): row 16 w + r is in lane 32 w + r, for warp w. A shape of 16 lanes, such as
  `shape_16x256b`, loads these rows. `shape_32x32b` loads all 32 lanes of the warp, so it needs a
  slice of the allocation.
- Layouts B and E: column N / 2 * i + n of row r is in column n of lane 64 * i + r.
- Layout G: column N / 4 * i + n of row r is in column n of lane 32 * i + r.
"""


def _runs(lanes: Iterable[int]) -> str:
    """Numbers as runs: `0-15, 32-47`."""
    runs: list[list[int]] = []
    for lane in sorted(lanes):
        if runs and lane == runs[-1][1] + 1:
            runs[-1][1] = lane
        else:
            runs.append([lane, lane])
    return ", ".join(f"{first}-{last}" for first, last in runs)


def _elements() -> Iterator[str]:
    yield "### Element types\n"
    yield ("Types use the names of the builtin dialect; instruction descriptors use PTX names.\n")
    roles: dict[tuple[str, str, int], list[str]] = {}
    for role, elements in ROLES.items():
        for type_, element in elements.items():
            roles.setdefault((str(type_), element.name, element.bits), []).append(role)
    rows = [
        (f"`{type_}`", f"`{name}`", str(bits), code(of))
        for (type_, name, bits), of in roles.items()
    ]
    yield from table(("in types", "in descriptors", "bits", "roles in tensor memory"), rows)


def _layouts(example: Iterable[str]) -> Iterator[str]:
    yield "### Data path layouts\n"
    yield _LAYOUTS
    rows: list[Sequence[str]] = []
    for point in shapes.DATA_PATH_LAYOUTS.rows:
        (name,) = point["layout"]
        layout = shapes.LAYOUTS[str(name)]
        n = "N" if layout.folds == 1 else f"N / {layout.folds}"
        rows.append(
            (
                f"`layout_{name}`",
                *(describe(point[column]) for column in ("m", "cta_group", "sparse", "ws")),
                str(layout.rows),
                _runs(layout.lanes()),
                n,
                describe(layout.alignments),
            )
        )
    head = "layout", "M", "cta_group", "sparse", "ws", "rows here", "lanes", "columns", "first lane"
    yield from table(head, rows)
    yield _M64
    yield from example


def _swizzles() -> Iterator[str]:
    yield (
        "A tile consists of whole atoms and begins at a multiple of its alignment. The last column "
        "gives the extents of an atom, along M or N and along K, by the bits of an element:\n"
    )
    rows: list[Sequence[str]] = []
    sizes = SWIZZLE_COMBINATIONS.values("bits")
    for name, swizzle in SWIZZLES.items():
        for major in MAJORS:
            bits = [
                bits
                for bits in sorted(sizes)
                if name in swizzle_modes(bits, major)
                and not UNIT_BYTES * 8 % bits  # Others are padded.
            ]
            if bits:
                atoms = (
                    f"{b}: {'x'.join(map(str, SharedMemoryLayout(1, 1, b, major, name).atom))}"
                    for b in bits
                )
                rows.append(
                    (f"`{name}`", f"`{major}`", str(swizzle.pattern_bytes), "; ".join(atoms))
                )
    yield from table(("swizzle", "major", "alignment in bytes", "atom by bits"), rows)


def _kinds() -> Iterator[str]:
    rows: list[Sequence[str]] = []
    for kind in shapes.KINDS:
        k = {
            sparse: describe(shapes.SHAPES.values("k", kind=kind, sparse=sparse))
            for sparse in (False, True)
        }
        types = (shapes.SHAPES.values(each, kind=kind) for each in ("a", "d", "scale"))
        rows.append((f"`{kind}`", *map(describe, types), k[False], k[True]))
    head = "kind", "A and B", "D", "scale_type", "K", "K, sparse"
    yield from table(head, rows)


def _options() -> Iterator[str]:
    meaning = docstring(InstructionDescriptorAttr).items
    layouts = {kind: descriptor_layout(kind) for kind in shapes.KINDS}
    rows: list[Sequence[str]] = []
    for option in fields(instruction_descriptor.InstructionDescriptor):
        if option.default is MISSING:
            continue
        cases: dict[str, list[str]] = {}
        for kind, layout in layouts.items():
            if option.name in (field.name for field in layout.fields):
                legal = layout.field(option.name).legal
                if tuple(legal) != (option.default,):
                    is_flag = isinstance(option.default, bool)
                    cases.setdefault("a flag" if is_flag else describe(legal), []).append(kind)
        rows.append((f"`{option.name}`", meaning[option.name], _cases(cases)))
    yield from table(("option", "meaning", "legal values (of kinds)"), rows)


def _mask_options() -> Iterator[str]:
    layout = sparse.MASK_LAYOUT
    rows: list[Sequence[str]] = []
    for option in fields(sparse.ZeroColumnMask):
        several = sum(field.name.startswith(option.name) for field in layout.fields)
        field = layout.field(f"{option.name}0" if several > 1 else option.name)
        text = "a flag" if isinstance(option.default, bool) else describe(field.legal)
        rows.append((f"`{option.name}`", f"{several} of {text}" if several > 1 else text))
    yield from table(("option", "legal values"), rows)


def _cases(cases: Mapping[str, Sequence[str]]) -> str:
    """Legal values and the kinds that have them; the kinds are omitted if all have them."""
    return "; ".join(
        " ".join(filter(None, (text, f"({code(of)})" if len(of) < len(shapes.KINDS) else "")))
        for text, of in cases.items()
    )


def text(example: Iterable[str]) -> Iterator[str]:
    """The lines of the section; `example` is a program with a data path layout."""
    yield "## Types\n"
    yield "### `!tcgen05.tmem`\n"
    yield f"    {_TENSOR_MEMORY}\n"
    yield f"{docstring(TensorMemoryType).prose}\n"
    meaning = docstring(TensorMemoryType).items
    rows = [(f"`{role}`", meaning[role], code(elements)) for role, elements in ROLES.items()]
    yield from table(("role", "meaning", "element types"), rows)
    yield from _layouts(example)
    yield "### `!tcgen05.smem_descriptor`\n"
    yield f"    {_DESCRIPTOR}\n"
    yield f"{docstring(SharedMemoryDescriptorType).prose}\n"
    yield (
        f"The defaults of the optional words are {code((ATOM_ORDERS[0],))} and "
        f"{code((PACKINGS[0],))}; they may be written too.\n"
    )
    yield from _swizzles()
    yield from _elements()
    yield "## Attributes\n"
    yield "### `#tcgen05.idesc`\n"
    yield f"    {_IDESC}\n"
    yield f"{docstring(InstructionDescriptorAttr).prose}\n"
    yield from _kinds()
    legal = shapes.SHAPES
    yield (
        "The M and N of each kind, with `cta_group`, `.sp` and `.ws`, are in "
        f"[{legal.name}](isa.md#{anchor(f'{legal.name} ({legal.section})')}).\n"
    )
    yield from _options()
    yield "### `#tcgen05.zero_column_mask`\n"
    yield f"    {_MASK}\n"
    yield f"{docstring(ZeroColumnMaskAttr).prose}\n"
    yield f"{' '.join((sparse.ZeroColumnMask.__doc__ or '').split())}\n"
    yield from _mask_options()

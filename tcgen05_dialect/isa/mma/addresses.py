"""Where the operands of an MMA may lie in tensor memory (9.7.16.10.5, 9.7.16.10.7.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tcgen05_dialect.isa.element import container_bits, element
from tcgen05_dialect.isa.mma.accumulator import ALIGNMENT_RULE, DataPathLayout, data_path_layout
from tcgen05_dialect.isa.mma.form import Form
from tcgen05_dialect.isa.mma.instruction_descriptor import InstructionDescriptor
from tcgen05_dialect.isa.mma.kinds import KINDS, stored_elements
from tcgen05_dialect.isa.model.rule import Violation, rule
from tcgen05_dialect.isa.tensor_memory.cells import CELL_BITS, Cell, column_violations, unpack

SAME_LANE = rule(
    "T5-TMEM-007",
    "9.7.16.10.5",
    subject="lane of A and D",
    statement="A and D begin at the same lane where the layout uses half of the lanes.",
    why="The MMA works in the lanes of D; A would be read from other lanes.",
    fix="begin A and D at the same lane, where the layout uses half of the lanes",
)

NAMES = {"d": "D", "a": "A", "b": "B", "metadata": "the metadata"} | {
    name: name for name in ("scale_a", "scale_b")
}
"""What messages call the operands."""


def layout_of(form: Form, idesc: InstructionDescriptor) -> DataPathLayout:
    """The data path layout of D, A and the metadata. Raises Violation."""
    return data_path_layout(idesc.m, form.cta_group, idesc.sparse, form.ws)


def lane_violations(layout: DataPathLayout, lanes: Mapping[str, int]) -> Iterator[Violation]:
    """Lanes in which D, A and the metadata cannot begin, of those that are known."""
    for name, lane in lanes.items():
        if lane not in layout.alignments:
            what = f"lane of {NAMES[name]} in layout {layout.name}"
            yield ALIGNMENT_RULE.violation(lane, layout.alignments, what)
    expected = lanes.get("d")
    for name, lane in lanes.items():
        if layout.is_half and expected is not None and lane != expected:
            yield SAME_LANE.violation(lane, expected, f"lane of {NAMES[name]}, as that of D")


def address_violations(
    form: Form, idesc: InstructionDescriptor, addresses: Mapping[str, int]
) -> Iterator[Violation]:
    """What is wrong with the addresses that are known; the descriptor is legal in the form."""
    cells: dict[str, Cell] = {}
    for name, address in addresses.items():
        try:
            cells[name] = unpack(address)
        except Violation as violation:
            yield violation
    layout = layout_of(form, idesc)
    yield from lane_violations(
        layout, {name: cell.lane for name, cell in cells.items() if name in ("d", "a", "metadata")}
    )
    for name, cell in cells.items():
        if name in ("scale_a", "scale_b"):
            yield from _scale_violations(form, idesc, layout, name, cell.column)
        else:
            columns = _columns(idesc, layout, name)
            yield from column_violations(cell.column, columns, f"columns of {NAMES[name]}")


def _columns(idesc: InstructionDescriptor, layout: DataPathLayout, name: str) -> int:
    """Columns of tensor memory that one of D, A and the metadata takes."""
    if name == "d":
        return layout.columns(idesc.n)
    if name == "metadata":
        # Here, since most kernels have none, and imports are their start-up time.
        from tcgen05_dialect.isa.mma.sparse import metadata_columns

        return metadata_columns(idesc.kind)
    bits = container_bits(element(idesc.a).bits, KINDS[idesc.kind].pads)
    return stored_elements(idesc.k, idesc.sparse) * bits // CELL_BITS


def _scale_violations(
    form: Form, idesc: InstructionDescriptor, layout: DataPathLayout, name: str, column: int
) -> Iterator[Violation]:
    from tcgen05_dialect.isa.mma.scale import SCALE_SHAPES, ScaleFactors

    point = {"kind": idesc.kind, "scale_vectorsize": form.scale_vectorsize, "k": idesc.k}
    if SCALE_SHAPES.row(**point) is None:
        return
    factors: int = SCALE_SHAPES.value("factors", **point)
    if name == "scale_a":
        scales = ScaleFactors(idesc.m // form.cta_group, idesc.sfa_id + factors)
    else:
        folds = layout.folds if form.cta_group > 1 else 1
        scales = ScaleFactors(idesc.n, idesc.sfb_id + factors, folds)
    for violation in scales.column_violations(column):
        yield violation.rule.violation(violation.found, violation.legal, f"column of {name}")

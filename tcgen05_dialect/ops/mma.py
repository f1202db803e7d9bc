"""Matrix multiply and accumulate (PTX ISA 9.7.16.10.9.1)."""

from collections.abc import Iterator
from functools import lru_cache

from xdsl.dialects.builtin import NoneAttr, StringAttr, i1, i32
from xdsl.irdl import irdl_op_definition, operand_def, opt_operand_def, opt_prop_def

from ..attributes import InstructionDescriptorAttr
from ..isa import mma, operands
from ..isa.accumulator import ALIGNMENT_RULE, data_path_layout
from ..isa.instruction_descriptor import InstructionDescriptor
from ..isa.rule import Violation, raise_any
from ..isa.tensor_memory import LANES
from ..types import ROLES, SharedMemoryDescriptorType, TensorMemoryType
from .alloc import known_lane
from .base import CtaGroupOperation, typed_operand, violations_reported


@irdl_op_definition
class MmaOp(CtaGroupOperation):
    """
    `d = a * b + d`, or `d = a * b` where `accumulate` does not hold.

        tcgen05.mma %d, %a, %b accumulate %p
            {idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x256>}
            : !tcgen05.tmem<128x256xf32>, !tcgen05.smem_descriptor<128x64xbf16, ...>, ...

    `a` is a descriptor of shared memory, or a matrix in tensor memory of role `a`. K follows from
    the kind. The instruction descriptor is the attribute `idesc`, or the value `descriptor` with
    the attribute `kind`, about which nothing more is known.
    """

    name = "tcgen05.mma"
    idesc = opt_prop_def(InstructionDescriptorAttr)
    kind = opt_prop_def(StringAttr)
    d = typed_operand(TensorMemoryType)
    a = typed_operand(TensorMemoryType, SharedMemoryDescriptorType)
    b = typed_operand(SharedMemoryDescriptorType)
    enable_input_d = operand_def(i1)
    descriptor = opt_operand_def(i32)
    assembly_format = (
        "$d `,` $a `,` $b `accumulate` $enable_input_d (`descriptor` $descriptor^)? attr-dict "
        "`:` type($d) `,` type($a) `,` type($b)"
    )

    @property
    def kind_name(self) -> str:
        """The kind of the instruction."""
        if self.idesc is not None:
            return self.idesc.data.kind
        return "" if self.kind is None else self.kind.data

    def required_features(self) -> tuple[str, ...]:
        return mma.required_features(self.kind_name, sparse=False)

    def verify_(self) -> None:
        super().verify_()
        with violations_reported():
            if (self.idesc is None) == (self.descriptor is None) or (
                (self.kind is None) != (self.descriptor is None)
            ):
                given = [n for n in ("idesc", "kind", "descriptor") if getattr(self, n) is not None]
                legal = "idesc alone, or kind and descriptor"
                raise operands.DESCRIPTOR_SOURCE.violation(", ".join(given) or "neither", legal)
            mma.KIND.check(self.kind_name)
            self.check_target()
            if self.kind_name not in (legal := mma.kinds(block_scaled=False)):
                raise mma.KIND_RULE.violation(self.kind_name, legal, "kind without scale factors")
            self._verify_roles()
            if self.idesc is not None:
                types = self.d.type, self.a.type, self.b.type
                raise_any(_type_violations(self.idesc.data, self.ctas, *types))
                raise_any(self._lane_violations(self.idesc.data))

    def _verify_roles(self) -> None:
        for name, matrix, role in (("D", self.d.type, ROLES[0]), ("A", self.a.type, ROLES[1])):
            if isinstance(matrix, TensorMemoryType) and matrix.role.data != role:
                raise operands.ROLE.violation(matrix.role.data, role, f"role of {name}")

    def _lane_violations(self, idesc: InstructionDescriptor) -> Iterator[Violation]:
        """Lanes of D and of an A in tensor memory that cannot be."""
        lanes = {name: known_lane(getattr(self, name)) for name in ("d", "a")}
        layout = data_path_layout(idesc.m, self.ctas, idesc.sparse, False)
        for name, lane in lanes.items():
            if lane is not None and lane not in layout.alignments:
                yield ALIGNMENT_RULE.violation(
                    lane, layout.alignments, f"lane of {name.upper()} in layout {layout.name}"
                )
        if layout.is_half and None not in lanes.values() and lanes["a"] != lanes["d"]:
            yield operands.SAME_LANE.violation(lanes["a"], lanes["d"], "lane of A, as that of D")


@lru_cache(maxsize=1024)
def _type_violations(
    idesc: InstructionDescriptor,
    ctas: int,
    d: TensorMemoryType,
    a: TensorMemoryType | SharedMemoryDescriptorType,
    b: SharedMemoryDescriptorType,
) -> tuple[Violation, ...]:
    """
    What is wrong with the descriptor, or else where the operands are not what it says they are.

    Kept, since a kernel has many operations of few types.
    """
    memory = "tensor" if isinstance(a, TensorMemoryType) else "shared"
    found = idesc.violations(False, ctas, memory)
    return tuple(found or _mismatches(idesc, ctas, d, a, b))


def _mismatches(
    idesc: InstructionDescriptor,
    ctas: int,
    d: TensorMemoryType,
    a: TensorMemoryType | SharedMemoryDescriptorType,
    b: SharedMemoryDescriptorType,
) -> Iterator[Violation]:
    if idesc.sparse:
        yield operands.ELEMENT.violation("sparse", "dense", "sparsity of A")
    for name, type_, expected in (("A", a, idesc.a), ("B", b, idesc.b), ("D", d, idesc.d)):
        found = type_.element_type.name
        if found != expected:
            yield operands.ELEMENT.violation(found, expected, f"element type of {name}")
    if isinstance(a, SharedMemoryDescriptorType):
        yield from _tile_mismatches("A", a, idesc.m // ctas, idesc)
        yield from _major_mismatch("A", a, idesc.transpose_a)
    else:
        yield from _tensor_mismatches("A", a, idesc.k, idesc, ctas)
    yield from _tile_mismatches("B", b, idesc.n // ctas, idesc)
    yield from _major_mismatch("B", b, idesc.transpose_b)
    yield from _tensor_mismatches("D", d, idesc.n, idesc, ctas)


def _tensor_mismatches(
    name: str, matrix: TensorMemoryType, columns: int, idesc: InstructionDescriptor, ctas: int
) -> Iterator[Violation]:
    rows = idesc.m // ctas
    found = f"{matrix.rows.data}x{matrix.columns.data}"
    if (matrix.rows.data, matrix.columns.data) != (rows, columns):
        yield operands.EXTENT.violation(found, f"{rows}x{columns}", f"extents of {name}")
    layout = data_path_layout(idesc.m, ctas, idesc.sparse, False)
    given = None if isinstance(matrix.layout, NoneAttr) else matrix.layout.data
    plain = layout.rows == LANES
    if given != layout.name and not (given is None and plain):
        legal = f"layout_{layout.name}" + (" or none" if plain else "")
        found = "none" if given is None else f"layout_{given}"
        yield operands.DATA_PATH.violation(found, legal, f"data path layout of {name}")


def _tile_mismatches(
    name: str, tile: SharedMemoryDescriptorType, mn: int, idesc: InstructionDescriptor
) -> Iterator[Violation]:
    if tile.mn.data != mn:
        yield operands.EXTENT.violation(tile.mn.data, mn, f"rows of {name} in this CTA")
    left = tile.k.data - tile.k_origin.data
    if left < idesc.k:
        yield operands.K_EXTENT.violation(
            left, f"at least {idesc.k}", f"elements along K of {name}"
        )


def _major_mismatch(
    name: str, tile: SharedMemoryDescriptorType, transposed: bool
) -> Iterator[Violation]:
    if tile.layout.transposed != transposed:
        found = f"{tile.major.data} with transpose bit {int(transposed)}"
        legal = f"transpose bit {int(tile.layout.transposed)}"
        yield operands.MAJOR.violation(found, legal, f"majorness of {name}")

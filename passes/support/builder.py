"""Building of `ptx` operations, with constants folded on the way."""

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects.builtin import IntegerType, i32
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import IsolatedFromAbove

from tcgen05_dialect.ptx.arithmetic import AddOp, MulOp, MulWideOp, PackOp
from tcgen05_dialect.ptx.instruction import Instruction, InstructionT
from tcgen05_dialect.ptx.structure import AddressOfOp, ConstantOp, constant_value


class PtxBuilder:
    """
    Inserts `ptx` operations before the operation `at`, at its location.

    Constants stand at the top of the kernel, once each: they cost no instruction.
    """

    at: Operation

    def __init__(self) -> None:
        self._entries: dict[Block, Block] = {}
        self._constants: dict[tuple[Block, int, Attribute], SSAValue] = {}

    def insert(self, op: Operation) -> None:
        """Insert an operation before `at`."""
        block = self.at.parent
        assert block is not None
        op.location = self.at.location
        block.insert_op_before(op, self.at)

    def build(
        self,
        op_type: type[InstructionT],
        operands: Mapping[str, Sequence[SSAValue]],
        properties: Mapping[str, Attribute | str | int] | None = None,
        result_types: Sequence[Attribute] | None = None,
    ) -> InstructionT:
        """Insert an instruction; see `Instruction.assemble`."""
        op = op_type.assemble(operands, result_types, properties)
        self.insert(op)
        return op

    def compute(
        self,
        op_type: type[Instruction],
        type_: str,
        *operands: SSAValue,
        **properties: str,
    ) -> SSAValue:
        """Insert an instruction of one result whose type is the qualifier `type_`."""
        names = [name for name, _ in op_type.get_irdl_definition().operands]
        given = {name: (value,) for name, value in zip(names, operands, strict=True)}
        return self.build(op_type, given, {**properties, "type": type_}).results[0]

    def constant(self, value: int, type_: IntegerType = i32) -> SSAValue:
        """An integer constant."""
        assert self.at.parent is not None
        entry = self._entry(self.at.parent)
        key = (entry, value, type_)
        result = self._constants.get(key)
        if result is None:
            op = ConstantOp.of(value, type_)
            first = entry.first_op
            assert first is not None
            entry.insert_op_before(op, first)
            result = self._constants[key] = op.result
        return result

    def _entry(self, block: Block) -> Block:
        """The first block of the kernel that a block is in."""
        entry = self._entries.get(block)
        if entry is None:
            region = block.parent
            assert region is not None
            owner = region.parent
            if owner is None or owner.has_trait(IsolatedFromAbove) or owner.parent is None:
                entry = region.blocks[0]
            else:
                entry = self._entry(owner.parent)
            self._entries[block] = entry
        return entry

    def add(self, a: SSAValue, b: SSAValue, type_: IntegerType = i32) -> SSAValue:
        """`a + b`; of constants, and of a variable's address and a constant, without an add."""
        known = constant_value(a), constant_value(b)
        match known:
            case int(x), int(y):
                return self.constant(x + y, type_)
            case 0, None:
                return b
            case None, 0:
                return a
            case None, int(offset) if isinstance(owner := a.owner, AddressOfOp):
                return self._variable(owner, offset)
            case int(offset), None if isinstance(owner := b.owner, AddressOfOp):
                return self._variable(owner, offset)
            case _:
                return self.compute(AddOp, f"s{type_.width.data}", a, b)

    def _variable(self, address: AddressOfOp, offset: int) -> SSAValue:
        before = address.offset.value.data if address.offset is not None else 0
        op = AddressOfOp.of(address.variable, before + offset)
        self.insert(op)
        return op.result

    def mul(self, a: SSAValue, factor: int) -> SSAValue:
        """`a * factor`, 32 bits."""
        if (known := constant_value(a)) is not None:
            return self.constant(known * factor)
        return a if factor == 1 else self.compute(MulOp, "s32", a, self.constant(factor), half="lo")

    def mul_wide(self, a: SSAValue, factor: int, type_: IntegerType) -> SSAValue:
        """`a * factor` of an unsigned `a` of 32 bits, in 64 bits."""
        if (known := constant_value(a)) is not None:
            return self.constant(known * factor, type_)
        return self.compute(MulWideOp, "u32", a, self.constant(factor))

    def pack(self, low: SSAValue, high: SSAValue, type_: IntegerType) -> SSAValue:
        """The 64-bit value of two halves of 32 bits."""
        match constant_value(low), constant_value(high):
            case int(x), int(y):
                return self.constant(x & 0xFFFFFFFF | y << i32.width.data, type_)
            case _:
                return self.build(PackOp, {"parts": (low, high)}, {"type": "b64"}).results[0]

    def fold(
        self,
        op_type: type[Instruction],
        type_: str,
        function: Callable[[int, int], int],
        a: SSAValue,
        b: SSAValue,
    ) -> SSAValue:
        """An instruction of two integers, or the constant that `function` makes of them."""
        match constant_value(a), constant_value(b):
            case int(x), int(y) if isinstance(a.type, IntegerType):
                return self.constant(function(x, y), a.type)
            case _:
                return self.compute(op_type, type_, a, b)

"""
Preparation of kernels for runs without a launch file: the number of threads is fixed, members of
parameters become parameters, variables in local memory registers, loops get one way in and one way
back, and products the signs that one of two values of data selects.

Compilers spill registers to local memory, such as the stage and the parity of a ring. A load gets
the stored value if the place is constant, nothing else can access it, and a store is on each way to
the load. A block gets an argument for a place where different stores meet before a load.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, i32
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import Rewriter

from tcgen05_dialect.passes.support.conversion import PtxBuilder

from ...isa.mma.instruction_descriptor import without_signs
from ...isa.ptx.kernel import LOCAL, extents_text
from ...ptx import instructions as ptx
from ...ptx.analysis.control_flow import ControlFlowGraph, closure, reverse_postorder
from ...ptx.analysis.known_values import constant_bits, constant_value
from ...ptx.control_flow import Branch, BraOp, BrxOp, CondBraOp
from ...ptx.effects import bytes_at
from ...ptx.instruction import segment_sizes
from ...ptx.instructions import CvtaOp, CvtaToOp, LdOp, StOp
from ...ptx.kernel import KernelOp
from ...ptx.register_types import register_bits
from ...ptx.structure import InlineOp
from ...ptx.tcgen05_mma import Mma
from ...ptx.text.syntax import offset_of, word_of
from ...ptx.types import ParamArrayType
from ...ptx.variables import VariableAddressOp, VariableOp, local_variables


def has_many_latches(kernel: KernelOp) -> bool:
    """Whether a loop of a kernel has several ways in or back."""
    return any(len(group) > 1 for _, *groups in _headers(kernel) for group in groups)


def join_latches(kernel: KernelOp) -> None:
    """Let the ways into each loop meet in one block, and its ways back in another one."""
    for header, *groups in list(_headers(kernel)):
        for group in groups:
            if len(group) > 1:
                _join(header, group)


def _headers(kernel: KernelOp) -> Iterable[tuple[Block, list[Block], list[Block]]]:
    """The header of each loop, and the blocks before it outside and inside the loop."""
    graph = ControlFlowGraph(kernel.body)
    for number, header in enumerate(graph.blocks):
        into, back = ([graph.blocks[at] for at in way] for way in graph.ways_into(number))
        if back:
            yield header, into, back


def _join(header: Block, sources: Iterable[Block]) -> None:
    """Let some blocks branch to a new block, which branches to the header."""
    joint = Block(arg_types=[each.type for each in header.args])
    for argument, each in zip(joint.args, header.args, strict=True):
        argument.name_hint = each.name_hint
    for source in sources:
        branch = source.last_op
        assert branch is not None
        branch.successors = [joint if each is header else each for each in branch.successors]
    joint.add_op(BraOp.create(operands=joint.args, successors=[header]))
    region = header.parent_region()
    assert region is not None
    region.insert_block_before(joint, header)


class Verifiable(NamedTuple):
    """A kernel as runs need it, and what is assumed of its launch."""

    kernel: KernelOp
    assumed: str = ""
    members: Mapping[int, tuple[int, int]] = {}
    """Number of a parameter that stands for a member -> the number of the parameter that has the
    member, and the byte of it at which the member begins."""


def verifiable(module: ModuleOp) -> list[Verifiable]:
    """The kernels of a module; if one must be changed, they are copies."""
    kernels = [op for op in module.ops if isinstance(op, KernelOp)]
    if any(
        _has_members(kernel)
        or _has_locals(kernel)
        or kernel.extents("reqntid") is None
        or has_many_latches(kernel)
        or any(_signed(kernel))
        for kernel in kernels
    ):
        kernels = [op for op in module.clone().ops if isinstance(op, KernelOp)]
    return [prepared(kernel) for kernel in kernels]


def prepared(kernel: KernelOp) -> Verifiable:
    """A kernel, changed where runs need it."""
    if _has_locals(kernel):
        keep_in_registers(kernel)
    members: Mapping[int, tuple[int, int]] = {}
    if _has_members(kernel):
        # Imported here, because few kernels of IR need it.
        from .members import separate_members

        members = separate_members(kernel)
    join_latches(kernel)
    for product, idesc in [*_signed(kernel)]:
        product.operands[product.operands.index(product.idesc)] = idesc
    most = kernel.extents("maxntid")
    if most is None or kernel.extents("reqntid") is not None:
        return Verifiable(kernel, members=members)
    kernel.properties["reqntid"] = kernel.properties["maxntid"]
    assumed = f"CTAs of {extents_text(most)} threads, as .maxntid allows"
    return Verifiable(kernel, assumed, members)


def _signed(kernel: KernelOp) -> Iterator[tuple[Mma, SSAValue]]:
    """The products for which a kernel selects the signs of A and B, each with one of its two
    instruction descriptors; the runs compute nothing. The sign of a scale may be data."""
    for op in kernel.walk():
        if not isinstance(op, Mma) or not isinstance(select := op.idesc.owner, ptx.SelpOp):
            continue
        one, other = constant_bits(select.a), constant_bits(select.b)
        if one is None or other is None:
            continue
        if without_signs(op.kind_name, one) == without_signs(op.kind_name, other):
            yield op, select.a


def _has_members(kernel: KernelOp) -> bool:
    """Whether parameters have members that the kernel loads from memory."""
    arguments = kernel.body.blocks[0].args
    return kernel.declarations is not None or any(
        isinstance(each.type, ParamArrayType) for each in arguments
    )


def _has_locals(kernel: KernelOp) -> bool:
    """Whether a kernel has variables in local memory."""
    return any(local_variables(kernel))


class _Slot(NamedTuple):
    """Bytes of a variable."""

    variable: str
    start: int
    stop: int


class _Access(NamedTuple):
    """An access to a slot, by the number of the register: the register itself may change."""

    op: LdOp | StOp
    number: int

    @property
    def value(self) -> SSAValue:
        return self.op.values[self.number]


_Accesses = Mapping[LdOp | StOp, Sequence[_Slot]]
"""The slots of the registers of each access."""
_Value = _Access | Block
"""The value of a slot: one that is stored, or the argument of a block."""


def keep_in_registers(kernel: KernelOp) -> None:
    """Replace what a kernel loads from variables in local memory by what it stored there."""
    blocks = reverse_postorder(kernel.body)
    if len(blocks) < len(kernel.body.blocks):
        return
    accesses: dict[LdOp | StOp, Sequence[_Slot]] = {}
    for variable in local_variables(kernel):
        accesses.update(_accesses(kernel, variable))
    slots: dict[_Slot, dict[Block, list[_Access]]] = {}
    for block in blocks:
        for op in block.ops:
            if isinstance(op, LdOp | StOp):
                for number, slot in enumerate(accesses.get(op, ())):
                    slots.setdefault(slot, {}).setdefault(block, []).append(_Access(op, number))
    live = {slot: _live(touching) for slot, touching in slots.items()}
    wrong = {slot for slot, found in live.items() if blocks[0] in found}
    wrong |= _mixed(slots)
    count = -1
    while len(wrong) > count:
        # The slots of one access are all kept in registers, or none of them is.
        count = len(wrong)
        for each in accesses.values():
            if not wrong.isdisjoint(each):
                wrong.update(each)
    for slot, touching in slots.items():
        if slot not in wrong:
            _promote(slot, touching, [block for block in blocks if block in live[slot]])
    for op, each in accesses.items():
        if wrong.isdisjoint(each):
            Rewriter.erase_op(op)


def _accesses(kernel: KernelOp, variable: VariableOp) -> _Accesses:
    """The accesses to a variable; none if another operation may access it, or one access is not
    certain to be right."""
    name = variable.sym_name.data
    found: dict[LdOp | StOp, Sequence[_Slot]] = {}
    places: dict[SSAValue, tuple[int, str | None]] = {}
    for op in kernel.walk():
        if isinstance(op, InlineOp) and name in op.text.data:
            return {}
        if isinstance(op, VariableAddressOp) and op.variable.string_value() == name:
            places[op.result] = op.start, LOCAL
    pending = list(places)
    while pending:
        address = pending.pop()
        start, space = places[address]
        for use in address.uses:
            op = use.operation
            if (place := _moved(op, address, start, space)) is not None:
                places[op.results[0]] = place
                pending.append(op.results[0])
                continue
            if not isinstance(op, LdOp | StOp) or use.index or not _is_plain(op, space):
                return {}
            slots = [*_slots(op, variable, start + offset_of(op, "address"))]
            if not slots:
                return {}
            found[op] = slots
    return found


def _moved(
    op: Operation, address: SSAValue, start: int, space: str | None
) -> tuple[int, str | None] | None:
    """The byte of a variable, and the state space, of an address that is computed from another
    one; None if they are unknown. The space of generic addresses is None."""
    match op:
        case ptx.MovOp():
            return start, space
        case CvtaOp() if word_of(op, "space") == space == LOCAL:
            return start, None
        case CvtaToOp() if word_of(op, "space") == LOCAL and space is None:
            return start, LOCAL
        case ptx.AddOp():
            number = constant_value(op.b if op.a is address else op.a)
            return None if number is None else (start + number, space)
        case _:
            return None


def _is_plain(op: LdOp | StOp, space: str | None) -> bool:
    """Whether an access in a state space is neither guarded nor volatile."""
    is_weak = word_of(op, "semantics") in (None, "weak")
    return is_weak and word_of(op, "space") == space and isinstance(op.parent_op(), KernelOp)


def _slots(op: LdOp | StOp, variable: VariableOp, start: int) -> Iterator[_Slot]:
    """The slots of an access at a byte of a variable; none if it is out of bounds or may be
    misaligned, or if a register is smaller."""
    bytes_, registers = bytes_at(op, "address"), op.values
    each = bytes_ // len(registers)
    size = 0 if variable.size is None else variable.size.value.data
    is_aligned = not (start % bytes_ or variable.alignment.value.data % bytes_)
    is_whole = all((register_bits(value.type) or 0) >= 8 * each for value in registers)
    if is_aligned and is_whole and 0 <= start <= size - bytes_:
        for at in range(start, start + bytes_, each):
            yield _Slot(variable.sym_name.data, at, at + each)


def _mixed(slots: Mapping[_Slot, Mapping[Block, Sequence[_Access]]]) -> set[_Slot]:
    """The slots that overlap others, or whose registers have different types."""
    found = {
        slot
        for slot, touching in slots.items()
        if len({access.value.type for each in touching.values() for access in each}) > 1
    }
    last: _Slot | None = None
    for slot in sorted(slots):
        if last is not None and last.variable == slot.variable and slot.start < last.stop:
            found |= {last, slot}
        if last is None or last.variable != slot.variable or slot.stop > last.stop:
            last = slot
    return found


def _live(touching: Mapping[Block, Sequence[_Access]]) -> set[Block]:
    """The blocks at whose beginning a slot has a value that is loaded later."""
    loading = (block for block, (first, *_) in touching.items() if isinstance(first.op, LdOp))
    return closure(
        loading, lambda block: [each for each in block.predecessors() if each not in touching]
    )


def _promote(
    slot: _Slot, touching: Mapping[Block, Sequence[_Access]], live: Sequence[Block]
) -> None:
    """Replace the loads from a slot by the stored values, or by arguments of blocks. `live` are the
    blocks at whose beginning it has a value, in reverse postorder."""
    stored: dict[Block, _Value] = {
        block: access
        for block, each in touching.items()
        for access in each
        if isinstance(access.op, StOp)
    }
    starts = _starts(live, stored)
    type_ = next(iter(touching.values()))[0].value.type
    arguments = {
        block: block.insert_arg(type_, len(block.args)) for block in live if starts[block] is block
    }

    def value_of(value: _Value) -> SSAValue:
        return arguments[value] if isinstance(value, Block) else value.value

    for block, argument in arguments.items():
        argument.name_hint = f"{slot.variable}_byte{slot.start}"
        for each in dict.fromkeys(block.predecessors()):
            _pass(each, block, value_of(stored[each] if each in stored else starts[each]))
    for block, each in touching.items():
        current = starts.get(block)
        for access in each:
            if isinstance(access.op, StOp):
                current = access
            else:
                assert current is not None
                access.value.replace_all_uses_with(_loaded(access.op, slot, value_of(current)))


def _loaded(op: Operation, slot: _Slot, value: SSAValue) -> SSAValue:
    """The result of a load of a stored value; memory holds only its low bits."""
    bits, kept = register_bits(value.type), 8 * (slot.stop - slot.start)
    if bits is None or bits == kept:
        return value
    build = PtxBuilder({})
    build.at = op
    missing = build.constant(bits - kept)
    high = build.compute(ptx.ShlOp, f"b{bits}", value, missing)
    sign = "s" if (word_of(op, "type") or "").startswith("s") else "u"
    return build.compute(ptx.ShrOp, f"{sign}{bits}", high, missing)


def _starts(live: Sequence[Block], stored: Mapping[Block, _Value]) -> dict[Block, _Value]:
    """The value of a slot at the beginning of each block where it is live: the only one that comes
    there, or an argument of the block."""
    found: dict[Block, _Value] = {}
    changes = True
    while changes:
        changes = False
        for block in live:
            if found.get(block) is block:
                continue
            ends = (stored.get(each) or found.get(each) for each in block.predecessors())
            values = {each for each in ends if each is not None}
            value = values.pop() if len(values) == 1 else block
            if found.get(block) != value and (value is not block or values):
                found[block] = value
                changes = True
    return found


def _pass(source: Block, target: Block, value: SSAValue) -> None:
    """Let the branch at the end of a block pass a further value to another block."""
    branch = source.last_op
    assert isinstance(branch, Branch)
    passed = [
        [*values, value] if block is target else [*values] for block, values in branch.targets()
    ]
    counts = [len(values) for values in passed]
    first: Sequence[SSAValue] = ()
    match branch:
        case CondBraOp():
            first = (branch.predicate,)
            branch.properties["operandSegmentSizes"] = segment_sizes((1, *counts))
        case BrxOp():
            first = (branch.index,)
            branch.properties["counts"] = DenseArrayBase.from_list(i32, counts)
        case _:
            pass
    branch.operands = [*first, *(each for values in passed for each in values)]

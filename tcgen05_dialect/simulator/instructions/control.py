"""
Instructions for control flow, constants and special registers.

Calls of functions: the output and the assertions of CUDA (9.7.12.4).
"""

import re
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...isa.practice import ASSUMPTION_RULE, BOUNDS, TRAP, UNSUPPORTED
from ...isa.ptx.kernel import ASSERTFAIL, PRINTF
from ...isa.ptx.ptx_text import OUTSIDE
from ...isa.tensor_memory.alloc import WARP_LANES
from ...ptx import instructions as ptx
from ...ptx.contract import AssumeOp
from ...ptx.control_flow import BraOp, BrxOp, CallOp, CondBraOp
from ...ptx.structure import AddressOfOp, ConstantOp, DeclarationOp, InlineOp, PragmaOp, UndefinedOp
from ...ptx.variables import LoadParameterOp, ParameterAddressOp, VariableAddressOp, VariableOp
from ..machine.errors import fault
from ..machine.machine import Block, Group, Step, Wait
from ..machine.program import Handler, Program, nothing, pure, special_register
from ..numbers.floats import Lanes, dtype_of, every, some
from .memory import spaces


def _assign(program: Program, block: Any, arguments: Sequence[Any]) -> Step:
    """Step that assigns all arguments of a block in parallel."""
    sources = [program.index(argument) for argument in arguments]
    targets = [program.index(argument) for argument in block.args]
    for source, target in program.flags(arguments, block.args):
        sources.append(source)
        targets.append(target)

    def step(group: Group) -> None:
        registers = group.warp.registers
        values = [registers[source] for source in sources]
        for target, value in zip(targets, values, strict=True):
            group.write(target, value)

    return step


def _bra(op: BraOp, program: Program) -> Step:
    ((block, arguments),) = op.targets()
    assign = _assign(program, block, arguments)
    target = program.blocks[block]

    def step(group: Group) -> None:
        assign(group)
        group.enter(target)

    return step


def _cond_bra(op: CondBraOp, program: Program) -> Step:
    (then, then_arguments), (other, other_arguments) = op.targets()
    condition = program.index(op.operands[0])
    assign_then = _assign(program, then, then_arguments)
    assign_other = _assign(program, other, other_arguments)
    then_block, other_block = program.blocks[then], program.blocks[other]
    ways = program.decision(op)

    def step(group: Group) -> None:
        taken = group.warp.registers[condition] & group.mask
        if every(taken == group.mask):
            ways.held = True
            assign_then(group)
            group.enter(then_block)
        elif not some(taken):
            ways.failed = True
            assign_other(group)
            group.enter(other_block)
        else:
            ways.held = ways.failed = True
            # Each successor gets its arguments only in the lanes that branch to it.
            mask = group.mask
            group.mask, group.full = mask & ~taken, False
            assign_other(group)
            group.mask = taken
            assign_then(group)
            group.mask = mask
            group.split([(taken, then_block), (mask & ~taken, other_block)])

    return step


def _brx(op: BrxOp, program: Program) -> Step:
    index = program.index(op.index)
    targets: list[tuple[Step, Block]] = [
        (_assign(program, block, arguments), program.blocks[block])
        for block, arguments in op.targets()
    ]
    entries = program.decision(op).entries

    def step(group: Group) -> None:
        numbers, mask = group.read(index), group.mask
        ways: dict[Block, Lanes] = {}
        chosen: list[int] = sorted({*numbers[mask].tolist()})
        for number in chosen:
            if number >= len(targets):
                sentence = f"the index is {number}, but the table has {len(targets)} blocks"
                raise fault(op, BOUNDS, sentence, "keep the index below the number of blocks")
            entries.add(number)
            assign, block = targets[number]
            lanes = mask & (numbers == number)
            # Each successor gets its arguments only in the lanes that branch to it.
            group.mask, group.full = lanes, every(lanes)
            assign(group)
            ways[block] = lanes | ways.get(block, lanes)
        group.mask, group.full = mask, every(mask)
        if len(ways) == 1:
            group.enter(*ways)
        else:
            group.split([(lanes, block) for block, lanes in ways.items()])

    return step


def _inline(op: InlineOp, program: Program) -> Step:
    def step(group: Group) -> Wait | None:
        raise fault(op, UNSUPPORTED, f"the emulator does not know the instruction {op.text.data}")

    return step


def _end(op: Operation, program: Program) -> Step:
    def step(group: Group) -> None:
        group.leave()

    return step


def _trap(op: ptx.TrapOp | ptx.TrapHereOp, program: Program) -> Step:
    def step(group: Group) -> Wait | None:
        raise fault(op, TRAP, "the kernel reaches a trap")

    return step


def _assume(op: AssumeOp, program: Program) -> Step:
    condition = program.index(op.condition)

    def step(group: Group) -> None:
        wrong = group.mask & ~group.warp.registers[condition]
        if some(wrong):
            where = f"lane {int(wrong.argmax())} of {group.warp.name}"
            raise fault(op, ASSUMPTION_RULE, f"the condition is false in {where}")

    return step


def _value(parameter: Lanes) -> Lanes:
    return parameter


def _special(op: Any, program: Program) -> Step:
    name, result = op.register.data, program.index(op.d)
    if name in OUTSIDE:
        raise fault(op, UNSUPPORTED, f"the emulator does not know the contents of %{name}")
    dtype, value = dtype_of(op.d.type), special_register(name)

    def step(group: Group) -> None:
        group.write(result, np.broadcast_to(value(group), WARP_LANES).astype(dtype))

    return step


_LONGEST = 1 << 12
"""Maximum length of a text in bytes."""
_CONVERSION = re.compile(
    r"%(?P<flags>[-+ #0]*)(?P<width>\d+|\*)?(?:\.(?P<precision>\d+|\*))?"
    r"(?P<length>hh|h|ll|l|j|z|t|L)?(?P<kind>[diouxXeEfFgGaAcsp%])"
)
_WORD = 4


def _call(op: CallOp, program: Program) -> Step:
    # A compiler stores arguments in any order.
    stores = sorted(op.accesses(op.stores, op.arguments), key=lambda each: each[0].number)
    arguments = [program.index(value) for _, values in stores for value in values]
    results = [program.index(value) for value in op.outputs]
    name = op.callee.string_value()

    def print_text(group: Group) -> None:
        if group.machine.computes:
            for lane in group.lanes:
                format_, first = (int(group.read(each)[lane]) for each in arguments)
                text = _formatted(op, group, lane, _text_at(op, group, lane, format_), first)
                group.machine.printed.append(text)
        for each in results:
            group.write(each, np.zeros_like(group.read(each)))

    def fail(group: Group) -> Wait | None:
        lane = group.lanes[0]
        text, file, line = (int(group.read(each)[lane]) for each in arguments[:3])
        said, where = (_text_at(op, group, lane, each) for each in (text, file))
        sentence = f"the assertion `{said}` fails at line {line} of {where}"
        raise fault(op, TRAP, f"{sentence}, in lane {lane} of {group.warp.name}")

    def refuse(group: Group) -> Wait | None:
        raise fault(op, UNSUPPORTED, f"the emulator does not run the function {name}")

    if name == PRINTF and len(arguments) == 2:
        return print_text
    return fail if name == ASSERTFAIL and len(arguments) >= 3 else refuse


def _bytes_at(op: Operation, group: Group, lane: int, address: int, size: int) -> bytes:
    """Bytes at a generic address, as a lane sees them. Raises OperationError."""
    mask = group.mask
    group.mask = np.arange(mask.size) == lane
    try:
        addresses = np.full(mask.size, address, np.uint64)
        space, inside = spaces(op, group, None, addresses)
    finally:
        group.mask = mask
    memory, offset = space.find(op, int(inside[lane]), size)
    return memory.bytes[offset : offset + size].tobytes()


def _text_at(op: Operation, group: Group, lane: int, address: int) -> str:
    """The text at a generic address. Raises OperationError."""
    found = bytearray()
    while len(found) < _LONGEST and (byte := _bytes_at(op, group, lane, address, 1)) != b"\0":
        found += byte
        address += 1
    return found.decode(errors="backslashreplace")


def _formatted(op: Operation, group: Group, lane: int, format_: str, address: int) -> str:
    """A text with its arguments, which are one after the other, each aligned to its size. Raises
    OperationError."""
    at = 0

    def take(code: str, size: int) -> Any:
        nonlocal at
        at = -(-at // size) * size
        data = _bytes_at(op, group, lane, address + at, size)
        at += size
        return struct.unpack(f"<{code}", data)[0]

    def replaced(match: re.Match[str]) -> str:
        kind, long = match["kind"], match["length"] in ("l", "ll", "j", "z", "t")
        if kind == "%":
            return "%"
        sizes = [str(take("i", _WORD)) if each == "*" else each for each in match.group(2, 3)]
        width, precision = sizes[0] or "", f".{sizes[1]}" if sizes[1] else ""
        spec = f"%{match['flags']}{width}{precision}"
        match kind:
            case "d" | "i":
                return f"{spec}d" % take(*(("q", 8) if long else ("i", _WORD)))
            case "o" | "u" | "x" | "X":
                letter = "d" if kind == "u" else kind
                return f"{spec}{letter}" % take(*(("Q", 8) if long else ("I", _WORD)))
            case "c":
                return f"{spec}c" % chr(take("I", _WORD) & 0xFF)
            case "s":
                return f"{spec}s" % _text_at(op, group, lane, take("Q", 8))
            case "p":
                return f"{take('Q', 8):#x}"
            case "a" | "A":
                return float(take("d", 8)).hex()
            case _:
                return f"{spec}{kind}" % take("d", 8)

    return _CONVERSION.sub(replaced, format_)


HANDLERS: dict[type[Operation], Handler] = {
    BraOp: _bra,
    CondBraOp: _cond_bra,
    BrxOp: _brx,
    InlineOp: _inline,
    PragmaOp: nothing,
    # An instruction that uses what is declared here is unknown, too.
    DeclarationOp: nothing,
    ptx.RetOp: _end,
    ptx.BrkptOp: nothing,
    ptx.PmeventOp: nothing,
    ptx.PmeventMaskOp: nothing,
    ptx.ExitOp: _end,
    ptx.TrapOp: _trap,
    ptx.TrapHereOp: _trap,
    # The initial registers of a warp hold these values.
    ConstantOp: nothing,
    AssumeOp: _assume,
    AddressOfOp: nothing,
    VariableOp: nothing,
    VariableAddressOp: nothing,
    ParameterAddressOp: nothing,
    UndefinedOp: nothing,
    LoadParameterOp: pure(_value),
    ptx.SpecialRegisterOp: _special,
    ptx.SpecialRegisterVolatileOp: _special,
    ptx.SpecialRegisterB64Op: _special,
    ptx.SpecialRegisterPredOp: _special,
    CallOp: _call,
}

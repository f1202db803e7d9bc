"""Calls of functions: the output and the assertions of CUDA (9.7.12.4)."""

import re
import struct
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...isa.practice import TRAP, UNSUPPORTED
from ...isa.ptx.kernel import ASSERTFAIL, PRINTF
from ...ptx.control_flow import CallOp
from ..machine.errors import fault
from ..machine.machine import Group, Step, Wait
from ..machine.program import Handler, Program
from .memory import spaces

_LONGEST = 1 << 12
"""Maximum length of a text in bytes."""
_CONVERSION = re.compile(
    r"%(?P<flags>[-+ #0]*)(?P<width>\d+|\*)?(?:\.(?P<precision>\d+|\*))?"
    r"(?P<length>hh|h|ll|l|j|z|t|L)?(?P<kind>[diouxXeEfFgGaAcsp%])"
)
_WORD = 4


def _call(op: CallOp, program: Program) -> Step:
    arguments = [program.index(value) for value in op.arguments]
    results = [program.index(value) for value in op.outputs]
    name = op.callee.string_value()

    def print_text(group: Group) -> Wait | None:
        if group.machine.computes:
            for lane in group.lanes:
                format_, first = (int(group.read(each)[lane]) for each in arguments)
                text = _formatted(op, group, lane, _text_at(op, group, lane, format_), first)
                group.machine.printed.append(text)
        for each in results:
            group.write(each, np.zeros_like(group.read(each)))
        return None

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


HANDLERS: dict[type[Operation], Handler] = {CallOp: _call}

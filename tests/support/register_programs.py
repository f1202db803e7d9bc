"""
Random programs on a few registers: branches, guards, swaps and tables, with their meaning.

A program is a list of statements, which `text` prints as PTX and `Machine` executes. The values
that it stores are its result.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hypothesis import strategies as st

REGISTERS = 4
PREDICATES = 2
MASK = (1 << 32) - 1


class Statement(NamedTuple):
    """An instruction, or a label if `opcode` is `label`; `guard` is a predicate and its value."""

    opcode: str
    operands: tuple[int, ...] = ()
    guard: tuple[int, bool] | None = None


_register = st.integers(0, REGISTERS - 1)
_predicate = st.integers(0, PREDICATES - 1)
_guard = st.none() | st.tuples(_predicate, st.booleans())


@st.composite
def programs(draw: st.DrawFn) -> list[Statement]:
    """Programs of a few blocks that branch among each other."""
    blocks = draw(st.integers(1, 6))
    label = st.integers(0, blocks - 1)
    found: list[Statement] = []
    for block in range(blocks):
        found.append(Statement("label", (block,)))
        for _ in range(draw(st.integers(0, 5))):
            opcode = draw(st.sampled_from(("add", "mov", "movi", "setp", "st", "swap", "xor")))
            guard = None if opcode == "swap" else draw(_guard)
            match opcode:
                case "add" | "xor":
                    operands = (draw(_register), draw(_register), draw(_register))
                case "mov" | "swap":
                    operands = (draw(_register), draw(_register))
                case "movi":
                    operands = (draw(_register), draw(st.integers(0, 3)))
                case "setp":
                    operands = (draw(_predicate), draw(_register), draw(_register))
                case _:
                    operands = (draw(_register),)
            found.append(Statement(opcode, operands, guard))
        match draw(st.sampled_from(("next", "bra", "ret", "brx"))):
            case "bra":
                found.append(Statement("bra", (draw(label),), draw(_guard)))
            case "ret":
                found.append(Statement("ret", (), draw(_guard)))
            case "brx":
                table = draw(st.lists(label, min_size=2, max_size=2))
                found.append(Statement("brx", (draw(_register), *table)))
            case _:
                pass
    found.append(Statement("ret"))
    return found


def text(program: Sequence[Statement]) -> str:
    """The PTX text of a program."""
    return "\n".join((*_HEADER, *_lines(program), "}\n"))


_HEADER = (
    ".version 8.7",
    ".target sm_100a",
    ".address_size 64",
    ".visible .entry k(.param .u64 out) {",
    "\t.reg .b32 %r<9>;",
    "\t.reg .pred %p<9>;",
    "\t.reg .b64 %rd<2>;",
    "\tld.param.u64 %rd1, [out];",
    *(f"\tmov.b32 %r{register}, {register + 1};" for register in range(REGISTERS)),
    *(f"\tsetp.lt.s32 %p{predicate}, %r0, {predicate};" for predicate in range(PREDICATES)),
)


def _lines(program: Sequence[Statement]) -> Iterator[str]:
    for number, (opcode, operands, guard) in enumerate(program):
        sign = "" if guard is None else f"@{'' if guard[1] else '!'}%p{guard[0]} "
        a, b, c = (*operands, 0, 0, 0)[:3]
        match opcode:
            case "label":
                yield f"L{a}:"
            case "add":
                yield f"\t{sign}add.s32 %r{a}, %r{b}, %r{c};"
            case "xor":
                yield f"\t{sign}xor.b32 %r{a}, %r{b}, %r{c};"
            case "mov":
                yield f"\t{sign}mov.b32 %r{a}, %r{b};"
            case "movi":
                yield f"\t{sign}mov.b32 %r{a}, {b};"
            case "swap":
                yield f"\tmov.b32 %r8, %r{a};"
                yield f"\tmov.b32 %r{a}, %r{b};"
                yield f"\tmov.b32 %r{b}, %r8;"
            case "setp":
                yield f"\t{sign}setp.lt.u32 %p{a}, %r{b}, %r{c};"
            case "st":
                yield f"\t{sign}st.global.b32 [%rd1], %r{a};"
            case "bra":
                yield f"\t{sign}bra L{a};"
            case "ret":
                yield f"\t{sign}ret;"
            case _:
                yield f"\tand.b32 %r7, %r{a}, 1;"
                yield f"T{number}: .branchtargets L{b}, L{c};"
                yield f"\tbrx.idx %r7, T{number};"


def stores(program: Sequence[Statement], steps: int) -> list[int]:
    """The values that a program stores before it ends or has taken so many branches."""
    registers = [register + 1 for register in range(REGISTERS)]
    predicates = [registers[0] < predicate for predicate in range(PREDICATES)]
    labels = {each.operands[0]: i for i, each in enumerate(program) if each.opcode == "label"}
    found: list[int] = []
    place = 0
    while True:
        opcode, operands, guard = program[place]
        place += 1
        if guard is not None and predicates[guard[0]] != guard[1]:
            continue
        a, b, c = (*operands, 0, 0, 0)[:3]
        match opcode:
            case "add":
                registers[a] = (registers[b] + registers[c]) & MASK
            case "xor":
                registers[a] = registers[b] ^ registers[c]
            case "mov":
                registers[a] = registers[b]
            case "movi":
                registers[a] = b
            case "swap":
                registers[a], registers[b] = registers[b], registers[a]
            case "setp":
                predicates[a] = registers[b] < registers[c]
            case "st":
                found.append(registers[a])
                steps -= 1
            case "bra":
                place = labels[a]
                steps -= 1
            case "brx":
                place = labels[operands[1 + (registers[a] & 1)]]
                steps -= 1
            case "ret":
                return found
            case _:
                pass
        if steps <= 0:
            return found

"""Mutants of kernels: one operand of an operation is another constant."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from xdsl.dialects import arith, scf
from xdsl.ir import Operation

from tcgen05_dialect.compiler import parse
from tcgen05_dialect.ptx.analysis.known_values import constant_bits
from tcgen05_dialect.reporting.diagnostics import Source, text_place


class NumberMutant(NamedTuple):
    """A kernel with a wrong number: its kind, the line of its operation, the number before and
    after, and the text, whose lines keep their numbers."""

    kind: str
    line: int
    before: int
    after: int
    text: str

    def __str__(self) -> str:
        return f"{self.kind}, line {self.line}: {self.before} -> {self.after}"


def number_mutants_of(text: str) -> Iterator[NumberMutant]:
    """The mutants of a kernel."""
    source = Source("kernel", text)
    for op in parse(source)[0].walk():
        for kind, index, numbers in _altered(op):
            before = constant_bits(op.operands[index]) or 0
            for after in numbers:
                if after >= 0 and (altered := _with(source, op, index, after)):
                    yield NumberMutant(kind, *altered[:1], before, after, altered[1])


def _altered(op: Operation) -> Iterator[tuple[str, int, list[int]]]:
    """The kinds of mutants of an operation, with the operand and other numbers for it."""
    bits = [constant_bits(each) for each in op.operands]
    name = op.name.removeprefix("ptx.")
    if name == "mbarrier.init" and bits[1]:
        yield "count", 1, [bits[1] + 1, *([bits[1] - 1] if bits[1] > 1 else [])]
    if name in ("mbarrier.wait", "mbarrier.try_wait.parity") and bits[1] in (0, 1):
        yield "parity", 1, [1 - bits[1]]
    if "expect_tx" in name and len(bits) > 1 and bits[1]:
        yield "bytes", 1, [bits[1] // 2, 2 * bits[1]]
    if name in ("bar.sync", "bar.arrive") and len(bits) > 1 and bits[1]:
        yield "threads", 1, [bits[1] + 32]
    if name in ("bar.sync", "bar.arrive") and bits[0] is not None:
        yield "barrier", 0, [bits[0] + 1]
    if name.endswith("tcgen05.commit") and len(bits) > 1 and bits[1]:
        yield "mask", 1, [each for each in (bits[1] ^ 1, bits[1] ^ 2) if each]
    if _wraps(op) and bits[1] and bits[1] > 1:
        yield "stages", 1, [bits[1] + 1, bits[1] - 1]
    if isinstance(op, scf.ForOp):
        for index in range(3, len(bits)):
            if bits[index] in (0, 1):
                yield "first value", index, [1 - (bits[index] or 0)]


def _wraps(op: Operation) -> bool:
    """Whether an operation compares an index with the number of stages, or divides it by that."""
    if isinstance(op, arith.CmpiOp):
        uses = [use.operation for use in op.result.uses]
        return op.predicate.value.data == 0 and any(isinstance(u, arith.SelectOp) for u in uses)
    return op.name in ("arith.remui", "ptx.rem")


def _with(source: Source, op: Operation, index: int, number: int) -> tuple[int, str] | None:
    """The line of an operation, and the text with a new constant as its operand; None if the text
    does not name the operand."""
    place: Any = text_place(op.location)
    line = place.line.data
    start = source.position(line, place.column.data)
    operand = op.operands[index]
    name = rf"%{operand.name_hint}(?![\w$.#-])"
    begin = start + len((re.match(r"%[\w:, %]+=", source.text[start:]) or [""])[0])
    end = source.text.index("{" if op.regions else "\n", begin)
    found = [*re.finditer(name, source.text[begin:end])]
    same = [*op.operands[:index]].count(operand)
    if operand.name_hint is None or same >= len(found):
        return None
    at, behind = (begin + each for each in found[same].span())
    new = f"%altered = arith.constant {number} : {operand.type} "
    text = source.text
    return line, f"{text[:start]}{new}{text[start:at]}%altered{text[behind:]}"

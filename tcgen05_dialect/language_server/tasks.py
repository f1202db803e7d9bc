"""
Tasks of the child processes of the language server: checks, fixes, and facts about values.

A text can neither block nor end the server, because only child processes check it. Questions and
answers are pickles, each after its length.
"""

import asyncio
import os
import pickle
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from queue import SimpleQueue
from threading import Thread
from typing import Any, BinaryIO, NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ..assembler import ToolError
from ..calculator.descriptors import instruction_descriptor, shared_memory_descriptor
from ..check import check_source, fix_source
from ..compiler import lower, parse_on, without_garbage_collection
from ..dataflow.fact import ALLOCATION, VARIABLE, Fact
from ..dataflow.kernel_facts import KernelFacts, descriptors_of, tcgen05_kernels
from ..dataflow.numbers import Number
from ..isa.mma.instruction_descriptor import InstructionDescriptor
from ..isa.model.rule import Violation, describe
from ..isa.shared_memory.descriptor import CONSTANT_BITS, DESCRIPTOR_LAYOUT, with_constant
from ..language import language_of
from ..llvm_input import is_llvm, ptx_of
from ..ptx.analysis.control_flow import operations_of
from ..ptx.tcgen05_mma import Mma
from ..reporting.diagnostics import CompileError, Finding, Source, diagnosed, read_place
from ..reporting.project import internal_error
from ..verification import Effort

_CHILD = f"from {__package__}.tasks import serve; serve()"
LENGTH = 4
"""Bytes of the length before a pickle."""


class Refused(Exception):
    """The error of a question without an answer; the message is a sentence for the user."""


class Child:
    """A process that answers questions one after another; the first question starts it."""

    def __init__(self, name: str):
        self._name = name
        self._process: Process | None = None
        self._lock = asyncio.Lock()

    async def ask(self, limit: float, task: str, *arguments: object) -> Any:
        """
        The answer of the function `task` in `tasks.py`.

        After `limit` seconds, or if the question is cancelled, the child is killed; the next
        question starts a new one. Raises Refused.
        """
        async with self._lock:
            try:
                async with asyncio.timeout(limit):
                    return await self._answer(pickle.dumps((task, arguments)))
            except TimeoutError:
                self._kill()
                raise Refused(f"{self._name} took more than {limit:g} seconds") from None
            except (OSError, asyncio.IncompleteReadError):
                self._kill()
                message = f"the process of {self._name} ended, perhaps out of memory"
                raise Refused(message) from None
            except asyncio.CancelledError:
                self._kill()
                raise

    async def _answer(self, question: bytes) -> Any:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-c", _CHILD, stdin=PIPE, stdout=PIPE, stderr=DEVNULL
            )
        asked, answers = self._process.stdin, self._process.stdout
        assert asked is not None and answers is not None
        asked.write(len(question).to_bytes(LENGTH) + question)
        await asked.drain()
        length = int.from_bytes(await answers.readexactly(LENGTH))
        is_answer, answer = pickle.loads(await answers.readexactly(length))
        if not is_answer:
            raise Refused(answer)
        return answer

    def _kill(self) -> None:
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.kill()
            self._process = None


class Hint(NamedTuple):
    """The decoded descriptors of the instruction in a line: in short, and in detail."""

    line: int
    text: str
    detail: str


class Checked(NamedTuple):
    """The findings in a text, and hints for its instructions."""

    findings: list[Finding]
    hints: list[Hint]


def _source(name: str, text: str) -> Source:
    data = text.encode(errors="surrogateescape")
    if not is_llvm(name, data):
        return Source(name, text)
    try:
        return ptx_of(name, data)
    except ToolError as error:
        raise Refused(error.message) from error


def check(name: str, text: str, verify: Effort) -> Checked:
    """Check a text; with runs, also look for fixes. Raises Refused if the programs of LLVM, which
    read texts in its languages, are not installed."""
    try:
        source = _source(name, text)
        found = check_source(source, verify=verify, fixes=verify != "off")
    except CompileError as error:
        return Checked([*error.findings_in(name)], [])
    return Checked(found, [] if source.made_from else [*_hints(source)])


def fix(name: str, text: str) -> str:
    """The text with all fixes of `check --fix`. Raises Refused for texts of LLVM and MLIR."""
    source = _source(name, text)
    if source.made_from is not None:
        raise Refused("there are no fixes for MLIR and LLVM IR")
    return fix_source(source).source.text


class _Known(NamedTuple):
    """The module of a text, and the facts about its kernels after lowering."""

    module: ModuleOp
    kernels: list[KernelFacts]


@lru_cache(maxsize=1)
def _known(source: Source) -> _Known | None:
    """The facts about the values in a text; None if the text has errors."""
    try:
        with without_garbage_collection(), diagnosed(source):
            if language_of(source.name, source.text) == "PTX":
                from ..ptx_import import import_text
                from ..ptx_reader import read_text

                module = lowered = import_text(read_text(source)).module
            else:
                module, context, errors, _ = parse_on(source)
                if errors:
                    return None
                lowered = module.clone()
                lower(lowered, context, source=source)
            return _Known(module, [KernelFacts(*each) for each in tcgen05_kernels(lowered)])
    except CompileError:
        return None


def _line(operation: Operation | None) -> int:
    place = None if operation is None else read_place(operation.location)
    return 0 if place is None else place.line.data


def _hints(source: Source) -> Iterator[Hint]:
    known = _known(source)
    for kernel in () if known is None else known.kernels:
        for op in kernel.instructions:
            texts: list[str] = []
            details: list[str] = []
            if isinstance(op, Mma) and (word := kernel.facts.number(op.idesc).constant) is not None:
                details.append(instruction_descriptor(op.kind_name, word).text())
                try:
                    texts.append(str(InstructionDescriptor.decode(op.kind_name, word)))
                except Violation:
                    texts.append("illegal instruction descriptor")
            for name, value in descriptors_of(op).items():
                number = kernel.facts.number(value)
                if fields := [*_fields(number)]:
                    texts.append(f"{name}: {', '.join(fields)}")
                if (word := number.constant) is not None:
                    details.append(shared_memory_descriptor(word).text())
            if texts:
                yield Hint(_line(op), "; ".join(texts), "\n".join(details))


def _fields(number: Number) -> Iterator[str]:
    """The fields of a shared memory descriptor all of whose bits are known; offsets in bytes."""
    for field in reversed(DESCRIPTOR_LAYOUT.fields):
        mask = (1 << field.hi + 1) - (1 << field.lo)
        if field.is_fixed or number.known & mask != mask:
            continue
        value = field.decode(field.raw(number.ones))
        if isinstance(value, str):
            yield value
        elif value:
            yield f"{field.name.partition('_')[0]} {describe(value)}"


def value(name: str, text: str, line: int, defined: int, value: str) -> str:
    """
    The type of a value, and the facts about it that hold in every run; empty if there are none.

    `value` is the name without `%`. `line` is the line of a use or of the definition; `defined` is
    the line of the definition in IR.
    """
    source = _source(name, text)
    known = None if source.made_from else _known(source)
    if known is None:
        return ""
    found: list[str] = []
    for each in _named(operations_of(known.module), value, defined or line):
        found.append(f"`%{value} : {each.type}`")
        break
    for kernel in known.kernels:
        for each in _named(operations_of(kernel.kernel), value, line):
            if said := _described(kernel.facts.fact(each)):
                return "\n\n".join([*found, said])
    return "\n\n".join(found)


def _named(operations: list[Operation], name: str, line: int) -> Iterator[SSAValue]:
    """Results, operands and region arguments with a name, in a line."""
    for op in operations:
        if _line(op) == line:
            blocks = [block for region in op.regions for block in region.blocks]
            values = (*op.results, *op.operands, *(arg for block in blocks for arg in block.args))
            yield from (each for each in values if each.name_hint == name)


def _described(fact: Fact) -> str:
    """The facts about a value, as a sentence; empty if there are none."""
    number, base = fact.offset, fact.base
    if base is None or base.rank not in (VARIABLE, ALLOCATION):
        number = fact.number
        if number.ones & CONSTANT_BITS == with_constant(0) and (fields := [*_fields(number)]):
            return f"As a shared memory descriptor: {', '.join(fields)}."
        return "" if number.is_unknown else f"It is {_numbers(number)}."
    what = f"`{base.identity}`" if base.rank == VARIABLE else "an allocation of tensor memory"
    if number.constant == 0:
        return f"It is the address of {what}."
    return f"It is the address of {what}, plus {_numbers(number)}."


_MOST = 8
"""Largest count of numbers in a list."""


def _numbers(number: Number) -> str:
    """The possible numbers, as text."""
    if number.constant is not None:
        return f"{number.constant} ({number.constant:#x})"
    if number.members is not None and len(number.members) <= _MOST:
        return f"one of {', '.join(map(str, number.members))}"
    step = (number.zeros + 1) & ~number.zeros
    multiple = f", a multiple of {step}" if step > 1 else ""
    return f"{number.low} to {number.high}{multiple}"


def _serve(questions: BinaryIO, answers: BinaryIO) -> None:
    """Answer questions, in order, until there are no more."""
    waiting: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_receive, args=(questions, waiting), daemon=True).start()
    while True:
        task, arguments = pickle.loads(waiting.get())
        try:
            answer = True, globals()[task](*arguments)
        except Refused as refused:
            answer = False, str(refused)
        except Exception as error:
            answer = False, internal_error(error)
        data = pickle.dumps(answer)
        answers.write(len(data).to_bytes(LENGTH) + data)
        answers.flush()


def _receive(questions: BinaryIO, waiting: SimpleQueue[bytes]) -> None:
    """Receive questions until the server ends."""
    while len(head := questions.read(LENGTH)) == LENGTH:
        waiting.put(questions.read(int.from_bytes(head)))
    os._exit(0)


def serve() -> None:
    """Answer questions on the standard streams; what anything else prints goes nowhere. Ends when
    the standard input ends, that is, with the server."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "r+b") as nowhere:
        os.dup2(nowhere.fileno(), 0)
        os.dup2(nowhere.fileno(), 1)
    _serve(questions, answers)

"""Tests of printed control flow: the text, run line by line, does what the IR says."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence

import pytest
from xdsl.dialects.builtin import (
    DenseArrayBase,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from tcgen05_dialect.ptx.control_flow import BraOp, CondBraOp
from tcgen05_dialect.ptx.instructions import AddOp, RetOp, SetpOp, StOp
from tcgen05_dialect.ptx.kernel import KernelOp
from tcgen05_dialect.ptx.structure import ConstantOp
from tcgen05_dialect.ptx.text.printer import print_module
from tcgen05_dialect.ptx.types import choose_target
from tcgen05_dialect.reporting.diagnostics import OperationError

STORES = 60
"""How many stores of a kernel are compared; most kernels do not end."""
STEPS = 2_000
"""How many lines are run for that at most."""
MASK = 0xFFFFFFFF
PARAMETERS = (7, 1000)


def run_ir(kernel: KernelOp) -> Iterator[int]:
    """What a kernel stores, by the IR."""
    block = kernel.body.blocks[0]
    values: dict[SSAValue, int] = dict(zip(block.args, PARAMETERS, strict=True))
    while True:
        for op in block.ops:
            read = [values[operand] for operand in op.operands]
            match op:
                case ConstantOp(value=IntegerAttr(value=number)):
                    values[op.result] = number.data & MASK if op.result.type == i32 else number.data
                case AddOp():
                    values[op.d] = read[0] + read[1] & MASK
                case SetpOp():
                    values[op.d] = int(read[0] < read[1])
                case StOp():
                    yield read[1]
                case RetOp():
                    return
                case BraOp():
                    following, passed = op.successor, read
                case CondBraOp():
                    middle = 1 + len(op.then_arguments)
                    following, passed = (
                        (op.then_block, read[1:middle])
                        if read[0]
                        else (op.else_block, read[middle:])
                    )
                case _:
                    raise AssertionError(f"this interpreter does not know {op.name}")
        block = following  # pyright: ignore[reportPossiblyUnboundVariable]
        values.update(zip(block.args, passed, strict=True))  # pyright: ignore[reportPossiblyUnboundVariable]


def run_ptx(text: str) -> Iterator[int]:
    """What a kernel stores, by its PTX text."""
    body = text[text.index("\n{\n") + 3 : text.rindex("}")]
    lines = [line.strip().rstrip(";") for line in body.splitlines() if line.strip()]
    labels = {line[:-1]: index for index, line in enumerate(lines) if line.endswith(":")}
    assert len(labels) == sum(line.endswith(":") for line in lines)
    registers: dict[str, int] = {}
    at = 0

    def value(name: str) -> int:
        return registers[name] if name.startswith("%") else int(name) & MASK

    for _ in range(STEPS):
        line = lines[at]
        at += 1
        guard = re.match(r"@(!?)(%p\d+) ", line)
        if guard:
            if registers[guard[2]] == (guard[1] == "!"):
                continue
            line = line[guard.end() :]
        name, _, rest = line.partition(" ")
        operands = rest.split(", ")
        match name.split("."):
            case ["", "reg", *_]:
                pass
            case ["ld", "param", *_]:
                registers[operands[0]] = PARAMETERS[int(operands[1][-2])]
            case ["mov", _]:
                registers[operands[0]] = value(operands[1])
            case ["add", "s32"]:
                registers[operands[0]] = value(operands[1]) + value(operands[2]) & MASK
            case ["setp", comparison, _]:
                x, y = value(operands[1]), value(operands[2])
                registers[operands[0]] = int(x < y if comparison == "lt" else x != y)
            case ["st", *_]:
                yield value(operands[1])
            case ["bra"]:
                at = labels[rest]
            case ["ret"]:
                return
            case _:
                assert line in {f"{label}:" for label in labels}, line
    raise AssertionError("the kernel goes on without storing anything")


def _compare(module: ModuleOp) -> str:
    module.verify()
    (kernel,) = module.ops
    assert isinstance(kernel, KernelOp)
    text = print_module(module, choose_target(module, None, None))
    for expected, found, _ in zip(
        _stores(run_ir(kernel)), _stores(run_ptx(text)), range(STORES), strict=False
    ):
        assert found == expected, text
    return text


def _stores(run: Iterator[int]) -> Iterator[int | None]:
    """The stores, and then that there are no more."""
    yield from run
    while True:
        yield None


def _store(pointer: SSAValue, value: SSAValue) -> StOp:
    return StOp.assemble(
        {"address": [pointer], "values": [value]}, properties={"space": "global", "type": "b32"}
    )


def _add(a: SSAValue, b: SSAValue) -> AddOp:
    return AddOp.assemble({"a": [a], "b": [b]}, properties={"type": "s32"})


def _less(a: SSAValue, b: SSAValue) -> SetpOp:
    return SetpOp.assemble({"a": [a], "b": [b]}, properties={"comparison": "lt", "type": "u32"})


def _bra(block: Block, arguments: Sequence[SSAValue]) -> BraOp:
    return BraOp.create(operands=arguments, successors=[block])


def _cond_bra(
    predicate: SSAValue,
    then: tuple[Block, Sequence[SSAValue]],
    other: tuple[Block, Sequence[SSAValue]],
) -> CondBraOp:
    sizes = DenseArrayBase.from_list(i32, [1, len(then[1]), len(other[1])])
    return CondBraOp.create(
        operands=[predicate, *then[1], *other[1]],
        successors=[then[0], other[0]],
        properties={"operandSegmentSizes": sizes},
    )


def _module(blocks: Sequence[Block]) -> ModuleOp:
    return ModuleOp(
        [KernelOp.create(properties={"sym_name": StringAttr("k")}, regions=[Region(blocks)])]
    )


class Builder:
    """Makes a random kernel of blocks that pass values around."""

    def __init__(self, chance: random.Random):
        self.chance = chance
        self.entry = Block(arg_types=[i32, i64])
        self.blocks = [
            Block(arg_types=chance.choices([i32, i1], [3, 1], k=chance.randint(0, 6)))
            for _ in range(chance.randint(1, 6))
        ]
        self.shared: dict[Attribute, list[SSAValue]] = {i32: [self.entry.args[0]], i1: []}
        """Values of the first block, which every block may use."""

    def build(self) -> ModuleOp:
        for number in (0, 1, 40):
            self._define(self.entry, ConstantOp.of(number, i32), self.shared)
        for number in (0, 1):
            self._define(self.entry, ConstantOp.of(number, i1), self.shared)
        for block in (self.entry, *self.blocks):
            self._finish(block)
        return _module([self.entry, *self.blocks])

    def _define(
        self, block: Block, op: Operation, values: Mapping[Attribute, list[SSAValue]]
    ) -> None:
        block.add_op(op)
        values[op.results[0].type].append(op.results[0])

    def _finish(self, block: Block) -> None:
        values = {type_: list(known) for type_, known in self.shared.items()}
        for argument in block.args:
            if argument.type in values:
                values[argument.type].append(argument)
        choice = self.chance.choice
        self._define(block, _add(choice(values[i32]), choice(values[i32])), values)
        self._define(block, _less(choice(values[i32]), choice(values[i32])), values)
        for value in values[i32]:
            block.add_op(_store(self.entry.args[1], value))
        match self.chance.randint(0, 9):
            case 0:
                block.add_op(RetOp.assemble({}))
            case 1 | 2 | 3:
                block.add_op(_bra(*self._edge(block, values)))
            case _:
                predicate = choice(values[i1])
                edges = self._edge(block, values), self._edge(block, values)
                block.add_op(_cond_bra(predicate, *edges))

    def _edge(
        self, block: Block, values: Mapping[Attribute, list[SSAValue]]
    ) -> tuple[Block, list[SSAValue]]:
        """To the block itself as often as to another one, with its own arguments permuted."""
        following = self.chance.choice([block, *self.blocks])
        if following is self.entry:
            following = self.blocks[0]
        return following, [self._argument(block, a.type, values) for a in following.args]

    def _argument(
        self, block: Block, type_: Attribute, values: Mapping[Attribute, list[SSAValue]]
    ) -> SSAValue:
        own = [argument for argument in block.args if argument.type == type_]
        return self.chance.choice(own if own and self.chance.random() < 0.7 else values[type_])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_random_control_flow(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(10):
        _compare(Builder(chance).build())


@pytest.mark.parametrize(
    "order",
    [(1, 0, 2), (1, 2, 0), (0, 0, 1), (1, 0, 0)],
    ids=["swap", "rotate", "shift", "fan out"],
)
def test_arguments_that_change_places(order: tuple[int, ...]) -> None:
    entry, loop, end = Block(arg_types=[i32, i64]), Block(arg_types=[i32, i32, i32, i32]), Block()
    numbers = [ConstantOp.of(number, i32) for number in (10, 20, 30, 0, 1, 6)]
    *values, zero, one, many = (number.result for number in numbers)
    entry.add_ops([*numbers, _bra(loop, [*values, zero])])
    *moving, count = loop.args
    grown = _add(count, one)
    less = _less(grown.d, many)
    loop.add_ops([*(_store(entry.args[1], value) for value in moving), grown, less])
    loop.add_op(_cond_bra(less.d, (loop, [*(moving[i] for i in order), grown.d]), (end, [])))
    end.add_op(RetOp.assemble({}))
    text = _compare(_module([entry, loop, end]))
    assert text.count("bra ") == 2
    assert text.count("$L__") == 4


def test_fall_through_needs_no_branch_and_no_label() -> None:
    entry, second, third = Block(arg_types=[i32, i64]), Block(), Block()
    entry.add_op(_bra(second, []))
    second.add_op(_bra(third, []))
    third.add_op(RetOp.assemble({}))
    text = _compare(_module([entry, second, third]))
    assert "bra" not in text
    assert "$L__" not in text


@pytest.mark.parametrize("predicate", [0, 1])
def test_both_ways_to_one_block(predicate: int) -> None:
    entry, end = Block(arg_types=[i32, i64]), Block(arg_types=[i32])
    known, one, two = ConstantOp.of(predicate, i1), ConstantOp.of(1, i32), ConstantOp.of(2, i32)
    entry.add_ops([known, one, two])
    entry.add_op(_cond_bra(known.result, (end, [one.result]), (end, [two.result])))
    end.add_ops([_store(entry.args[1], end.args[0]), RetOp.assemble({})])
    _compare(_module([entry, end]))


def test_unreachable_blocks_are_left_out() -> None:
    entry, lost = Block(arg_types=[i32, i64]), Block()
    entry.add_op(RetOp.assemble({}))
    lost.add_op(_add(entry.args[0], entry.args[0]))
    lost.add_op(_bra(lost, []))
    text = _compare(_module([entry, lost]))
    assert "add.s32" not in text
    assert "bra" not in text


def test_wrong_arguments_of_an_unverified_branch() -> None:
    entry, end = Block(arg_types=[i32, i64]), Block(arg_types=[i32])
    branch = _bra(end, [entry.args[1]])
    entry.add_op(branch)
    end.add_op(RetOp.assemble({}))
    module = _module([entry, end])
    with pytest.raises(OperationError, match=r"\(i32\); found \(i64\)"):
        print_module(module, choose_target(module, None, None))

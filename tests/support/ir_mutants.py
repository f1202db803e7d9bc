"""
Mutants of IR that only the generic format can express: attributes of other kinds, dropped and
unknown ones; operands, results, regions and successors dropped, doubled and of other types.
"""

import random
from collections.abc import Callable, Iterator
from io import StringIO

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FloatAttr,
    FunctionType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    VectorType,
    f32,
    i1,
    i32,
    i64,
)
from xdsl.ir import Block, Operation, Region
from xdsl.printer import Printer
from xdsl.rewriter import Rewriter

KINDS = (
    UnitAttr(),
    StringAttr("word"),
    StringAttr(""),
    SymbolRefAttr("name"),
    SymbolRefAttr("outer", ["inner"]),
    IntegerAttr(-1, i32),
    IntegerAttr(2**63 - 1, i64),
    IntegerAttr(1, i1),
    FloatAttr(1.0, f32),
    ArrayAttr([]),
    ArrayAttr([StringAttr("word"), UnitAttr()]),
    DenseArrayBase.from_list(i32, [-1, 2, 3]),
    DenseArrayBase.from_list(i64, []),
    DictionaryAttr({"key": UnitAttr()}),
    FunctionType.from_lists([], []),
    VectorType(f32, [4]),
    i32,
)
TYPES = (
    i1,
    i32,
    i64,
    f32,
    VectorType(f32, [4]),
    VectorType(i1, [2]),
    FunctionType.from_lists([], []),
)


def _set(name: str, number: int) -> Callable[[Operation], None]:
    def change(op: Operation) -> None:
        op.properties[name] = KINDS[number]

    return change


def _without_regions(op: Operation) -> None:
    for region in [*op.regions]:
        op.detach_region(region)


def changes(op: Operation) -> Iterator[tuple[str, Callable[[Operation], None]]]:
    """The changes of an operation, each with its name."""
    names = [*getattr(type(op), "get_irdl_definition", lambda: op)().properties]
    for name in names:
        for number in range(len(KINDS)):
            yield f"{name} = {KINDS[number]}", _set(name, number)
        if name in op.properties:
            yield f"without {name}", lambda op, name=name: op.properties.pop(name) and None
    yield "an unknown property", lambda op: op.properties.update(unknown=UnitAttr())
    yield "an unknown attribute", lambda op: op.attributes.update(unknown=UnitAttr())
    if op.operands:
        yield "one operand less", lambda op: setattr(op, "operands", op.operands[:-1])
        yield "no operands", lambda op: setattr(op, "operands", ())
        yield "an operand twice", lambda op: setattr(op, "operands", [*op.operands, op.operands[0]])
        yield "operands reversed", lambda op: setattr(op, "operands", op.operands[::-1])
    for at in range(len(op.results)):
        for type_ in TYPES:
            yield (
                f"result {at} : {type_}",
                lambda op, at=at, type_=type_: (
                    Rewriter.replace_value_with_new_type(op.results[at], type_) and None
                ),
            )
    if op.regions:
        yield "no regions", _without_regions
        yield "one region more", lambda op: op.add_region(Region())
        yield "an empty block", lambda op: op.regions[0].add_block(Block())
        yield "regions twice", lambda op: op.add_region(op.regions[0].clone())
        for at, region in enumerate(op.regions):
            for block in [*region.blocks][:1]:
                for type_ in TYPES if block.args else ():
                    yield (
                        f"argument of region {at} : {type_}",
                        lambda op, at=at, type_=type_: (
                            Rewriter.replace_value_with_new_type(
                                op.regions[at].blocks[0].args[0], type_
                            )
                            and None
                        ),
                    )
                yield (
                    "one argument more",
                    lambda op, at=at: op.regions[at].blocks[0].insert_arg(i32, 0) and None,
                )
    if op.successors:
        yield "no successors", lambda op: setattr(op, "successors", [])
        yield "successors twice", lambda op: setattr(op, "successors", [*op.successors] * 2)


def generic(module: ModuleOp) -> str:
    """The text of a module in generic format."""
    output = StringIO()
    Printer(output, print_generic_format=True).print_op(module)
    return output.getvalue()


def mutants(module: ModuleOp, rng: random.Random, count: int) -> Iterator[tuple[str, str]]:
    """Random mutants of a module: what was changed, and the text."""
    operations = [*module.walk()]
    for _ in range(count):
        at = rng.randrange(len(operations))
        name, change = rng.choice([*changes(operations[at])])
        copy = module.clone()
        op = [*copy.walk()][at]
        change(op)
        yield f"{op.name}: {name}", generic(copy)

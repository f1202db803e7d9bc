"""The PTX text of the declarations of kernels and shared variables."""

from collections.abc import Iterator

from xdsl.ir import Attribute

from ..isa.ptx import ptx_text
from ..isa.ptx.kernel import EXTENTS
from .kernel import KernelOp, SharedMemoryOp, memory_of
from .register_types import REGISTER_CLASSES


def shared_memory_line(op: SharedMemoryOp) -> str:
    """The declaration of a variable in shared memory."""
    size, linking = ("", f"{ptx_text.EXTERN} ") if op.size is None else (op.size.value.data, "")
    return f"{linking}{ptx_text.SHARED} {_bytes(op.sym_name.data, op.alignment.value.data, size)};"


def _bytes(name: str, alignment: int, size: int | str) -> str:
    """The declaration of an array of bytes, without its state space."""
    return f"{ptx_text.ALIGN} {alignment} .b8 {name}[{size}]"


def header_lines(op: KernelOp) -> Iterator[str]:
    """The lines of a kernel before its body."""
    parameters = [
        f"\t{_parameter(argument.type, op.parameter_name(index))}"
        for index, argument in enumerate(op.body.blocks[0].args)
    ]
    if op.declarations is not None:
        parameters = [f"\t{ptx_text.PARAMETER} {each.data}" for each in op.declarations]
    yield f"{ptx_text.VISIBLE} {ptx_text.KERNEL} {op.sym_name.data}("
    if parameters:
        yield ",\n".join(parameters)
    yield ")"
    for name, directive in EXTENTS.items():
        if name in op.properties and (extents := op.extents(name)) is not None:
            yield f"{directive.ptx} {', '.join(map(str, extents))}"
    for name, number in op.numbers():
        yield f".{name} {number}"
    for directive in op.directives or ():
        yield directive.data


def _parameter(type_: Attribute, name: str) -> str:
    """The declaration of a parameter."""
    if type_ in REGISTER_CLASSES:
        return f"{ptx_text.PARAMETER} .{REGISTER_CLASSES[type_][0]} {name}"
    memory = memory_of(type_)
    assert memory is not None
    size, alignment = memory
    return f"{ptx_text.PARAMETER} {_bytes(name, alignment, size)}"

"""The stubs: the constructors of all operations, and the fields of instructions, with types."""

import re
from collections.abc import Iterable, Iterator
from inspect import Parameter
from pathlib import Path

from xdsl.ir import Dialect, Operation
from xdsl.irdl import OperandDef, OptionalDef, PropertyDef, VariadicDef

from tcgen05_dialect.operations import public_name
from tcgen05_dialect.ptx import instructions
from tcgen05_dialect.ptx.dialect import PTX
from tcgen05_dialect.ptx.instruction import Instruction
from tcgen05_dialect.ptx.register_types import INTEGER_32, SINKS
from tcgen05_dialect.tcgen05.dialect import TCGEN05
from tcgen05_dialect.ws.dialect import WS
from tcgen05_dialect.xdsl_support import construction
from tcgen05_dialect.xdsl_support.construction import ConstructedOperation, signature_of

from .shown import ROOT

_PACKAGE = "tcgen05_dialect"
_FOLDER = ROOT / _PACKAGE
_IMPORTS = {
    "Literal": "typing",
    "Mapping": "collections.abc",
    "Sequence": "collections.abc",
    **dict.fromkeys(("Attribute", "Block", "OpResult"), "xdsl.ir"),
    **dict.fromkeys(
        ("DenseArrayBase", "I32", "IntegerAttr", "StringAttr"), "xdsl.dialects.builtin"
    ),
    **dict.fromkeys(("Operand", "OptOperand", "VarOperand", "VarOpResult"), "xdsl.irdl"),
    "InstructionDescriptor": "..isa.mma.instruction_descriptor",
    "ZeroColumnMask": "..isa.mma.sparse",
    **dict.fromkeys(construction.__annotations__, "..xdsl_support.construction"),
}


def _declared(parameter: Parameter) -> str:
    default = "" if parameter.default is Parameter.empty else " = ..."
    return f"{parameter.name}: {parameter.annotation}{default}"


def _constructor(op_type: type[ConstructedOperation]) -> str:
    parameters = ["self"]
    for each in signature_of(op_type).parameters.values():
        if each.kind is Parameter.KEYWORD_ONLY and "*" not in parameters:
            parameters.append("*")
        parameters.append(_declared(each))
    return f"def __init__({', '.join(parameters)}) -> None: ..."


def _value(kind: str, definition: object) -> str:
    if isinstance(definition, OptionalDef):
        return f"Opt{kind}"
    if isinstance(definition, VariadicDef):
        return f"Var{kind}"
    return kind


def _property(definition: PropertyDef) -> str:
    held = {id(INTEGER_32): "IntegerAttr[I32]", id(SINKS): "DenseArrayBase[I32]"}
    text = held.get(id(definition.constr), "StringAttr")
    return f"{text} | None" if isinstance(definition, OptionalDef) else text


def _fields(op_type: type[Instruction]) -> Iterator[str]:
    definition = op_type.get_irdl_definition()
    for name, each in definition.properties.items():
        if name != "operandSegmentSizes":
            yield f"{name}: {_property(each)}"
    for name, each in (*definition.operands, *definition.results):
        kind = "Operand" if isinstance(each, OperandDef) else "OpResult"
        yield f"{name}: {_value(kind, each)}"


def _module(owner: type) -> str:
    return owner.__module__.removeprefix(f"{_PACKAGE}.")


def _class(name: str, base: str, lines: Iterable[str]) -> str:
    return f"class {name}({base}):\n" + "".join(f"    {line}\n" for line in lines)


def _stub(head: str, imports: Iterable[str], body: str) -> str:
    names = sorted(set(re.findall(r"\w+", body)) & _IMPORTS.keys())
    lines = [f"from {_IMPORTS[name]} import {name}" for name in names]
    lines = [*sorted({*lines, *imports})]
    return f'"""{head} `make docs` writes this file."""\n\n' + "\n".join(lines) + f"\n\n{body}"


def _is_instruction(op_type: type[Operation]) -> bool:
    return op_type.__module__ == instructions.__name__


def _dialect(dialect: Dialect) -> str:
    """The stub of the module of `operations` for a dialect."""
    classes: list[str] = []
    imports = {
        f"from ..{_module(each)} import {each.__name__} as {each.__name__}"
        for each in dialect.attributes
    }
    for each in sorted(dialect.operations, key=public_name):
        if _is_instruction(each):
            imports.add(f"from ..{_module(each)} import *")
            continue
        assert issubclass(each, ConstructedOperation)
        package, _, module = _module(each).rpartition(".")
        imports.add(f"from ..{package} import {module} as _{module}")
        classes.append(
            _class(public_name(each), f"_{module}.{each.__name__}", [_constructor(each)])
        )
    return _stub(f"The classes of the dialect `{dialect.name}`.", imports, "\n".join(classes))


def _instructions() -> str:
    """The stub of `ptx/instructions.py`."""
    classes: list[str] = []
    imports: set[str] = set()
    for each in sorted(filter(_is_instruction, PTX.operations), key=public_name):
        assert issubclass(each, Instruction)
        base = each.__bases__[0]
        imports.add(f"from .{base.__module__.partition('.ptx.')[2]} import {base.__name__}")
        lines = ["; ".join(_fields(each)), _constructor(each)]
        classes.append(_class(each.__name__, base.__name__, filter(None, lines)))
    return _stub("The classes of the instructions.", imports, "\n".join(classes))


def stubs() -> dict[Path, str]:
    """Each stub and its text."""
    of_dialects = {
        _FOLDER / "operations" / f"{each.name}.pyi": _dialect(each) for each in (PTX, TCGEN05, WS)
    }
    return {_FOLDER / "ptx" / "instructions.pyi": _instructions(), **of_dialects}

"""The stubs of tcgen05_dialect/operations: the constructors of all operations, with types."""

import re
import subprocess
import sys
from collections.abc import Iterator
from inspect import Parameter
from pathlib import Path

from xdsl.ir import Dialect, Operation

from tcgen05_dialect.operations import types
from tcgen05_dialect.operations.public import public_name
from tcgen05_dialect.ptx.dialect import PTX
from tcgen05_dialect.tcgen05.dialect import TCGEN05
from tcgen05_dialect.ws.dialect import WS
from tcgen05_dialect.xdsl_support.construction import ConstructedOperation, signature_of

from .shown import ROOT

_FOLDER = ROOT / "tcgen05_dialect" / "operations"
_PACKAGE = "tcgen05_dialect"
_IMPORTS = {
    "Literal": "typing",
    "Mapping": "collections.abc",
    "Sequence": "collections.abc",
    "Attribute": "xdsl.ir",
    "Block": "xdsl.ir",
    "StringAttr": "xdsl.dialects.builtin",
    "InstructionDescriptor": "..isa.mma.instruction_descriptor",
    "ZeroColumnMask": "..isa.mma.sparse",
} | {name: ".types" for name in vars(types) if name in types.__annotations__}


def _declared(parameter: Parameter) -> str:
    default = "" if parameter.default is Parameter.empty else " = ..."
    return f"{parameter.name}: {parameter.annotation}{default}"


def _parameters(op_type: type[ConstructedOperation]) -> Iterator[str]:
    yield "self"
    named = False
    for each in signature_of(op_type).parameters.values():
        if each.kind is Parameter.KEYWORD_ONLY and not named:
            named = True
            yield "*"
        yield _declared(each)


def _module(owner: type) -> str:
    return owner.__module__.removeprefix(f"{_PACKAGE}.")


def _class(op_type: type[Operation]) -> str:
    assert issubclass(op_type, ConstructedOperation)
    base = f"_{_module(op_type).rpartition('.')[2]}.{op_type.__name__}"
    parameters = ", ".join(_parameters(op_type))
    return f"class {public_name(op_type)}({base}):\n    def __init__({parameters}) -> None: ...\n"


def _text(dialect: Dialect) -> str:
    operations = sorted(dialect.operations, key=public_name)
    body = "\n".join(map(_class, operations))
    names = sorted(set(re.findall(r"\w+", body)) & _IMPORTS.keys())
    lines = [f"from {_IMPORTS[name]} import {name}" for name in names]
    for module in sorted({_module(each) for each in operations}):
        package, _, name = module.rpartition(".")
        lines.append(f"from ..{package} import {name} as _{name}")
    lines.extend(
        f"from ..{_module(each)} import {each.__name__} as {each.__name__}"
        for each in dialect.attributes
    )
    head = f'"""The classes of the dialect `{dialect.name}`. `make docs` writes this file."""'
    return f"{head}\n\n" + "\n".join(lines) + f"\n\n{body}"


def stubs() -> dict[Path, str]:
    """Each stub and its text."""
    return {
        _FOLDER / f"{each.name}.pyi": _formatted(_text(each), f"{each.name}.pyi")
        for each in (PTX, TCGEN05, WS)
    }


def _formatted(text: str, name: str) -> str:
    for command in (["check", "--select", "I", "--fix", "--quiet"], ["format", "--quiet"]):
        done = subprocess.run(
            [
                Path(sys.executable).with_name("ruff"),
                *command,
                "--stdin-filename",
                str(_FOLDER / name),
                "-",
            ],
            input=text,
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
        )
        text = done.stdout
    return text

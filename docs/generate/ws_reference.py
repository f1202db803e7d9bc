"""docs/ws_reference.md: the reference of the dialect `ws`, from its operations and types."""

from collections.abc import Iterator, Sequence
from inspect import Parameter, cleandoc

from xdsl.ir import Attribute, Operation

from tcgen05_dialect.operations.public import public_name
from tcgen05_dialect.ws.dialect import WS
from tcgen05_dialect.xdsl_support.construction import ConstructedOperation, signature_of

from .dialect import operand_type
from .markdown import table
from .operations import docstring, items
from .shown import ROOT

FILE = ROOT / "docs" / "ws_reference.md"
_HEAD = """\
# Reference of roles and rings

All types and operations of the dialect `ws`. [ws.md](ws.md) is its guide and
[ws_tutorial.md](ws_tutorial.md) a first kernel; [rules.md](rules.md#ws) lists the rules that
messages name. `make docs` writes this page. The notation is that of [dialect.md](dialect.md).

The Python line of an operation is its constructor in `tcgen05_dialect.operations.ws`;
[the builder](python.md#build-kernels) has a shorter form of most.
"""


def _blocks(owner: type) -> Iterator[str]:
    """The indented blocks of a docstring: the syntax."""
    for paragraph in cleandoc(owner.__doc__ or "").split("\n\n"):
        if paragraph.startswith("    "):
            yield paragraph


def _call(op_type: type[ConstructedOperation]) -> str:
    """The constructor of an operation, with the parameters of its own."""
    shown: list[str] = []
    for name, each in signature_of(op_type).parameters.items():
        if name == "attributes":
            continue
        optional = each.default is not Parameter.empty
        named = each.kind is Parameter.KEYWORD_ONLY
        shown.append(f"[{name}=]" if optional and named else f"{name}=" if named else name)
    return f"ws.{public_name(op_type)}({', '.join(shown)})"


def _rows(op_type: type[ConstructedOperation]) -> Iterator[Sequence[str]]:
    definition = op_type.get_irdl_definition()
    types = {
        name: operand_type(each.constr)
        for name, each in (*definition.operands, *definition.results)
    }
    for name, meaning in items(op_type).items():
        yield f"`{name}`", types.get(name, ""), meaning


def _operation(op_type: type[Operation]) -> Iterator[str]:
    assert issubclass(op_type, ConstructedOperation)
    yield f"### `{op_type.name}`\n"
    yield from (f"{each}\n" for each in _blocks(op_type))
    yield f"{docstring(op_type).prose}\n"
    rows = list(_rows(op_type))
    if rows:
        yield from table(("name", "type", "meaning"), rows)
    yield f"Python: `{_call(op_type)}`\n"


def _type(type_: type[Attribute]) -> Iterator[str]:
    yield f"### `!{type_.name}`\n"
    yield from (f"{each}\n" for each in _blocks(type_))
    yield f"{docstring(type_).prose}\n"


def text() -> str:
    """The text of the page."""
    lines = [_HEAD, "## Types\n"]
    for type_ in WS.attributes:
        lines.extend(_type(type_))
    lines.append("## Operations\n")
    for op_type in WS.operations:
        lines.extend(_operation(op_type))
    return "\n".join(lines).rstrip() + "\n"

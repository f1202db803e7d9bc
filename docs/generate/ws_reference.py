"""docs/ws_reference.md: the reference of the dialect `ws`, from its operations and types, and of
its builder, from the docstrings."""

import re
from collections.abc import Iterable, Iterator, Sequence
from inspect import Parameter, cleandoc, getdoc, signature
from itertools import chain

from xdsl.ir import Attribute, Operation

from tcgen05_dialect import builder
from tcgen05_dialect.builder.roles import Scope
from tcgen05_dialect.operations import public_name
from tcgen05_dialect.operations.syntax import docstring, items
from tcgen05_dialect.ws.dialect import WS
from tcgen05_dialect.xdsl_support.construction import ConstructedOperation, signature_of

from .dialect import operand_type
from .markdown import table
from .shown import ROOT

FILE = ROOT / "docs" / "ws_reference.md"
_HEAD = """\
# Reference of roles and rings

All types and operations of the dialect `ws`. [ws.md](ws.md) is its guide and
[ws_tutorial.md](ws_tutorial.md) a first kernel; [rules.md](rules.md#ws) lists the rules that
messages name. `make docs` writes this page. The notation is that of [dialect.md](dialect.md).

The Python line of an operation is its constructor in `tcgen05_dialect.operations.ws`;
[the builder](#builder) has a shorter form of most.
"""


_BUILDER = """\
## Builder

`tcgen05_dialect.builder` builds kernels of `ws` in Python; [python.md](python.md#build-kernels) is
the guide. Parameters in brackets may be left out.
"""


def _blocks(owner: type) -> Iterator[str]:
    """The indented blocks of a docstring: the syntax."""
    for paragraph in cleandoc(owner.__doc__ or "").split("\n\n"):
        if paragraph.startswith("    "):
            yield paragraph


def _parameters(parameters: Iterable[Parameter]) -> str:
    """The parameters of a function, in parentheses; optional ones are in brackets, except lists."""
    shown: list[str] = []
    for each in parameters:
        if each.name not in ("attributes", "self"):
            named = each.kind is Parameter.KEYWORD_ONLY
            text = f"{each.name}=" if named else str(each.replace(default=Parameter.empty))
            text = text.partition(":")[0]
            optional = each.default is not Parameter.empty and (named or each.default != ())
            shown.append(f"[{text}]" if optional else text)
    return f"({', '.join(shown)})"


def _call(op_type: type[ConstructedOperation]) -> str:
    """The constructor of an operation, with the parameters of its own."""
    return f"ws.{public_name(op_type)}{_parameters(signature_of(op_type).parameters.values())}"


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


def _prose(owner: object) -> str:
    """The docstring of a part of the builder, without the errors that it raises."""
    return re.sub(r" ?Raises \w+[^.]*\.", "", " ".join((getdoc(owner) or "").split()))


def _called(function: object) -> str:
    """The parameters of a function or class; empty for an attribute."""
    return _parameters(signature(function).parameters.values()) if callable(function) else ""


def _members(owner: type) -> Iterator[Sequence[str]]:
    """The methods and attributes that a class of the builder adds to its base class. A region of a
    kernel and of a role has the same methods; those of a role are listed."""
    scopes = (owner, Scope) if owner is builder.Role else (owner,)
    for name, member in chain.from_iterable(vars(each).items() for each in scopes):
        if not name.startswith("_") and (callable(member) or isinstance(member, property)):
            yield f"`{name}{_called(member)}`", _prose(member)


def _builder() -> Iterator[str]:
    yield _BUILDER
    names = {name: getattr(builder, name) for name in builder.__all__}
    functions = {name: each for name, each in names.items() if not isinstance(each, type)}
    yield from table(
        ("function", "meaning"),
        ((f"`{name}{_called(each)}`", _prose(each)) for name, each in functions.items()),
    )
    for name, owner in names.items():
        if isinstance(owner, type):
            called = _called(owner) if owner is builder.Kernel else ""
            yield f"### `{name}{called}`\n"
            yield f"{_prose(owner)}\n"
            yield from table(("member", "meaning"), list(_members(owner)))


def text() -> str:
    """The text of the page."""
    lines = [_HEAD, "## Types\n"]
    for type_ in WS.attributes:
        lines.extend(_type(type_))
    lines.append("## Operations\n")
    for op_type in WS.operations:
        lines.extend(_operation(op_type))
    lines.extend(_builder())
    return "\n".join(lines).rstrip() + "\n"

"""Verification and parsing where one operation answers for others like it, against xDSL's own."""

import subprocess
import sys
from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import Float64Type, IndexType, ModuleOp, StringAttr, i1, i32, i64
from xdsl.dialects.test import TestOp as AnyOp
from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation, irdl_op_definition
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError, PyRDLOpDefinitionError, VerifyException

from tcgen05_dialect.compiler import lower, parse, verify
from tcgen05_dialect.isa.model.rule import Violation
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.verifier import Verifier, own_checks
from tcgen05_dialect.xdsl_support.operation_format import format_of, formatted_op_definition

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.mlir"))
TYPES = (i1, i32, i64, IndexType(), Float64Type())


def example(path: Path) -> tuple[ModuleOp, Context]:
    return parse(Source(path.name, path.read_text()))


def fails(operation: Operation, verifier: Verifier | None) -> bool:
    """Whether something is wrong with an operation, as xDSL or as the verifier finds it."""
    try:
        if verifier is None:
            operation.verify_()
        else:
            verifier.verify(operation)
    except (VerifyException, Violation):
        return True
    return False


def wrong_ones(operation: Operation):
    """The operation with each operand of each type, and with each property of another kind."""
    for index, operand in enumerate(operation.operands):
        for type_ in TYPES:
            operation.operands[index] = AnyOp(result_types=[type_]).results[0]
            yield
        operation.operands[index] = operand
    for name, attribute in list(operation.properties.items()):
        operation.properties[name] = StringAttr("of no use")
        yield
        operation.properties[name] = attribute
    yield


@pytest.mark.parametrize("lowered", [False, True], ids=["typed", "ptx"])
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_changed_operation_is_verified_as_by_xdsl(path: Path, lowered: bool) -> None:
    module, context = example(path)
    verify(module)
    if lowered:
        lower(module, context)
    verifier = Verifier()
    for operation in module.walk():
        verifier.verify(operation)
    failures = 0
    for operation in {type(o): o for o in module.walk() if not o.regions}.values():
        for _ in wrong_ones(operation):
            expected = fails(operation, None)
            assert fails(operation, verifier) == expected, operation.name
            failures += expected
    assert failures


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_parsed_as_by_xdsl(path: Path) -> None:
    module, context = example(path)
    assert Parser(context, path.read_text()).parse_module().is_structurally_equivalent(module)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_nothing_is_verified_or_parsed_the_slow_way(path: Path) -> None:
    """What is read from inside xDSL's functions is still there."""
    module, _ = example(path)
    types = {type(o) for o in module.walk() if isinstance(o, IRDLOperation)}
    for op_type in types:
        assert own_checks(op_type) is not None, op_type.name
        assert (format_of(op_type) is None) == (op_type.assembly_format is None), op_type.name


def test_a_format_is_parsed_at_first_use() -> None:
    """xDSL itself finds at once what is wrong with a format."""

    class Wrong(IRDLOperation):
        name = "test.wrong_format"
        assembly_format = "$nothing attr-dict"

    defined = formatted_op_definition(Wrong)
    with pytest.raises(ParseError, match="nothing"):
        format_of(defined)
    with pytest.raises(ParseError, match="nothing"):
        str(defined())
    with pytest.raises(PyRDLOpDefinitionError):
        irdl_op_definition(Wrong)


@pytest.mark.parametrize("first", ["arith", "ptx", "scf", "tcgen05"])
def test_formats_of_what_is_loaded_are_parsed_at_first_use(first: str) -> None:
    """Those of all dialects and passes, whichever comes first, in a process of their own."""
    program = f"""
from tcgen05_dialect import compile_to_ptx
from tcgen05_dialect.compiler import make_context
from xdsl.irdl.declarative_assembly_format_parser import FormatParser
FormatParser.parse_format = None
context = make_context()
context.load_registered_dialect("{first}")
assert ".target" in compile_to_ptx("builtin.module {{}}")
for name in context.registered_dialect_names - {{"{first}"}}:
    context.load_registered_dialect(name)
"""
    subprocess.run([sys.executable, "-c", program], check=True)

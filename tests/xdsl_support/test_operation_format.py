"""Tests of operation formats: they are parsed at first use, not when a dialect is loaded."""

import subprocess
import sys

import pytest
from xdsl.irdl import IRDLOperation, irdl_op_definition
from xdsl.utils.exceptions import ParseError, PyRDLOpDefinitionError

from tcgen05_dialect.xdsl_support.operation_format import formatted_op_definition


def test_a_format_is_parsed_at_first_use() -> None:
    """xDSL itself finds at once what is wrong with a format."""

    class Wrong(IRDLOperation):
        name = "test.wrong_format"
        assembly_format = "$nothing attr-dict"

    defined = formatted_op_definition(Wrong)
    with pytest.raises(ParseError, match="nothing"):
        str(defined())
    with pytest.raises(PyRDLOpDefinitionError):
        irdl_op_definition(Wrong)


@pytest.mark.slow
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

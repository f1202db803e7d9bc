"""Lowering of IR text."""

from xdsl.dialects.builtin import ModuleOp

from tcgen05_dialect.compiler import lower, make_context, parse, verify
from tcgen05_dialect.reporting.diagnostics import Source


def lowered(text: str) -> ModuleOp:
    """A verified module, lowered and verified again. Raises CompileError."""
    source = Source("test", text)
    module, _ = parse(source)
    verify(module, source)
    lower(module, make_context(), source=source)
    verify(module, source)
    return module

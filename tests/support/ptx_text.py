"""Single instructions read from PTX text, and statements printed as PTX text."""

from collections.abc import Iterable

from tcgen05_dialect.isa.ptx import ptx_text
from tcgen05_dialect.ptx_reader import Lines, read_statements
from tcgen05_dialect.ptx_reader.match import Matched, match_block
from tcgen05_dialect.ptx_reader.scope import Scope
from tcgen05_dialect.ptx_reader.tokens import (
    Close,
    Fault,
    InstructionStatement,
    Label,
    Open,
    Statement,
    statement_text,
)
from tcgen05_dialect.reporting.diagnostics import Source


def read_instruction(source: Source, scope: Scope | None = None) -> Matched:
    """
    The operation for the text of one instruction, or of one block in braces. The semicolon is
    optional. `scope` is as for `match`. Raises CompileError.
    """
    text = source.text.rstrip()
    ended = text if text.endswith(";") or text.startswith("{") else f"{text};"
    statements, faults = read_statements(ended)
    try:
        if faults:
            raise faults[0]
        if not any(isinstance(statement, InstructionStatement) for statement in statements):
            raise Fault(ptx_text.SYNTAX_RULE.violation(None, "one instruction"), 0, len(text))
        return match_block(statements, scope)
    except Fault as fault:
        raise Lines(source).error(fault) from fault


def print_statements(statements: Iterable[Statement]) -> str:
    """Text that is read as the given statements."""
    lines: list[str] = []
    depth = 0
    for statement in statements:
        depth -= isinstance(statement, Close)
        indented = depth > 0 and not isinstance(statement, Label)
        lines.append(("\t" if indented else "") + statement_text(statement))
        depth += isinstance(statement, Open)
    return "".join([f"{line}\n" for line in lines])

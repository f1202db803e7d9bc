"""Print the operation that the reader of `ptx` finds for each instruction in a file of PTX text."""

import sys
from pathlib import Path

from tcgen05_dialect.ptx.text.syntax import SPELLING, sinks_of, word_of
from tcgen05_dialect.ptx_reader import Lines, read_statements
from tcgen05_dialect.ptx_reader.match import match
from tcgen05_dialect.ptx_reader.scope import Scope
from tcgen05_dialect.ptx_reader.tokens import Fault, InstructionStatement
from tcgen05_dialect.reporting.diagnostics import Source


def main(path: Path) -> None:
    """Print for each instruction the operation, its spelling and its sinks, and its text."""
    source = Source(path.name, path.read_text(encoding="utf-8"))
    statements, faults = read_statements(source.text)
    places, scope = Lines(source), Scope()
    for statement in statements:
        scope.see(statement)
        if not isinstance(statement, InstructionStatement):
            continue
        try:
            matched = match(statement, scope)
        except Fault as fault:
            faults.append(fault)
            continue
        words = [matched.op.name]
        if spelling := word_of(matched.op, SPELLING):
            words.append(spelling)
        if sinks := sinks_of(matched.op):
            words.append(f"without {', '.join(map(str, sinks))}")
        matched.op.verify_()
        print(f"{' '.join(words)}: {matched.text()}")
    for error in places.errors(faults):
        print(error)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

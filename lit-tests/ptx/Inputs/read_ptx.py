"""Print a file of PTX text as the reader of `ptx` understands it, and what is wrong with it."""

import sys
from pathlib import Path

from xdsl.utils.exceptions import VerifyException

from tcgen05_dialect.ptx_reader import Lines, match_statements, read_text
from tcgen05_dialect.ptx_reader.tokens import statement_text
from tcgen05_dialect.reporting.diagnostics import Source


def main(path: Path) -> None:
    """Print the statements, then the operations, then the errors."""
    source = Source(path.name, path.read_text(encoding="utf-8"))
    text = read_text(source)
    module = match_statements(text, text.statements)
    places = Lines(source)
    for statement in module.statements:
        print(statement_text(statement))
    for statement, matched in module.read:
        line = places.location(statement.start).line
        guard = "" if statement.guard is None else f" if {statement.guard.name}"
        try:
            matched.op.verify_()
        except VerifyException as error:
            print(f"line {line}: {error}")
        else:
            print(f"line {line}: {matched.op.name}{guard}: {matched.text()}")
    for error in module.errors:
        print(error)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

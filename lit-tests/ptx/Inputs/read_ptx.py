"""Print a file of PTX text as the reader of `ptx` understands it, and what is wrong with it."""

import sys
from pathlib import Path

from xdsl.utils.exceptions import VerifyException

from tcgen05_dialect.diagnostics import Source
from tcgen05_dialect.ptx.reader.read import read_module
from tcgen05_dialect.ptx.reader.text import print_statements


def main(path: Path) -> None:
    """Print the statements, then the operations, then the errors."""
    module = read_module(Source(path.name, path.read_text(encoding="utf-8")))
    print(print_statements(module.statements))
    for statement, location, matched in module.read:
        guard = "" if statement.guard is None else f" if {statement.guard.name}"
        try:
            matched.op.verify_()
        except VerifyException as error:
            print(f"line {location.line}: {error}")
        else:
            print(f"line {location.line}: {matched.op.name}{guard}: {matched.text()}")
    for error in module.errors:
        print(error)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

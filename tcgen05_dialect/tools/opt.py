"""The command `tcgen05-opt`: xdsl-opt with places in its messages, and no traceback."""

import argparse
import functools
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from io import BytesIO, StringIO
from os.path import splitext
from typing import IO

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import ArgSpecParseError, VerifyException
from xdsl.xdsl_opt_main import xDSLOptMain

from ..check import refuse_ptx
from ..compiler import verify
from ..isa.model.rule import Violation
from ..reporting.diagnostics import CompileError, Source, diagnosed
from ..xdsl_support.parser import LocatedParser
from .command import read_source, refuse_usage, run, version, write_output


def main(arguments: Sequence[str] | None = None, program: str = "tcgen05-opt") -> int:
    """Run the command; returns the exit status."""

    def optimize() -> None:
        with diagnosed():
            with _usage():
                opt = _Opt(program, arguments)
            opt.run()

    return run(program, optimize)


@contextmanager
def _usage() -> Generator[None]:
    """Make a CompileError of what xDSL raises for passes, targets and files it cannot use."""
    try:
        yield
    except Violation:
        raise
    except (ArgSpecParseError, ValueError) as error:
        raise CompileError(str(error).strip()) from error


class _KeptText(StringIO):
    """Text that is still there after the stream was closed."""

    text = ""

    def close(self) -> None:
        if not self.closed:
            self.text = self.getvalue()
        super().close()


class _Opt(xDSLOptMain):
    version_format = f"{version('tcgen05-opt')} on xDSL {{xdsl_version}}"

    def __init__(self, program: str, arguments: Sequence[str] | None):
        self.program = program
        self.source: Source | None = None
        self.output: _KeptText | None = None
        super().__init__("Runs passes on a module.", arguments)

    def run(self) -> None:
        super().run()
        if self.output is not None:
            write_output(self.args.output_file, self.output.text.encode())

    def register_all_arguments(self, arg_parser: argparse.ArgumentParser) -> None:
        arg_parser.prog = self.program
        arg_parser.error = functools.partial(refuse_usage, arg_parser)
        super().register_all_arguments(arg_parser)

    def get_input_name(self) -> str:
        return "<stdin>" if self.args.input_file in (None, "-") else self.args.input_file

    def get_input_stream(self) -> tuple[IO[bytes], str]:
        path = self.args.input_file or "-"
        extension = splitext(path)[1].removeprefix(".") or "mlir"
        return BytesIO(read_source(path).text.encode()), extension

    def prepare_input(self) -> tuple[list[tuple[IO[bytes], int]], str]:
        with _usage():
            return super().prepare_input()

    def parse_chunk(
        self, chunk: IO[bytes], file_extension: str, start_offset: int = 0
    ) -> ModuleOp | None:
        if file_extension != "mlir":
            return super().parse_chunk(chunk, file_extension, start_offset)
        self.source = Source(self.get_input_name(), chunk.read().decode(), start_offset)
        refuse_ptx(self.source)
        return LocatedParser(self.ctx, self.source).parse_module(not self.args.no_implicit_module)

    def apply_passes(self, prog: ModuleOp) -> None:
        with diagnosed(self.source):
            if not self.args.disable_verify:
                verify(prog, self.source)
            try:
                super().apply_passes(prog)
            except VerifyException:
                verify(prog, self.source)
                raise

    def output_resulting_program(self, prog: ModuleOp) -> str:
        with diagnosed(self.source), _usage():
            return super().output_resulting_program(prog)

    def prepare_output(self) -> IO[str]:
        if self.args.output_file in (None, "-"):
            return sys.stdout
        self.output = _KeptText()
        return self.output


if __name__ == "__main__":
    sys.exit(main())

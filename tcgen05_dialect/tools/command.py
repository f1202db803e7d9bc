"""What the commands share: reading and writing files, and ending with one message and a status."""

import argparse
import gc
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from ..reporting.diagnostics import Source

TRACEBACK_VARIABLE = "TCGEN05_TRACEBACK"


def refuse_usage(parser: argparse.ArgumentParser, message: str) -> NoReturn:
    """End the process for arguments that cannot be used."""
    parser.exit(1, f"{parser.prog}: error: {message}\n")


class ArgumentParser(argparse.ArgumentParser):
    """Refuses arguments in one line, with status 1."""

    def error(self, message: str) -> NoReturn:
        refuse_usage(self, message)


def version(program: str) -> str:
    """What `--version` prints."""
    from importlib import metadata

    return f"{program} {metadata.version('tcgen05-dialect')}"


class VersionAction(argparse.Action):
    """The option `--version`."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        print(version(parser.prog))
        parser.exit()


def read_source(path: str, errors: str = "strict") -> "Source":
    """
    The text of a file, or of the standard input for `-`; `errors` says what becomes of bytes that
    are not UTF-8, as for `bytes.decode`. Raises CompileError.
    """
    from xdsl.utils.lexer import Location

    from ..reporting.diagnostics import CompileError, Source

    name = "<stdin>" if path == "-" else path
    try:
        with open(0 if path == "-" else path, "rb", closefd=path != "-") as file:
            data = file.read()
    except (OSError, ValueError) as error:
        raise CompileError(f"cannot read {name}: {_reason(error)}") from error
    try:
        return Source(name, data.decode(errors=errors))
    except UnicodeDecodeError as error:
        line_start = data.rfind(b"\n", 0, error.start) + 1
        line = data.count(b"\n", 0, line_start) + 1
        raise CompileError(
            f"byte 0x{data[error.start]:02x} is not UTF-8 text",
            Location(name, line, error.start - line_start + 1),
        ) from error


def refuse_overwriting(source: str, output: str | None) -> None:
    """Refuse to replace the file that is read by what is made of it. Raises CompileError."""
    from ..reporting.diagnostics import CompileError

    if source == "-" or output is None or not os.path.isfile(output):
        return
    if os.path.samefile(source, output):
        raise CompileError(f"cannot write {output}: it is the input")


def write_output(path: str | None, data: bytes) -> None:
    """
    Write a file as a whole or not at all; the standard output for None and `-`.

    Raises CompileError.
    """
    try:
        if path is None or path == "-":
            with open(1, "wb", closefd=False) as file:
                file.write(data)
        elif os.path.exists(path) and not os.path.isfile(path):
            # A device or a pipe must not be replaced by a file.
            with open(path, "wb") as file:
                file.write(data)
        else:
            _replace(os.path.realpath(path), data)
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        from ..reporting.diagnostics import CompileError

        name = "the standard output" if path is None or path == "-" else path
        raise CompileError(f"cannot write {name}: {_reason(error)}") from error


def _replace(path: str, data: bytes) -> None:
    beside = f"{path}.{os.getpid()}.tmp"
    try:
        with open(beside, "xb") as file:
            file.write(data)
        os.replace(beside, path)
    except BaseException:
        if os.path.exists(beside):
            os.unlink(beside)
        raise


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def run(program: str, action: Callable[[], int | None]) -> int:
    """
    Do what a command does, and return the exit status of the process: what the command returns,
    or 1 after an error, whose message goes to the standard error output.
    """
    # The process is short and what it builds lives to its end, so that searching for garbage,
    # while it runs and before it exits, would be time lost: a tenth of it.
    gc.disable()
    try:
        status = action()
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # As by the signal, which Python ignores; it would try to write what is left, and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except Exception as error:
        print(_message(program, error), file=sys.stderr)
        return 1
    finally:
        gc.freeze()
    return status or 0


def _message(program: str, error: Exception) -> str:
    from ..reporting.diagnostics import CompileError

    if isinstance(error, CompileError):
        return str(error) if error.location is not None else f"{program}: {error}"
    if os.environ.get(TRACEBACK_VARIABLE):
        raise error
    return (
        f"{program}: internal error: {type(error).__name__}: {error} "
        f"(set {TRACEBACK_VARIABLE}=1 for a traceback)"
    )

"""Input and output of the commands, with one error for each way to fail."""

import codecs
import errno
import os
import sys
import time
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, TextIO, TypeAlias

from ..kept_results import Record

if TYPE_CHECKING:
    from ..reporting.diagnostics import Source


class CommandError(Exception):
    """The error of a command that cannot do what its arguments ask for; exit status 2."""


_OF_LLVM = (b"llvm.", b"gpu.")
"""What occurs in files of MLIR and LLVM IR with kernels."""
_REFUSED = {
    # Some editors write the mark, but no token of IR or PTX begins with one.
    (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE): (
        "the file begins with a byte order mark: save it as UTF-8 without the mark"
    ),
    # An ELF file, such as a cubin or a compiled program, and a fat binary.
    (b"\x7fELF", b"\x50\xed\x55\xba"): (
        "the file is a cubin or another file of machine code: give PTX text; if the file "
        "also holds its PTX, `cuobjdump -ptx` prints it"
    ),
    (b"\x1f\x8b",): "the file is compressed: give what `gunzip -c` prints",
    (b"ML\xefR",): "the file is MLIR bytecode: give its text, which `mlir-opt` prints",
}
"""First bytes of files that are refused -> what the file is, and what to give instead."""


Translation: TypeAlias = tuple[str | None, str | None, str | None]
"""How PTX text is made of LLVM IR: the folder of the programs, the target and the PTX version."""


def read_source(path: str, how: Translation | None = None) -> "Source":
    """
    The text of a file, or of the standard input for `-`. With `how`, it is the PTX text that the
    programs of LLVM make of a file of LLVM IR, or of MLIR with kernels in dialects of MLIR.

    Comments in PTX may have any encoding: bytes of PTX that are not UTF-8 become surrogate escapes.
    Raises CommandError for a file that cannot be read; its cause is a CompileError if the file is
    machine code, begins with a byte order mark, or is IR and not UTF-8. Raises CompileError for a
    file that the programs of LLVM refuse.
    """
    from xdsl.utils.lexer import Location

    from ..reporting.diagnostics import CompileError, Source

    name = "<stdin>" if path == "-" else path
    try:
        with open(0 if path == "-" else path, "rb", closefd=path != "-") as file:
            data = file.read()
    except (OSError, ValueError) as error:
        raise CommandError(f"cannot read {name}: {reason(error)}") from error
    for beginnings, message in _REFUSED.items():
        if data.startswith(beginnings):
            raise CommandError(message) from CompileError(message, Location(name, 1, 1))
    if how is not None and (path.endswith((".ll", ".bc")) or any(b in data for b in _OF_LLVM)):
        # Imported here, because few files need it.
        from ..assembler import ToolError
        from ..llvm_input import is_llvm, ptx_of

        try:
            if is_llvm(name, data):
                return ptx_of(name, data, *how)
        except ToolError as error:
            raise CommandError(error.message) from error
    try:
        return Source(name, data.decode())
    except UnicodeDecodeError as error:
        from ..language import language_of

        source = Source(name, data.decode(errors="surrogateescape"))
        if language_of(source.name, source.text) == "PTX":
            return source
        line_start = data.rfind(b"\n", 0, error.start) + 1
        line = data.count(b"\n", 0, line_start) + 1
        message = f"byte 0x{data[error.start]:02x} is not UTF-8 text"
        place = Location(name, line, error.start - line_start + 1)
        raise CommandError(message) from CompileError(message, place)


def refuse_unreadable(path: str) -> None:
    """Raise CommandError for a file that cannot be opened."""
    try:
        if path != "-":
            open(path, "rb").close()
    except (OSError, ValueError) as error:
        raise CommandError(f"cannot read {path}: {reason(error)}") from error


def is_ptx(source: "Source") -> bool:
    """Whether a file is PTX. Raises CommandError if the suffix of its name says otherwise."""
    from ..language import language_of, misnamed

    if (error := misnamed(source)) is not None:
        (finding,) = error.findings
        raise CommandError(f"{source.name}: {finding.message}; {finding.help}")
    return language_of(source.name, source.text) == "PTX"


def refuse_overwriting(source: str, output: str | None) -> None:
    """Raise CommandError if the output would replace the input."""
    if source == "-" or output is None or not os.path.isfile(output):
        return
    if os.path.samefile(source, output):
        raise CommandError(f"cannot write {output}: it is the input")


def write_output(path: str | None, data: bytes) -> None:
    """
    Write a whole file or nothing; None and `-` are the standard output.

    An existing file keeps its mode and its owner. Raises CommandError, or BrokenPipeError if the
    reader of a pipe has gone.
    """
    if (record := Record.current) is not None:
        record.write("out", path, data, lambda: _write_output(path, data))
    else:
        _write_output(path, data)


def _write_output(path: str | None, data: bytes) -> None:
    try:
        if path is None or path == "-" or _is_standard_output(path):
            if sys.stdout is not None:
                sys.stdout.flush()
            _write(1, data)
        elif os.path.exists(path) and not os.path.isfile(path):
            # A device or a pipe must not be replaced by a file.
            _write(path, data)
        else:
            _write_file(os.path.realpath(path), data)
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        name = "the standard output" if path is None or path == "-" else path
        raise CommandError(f"cannot write {name}: {reason(error)}") from error


def replace_source(path: str, data: bytes) -> None:
    """Replace the text of a source file. The file is never written in place, because the text would
    be lost if writing failed. Raises CommandError."""
    file = os.path.realpath(path)
    try:
        old = os.stat(file)
        if not os.path.isfile(file):
            raise CommandError(f"cannot write {path}: it is not a file")
        if old.st_nlink > 1:
            raise CommandError(
                f"cannot write {path}: it has other names (hard links), which would keep the old "
                "text; print a patch with --diff"
            )
        _refuse_read_only(file)
        _replace(file, data, old)
    except OSError as error:
        raise CommandError(
            f"cannot write {path}: cannot replace the file in its folder: {reason(error)}; "
            "print a patch with --diff"
        ) from error


def _is_standard_output(path: str) -> bool:
    """Whether a path, such as /dev/stdout, names the file to which standard output is connected."""
    try:
        return os.path.samestat(os.stat(path), os.fstat(1))
    except (OSError, ValueError):
        return False


def _write(file: int | str, data: bytes) -> None:
    with open(file, "wb", closefd=isinstance(file, str)) as stream:
        stream.write(data)


def _write_file(path: str, data: bytes) -> None:
    """Replace a file, or write into it if the user has no permission to replace it."""
    old = os.stat(path) if os.path.exists(path) else None
    if old is not None:
        _refuse_read_only(path)
    try:
        _replace(path, data, old)
    except PermissionError:
        if old is None:
            raise
        _write(path, data)


def _refuse_read_only(path: str) -> None:
    """Raise PermissionError for a file that the user has no permission to write."""
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _replace(path: str, data: bytes, old: os.stat_result | None) -> None:
    # Imported here, because output usually goes to the standard output.
    import tempfile

    descriptor, beside = tempfile.mkstemp(prefix=".tcgen05-", dir=os.path.dirname(path))
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            new = os.fstat(descriptor)
        if old is None:
            os.umask(mask := os.umask(0))
            os.chmod(beside, 0o666 & ~mask)
        else:
            if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid):
                os.chown(beside, old.st_uid, old.st_gid)
            os.chmod(beside, old.st_mode)
        os.replace(beside, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise


_FIRST_SECONDS = 2.0
_NEXT_SECONDS = 0.2


class ProgressLine:
    """
    Progress line of work that takes longer than two seconds; removed at the end of the `with`
    statement.

    It prints nothing if `stream` is not a terminal, nor in a fork of its process.
    """

    def __init__(self, stream: TextIO | None):
        self._stream, self._process = stream, os.getpid()
        self._shown = 0
        self._started = time.monotonic()
        is_terminal = stream is not None and stream.isatty()
        self._next = self._started + _FIRST_SECONDS if is_terminal else float("inf")

    def __enter__(self) -> "ProgressLine":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.clear()

    def update(self, text: str) -> None:
        """Show how far the work is, and how long it has taken."""
        now = time.monotonic()
        if now >= self._next and os.getpid() == self._process:
            self._next = now + _NEXT_SECONDS
            self._show(f"{now - self._started:.0f} s: {text}")

    def clear(self) -> None:
        """Remove the line, before other output."""
        if self._shown:
            self._show("")
            self._show("")

    def _show(self, line: str) -> None:
        assert self._stream is not None
        self._stream.write(f"\r{line:<{self._shown}}")
        self._stream.flush()
        self._shown = len(line)


def complain(message: str) -> None:
    """Print a line on standard error, if it can be written."""
    if (record := Record.current) is not None:
        data = message.encode(errors="surrogateescape")
        record.write("err", None, data, lambda: _complain(message))
    else:
        _complain(message)


def _complain(message: str) -> None:
    with suppress(OSError):
        if sys.stderr is not None:
            sys.stderr.write(f"{message}\n")
            sys.stderr.flush()


def reason(error: Exception) -> str:
    """The reason why reading or writing failed."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)

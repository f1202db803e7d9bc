"""
Kept results: what a command wrote, for a later command with the same arguments and inputs.

A result is found before the rest of the project is imported. It is kept with all that the command
read: the events of Python's audit hooks name each file and folder. Nothing is kept of a command
that reads something else, such as the standard input, writes a file that is no output, runs another
program, such as ptxas, or has an internal error.

Packages such as `diskcache` cannot do this: their import alone takes longer than an answer from
here, and their pickled entries could run code.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, TypeAlias

    Write: TypeAlias = Callable[[str, str | None, bytes], bool]

COMMANDS = ("compile", "check", "import", "sim")
"""The commands whose results are kept."""
VARIABLE = "TCGEN05_CACHE"
"""The environment variable that names the folder; `off` or an empty value keeps nothing."""
OPTION = "--no-cache"
BUDGET = "--budget"
MOST_BYTES = 1 << 28
"""Limit on the bytes of all results; the results used last stay."""
_TEXT = "text"
_OUTPUT = "-o", "--output", "--timeline"
_SUFFIX = ".result"
_PACKAGE = os.path.dirname(os.path.abspath(__file__))
_SOURCES = _PACKAGE, os.path.join(os.path.dirname(_PACKAGE), "passes")
"""The folders of the project; in a checkout, `passes` lies beside the package."""
_PACKAGES = "xdsl-", "numpy-", "ml_dtypes-", "llvmlite-", "jaxlib-"
"""The first letters of the installed packages on which results depend."""
_MODULES = ".py", ".pyc", ".so", ".pyd"
"""Suffixes of modules. The versions of installed modules are part of the key of a result."""
_BYTE_CODE = f"{os.sep}__pycache__{os.sep}"


def folder() -> str | None:
    """The folder of the results; None if none are kept."""
    given = os.environ.get(VARIABLE)
    if given is not None:
        return None if given in ("", "off") else os.path.abspath(given)
    caches = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(caches, "tcgen05") if os.path.isabs(caches) else None


def run_kept(arguments: "Sequence[str]", command: "Callable[[], int]", write: "Write") -> int:
    """
    Write the kept result of a command or, if there is none, run it and keep its result; returns the
    exit status. `write` writes a piece of output and tells whether it could; see `Record.write`.
    """
    entry = _entry(arguments)
    if entry is None:
        return command()
    status = _replay(entry, write)
    if status is not None:
        return status
    record = Record()
    record.start()
    status = command()
    # Status 2: something that is not an input was wrong, such as a full disk.
    if status in (0, 1):
        record.store(entry, status)
    return status


def kept(parts: "Sequence[str]", make: "Callable[[], str]") -> str:
    """
    The text that `make` returns, such as the findings in one of many files; a kept one if there is
    one. It depends on `parts`, on what `make` reads, and on the installed code. It is not kept if
    the result of the command is not.
    """
    outer, where = Record.current, folder()
    if outer is None or where is None:
        return make()
    Record.current = None
    entry = _file_of(where, (_TEXT, *parts, os.getcwd()))
    if (found := _read(entry)) is not None:
        Record.current = outer
        outer.absorb({path: [kind, known] for kind, known, path in found.inputs}, True)
        return found.outputs[0][2]
    inner = Record()
    inner.start()
    try:
        text = make()
        inner.outputs.append([_TEXT, None, text])
        inner.store(entry, 0)
    finally:
        Record.current = outer
        outer.absorb(*inner.seen)
    return text


def entries(where: str) -> "list[tuple[str, os.stat_result]]":
    """The files of the results in a folder; the one that was used first comes first."""
    try:
        with os.scandir(where) as found:
            results = [(each.path, each.stat()) for each in found if each.name.endswith(_SUFFIX)]
    except OSError:
        return []
    return sorted(results, key=lambda each: each[1].st_mtime_ns)


class Record:
    """What a command reads and writes."""

    current: "Record | None" = None
    """The record of what is running; `files` adds what a command writes."""
    _is_hooked = False

    def __init__(self) -> None:
        self.outputs: list[list[str | None]] = []
        self._inputs: dict[str, list[str]] = {}
        self._is_whole = True
        self._is_writing = False

    def start(self) -> None:
        """Record from now on."""
        Record.current = self
        if not Record._is_hooked:
            # There is no way to remove a hook.
            Record._is_hooked = True
            sys.addaudithook(_hear)

    @property
    def seen(self) -> "tuple[dict[str, list[str]], bool]":
        """The inputs, and whether they are all that was read; see `absorb`."""
        return self._inputs, self._is_whole

    def absorb(self, inputs: "dict[str, list[str]]", is_whole: bool) -> None:
        """Add what another record has seen, perhaps in another process."""
        self._inputs.update(inputs)
        self._is_whole = self._is_whole and is_whole

    def write(
        self, stream: str, path: str | None, data: bytes, write: "Callable[[], None]"
    ) -> None:
        """Record a piece of output to `err`, or to `out` or the file at `path`, and write it."""
        self.outputs.append([stream, path, data.decode("latin-1")])
        self._is_writing = True
        try:
            write()
        finally:
            self._is_writing = False

    @property
    def is_hearing(self) -> bool:
        return self._is_whole and not self._is_writing

    def listed(self, path: "Any") -> None:
        """A folder was listed."""
        self._read("folder", path or os.curdir)

    def renamed(self, _: "Any", path: "Any", *rest: "Any") -> None:
        """A file got another name."""
        self._is_whole = _BYTE_CODE in os.fsdecode(path)

    def acted(self, *arguments: "Any") -> None:
        """The command did what a later one has to do, too."""
        self._is_whole = False

    def opened(self, path: "Any", _: "Any", flags: int) -> None:
        """A file was opened."""
        if not isinstance(path, str | bytes):
            self._is_whole = False  # The number of an open file.
            return
        name = os.fsdecode(path)
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            self._is_whole = _BYTE_CODE in name
        elif not name.endswith(_MODULES):
            self._read("file", name)
        else:
            # A module of the user may do anything.
            self._is_whole = _is_installed(name)

    def _read(self, kind: str, path: "Any") -> None:
        if isinstance(path, int):
            self._is_whole = False
            return
        name = os.path.abspath(os.fsdecode(path))
        if name in self._inputs or name.startswith(_PACKAGE + os.sep):
            return
        Record.current = None
        try:
            signature = _signature(kind, name)
        finally:
            Record.current = self
        if signature is None:
            self._is_whole = False
        else:
            self._inputs[name] = [kind, signature]

    def store(self, entry: str, status: int) -> None:
        """Keep the result. A failure has no consequence: the command runs again."""
        Record.current = None
        inputs = [[*each, name] for name, each in self._inputs.items()]
        # An input that changed meanwhile may have been read before or after.
        if not self._is_whole or not _are_same(inputs):
            return
        import json
        import tempfile

        data = json.dumps({"status": status, "inputs": inputs, "outputs": self.outputs}).encode()
        where = os.path.dirname(entry)
        try:
            os.makedirs(where, mode=0o700, exist_ok=True)
            # What a killed process leaves is removed as a result is.
            descriptor, beside = tempfile.mkstemp(_SUFFIX, dir=where)
            try:
                with open(descriptor, "wb") as file:
                    file.write(_digest(data).encode() + b"\n" + data)
                os.replace(beside, entry)
            except BaseException:
                os.unlink(beside)
                raise
            _remove_oldest(where)
        except OSError:
            return


FAILURE = "tcgen05.failure"
"""Audit event of an internal error, which another run may not have: no result is kept."""
_EVENTS = {
    "open": Record.opened,
    **dict.fromkeys(("os.scandir", "os.listdir"), Record.listed),
    "os.rename": Record.renamed,
    **dict.fromkeys(
        ("os.remove", "os.truncate", "socket.connect", "subprocess.Popen", FAILURE), Record.acted
    ),
}
"""Event that tells what a command reads or writes -> what a record makes of it."""


def _hear(event: str, arguments: "tuple[Any, ...]") -> None:
    # The hook sees every event of the process, such as each call of `id`.
    hear, record = _EVENTS.get(event), Record.current
    if hear is not None and record is not None and record.is_hearing:
        hear(record, *arguments)


def _remove_oldest(where: str) -> None:
    """Remove the results that were used first, until a quarter of the limit is free."""
    from contextlib import suppress

    found = entries(where)
    total = sum(each.st_size for _, each in found)
    if total <= MOST_BYTES:
        return
    for path, each in found:
        if total <= MOST_BYTES * 3 // 4:
            return
        with suppress(FileNotFoundError):
            os.unlink(path)
        total -= each.st_size


def _replay(entry: str, write: "Write") -> int | None:
    """Write what a command wrote, and return its status; None if no result is kept, or if its
    inputs have changed."""
    found = _read(entry)
    if found is None or _would_replace(found.inputs, found.outputs):
        return None
    # If one cannot be written, the command itself ends with the right message and status.
    done = all(write(stream, path, text.encode("latin-1")) for stream, path, text in found.outputs)
    return found.status if done else None


class _Result:
    """What is kept of a command or a text."""

    def __init__(self, kept: "dict[str, Any]"):
        self.status: int = kept["status"]
        self.inputs: list[tuple[str, str, str]] = kept["inputs"]
        self.outputs: list[tuple[str, str | None, str]] = kept["outputs"]


def _read(entry: str) -> "_Result | None":
    """What a file keeps; None if it is damaged, or if the inputs have changed."""
    import json

    try:
        with open(entry, "rb") as file:
            digest, _, data = file.read().partition(b"\n")
        # Another program may have written or damaged the file.
        if digest.decode() != _digest(data):
            return None
        found = _Result(json.loads(data))
        if not _are_same(found.inputs):
            return None
        os.utime(entry)
    except (OSError, ValueError, LookupError, TypeError):
        return None
    return found


def _would_replace(
    inputs: "Iterable[Sequence[str]]", outputs: "Iterable[tuple[str, str | None, str]]"
) -> bool:
    """Whether an output is the file of an input, as it may be after links have changed."""
    written = [path for _, path, _ in outputs if path is not None and os.path.isfile(path)]
    read = [path for *_, path in inputs if os.path.isfile(path)]
    return any(os.path.samefile(mine, other) for mine in written for other in read)


def _are_same(inputs: "Iterable[Sequence[str]]") -> bool:
    """Whether the inputs of a command have not changed."""
    return all(_signature(kind, path) == known for kind, known, path in inputs)


def _signature(kind: str, path: str) -> str | None:
    """What identifies the content of a file or of a folder; None if it is none."""
    try:
        match kind:
            case "file" if os.path.isfile(path):
                with open(path, "rb") as file:
                    return _digest(file.read())
            case "folder":
                with os.scandir(path) as all_:
                    names = sorted(f"{each.name} {each.is_dir()} {each.is_file()}" for each in all_)
                return _digest("\0".join(names).encode(errors="surrogateescape"))
            case _:
                return None
    except OSError:
        return None


def _digest(data: bytes) -> str:
    from hashlib import blake2b

    return blake2b(data, digest_size=16).hexdigest()


def _entry(arguments: "Sequence[str]") -> str | None:
    """The file for the result of a command; None if it is not kept."""
    if not arguments or arguments[0] not in COMMANDS:
        return None
    is_off = any(len(each) > len("--no") and OPTION.startswith(each) for each in arguments)
    # What a budget of time leaves out depends on the machine.
    names = (each.partition("=")[0] for each in arguments)
    is_off = is_off or any(len(each) > len("--b") and BUDGET.startswith(each) for each in names)
    if is_off or "--trace" in arguments or (where := folder()) is None:
        return None
    try:
        # The content of the output counts for nothing.
        inputs = [each for at, each in enumerate(arguments) if arguments[at - 1] not in _OUTPUT]
        files = [_signature("file", each) or "" for each in inputs]
        return _file_of(where, (*arguments, os.getcwd(), *files))
    except OSError:
        return None


def _file_of(where: str, parts: "Sequence[str]") -> str:
    """The file for what depends on these parts, and on the installed code."""
    _installed.extend(() if _installed else (sys.version, *sys.path, *_versions()))
    key = "\n".join((*parts, *_installed)).encode(errors="surrogateescape")
    return os.path.join(where, _digest(key) + _SUFFIX)


_installed: "list[str]" = []
"""What identifies the installed code. Nothing but installations changes it."""


def _versions() -> "Iterable[str]":
    """The files of the project, and the versions of other packages."""
    folders = [each for each in _SOURCES if os.path.isdir(each)]
    while folders:
        with os.scandir(folders.pop()) as found:
            for each in found:
                if not each.is_dir(follow_symlinks=False):
                    state = each.stat()
                    yield f"{each.path} {state.st_size} {state.st_mtime_ns}"
                elif each.name != "__pycache__":
                    folders.append(each.path)
    for path in sys.path:
        if path.endswith("-packages") and os.path.isdir(path):
            yield from sorted(each for each in os.listdir(path) if each.startswith(_PACKAGES))


def _is_installed(path: str) -> bool:
    """Whether a module is one of Python or of an installed package."""
    packages = (each for each in sys.path if each.endswith("-packages"))
    roots = map(os.path.realpath, (*_SOURCES, os.path.dirname(os.__file__), *packages))
    return os.path.realpath(path).startswith(tuple(root + os.sep for root in roots))

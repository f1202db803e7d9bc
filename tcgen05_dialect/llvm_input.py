"""
MLIR and LLVM IR as input: the user's own mlir-opt, mlir-translate and llc make PTX text from them.

There is no importer of LLVM IR, because it would judge something other than what ptxas gets.
Without llc, the package llvmlite compiles LLVM IR.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from .assembler import ToolError, folders_of
from .isa.ptx.ptx_text import KERNEL
from .isa.targets import VERSIONS, parse_target
from .ptx.types import DEFAULT_TARGET
from .reporting.diagnostics import CompileError, Finding, Source, diagnosed, excerpt_of

SUFFIXES = (".ll", ".bc")
_BITCODE = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")
"""How bitcode begins, without and with a wrapper."""
_OWN = ("ptx.", "tcgen05.", "ws.")
_NAME = r"gpu\.(?:module|binary)|llvm\.func|(?:ptx|tcgen05|ws)\.\w"
_OPERATION = re.compile(
    rf'//[^\n]*+|"(?P<generic>{_NAME})|"(?:[^"\\]|\\.)*+"|(?<![\w.!#])(?P<name>{_NAME})\b'
)
"""An operation that tells of which dialects a module of MLIR is; comments; strings."""
_STRING_OR_BINARY = re.compile(
    r'//[^\n]*+|"(?P<string>(?:[^"\\]|\\.)*+)"|(?<![\w.!#])(?P<name>gpu\.binary)\b', re.DOTALL
)
_ESCAPE = re.compile(rb'\\([0-9A-Fa-f]{2}|[nt"\\])')
_ASSEMBLY = re.compile(
    r"(?:\s++|;[^\n]*+)*+(?:source_filename\s*=|target \w++\s*=|de(?:fine|clare)\s)"
)
"""The beginning of a module of LLVM IR in text."""
_TRIPLE = re.compile(r'^target triple = "(?!nvptx)(?P<triple>[^"]+)"', re.MULTILINE)
_TARGET = re.compile(r"\bsm_\d+[af]\b")
_PLACE = re.compile(r"(?:^|[\s:])(?P<file>[^\s:]+):(?P<line>\d+):(?P<column>\d+): error: ")
_SELECTED = re.compile(r"Cannot select: .*(?P<file><stdin>):(?P<line>\d+):(?P<column>\d+)")
_STDIN = ("-", "<stdin>", "<string>")
_NOISE = re.compile(r"^.*(?:\(ignoring feature\)|PLEASE submit a bug report.*)\n?", re.MULTILINE)
_CRASH = re.compile(r"^(?:Stack dump:| *#\d+ 0x).*", re.MULTILINE | re.DOTALL)
_PACKAGES = {"mlir-opt": "mlir-22-tools", "mlir-translate": "mlir-22-tools", "llc": "llvm-22"}
_TRIPLE_OF_PTX = "nvptx64-nvidia-cuda"
_SCOPES = "ensure-debug-info-scope-on-llvm-func{emission-kind=DebugDirectivesOnly}"
_TO_LLVM = "convert-scf-to-cf,convert-math-to-llvm,convert-to-llvm,reconcile-unrealized-casts"
"""The passes for other dialects that a kernel in llvm and nvvm may contain."""
_LLVMLITE = """
import sys, llvmlite.binding as llvm
triple, cpu, features = sys.argv[1:]
llvm.initialize_all_targets(), llvm.initialize_all_asmprinters()
llvm.set_option("", "--nvptx-short-ptr")
code = sys.stdin.buffer.read()
try:
    is_text = code[:2] != b"BC" and code[:1] != b"\\xde"
    module = llvm.parse_assembly(code.decode()) if is_text else llvm.parse_bitcode(code)
    machine = llvm.Target.from_triple(triple).create_target_machine(cpu, features)
    module.triple, module.data_layout = triple, str(machine.target_data)
    sys.stdout.write(machine.emit_assembly(module))
except RuntimeError as error:
    sys.exit(str(error))
"""
"""Program that compiles LLVM IR; LLVM ends the process upon some errors."""


def is_llvm(name: str, data: bytes) -> bool:
    """Whether a file is LLVM IR, or MLIR with kernels in dialects of MLIR."""
    suffix = os.path.splitext(name)[1].lower()
    if suffix in SUFFIXES or data.startswith(_BITCODE):
        return True
    if suffix == ".ptx":
        return False
    is_mlir = b"llvm.func" in data or b"gpu." in data
    text = data.decode(errors="replace") if is_mlir else data[:1024].decode(errors="replace")
    return (is_mlir and bool(_operation(text))) or (not suffix and bool(_ASSEMBLY.match(text)))


def _operation(text: str) -> str:
    """The operation that decides how MLIR becomes PTX: the first in the alphabet needs the fewest
    steps. Empty for a module of the dialects of this project."""
    found = {match["name"] or match["generic"] or "~" for match in _OPERATION.finditer(text)}
    return "" if any(each.startswith(_OWN) for each in found) else min(found - {"~"}, default="")


def ptx_of(
    name: str,
    data: bytes,
    folder: str | None = None,
    target: str | None = None,
    ptx_version: str | None = None,
) -> Source:
    """
    The PTX text of a file of MLIR or LLVM IR; `.loc` names the lines of the file.

    The programs of LLVM are those in `folder`, or else on PATH. The target is by default the one
    that the file names, and the PTX version the newest that LLVM knows.

    Raises ToolError for a missing program, and CompileError for a file that a program refuses.
    """
    is_bitcode = data.startswith(_BITCODE)
    source = Source(name, "" if is_bitcode else data.decode(errors="surrogateescape"))
    with diagnosed(source):
        tools = _Tools(source, folder, target, ptx_version)
        if is_bitcode:
            ptx = tools.compiled(data)
        elif name.lower().endswith(SUFFIXES) or _ASSEMBLY.match(source.text):
            ptx = _of_llvm(source, tools)
        else:
            ptx = _of_mlir(source, tools)
        if KERNEL not in ptx:
            message = "the module has no kernel: a kernel is a function with the attribute "
            message += "nvvm.kernel in MLIR, and with ptx_kernel in LLVM IR"
            raise _error(source, message)
    # The programs read the standard input.
    return Source(f"{name}.ptx", ptx.replace('"<stdin>"', f'"{name}"'), made_from=source)


def _of_llvm(source: Source, tools: "_Tools") -> str:
    if (other := _TRIPLE.search(source.text)) is not None:
        message = f"the module is for {other['triple']}, not for a GPU: its triple must be "
        message += f"{_TRIPLE_OF_PTX}; compilers to LLVM IR have an option for it"
        raise _error(source, message, *source.place(other.start("triple")))
    plain, tools.text = tools.text, with_lines(source).encode(errors="surrogateescape")
    try:
        return tools.compiled(tools.text)
    except CompileError:
        # An instruction may be written in several lines.
        tools.text = plain
        return tools.compiled(plain)


def _of_mlir(source: Source, tools: "_Tools") -> str:
    operation = _operation(source.text)
    if operation == "gpu.binary":
        return _embedded(source, source.text)
    if operation == "gpu.module":
        attach = f"nvvm-attach-target{{chip={tools.target} features={tools.features}}},"
        passes = f"gpu.module(convert-scf-to-cf,convert-gpu-to-nvvm,{_TO_LLVM}),"
        passes += "" if "#nvvm.target" in source.text else attach
        passes += f"{_SCOPES},gpu-module-to-binary{{format=isa}}"
        return _embedded(source, tools.optimised(passes).decode())
    # Of its own format, MLIR cannot read some operations again; bytecode does not load nvvm.
    code = tools.optimised(
        f"{_TO_LLVM},{_SCOPES}", "--mlir-print-op-generic", "--mlir-print-debuginfo"
    )
    return tools.compiled(tools.run("mlir-translate", ["--mlir-to-llvmir"], code))


def _embedded(source: Source, text: str) -> str:
    """The PTX text in the `gpu.binary` of a module."""
    found, start = list[str](), -1
    for match in _STRING_OR_BINARY.finditer(text):
        string = match["string"]
        if "gpu.binary" in (match["name"], string):
            start = match.start()
        elif start >= 0 and string and ".version" in string and ".target" in string:
            data = _ESCAPE.sub(_unescaped, string.encode(errors="surrogateescape"))
            if b"\0" not in data[:-1]:
                found.append(data.decode(errors="surrogateescape"))
    if len(found) == 1:
        return found[0]
    message = (
        f"the module has {len(found)} texts of PTX in gpu.binary; give one with a single text"
        if found
        else "gpu.binary holds no PTX text: make it with --gpu-module-to-binary=format=isa"
    )
    raise _error(source, message, *(source.place(start) if text is source.text else ()))


def _unescaped(match: re.Match[bytes]) -> bytes:
    named = {b"n": b"\n", b"t": b"\t"}
    return bytes.fromhex(match[1].decode()) if len(match[1]) > 1 else named.get(match[1], match[1])


def _error(source: Source, message: str, line: int = 0, column: int = 0) -> CompileError:
    excerpt = excerpt_of(source.line(line), column) if line else ""
    finding = Finding(source.name, line, column, "error", "", message, excerpt=excerpt)
    return CompileError(message, source.name, findings=[finding])


class _Tools:
    """The programs of MLIR and LLVM, of one version if there are several."""

    def __init__(
        self, source: Source, folder: str | None, target: str | None, ptx_version: str | None
    ):
        self._source, self._folder = source, folder
        self.text = source.text.encode(errors="surrogateescape")
        """A text with the lines of the source."""
        named = _TARGET.search(source.text)
        self.target = parse_target(target or (named[0] if named else DEFAULT_TARGET)).name
        # LLVM takes the newest that it knows.
        versions = [ptx_version] if ptx_version else map(str, VERSIONS)
        self.features = ",".join(f"+ptx{each.replace('.', '')}" for each in versions)
        self._first: tuple[Path, str] | None = None
        """The folder of the first program, and the rest of its name."""

    def optimised(self, passes: str, *options: str) -> bytes:
        """What mlir-opt makes of the source."""
        passed = f"--pass-pipeline=builtin.module({passes})"
        return self.run("mlir-opt", ["-", passed, *options], self.text)

    def compiled(self, code: bytes) -> str:
        """The PTX text of LLVM IR, in text or bitcode."""
        how = [f"-mcpu={self.target}", f"-mattr={self.features}", "--nvptx-short-ptr"]
        try:
            ptx = self.run("llc", [f"-mtriple={_TRIPLE_OF_PTX}", *how, "-", "-o", "-"], code)
        except ToolError:
            from importlib.util import find_spec

            if self._folder is not None or find_spec("llvmlite") is None:
                raise
            arguments = ["-c", _LLVMLITE, _TRIPLE_OF_PTX, self.target, self.features]
            ptx = self._run([sys.executable, *arguments], "llvmlite", code)
        return ptx.decode(errors="surrogateescape")

    def run(self, name: str, options: Sequence[str], data: bytes) -> bytes:
        """The output of a program. Raises ToolError if it is missing, and CompileError if it
        fails."""
        path = self._find(name)
        return self._run([str(path), *options], path.name, data)

    def _run(self, command: Sequence[str], name: str, data: bytes) -> bytes:
        try:
            result = subprocess.run(command, input=data, capture_output=True, check=False)
        except OSError as error:
            raise ToolError(f"cannot run {command[0]}: {error.strerror}") from error
        if result.returncode == 0:
            return result.stdout
        said = result.stderr.decode(errors="replace")
        said = _CRASH.sub("", _NOISE.sub("", said)).strip() or f"status {result.returncode}"
        message = f"{name}{self._version(command[0], name)} refuses the module: "
        # Other texts than the source have other lines; but LLVM also names those of the source.
        place = (_PLACE if data == self.text else _SELECTED).search(said)
        if place is None or place["file"] not in _STDIN:
            raise _error(self._source, message + said)
        message += said[place.end() if data == self.text else 0 :].partition("\n")[0]
        raise _error(self._source, message, int(place["line"]), int(place["column"]))

    def _version(self, program: str, name: str) -> str:
        if name == "llvmlite":
            return ""
        said = subprocess.run([program, "--version"], capture_output=True, check=False).stdout
        found = re.search(rb"version (\S+)", said)
        return f" (LLVM {found[1].decode()})" if found else ""

    def _find(self, name: str) -> Path:
        """The path of a program: of the version of the first one, or else, in the first folder that
        has it, of the newest version in its name."""
        if (
            self._first is not None
            and (path := Path(self._first[0], name + self._first[1])).exists()
        ):
            return path
        folder = self._folder
        for each in [Path(folder)] if folder else folders_of(os.get_exec_path()):
            if paths := sorted(_versions(each, name)):
                _, path = paths[-1]
                self._first = self._first or (each, path.name.removeprefix(name))
                return path
        where = f"in {folder}" if folder else "on PATH"
        also = " and the Python package llvmlite" if name == "llc" else ""
        package = f"`apt-get install {_PACKAGES[name]}` of apt.llvm.org installs it"
        raise ToolError(
            f"{self._source.name}: {name} of LLVM was not found {where}, nor {name}-VERSION"
            f"{also}; {package}, and --llvm FOLDER names its folder"
        )


def _versions(folder: Path, name: str) -> Iterator[tuple[int, Path]]:
    """The programs in a folder with a name, such as `llc` or `llc-22`, by their versions."""
    for path in folder.glob(f"{name}*"):
        match = re.fullmatch(rf"{name}(?:-(\d+))?(?:\.exe)?", path.name)
        if match and os.access(path, os.X_OK):
            yield int(match[1] or 0), path


_CODE = re.compile(r'((?:[^";]|"[^"]*")*?)(\s*(?:;.*)?)')
"""A line of LLVM IR: the code, and a comment."""
_STRING = re.compile(r'"[^"]*"')
_NO_INSTRUCTION = re.compile(r'\s*(?:[\w.$-]+:|"[^"]*":|\}|#dbg_.*)?\s*')


def with_lines(source: Source) -> str:
    """LLVM IR in text with debug information that names its lines; it is left as it is if it has
    debug information of its own."""
    text = source.text
    if "!llvm.dbg.cu" in text:
        return text
    first = 1 + max(map(int, re.findall(r"!(\d+)", text)), default=0)
    unit, file, type_, flag = (f"!{first + index}" for index in range(4))
    name = source.name.replace("\\", "\\5C").replace('"', "\\22")
    nodes = [
        f"distinct !DICompileUnit(language: DW_LANG_C, file: {file}, "
        "emissionKind: DebugDirectivesOnly)",
        f'!DIFile(filename: "{name}", directory: "")',
        "!DISubroutineType(types: !{})",
        '!{i32 2, !"Debug Info Version", i32 3}',
    ]
    lines: list[str] = []
    scope, depth = "", 0
    for number, line in enumerate(text.split("\n"), source.lines_before + 1):
        match = _CODE.fullmatch(line)
        code, rest = match.groups() if match else (line, "")
        added = f"!{first + len(nodes)}"
        if not scope:
            if code.startswith("define ") and code.endswith("{"):
                scope, code = added, f"{code[:-1]}!dbg {added} {{"
                nodes.append(
                    f'distinct !DISubprogram(name: "f", scope: {file}, file: {file}, '
                    f"line: {number}, scopeLine: {number}, type: {type_}, unit: {unit}, "
                    "spFlags: DISPFlagDefinition)"
                )
        elif depth == 0 and _NO_INSTRUCTION.fullmatch(code):
            scope = "" if code.strip() == "}" else scope
        else:
            plain = _STRING.sub("", code)
            depth += sum(map(plain.count, "([{")) - sum(map(plain.count, ")]}"))
            if depth == 0 and not plain.endswith((",", "=")):
                column = len(code) - len(code.lstrip()) + 1
                code += f", !dbg {added}"
                nodes.append(f"!DILocation(line: {number}, column: {column}, scope: {scope})")
        lines.append(code + rest)
    lines.append(f"!llvm.dbg.cu = !{{{unit}}}")
    if "Debug Info Version" not in text:
        lines.append(f"!llvm.module.flags = !{{{flag}}}")
    lines += [f"!{first + index} = {node}" for index, node in enumerate(nodes)]
    return "\n".join([*lines, ""])

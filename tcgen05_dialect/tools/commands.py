"""The commands of `tcgen05`, and their arguments."""

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

from .command import (
    BUDGET,
    COMMAND,
    NO_CACHE,
    ArgumentParser,
    add_options,
    add_verify_diagnostics,
    add_version,
    one_of,
    rows_of,
    run,
)
from .files import CommandError, write_output

PROGRAMS = ("calc", "opt")
"""Commands whose parsers are in their own modules."""
_LAUNCH = """\
FILE                    | IR, PTX, MLIR or LLVM IR
--launch TOML           | the launch file (default: FILE with the suffix .toml, if it exists); the
    following options override its keys
--arg NAME=VALUE...     | the value of an array of the launch file or of a parameter: FILE.npy;
    random, unique, ones or zeros, with type and shape if the launch file has none, as in
    random:bf16:128x64; or a number
--expect NAME=VALUE...  | the expected content of an array: FILE.npy, an expression such as
    'a @ b.T', or a function of a Python file as in FILE.py:FUNCTION
--tolerance T           | the largest allowed difference, as a fraction of the largest magnitude in
    the expected array (default: 0)
--grid X[,Y[,Z]]        | the extents of the grid
--block X[,Y[,Z]]       | the extents of the block
--cluster X[,Y[,Z]]     | the extents of the cluster
--dynamic-shared-memory N | the bytes of dynamic shared memory
--kernel
--only NAME             | run one launch, if the launch file describes several
--size NAME=N...        | a size of the launch file
--seed N=0              | the seed of random order and data (default: 0)
--llvm
--target T              | as for compile
--ptx-version V         | as for compile"""
_FORMAT = """\
--format {text,json}    | the format of findings, differences and statistics (default: text)"""
_EXTENTS = """\
--block X[,Y[,Z]]    | the block of launches of kernels that have no reqntid
--cluster X[,Y[,Z]]  | the cluster of launches of kernels that have no cluster_dims"""
_VERIFY = """\
--verify {...}       | run kernels without a launch file and without data; quick: at up to two
    sizes, thorough: at up to 16 (default: %(default)s)"""
_TABLE = f"""
compile | compile IR to PTX or to a cubin | Verifies a module of IR and its kernels as a whole, and
    compiles it to PTX or to a cubin. PTX text, and PTX of MLIR and LLVM IR, is read and printed
    again.
FILE
-o
--target T           | the target, such as sm_100a (default: that of the module, or else sm_100a)
--ptx-version V      | the PTX version, such as 8.8 (default: that of the module if it supports the
    target, or else the oldest that supports the target)
--emit {{ptx,cubin,ir,nvvm,gpu-binary}} | PTX text, a cubin assembled by ptxas, the lowered IR, MLIR
    in its dialects llvm and nvvm, or MLIR with the PTX text in gpu.binary (default: ptx)
--unroll-rings       | unroll loops around matrix products by the stages of their rings, as the
    lowering of ws always does; fewer instructions, and longer code
--line-info          | name the lines of FILE in PTX and cubins, by .file and .loc, for debuggers
    and profilers
--tf32
{_VERIFY}
--llvm
--strict
--allow
{NO_CACHE}

import | read PTX of any compiler as a module of the ptx dialect | Reads PTX text of any compiler
    and prints it as a module of the ptx dialect in SSA form. Instructions that the dialect does not
    know become ptx.inline.
FILE                 | PTX, MLIR or LLVM IR; - for the standard input
-o
--names              | also fix the names of registers with the attribute ptx.name, unless they end
    in a number; the printed PTX then has them again
--locations          | also print the location of each operation: its line in the PTX text and, if
    .loc gives it, its line in the source program
--llvm
{NO_CACHE}

launch-file | print a template of a launch file for a kernel | Prints a template of a launch file
    for a kernel of IR or PTX: the parameters and their uses, boxes of tensor maps, block, cluster
    and a grid, and numbers and arrays with which the kernel runs. `tcgen05 sim` reads the result.
FILE
-o
--kernel
{_EXTENTS}
--llvm

check | list all errors in files of IR or PTX | Verifies IR, and the tcgen05 instructions of PTX,
    and lists all errors and warnings, with a verdict on each kernel. The exit status is 0 if there
    is no error, 1 if there are errors, and 2 if a file cannot be read.
FILES...             | IR, PTX, MLIR or LLVM IR; - for the standard input; a folder for all .mlir
    and .ptx files in it
--target T           | the target, such as sm_100a (default: that of the file)
--ptx-version V      | the PTX version, such as 8.8 (default: the file's)
--format {{...}}     | lines of text, JSON, SARIF for code hosts, or commands for GitHub Actions
    (default: text)
{_VERIFY}
{BUDGET} SECONDS     | stop the runs of a kernel after this time; the remark says which sizes were
    not run
/ --fix              | insert missing steps and correct wrong numbers in the file, until no finding
    has a fix; print the remaining findings
/ --diff             | print these fixes as a patch and write no file; the exit status is 1 if there
    is something to fix
/ --redundant        | also name the fences, waits and barriers that verified kernels do not need
--tf32
--split-input-file   | check the parts of each file between the lines // ----- one by one
{_EXTENTS}
--llvm
--jobs N=0           | check up to N files, or kernels of a single file, at once, each in a process;
    for a single kernel, N > 1 lets a second process help with its runs (default: the number of
    processors)
--strict
--allow
{NO_CACHE}

explain | explain rules, with a wrong and a corrected program | Explains rules: the statement of
    each and its reason, a program that breaks it with its message, and the corrected program.
    Explains instructions: what each reads, writes and orders, when it is complete, and which
    threads execute it.
[RULES...]           | the id in a message, such as T5-ALLOC-001, a family of rules, such as
    T5-ALLOC, or the name of an instruction, such as tcgen05.cp (default: list the families)

run-host | run a host program on an emulated CUDA driver | Runs a host program, a Python script or
    an executable, on an emulated CUDA driver: its kernels, as PTX, run in the emulator, and their
    errors are reported with the line of the host program. The exit status is that of the host
    program.
--schedule {{...}}   | the order of concurrent events in kernels (default: %(default)s)
--max-steps N=0      | the largest number of instructions of all warps in a launch (default: the
    limit of sim for each CTA)
--report FILE        | the file for all findings, as check --format json
--calls FILE         | the file for a line of JSON on each tensor map and launch; addresses begin
    at 0
PROGRAM              | the script or command, with its arguments

lsp | serve an editor: findings, fixes, explanations, completion | Serves an editor on the standard
    streams, by the language server protocol: findings, fixes, explanations and completion for IR,
    PTX, MLIR and LLVM IR. docs/editor.md says how to set up an editor.

docs | print the address of the documentation | Prints the address of the documentation: tutorial,
    reference, rules.

cache | show or remove kept results | The results of compile, check, import and sim are kept in the
    folder that TCGEN05_CACHE names (default: tcgen05 in the user's folder for caches), and a
    repeated command prints them again. TCGEN05_CACHE=off keeps nothing.
ACTION               | info or clear

completion | print a script that completes commands in a shell | Prints a script that completes
    commands, options and values in a shell.
SHELL                | bash, zsh, fish

sim | run a kernel on the CPU and report its errors | Runs a kernel on the CPU and compares its
    result with the expected one.
{_LAUNCH}
{_FORMAT}
--schedule {{...}}     | the order of asynchronous events (default: %(default)s)
--max-steps N=0        | the largest number of instructions of all warps in a run (default:
    %(default)s)
--strict
{NO_CACHE}
--coverage             | list the operations that no launch runs, and the branches that go one way
    only
--trace                | print one line for each event
--timeline OUT         | write the timeline of a CTA, as a page to OUT.html or as a trace for
    Perfetto to OUT.json; - prints the trace instead of the result
--timeline-cta X[,Y[,Z]] | the CTA of the timeline (default: 0,0,0)

launch | run a kernel on a GPU and compare its result | Runs a kernel on a GPU, through the CUDA
    driver, and compares its result with the expected one. The launch file is that of sim.
{_LAUNCH}
{_FORMAT}

host | print a host program that launches a kernel | Prints a host program that launches a kernel as
    its launch file says, through the CUDA driver: memory, tensor maps, attributes, launch, and the
    check of the result.
{_LAUNCH}
--language {{c++,python}} | (default: %(default)s)
-o
--data FOLDER          | also write what the program reads: the PTX, arrays and expected results

calc | answer questions about instructions, descriptors and layouts

serve | serve the playground to a browser on this machine | Serves the playground on this machine: a
    page in which compile, check, sim, explain and calc run on the text of an editor. Prints the
    address of the page. The address contains a token, and changes at each start.
--port N=0             | the port (default: a free one)
--seconds S=20         | stop a request after this time (default: 20)
--open                 | open the page in the browser

opt | run passes on a module, as xdsl-opt does
"""


def _run_host(options: argparse.Namespace) -> int:
    import subprocess

    from ..driver import DriverError, host_environment, library_folder
    from ..kept_results import folder

    cache = folder()
    if cache is None:
        import tempfile

        cache = os.path.join(tempfile.gettempdir(), f"tcgen05-{os.getuid()}")
    try:
        found = library_folder(cache)
    except DriverError as error:
        raise CommandError(str(error)) from error
    environment = host_environment(
        found, options.schedule, options.max_steps, options.report, options.calls
    )
    program = options.program
    if os.path.exists(program):
        path = os.path.abspath(program)
        command = [sys.executable, program] if program.endswith(".py") else [path]
    elif (known := _command(program)) is not None:
        command = [known]
    else:
        raise CommandError(f"{program}: no such file")
    before: dict[str, bytes | None] = {}
    for file, empty in ((options.report, b"[]\n"), (options.calls, b"")):
        if file is not None:
            before[file] = None
            with suppress(OSError), open(file, "rb") as kept:
                before[file] = kept.read()
            write_output(file, empty)
    sys.stdout.flush()
    try:
        status = subprocess.call([*command, *options.arguments], env=environment)
    except OSError as error:
        for file, content in before.items():
            if content is not None:
                write_output(file, content)
            elif os.path.isfile(file):
                os.unlink(file)
        raise CommandError(f"{program} cannot be run: {error.strerror}") from error
    return status if status >= 0 else 128 - status


def _command(name: str) -> str | None:
    """The path of a command beside the Python that runs this, or else as shells find it."""
    folders = [os.path.dirname(sys.executable), *os.get_exec_path()]
    paths = (os.path.join(folder, name) for folder in folders if not os.path.dirname(name))
    return next((path for path in paths if os.path.isfile(path) and os.access(path, os.X_OK)), None)


def _lsp(_: argparse.Namespace) -> None:
    try:
        from ..language_server.features import serve
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        raise CommandError(f"{package} is missing: install tcgen05-dialect[lsp]") from error
    serve()


def _docs(_: argparse.Namespace) -> None:
    from ..reporting.project import DOCUMENTATION

    write_output(None, f"{DOCUMENTATION}\n".encode())


def _cache(options: argparse.Namespace) -> None:
    from ..isa.model.rule import plural
    from ..kept_results import MOST_BYTES, VARIABLE, entries, folder

    where = folder()
    if where is None:
        raise CommandError(f"no results are kept: {VARIABLE} is {os.environ.get(VARIABLE)!r}")
    found = entries(where)
    if options.action == "clear":
        for path, _ in found:
            with suppress(FileNotFoundError):
                os.unlink(path)
    count = f"{len(found)} {plural('result', len(found))}"
    if options.action == "clear":
        text = f"{where}: removed {count}"
    else:
        total = sum(state.st_size for _, state in found)
        text = f"{where}: {count}, {total} of at most {MOST_BYTES} bytes"
    write_output(None, f"{text}\n".encode(errors="surrogateescape"))


def _completion(options: argparse.Namespace) -> None:
    from .completion import completion

    write_output(None, completion(options.shell, command_parser(), PROGRAMS).encode())


def _seconds(text: str) -> float:
    """The value of an option that is a time."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"expected a positive number of seconds; found {text!r}")
    return seconds


def _positive(text: str) -> int:
    """The value of an option that is a positive number."""
    if not text.isdecimal() or (number := int(text)) < 1:
        raise argparse.ArgumentTypeError(f"expected a number of at least 1; found {text!r}")
    return number


def _within(least: int, most: int) -> Callable[[str], int]:
    """The type of an option that is a number between two others."""

    def number(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= most:
            message = f"expected a number from {least} to {most}; found {text!r}"
            raise argparse.ArgumentTypeError(message)
        return int(text)

    return number


def _settings(command: str) -> dict[str, dict[str, Any]]:
    """Parameters of the arguments of a command that the table does not give."""
    match command:
        case "compile":
            from ..verification import EFFORTS

            return {"verify": one_of(EFFORTS, "quick")}
        case "check":
            from ..reporting.formats import FORMATS
            from ..verification import EFFORTS

            return {
                "files": {"metavar": "FILE"},
                "format": one_of(FORMATS),
                "verify": one_of(EFFORTS, "thorough"),
                "budget": {"type": _seconds},
                "fix": {"dest": "fixing", "action": "store_const", "const": "fix"},
                "diff": {"dest": "fixing", "action": "store_const", "const": "diff"},
                "split_input_file": {"dest": "split"},
                "jobs": {"type": _positive},
            }
        case "explain":
            return {"rules": {"metavar": "RULE"}}
        case "run-host":
            from ..simulator import SCHEDULES

            return {
                "schedule": one_of(SCHEDULES),
                "max_steps": {"type": _positive, "default": 0},
            }
        case "sim":
            from ..simulator import MAX_STEPS, SCHEDULES

            return {"schedule": one_of(SCHEDULES), "max_steps": {"default": MAX_STEPS}}
        case "serve":
            return {"port": {"type": _within(0, 65535)}, "seconds": {"type": _within(1, 3600)}}
        case "cache":
            return {"action": {"choices": ("info", "clear")}}
        case "completion":
            return {"shell": {"choices": ("bash", "zsh", "fish")}}
        case _:
            return {}


_COMPLETION_EPILOG = """\
To use it, write this line in the start-up file of the shell:
  ~/.bashrc                   eval "$(tcgen05 completion bash)"
  ~/.zshrc                    autoload -U compinit; compinit; eval "$(tcgen05 completion zsh)"
  ~/.config/fish/config.fish  tcgen05 completion fish | source
"""
_ACTIONS: Mapping[str, Callable[[argparse.Namespace], int | None]] = {
    "run-host": _run_host,
    "lsp": _lsp,
    "docs": _docs,
    "cache": _cache,
    "completion": _completion,
}
"""The commands that are in this module."""
_MODULES = {"compile": "compile", "import": "compile", "launch-file": "compile", "host": "launch"}
"""Command -> the module with its function, if the module has another name."""
COMMANDS = {each.split()[0]: each for each in _TABLE.split("\n\n")}
"""Command -> its part of the table."""
_OWN_NAME = ("sim", "launch", "host", "serve")
"""Commands whose errors begin with their name."""


def run_command(arguments: Sequence[str]) -> int:
    """Run the command that the arguments name; returns the exit status."""
    asked = arguments[0] if arguments else None
    if asked in PROGRAMS:
        program = import_module(f".{asked}", __package__)
        return program.main(arguments[1:], f"tcgen05 {asked}")
    program = f"tcgen05 {asked}" if asked in _OWN_NAME else "tcgen05"
    return run(program, lambda: _run(command_parser(asked).parse_args(arguments)))


def _run(options: argparse.Namespace) -> int | None:
    name: str = options.command
    if (action := _ACTIONS.get(name)) is not None:
        return action(options)
    module = import_module(f".{_MODULES.get(name, name)}", __package__)
    return getattr(module, f"run_{name.replace('-', '_')}")(options)


def command_parser(asked: str | None = None) -> ArgumentParser:
    """
    The parser of all commands; if a command is asked for, only of that, which saves 1 ms.
    """
    parser = ArgumentParser(
        prog="tcgen05",
        description="A compiler and checker of kernels for the tensor cores of NVIDIA Blackwell.",
    )
    add_version(parser)
    commands = parser.add_subparsers(title="commands", metavar=COMMAND, required=True)
    for name in (asked,) if asked in COMMANDS else COMMANDS:
        _add(commands.add_parser, name, rows_of(COMMANDS[name]))
    return parser


def _add(add_parser: Callable[..., ArgumentParser], command: str, rows: Sequence[str]) -> None:
    """Add the parser of a command."""
    head, *options = rows
    _, help_, *description = (" ".join(each.split()) for each in head.split(" | "))
    if command in PROGRAMS:
        add_parser(command, help=help_, add_help=False)
        return
    parser = add_parser(command, help=help_, description=description[0])
    parser.set_defaults(command=command)
    settings = _settings(command)
    add_options(parser, options, settings)
    if command == "completion":
        parser.epilog = _COMPLETION_EPILOG
        parser.formatter_class = argparse.RawDescriptionHelpFormatter
    elif command == "check":
        add_verify_diagnostics(parser)
    elif command == "run-host":
        arguments = parser.add_argument("arguments", metavar="ARGUMENT", nargs="...", help="")
        arguments.required = False

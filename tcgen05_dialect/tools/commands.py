"""The commands of `tcgen05`, with their arguments."""

import argparse
import importlib
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from .command import (
    BUDGET,
    COMMAND,
    ArgumentParser,
    Teller,
    add_allow,
    add_llvm,
    add_no_cache,
    add_strict,
    add_verify_diagnostics,
    add_version,
    refuse_rules,
    refuse_target,
    run,
    translation,
)
from .files import (
    CommandError,
    complain,
    is_ptx,
    read_source,
    refuse_overwriting,
    write_output,
)

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ..reporting.diagnostics import Source

PROGRAMS = {
    "sim": "run a kernel on the CPU and report its errors",
    "launch": "run a kernel on a GPU and compare its result",
    "host": "print a host program that launches a kernel",
    "calc": "answer questions about instructions, descriptors and layouts",
    "serve": "serve the playground to a browser on this machine",
    "opt": "run passes on a module, as xdsl-opt does",
}
"""Commands with their own module and parser -> their help."""
_COMPLETION_EPILOG = """\
To use it, write this line in the start-up file of the shell:
  ~/.bashrc                   eval "$(tcgen05 completion bash)"
  ~/.zshrc                    autoload -U compinit; compinit; eval "$(tcgen05 completion zsh)"
  ~/.config/fish/config.fish  tcgen05 completion fish | source
"""


def run_command(arguments: Sequence[str]) -> int:
    """Run the command that the arguments name; returns the exit status."""
    if arguments and arguments[0] in PROGRAMS:
        program = importlib.import_module(f".{arguments[0]}", __package__)
        return program.main(arguments[1:], f"tcgen05 {arguments[0]}")
    return run("tcgen05", lambda: _run(arguments))


def _run(arguments: Sequence[str]) -> int | None:
    options = command_parser(arguments[0] if arguments else None).parse_args(arguments)
    return options.command(options)


def _compile(options: argparse.Namespace) -> None:
    from ..compiler import (
        NO_KERNEL,
        gpu_binary,
        has_kernel,
        import_source,
        lower_source,
        lower_to_nvvm,
        print_ptx,
        verify_kernels,
    )
    from ..reporting.diagnostics import CompileError

    if options.emit == "cubin" and options.output in (None, "-") and sys.stdout.isatty():
        raise CommandError(
            "--emit cubin writes binary data: give -o FILE or a pipe, not a terminal"
        )
    refuse_target(options.target, options.ptx_version)
    refuse_rules(options.allow)
    source = read_source(options.file, translation(options))
    refuse_overwriting(options.file, options.output)
    tell = Teller(options.strict, source.program, options.allow)
    runs_kernels = options.verify != "off"
    if is_ptx(source):
        if options.emit == "nvvm":
            raise CommandError(f"--emit nvvm: give IR; {source.program.name} is read as PTX text")
        if options.unroll_rings:
            raise CommandError("--unroll-rings: give IR; the loops of PTX text stay as they are")
        if options.tf32:
            raise CommandError(
                "--tf32: give functions of tensors; this file becomes PTX text first"
            )
        runs_kernels = False
        module, target = import_source(source, options.target, options.ptx_version)
    else:
        module, target = lower_source(
            source,
            options.target,
            options.ptx_version,
            tell,
            options.unroll_rings,
            options.tf32,
        )
        verify_kernels(module, source, operands=runs_kernels)
    if not has_kernel(module):
        raise CompileError(NO_KERNEL, source.program.name)
    ptx = ""
    if options.emit not in ("ir", "nvvm"):
        ptx = print_ptx(module, target, source, options.line_info)
    if runs_kernels:
        _run_kernels(module, source, options, tell)
    tell.end()
    if options.emit == "ir":
        write_output(options.output, f"{module!s}\n".encode())
        return
    if options.emit == "nvvm":
        module = lower_to_nvvm(source, target, options.unroll_rings, options.tf32)
        from io import StringIO

        from xdsl.printer import Printer

        stream = StringIO()
        # MLIR does not read all that xDSL prints in its own format.
        Printer(stream, print_generic_format=True).print_op(module)
        write_output(options.output, f"{stream.getvalue()}\n".encode())
        return
    if options.emit == "gpu-binary":
        ptx = gpu_binary(ptx, target)
    if options.emit in ("ptx", "gpu-binary"):
        write_output(options.output, ptx.encode())
        return
    from ..assembler import ToolError, assemble

    try:
        assembled = assemble(ptx, target.target.data)
    except ToolError as error:
        raise CommandError(error.message) from error
    if assembled.messages:
        complain(assembled.messages)
    write_output(options.output, assembled.cubin)


def _run_kernels(
    module: "ModuleOp", source: "Source", options: argparse.Namespace, tell: Teller
) -> None:
    """Run the kernels of a lowered module and tell warnings and failures of the verifier. Raises
    CompileError for the first error."""
    from ..reporting.diagnostics import has_errors
    from ..verification.kernel_findings import Crash, RunOptions, run_findings

    given = options.target, options.ptx_version
    found = [*run_findings(module, source, RunOptions(options.verify, *given, remarks=False))]
    for each in found:
        if isinstance(each, Crash):
            # The PTX text does not depend on the runs.
            complain(str(each))
    found = [each for each in found if not isinstance(each, Crash)]
    errors = [each for each in found if has_errors(each.findings)]
    tell(each for each in found if each not in errors)
    for error in errors:
        raise error


def _import(options: argparse.Namespace) -> None:
    from io import StringIO

    from xdsl.printer import Printer

    from ..compiler import import_source

    source = read_source(options.file, translation(options))
    if not is_ptx(source):
        raise CommandError(f"{source.name} is IR, not PTX; `tcgen05 opt` reads IR")
    refuse_overwriting(options.file, options.output)
    module = import_source(source, tell=Teller(strict=False), names=options.names).module
    stream = StringIO()
    Printer(stream, print_debuginfo=options.locations).print_op(module)
    write_output(options.output, f"{stream.getvalue()}\n".encode())


def _launch_file(options: argparse.Namespace) -> None:
    from ..compiler import lower_tensors, parse, read_kernels
    from ..proposal.facts import kernel_named
    from ..proposal.text import launch_file
    from .launch_options import given_extents, read_facts

    source = read_source(options.file, translation(options))
    refuse_overwriting(options.file, options.output)
    programs = [] if is_ptx(source) else lower_tensors(parse(source)[0], source)
    programs = [each for each in programs if options.kernel in (None, each.name)]
    if len(programs) == 1:
        write_output(options.output, programs[0].launch_file().encode())
        return
    facts = read_facts(source, options.kernel)
    kernel = kernel_named(read_kernels(source).module, options.kernel)
    text = launch_file(kernel, facts, source.program.name, *given_extents(options))
    write_output(options.output, text.encode())


def _check(options: argparse.Namespace) -> int:
    from .check import check, processors
    from .launch_options import given_extents

    return check(
        options.files,
        options.target,
        options.ptx_version,
        options.format,
        options.strict,
        options.verify,
        options.fixing,
        options.redundant,
        options.allow,
        options.expecting,
        options.split,
        given_extents(options),
        options.jobs or processors(),
        translation(options),
        options.tf32,
        options.budget,
    )


def _explain(options: argparse.Namespace) -> None:
    from .explain import explanation

    write_output(None, explanation(options.rules).encode())


def _run_host(options: argparse.Namespace) -> int:
    import subprocess

    from ..driver import DriverError, host_environment, library_folder
    from .kept_results import folder

    cache = folder()
    if cache is None:
        import tempfile

        cache = os.path.join(tempfile.gettempdir(), f"tcgen05-{os.getuid()}")
    try:
        found = library_folder(cache)
    except DriverError as error:
        raise CommandError(str(error)) from error
    environment = host_environment(found, options.schedule, options.report, options.calls)
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
    from .kept_results import MOST_BYTES, VARIABLE, entries, folder

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


_AddParser = Callable[..., ArgumentParser]
"""Adds a parser; the arguments are those of `argparse.ArgumentParser`."""


def _add_compile(add: _AddParser) -> None:
    compile_ = add(
        description="Verifies a module of IR and its kernels as a whole, and compiles it to PTX or "
        "to a cubin. PTX text, and PTX of MLIR and LLVM IR, is read and printed again.",
    )
    compile_.set_defaults(command=_compile)
    compile_.add_argument(
        "file", metavar="FILE", help="IR, PTX, MLIR or LLVM IR; - for the standard input"
    )
    compile_.add_argument(
        "-o", "--output", metavar="OUT", help="the file to write (default: the standard output)"
    )
    compile_.add_argument(
        "--target",
        metavar="T",
        help="the target, such as sm_100a (default: that of the module, or else sm_100a)",
    )
    compile_.add_argument(
        "--ptx-version",
        metavar="V",
        help="the PTX version, such as 8.8 (default: that of the module if it supports the "
        "target, or else the oldest that supports the target)",
    )
    compile_.add_argument(
        "--emit",
        choices=("ptx", "cubin", "ir", "nvvm", "gpu-binary"),
        default="ptx",
        help="PTX text, a cubin assembled by ptxas, the lowered IR, MLIR in its dialects llvm and "
        "nvvm, or MLIR with the PTX text in gpu.binary (default: ptx)",
    )
    compile_.add_argument(
        "--unroll-rings",
        action="store_true",
        help="unroll loops around matrix products by the stages of their rings, as the lowering of "
        "ws always does; fewer instructions, and longer code",
    )
    compile_.add_argument(
        "--line-info",
        action="store_true",
        help="name the lines of FILE in PTX and cubins, by .file and .loc, for debuggers and "
        "profilers",
    )
    _add_tf32(compile_)
    _add_verify(compile_, "quick")
    add_llvm(compile_)
    add_strict(compile_)
    add_allow(compile_)
    add_no_cache(compile_)


def _add_tf32(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--tf32",
        action="store_true",
        help="let tensor cores multiply f32 in functions of tensors, with 10 bits after the point",
    )


def _add_verify(parser: ArgumentParser, default: str) -> None:
    from ..verification.effort import EFFORTS

    parser.add_argument(
        "--verify",
        choices=EFFORTS,
        default=default,
        help="run kernels without a launch file and without data; quick: at up to two sizes, "
        f"thorough: at up to 16 (default: {default})",
    )


def _add_import(add: _AddParser) -> None:
    import_ = add(
        description="Reads PTX text of any compiler and prints it as a module of the ptx dialect "
        "in SSA form. Instructions that the dialect does not know become ptx.inline.",
    )
    import_.set_defaults(command=_import)
    import_.add_argument(
        "file", metavar="FILE", help="PTX, MLIR or LLVM IR; - for the standard input"
    )
    import_.add_argument(
        "-o", "--output", metavar="OUT", help="the file to write (default: the standard output)"
    )
    import_.add_argument(
        "--names",
        action="store_true",
        help="also fix the names of registers with the attribute ptx.name, unless they end in a "
        "number; the printed PTX then has them again",
    )
    import_.add_argument(
        "--locations",
        action="store_true",
        help=(
            "also print the location of each operation: its line in the PTX text and, if .loc "
            "gives it, its line in the source program"
        ),
    )
    add_llvm(import_)
    add_no_cache(import_)


def _add_launch_file(add: _AddParser) -> None:
    from .launch_options import add_extents

    parser = add(
        description=(
            "Prints a template of a launch file for a kernel of IR or PTX: the parameters and "
            "their uses, boxes of tensor maps, block, cluster and a grid, and numbers and arrays "
            "with which the kernel runs. `tcgen05 sim` reads the result."
        ),
    )
    parser.set_defaults(command=_launch_file)
    parser.add_argument(
        "file", metavar="FILE", help="IR, PTX, MLIR or LLVM IR; - for the standard input"
    )
    parser.add_argument(
        "-o", "--output", metavar="OUT", help="the file to write (default: the standard output)"
    )
    parser.add_argument("--kernel", metavar="NAME", help="the kernel, if there are several")
    add_extents(parser)
    add_llvm(parser)


def _add_check(add: _AddParser) -> None:
    from ..reporting.formats import FORMATS
    from .launch_options import add_extents

    check = add(
        description=(
            "Verifies IR, and the tcgen05 instructions of PTX, and lists all errors and warnings, "
            "with a verdict on each kernel. The exit status is 0 if there is no error, 1 if "
            "there are errors, and 2 if a file cannot be read."
        ),
    )
    check.set_defaults(command=_check)
    check.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="IR, PTX, MLIR or LLVM IR; - for the standard input; a folder for all .mlir and .ptx "
        "files in it",
    )
    check.add_argument(
        "--target", metavar="T", help="the target, such as sm_100a (default: that of the file)"
    )
    check.add_argument(
        "--ptx-version", metavar="V", help="the PTX version, such as 8.8 (default: the file's)"
    )
    check.add_argument(
        "--format",
        choices=tuple(FORMATS),
        default="text",
        help="lines of text, JSON, SARIF for code hosts, or commands for GitHub Actions "
        "(default: text)",
    )
    _add_verify(check, "thorough")
    check.add_argument(
        BUDGET,
        metavar="SECONDS",
        type=_seconds,
        help="stop the runs of a kernel after this time; the remark says which sizes were not run",
    )
    fixing = check.add_mutually_exclusive_group()
    fixing.add_argument(
        "--fix",
        dest="fixing",
        action="store_const",
        const="fix",
        help=(
            "insert missing steps and correct wrong numbers in the file, until no finding has a "
            "fix; print the remaining findings"
        ),
    )
    fixing.add_argument(
        "--diff",
        dest="fixing",
        action="store_const",
        const="diff",
        help=(
            "print these fixes as a patch and write no file; the exit status is 1 if there is "
            "something to fix"
        ),
    )
    fixing.add_argument(
        "--redundant",
        action="store_true",
        help="also name the fences, waits and barriers that verified kernels do not need",
    )
    add_verify_diagnostics(check)
    _add_tf32(check)
    check.add_argument(
        "--split-input-file",
        dest="split",
        action="store_true",
        help="check the parts of each file between the lines // ----- one by one",
    )
    add_extents(check)
    add_llvm(check)
    check.add_argument(
        "--jobs",
        metavar="N",
        type=_positive,
        default=0,
        help="check up to N files at once, each in a process; for a single file, N > 1 lets a "
        "second process help with its runs (default: the number of processors)",
    )
    add_strict(check)
    add_allow(check)
    add_no_cache(check)


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


def _add_explain(add: _AddParser) -> None:
    explain = add(
        description="Explains rules: the statement of each and its reason, a program that breaks "
        "it with its message, and the corrected program. Explains instructions: what each reads, "
        "writes and orders, when it is complete, and which threads execute it.",
    )
    explain.set_defaults(command=_explain)
    explain.add_argument(
        "rules",
        metavar="RULE",
        nargs="*",
        help="the id in a message, such as T5-ALLOC-001, or the name of an instruction, such as "
        "tcgen05.cp (default: list all rules)",
    )


def _add_run_host(add: _AddParser) -> None:
    from ..simulator import SCHEDULES

    parser = add(
        description=(
            "Runs a host program, a Python script or an executable, on an emulated CUDA driver: "
            "its kernels, as PTX, run in the emulator, and their errors are reported with the "
            "line of the host program. The exit status is that of the host program."
        ),
    )
    parser.set_defaults(command=_run_host)
    parser.add_argument(
        "--schedule",
        choices=SCHEDULES,
        default=SCHEDULES[0],
        help="the order of concurrent events in kernels (default: %(default)s)",
    )
    parser.add_argument(
        "--report", metavar="FILE", help="the file for all findings, as check --format json"
    )
    parser.add_argument(
        "--calls",
        metavar="FILE",
        help="the file for a line of JSON on each tensor map and launch; addresses begin at 0",
    )
    parser.add_argument(
        "program", metavar="PROGRAM", help="the script or command, with its arguments"
    )
    rest = parser.add_argument("arguments", metavar="ARGUMENT", nargs=argparse.REMAINDER, help="")
    rest.required = False


def _add_lsp(add: _AddParser) -> None:
    parser = add(
        description="Serves an editor on the standard streams, by the language server protocol: "
        "findings, fixes, explanations and completion for IR, PTX, MLIR and LLVM IR. "
        "docs/editor.md says how to set up an editor.",
    )
    parser.set_defaults(command=_lsp)


def _add_docs(add: _AddParser) -> None:
    docs = add(
        description="Prints the address of the documentation: tutorial, reference, rules.",
    )
    docs.set_defaults(command=_docs)


def _add_completion(add: _AddParser) -> None:
    from .completion import SHELLS

    completion = add(
        description="Prints a script that completes commands, options and values in a shell.",
        epilog=_COMPLETION_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    completion.set_defaults(command=_completion)
    completion.add_argument("shell", metavar="SHELL", choices=tuple(SHELLS), help=", ".join(SHELLS))


def _add_cache(add: _AddParser) -> None:
    cache = add(
        description="The results of compile, check, import and sim are kept in the folder that "
        "TCGEN05_CACHE names (default: tcgen05 in the user's folder for caches), and a repeated "
        "command prints them again. TCGEN05_CACHE=off keeps nothing.",
    )
    cache.set_defaults(command=_cache)
    cache.add_argument("action", metavar="ACTION", choices=("info", "clear"), help="info or clear")


COMMANDS: Mapping[str, tuple[str, Callable[[_AddParser], None]]] = {
    "compile": ("compile IR to PTX or to a cubin", _add_compile),
    "import": ("read PTX of any compiler as a module of the ptx dialect", _add_import),
    "launch-file": ("print a template of a launch file for a kernel", _add_launch_file),
    "check": ("list all errors in files of IR or PTX", _add_check),
    "explain": ("explain rules, with a wrong and a corrected program", _add_explain),
    "run-host": ("run a host program on an emulated CUDA driver", _add_run_host),
    "lsp": ("serve an editor: findings, fixes, explanations, completion", _add_lsp),
    "docs": ("print the address of the documentation", _add_docs),
    "cache": ("show or remove kept results", _add_cache),
    "completion": ("print a script that completes commands in a shell", _add_completion),
}
"""Command of this module -> its help, and the function that adds its parser."""


def command_parser(asked: str | None = None) -> ArgumentParser:
    """
    The parser of all commands; if one of COMMANDS is asked for, only of that, which saves 1 ms.
    """
    parser = ArgumentParser(
        prog="tcgen05",
        description="A compiler and checker of kernels for the tensor cores of NVIDIA Blackwell.",
    )
    add_version(parser)
    commands = parser.add_subparsers(title="commands", metavar=COMMAND, required=True)
    is_alone = asked in COMMANDS
    for name, (help_, add) in COMMANDS.items():
        if not is_alone or name == asked:
            add(partial(commands.add_parser, name, help=help_))
    for name, help_ in PROGRAMS.items():
        if not is_alone:
            commands.add_parser(name, help=help_, add_help=False)
    return parser

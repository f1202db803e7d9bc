"""The command `tcgen05`."""

import argparse
import importlib
import sys
from collections.abc import Sequence

from .command import (
    ArgumentParser,
    VersionAction,
    read_source,
    refuse_overwriting,
    run,
    write_output,
)

_PROGRAMS = {
    "sim": "run a kernel on the CPU, and say what it does wrong",
    "calc": "answer questions about instructions, descriptors and layouts",
    "opt": "run passes on a module, as xdsl-opt does",
}
"""The commands that are modules with a parser of their own, and the help for each."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments and arguments[0] in _PROGRAMS:
        program = importlib.import_module(f".{arguments[0]}", __package__)
        return program.main(arguments[1:], f"tcgen05 {arguments[0]}")
    return run("tcgen05", lambda: _command(_parser().parse_args(arguments)))


def _command(options: argparse.Namespace) -> int | None:
    return options.command(options)


def _compile(options: argparse.Namespace) -> None:
    from ..check import refuse_ptx
    from ..compiler import lower_source, print_ptx
    from ..reporting.diagnostics import CompileError

    if options.emit == "cubin" and options.output in (None, "-") and sys.stdout.isatty():
        raise CompileError("--emit cubin: found a terminal; legal: -o FILE, or a pipe")
    source = read_source(options.file)
    refuse_ptx(source)
    refuse_overwriting(options.file, options.output)
    module, target = lower_source(source, options.target, options.ptx_version)
    if options.emit == "ir":
        write_output(options.output, f"{module!s}\n".encode())
        return
    ptx = print_ptx(module, target, source)
    if options.emit == "ptx":
        write_output(options.output, ptx.encode())
        return
    from ..assembler import assemble

    assembled = assemble(ptx, target.target.data)
    if assembled.messages:
        print(assembled.messages, file=sys.stderr)
    write_output(options.output, assembled.cubin)


def _check(options: argparse.Namespace) -> int:
    from .check import check

    return check(options.files, options.target, options.ptx_version, options.format)


def _explain(options: argparse.Namespace) -> None:
    from .explain import explanation

    write_output(None, explanation(options.rule).encode())


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="tcgen05",
        description="Compiles kernels for the tensor cores of NVIDIA Blackwell from typed IR.",
    )
    parser.add_argument(
        "--version", action=VersionAction, nargs=0, help="print the version and exit"
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    compile_ = commands.add_parser(
        "compile",
        help="verify a module, lower it and print PTX, or assemble it",
        description="Verifies a module, lowers it to PTX and prints or assembles that.",
    )
    compile_.set_defaults(command=_compile)
    compile_.add_argument("file", metavar="FILE", help="IR text; - for the standard input")
    compile_.add_argument(
        "-o", "--output", metavar="OUT", help="the file to write (default: the standard output)"
    )
    compile_.add_argument(
        "--target",
        metavar="T",
        help="the target, such as sm_100a (default: the module's, or else sm_100a)",
    )
    compile_.add_argument(
        "--ptx-version",
        metavar="V",
        help="the PTX version, such as 8.8 (default: the module's where the target has it, or "
        "else the target's first)",
    )
    compile_.add_argument(
        "--emit",
        choices=("ptx", "cubin", "ir"),
        default="ptx",
        help="PTX text, a cubin assembled by ptxas, or the lowered IR (default: ptx)",
    )
    check = commands.add_parser(
        "check",
        help="list everything that is wrong in files of IR or PTX",
        description="Verifies IR, and the tcgen05 instructions of PTX; lists all that is wrong.",
    )
    check.set_defaults(command=_check)
    check.add_argument(
        "files", metavar="FILE", nargs="+", help="PTX or IR; - for the standard input"
    )
    check.add_argument(
        "--target", metavar="T", help="the target, such as sm_100a (default: what the file says)"
    )
    check.add_argument(
        "--ptx-version", metavar="V", help="the PTX version, such as 8.8 (default: the file's)"
    )
    check.add_argument(
        "--format",
        choices=("text", "json", "sarif", "github"),
        default="text",
        help="lines of text, JSON, or SARIF as code hosts take it (default: text)",
    )
    explain = commands.add_parser(
        "explain",
        help="say what a rule demands, with programs that break it and keep it",
        description="Says what a rule demands, with programs that break it and keep it.",
    )
    explain.set_defaults(command=_explain)
    explain.add_argument(
        "rule",
        metavar="RULE",
        nargs="?",
        help="the id in a message, such as T5-ALLOC-001 (default: list all rules)",
    )
    for name, help_ in _PROGRAMS.items():
        commands.add_parser(name, help=help_, add_help=False)
    return parser


if __name__ == "__main__":
    sys.exit(main())

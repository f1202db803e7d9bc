"""
The argument parser of all commands, and the end of a command: exit status and message.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

from ..reporting.internal_error import internal_error
from .files import CommandError, complain, reason, write_output
from .process import INTERRUPTED

if TYPE_CHECKING:
    from ..reporting.diagnostics import CompileError

COMMAND = "COMMAND"
"""What usage texts call the argument that names a sub-command."""
_BROKEN_PIPE = 141
"""The exit status that shells report for a program ended by SIGPIPE."""
_OTHER_NAMES = {"--arch": "--target", "--gpu-architecture": "--target", "--gpu-name": "--target"}
"""Option of another tool -> the option here."""


def refuse_usage(parser: argparse.ArgumentParser, message: str) -> NoReturn:
    """End the process with status 2 and a message about wrong arguments."""
    from ..isa.model.rule import printable

    complain(f"{parser.prog}: error: {printable(message)}")
    parser.exit(2)


class ArgumentParser(argparse.ArgumentParser):
    """A parser whose errors are one line with status 2; it suggests similar options, and lists the
    commands if there is none."""

    def error(self, message: str) -> NoReturn:
        if message.endswith(f": {COMMAND}"):
            commands = next(each.choices for each in self.actions() if each.metavar == COMMAND)
            message = f"give a command: {', '.join(commands or ())}"
        refuse_usage(self, message)

    def parse_known_args(self, *arguments: Any, **named: Any) -> tuple[Any, list[str]]:
        """
        Parse the arguments. Unlike the base class, each sub-command reports its unknown options.
        """
        known: tuple[Any, list[str]] = super().parse_known_args(*arguments, **named)
        _, rest = known
        if rest:
            self.error(self._unknown(rest))
        return known

    def _unknown(self, rest: Sequence[str]) -> str:
        option = next((each for each in rest if each.startswith("-")), None)
        if option is None:
            return f"unexpected argument {rest[0]}"
        from ..isa.model.rule import close_names, meant

        name = f"--{option.lstrip('-').partition('=')[0]}"
        known = [each for each in self._option_string_actions if each.startswith("--")]
        if _OTHER_NAMES.get(name) in known:
            return f"unknown option {option}; {meant([_OTHER_NAMES[name]])}"
        # Compared without the dashes, which would make all options similar.
        words = {each.removeprefix("--"): each for each in known}
        hint = meant([words[each] for each in close_names(name.removeprefix("--"), words)])
        return f"unknown option {option}; {hint}".removesuffix("; ")

    def actions(self) -> Sequence[argparse.Action]:
        """The actions of the parser, including `--help` and the sub-commands."""
        return self._actions

    def print_help(self, file: Any = None) -> None:
        """Print the help, on the standard output if no file is given."""
        if file is None:
            write_output(None, self.format_help().encode())
        else:
            super().print_help(file)


def version(program: str) -> str:
    """The text that `--version` prints."""
    from ..reporting import project

    return f"{program} {project.version()}"


class VersionAction(argparse.Action):
    """The option `--version`."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        write_output(None, f"{version(parser.prog)}\n".encode())
        parser.exit()


def add_version(parser: argparse.ArgumentParser) -> None:
    """Add the option `--version`."""
    parser.add_argument(
        "--version", action=VersionAction, nargs=0, help="print the version and exit"
    )


def add_strict(parser: argparse.ArgumentParser) -> None:
    """Add the option `--strict`."""
    parser.add_argument("--strict", action="store_true", help="turn warnings into errors")


def tell(warnings: Iterable["CompileError"], strict: bool) -> None:
    """Print warnings on the standard error output. Raises CompileError for them if `strict`."""
    findings = [finding for warning in warnings for finding in warning.findings]
    if strict and any(finding.severity != "remark" for finding in findings):
        from ..reporting.diagnostics import CompileError
        from ..reporting.findings import as_errors

        raise CompileError(findings[0].message, "", findings=as_errors(findings))
    for finding in findings:
        complain(str(finding))


def refuse_without_emulator() -> None:
    """Raise CommandError if a package that the emulator needs is not installed."""
    try:
        import_module("..simulator.launch.launch_file", __package__)
    except ModuleNotFoundError as error:
        raise CommandError(f"{error.name} is missing: install tcgen05-dialect[sim]") from error


def refuse_target(target: str | None, ptx_version: str | None) -> None:
    """Raise CommandError for an unknown target or PTX version in an option."""
    from ..isa.model.rule import Violation
    from ..isa.targets import parse_target, parse_version

    try:
        if target is not None:
            parse_target(target)
        if ptx_version is not None:
            parse_version(ptx_version)
    except Violation as error:
        from ..reporting.diagnostics import violation_error

        shown = violation_error(error, lambda _: (None, ""))
        raise CommandError(shown.message) from shown


def run(program: str, action: Callable[[], int | None]) -> int:
    """
    Run the action of a command; returns the exit status of the process.

    The status is that of the action, 1 after an error in the input, and 2 if the command cannot do
    what its arguments ask for. Error messages go to standard error.
    """
    try:
        status = action()
        _flush_output()
        return status or 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # No message, as for a program ended by SIGPIPE; Python ignores the signal.
        _discard_output()
        return _BROKEN_PIPE
    except Exception as error:
        status, message = _end(program, error)
        complain(message)
        return status


def _flush_output() -> None:
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        _discard_output()
        raise CommandError(f"cannot write the standard output: {reason(error)}") from error


def _discard_output() -> None:
    """Prevent Python from writing the rest of standard output at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _end(program: str, error: Exception) -> tuple[int, str]:
    """The exit status and the message after an error."""
    from ..isa.model.rule import printable
    from ..reporting.diagnostics import CompileError

    if isinstance(error, CommandError):
        if isinstance(cause := error.__cause__, CompileError):
            return 2, str(cause) if cause.location is not None else f"{program}: {cause}"
        return 2, f"{program}: error: {printable(str(error))}"
    if isinstance(error, CompileError):
        return 1, str(error) if error.location is not None else f"{program}: {error}"
    return 2, f"{program}: {internal_error(error)}"

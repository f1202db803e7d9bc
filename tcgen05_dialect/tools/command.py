"""The argument parser of all commands, and the end of a command: exit status and message."""

import argparse
import os
import re
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn

from ..kept_results import BUDGET as BUDGET
from ..kept_results import OPTION as NO_CACHE
from ..reporting.project import internal_error
from .files import CommandError, Translation, complain, reason, write_output

if TYPE_CHECKING:
    from ..reporting.diagnostics import CompileError, Finding, Source
    from ..reporting.suppressions import Suppressions

COMMAND = "COMMAND"
"""What usage texts call the argument that names a sub-command."""
_BROKEN_PIPE = 141
"""The exit status that shells report for a program ended by SIGPIPE."""
_VALUE_OF_FLAG = "ignored explicit argument "
"""What argparse says before the value of an option that takes none."""
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
        message = message.replace(_VALUE_OF_FLAG, "unexpected value ")
        refuse_usage(self, message)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            from ..isa.model.rule import did_you_mean

            hint = did_you_mean(str(value), map(str, action.choices or ()))
            error.message = f"{error.message}; {hint}".removesuffix("; ")
            raise

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


def _rule_ids(text: str) -> list[str]:
    return [each.strip().upper() for each in text.split(",") if each.strip()]


# The process has obeyed the last option before it reads the arguments.
_COMMON = f"""
FILE              | IR, PTX, MLIR or LLVM IR; - for the standard input
-o, --output OUT  | the file to write (default: the standard output)
--kernel NAME     | the kernel, if there are several
--tf32            | let tensor cores multiply f32 in functions of tensors, with 10 bits after the
    point
--llvm FOLDER     | the folder of mlir-opt, mlir-translate and llc, which make PTX of MLIR and LLVM
    IR (default: PATH)
--strict          | turn warnings into errors
--allow RULE      | suppress the warnings of a rule, or of several with commas between them; may be
    repeated. A comment in the text, // tcgen05: allow RULE, suppresses a single warning
{NO_CACHE}        | run even if the result of an equal command is kept
"""
_SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "allow": {"action": "extend", "type": _rule_ids, "default": []}
}
_VALUE = re.compile(r"(\w+)(?:=([a-z0-9]\w*)|!)")


def rows_of(table: str) -> list[str]:
    """The rows of a table of options. A row begins at the left margin and goes on in indented
    lines."""
    return re.split(r"\n(?=\S)", table.strip())


def one_of(words: Iterable[str], default: str | None = None) -> dict[str, Any]:
    """The settings of an argument that is one of some words, by default the first."""
    words = tuple(words)
    return {"choices": words, "default": words[0] if default is None else default}


def add_options(
    parser: argparse.ArgumentParser,
    rows: Sequence[str],
    settings: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
) -> None:
    """
    Add arguments, each of which has a row `names | help`. Rows without help are those that several
    commands have.

    `FILE` is an argument; `[FILE]` may be left out, `FILE...` and `[FILE...]` may be several.
    `--strict` is a flag, `-o, --output OUT` an option with a value, `--arg NAME=VALUE...` one that
    may be repeated, `--tile MNxK!` one that is required, and `--mode MODE=fast` or `--seed N=0` one
    with a default, or a number with its default. `--format {text,json}` has one of these words, by
    default the first. Options after `/` exclude each other. A row such as `placement:` is the title
    of a group. `settings` are further parameters of `argparse` by the name of an argument, or of
    its value.
    """
    is_choice = any(each.startswith("/") for each in rows)
    alternatives = parser.add_mutually_exclusive_group() if is_choice else parser
    common = {each.split()[0].rstrip(","): each for each in rows_of(_COMMON)}
    owner: Any = parser
    for row in rows:
        if row.endswith(":"):
            owner = parser.add_argument_group(row[:-1])
            continue
        head, _, help_ = common.get(row, row).partition(" | ")
        words = head.removeprefix("/").split()
        names = [each.rstrip(",") for each in words if each.startswith("-")]
        value = "".join(each for each in words if not each.startswith("-"))
        made: dict[str, Any] = {"help": " ".join(help_.split())}
        if value.startswith("{"):
            made["choices"] = choices = tuple(value[1:-1].split(","))
            made["default"] = choices[0]
        elif not value:
            made["action"] = "store_true"
        elif not names:
            made["metavar"] = value.strip("[].")
            names = [made["metavar"].lower()]
            is_optional = value.startswith("[")
            if "..." in value:
                made["nargs"] = "*" if is_optional else "+"
            elif is_optional:
                made["nargs"] = "?"
        elif match := _VALUE.fullmatch(value):
            made |= {"metavar": match[1], "default": match[2], "required": match[2] is None}
            if match[2] and match[2].isdecimal():
                made |= {"type": int, "default": int(match[2])}
        else:
            made["metavar"] = value.removesuffix("...")
            if value.endswith("..."):
                made |= {"action": "append", "default": []}
        key = names[-1].lstrip("-").replace("-", "_")
        more = settings.get(key) or settings.get(made.get("metavar", "")) or _SETTINGS.get(key, {})
        (alternatives if head.startswith("/") else owner).add_argument(*names, **{**made, **more})


def add_verify_diagnostics(parser: ArgumentParser) -> None:
    """Add the option `--verify-diagnostics`, spelled as that of mlir-opt; xDSL's parser has it, but
    without values."""
    known = {name: action for action in parser.actions() for name in action.option_strings}
    for name, value in ((_COMPARE, "all"), (f"{_COMPARE}=all", "all"), (_ONLY, "only-expected")):
        help_ = _EXPECTING_HELP.get(name, argparse.SUPPRESS)
        if name in known:
            known[name].help = help_
        else:
            parser.add_argument(
                name, dest="expecting", action="store_const", const=value, help=help_
            )


def translation(options: argparse.Namespace) -> Translation:
    """How to make PTX of MLIR and LLVM IR."""
    given = vars(options)
    return given["llvm"], given.get("target"), given.get("ptx_version")


_COMPARE = "--verify-diagnostics"
_ONLY = f"{_COMPARE}=only-expected"
_EXPECTING_HELP = {
    _COMPARE: "compare the findings with comments such as // expected-error@+1 "
    "{{text}}, as mlir-opt does; print the differences",
    _ONLY: "the same, but ignore findings that no comment expects",
}


def refuse_rules(allowed: Iterable[str]) -> None:
    """Raise CommandError for an unknown rule in `--allow`."""
    if not allowed:
        return
    from ..reporting.suppressions import unknown_rules

    for name, hint in unknown_rules(allowed).items():
        raise CommandError(f"--allow: there is no rule {name}; {hint}")


def tell_allowed(allowed: Iterable[str], findings: Collection["Finding"]) -> None:
    """Print the rules of `--allow` that suppress nothing, and those whose findings are errors."""
    from ..reporting.project import rules

    errors = {each.rule for each in findings if each.severity == "error"}
    suppressed = {each.rule for each in findings if each.suppressed}
    for name in dict.fromkeys(allowed):
        if name in errors or (name not in suppressed and rules()[name].severity == "error"):
            complain(f"--allow: {name} is an error; only warnings can be allowed")
        elif name not in suppressed:
            complain(f"--allow: no warning {name} was found")


class Teller:
    """Prints warnings on the standard error output, without those that comments in `source` or the
    rules in `allowed` suppress."""

    def __init__(
        self, strict: bool, source: "Source | None" = None, allowed: Collection[str] = ()
    ) -> None:
        self._strict = strict
        self._allowed = allowed
        self._suppressions: Suppressions | None = None
        self._told: list[Finding] = []
        # Few programs need the module.
        if allowed or (source is not None and "tcgen05:" in source.text):
            from ..reporting import suppressions

            self._suppressions = suppressions.Suppressions(source, allowed)

    def __call__(self, warnings: Iterable["CompileError"]) -> None:
        """Print warnings. Raises CompileError for them if they are errors."""
        findings = [finding for warning in warnings for finding in warning.findings]
        if self._suppressions is not None:
            findings = self._suppressions.marked(findings)
            self._told += findings
        self._tell([finding for finding in findings if not finding.suppressed])

    def end(self) -> None:
        """Print the number of suppressed warnings, and what is wrong with suppressions."""
        if self._suppressions is None:
            return
        from ..reporting.suppressions import summary

        problems = self._suppressions.problems()
        self._tell([each for each in problems if each.severity != "remark"])
        if counted := summary(self._told):
            complain(counted)
        tell_allowed(self._allowed, self._told)

    def _tell(self, findings: Sequence["Finding"]) -> None:
        if self._strict and any(finding.severity != "remark" for finding in findings):
            from ..reporting.diagnostics import CompileError, as_errors

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
    what its arguments ask for. Error messages go to standard error. Ctrl-C raises
    KeyboardInterrupt; `run_process` ends the process.
    """
    try:
        status = action()
        _flush_output()
        return status or 0
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

"""
Pass driver of `tcgen05-opt`: xDSL's driver with locations in its messages.

The options -p and -t are checked before xDSL reads them, because its messages show Python types and
lists. Uses no private names. The checks can be deleted when xDSL names the pass and its options.
`get_multiverse` is cached until xDSL reads the entry points of the installed packages only once.
"""

import argparse
import dataclasses
import os
import re
import sys
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import replace
from functools import cache, cached_property, partial
from inspect import signature
from io import BytesIO, StringIO
from os.path import splitext
from types import NoneType
from typing import IO, Literal, cast, get_args, get_origin, get_type_hints

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass, PassPipelineCallbackType
from xdsl.universe import Universe
from xdsl.utils.arg_spec import ArgSpec, ArgSpecConvertible, parse_pipeline, parse_spec
from xdsl.utils.exceptions import ArgSpecParseError, DiagnosticException, VerifyException
from xdsl.utils.target import Target
from xdsl.xdsl_opt_main import xDSLOptMain

from ..compiler import errors_of, import_source, verify, warnings_of
from ..dialects import DIALECTS
from ..isa.model.rule import Violation, alternatives, describe, did_you_mean
from ..reporting.diagnostics import CompileError, Finding, Source, as_errors, diagnosed
from ..reporting.project import TRACEBACK_VARIABLE
from ..reporting.suppressions import Expecting, Suppressions, has_expectations, split, unexpected
from ..xdsl_support.fast_parser import FamilyContext
from ..xdsl_support.parser import LocatedParser
from ..xdsl_support.syntax_errors import sentence
from .command import ArgumentParser, Teller, add_options, add_verify_diagnostics, run, version
from .files import CommandError, is_ptx, read_source, write_output

Universe.get_multiverse = staticmethod(cache(Universe.get_multiverse))
_PLACE = re.compile(r":1:(?P<column>\d+)\n")
_KINDS = {
    str: "a string in quotes",
    int: "an integer",
    float: "a number such as 8.0",
    bool: "true or false",
}
"""Python type of an option -> its legal values in messages."""


def check_specs(
    option: str,
    read: Callable[[], Iterable[ArgSpec]],
    known: Mapping[str, Callable[[], type[ArgSpecConvertible]]],
) -> None:
    """
    Check the passes or the target in an option, which `read` parses. Raises CommandError.

    `known` loads the class of a pass or a target by its name.
    """
    try:
        specs = tuple(read())
    except ArgSpecParseError as error:
        raise syntax_error(option, error) from error
    for spec in specs:
        if spec.name not in known:
            raise CommandError(f"{option}: unknown pass {spec.name}{_meant(spec.name, known)}")
        _check_parameters(f"{option} {spec.name}", spec, known[spec.name]())


def syntax_error(option: str, error: ArgSpecParseError) -> CommandError:
    """The error for an option that xDSL cannot parse."""
    text = str(error).strip()
    place = _PLACE.search(text)
    column = "" if place is None else f", column {place['column']}"
    said = sentence(text.splitlines()[-1].strip().removesuffix(" here"))
    return CommandError(f"{option}{column}: {said}")


def _check_parameters(what: str, spec: ArgSpec, convertible: type[ArgSpecConvertible]) -> None:
    fields = {
        field.name.replace("_", "-"): field
        for field in dataclasses.fields(convertible)
        if field.name != "name" and field.init
    }
    types = get_type_hints(convertible)
    for name, value in spec.parameters.items():
        field = fields.get(name.replace("_", "-"))
        if field is None:
            legal = f"; its options are {describe(tuple(fields))}" if fields else ""
            raise CommandError(f"{what} has no option {name}{legal}{_meant(name, fields)}")
        legal = get_args(types[field.name]) or (types[field.name],)
        if get_origin(types[field.name]) is Literal:
            _check_choice(f"{what}: {name}", value, legal)
            continue
        kinds = tuple(_KINDS[each] for each in legal if each in _KINDS)
        # xDSL itself checks the options that are lists.
        is_single = all(each in _KINDS or each is NoneType for each in legal)
        if is_single and value and not (len(value) == 1 and type(value[0]) in legal):
            found = ", ".join(map(str, value))
            raise CommandError(f"{what}: {name} must be {alternatives(kinds)}; found {found}")


def _check_choice(what: str, value: Iterable[object], legal: tuple[str, ...]) -> None:
    """Check an option that has one of several words. Raises CommandError."""
    found = ", ".join(map(str, value))
    if found not in legal:
        raise CommandError(f"{what} must be {alternatives(legal)}; found {found}")


def _meant(name: str, known: Iterable[str]) -> str:
    meant = did_you_mean(name, known)
    return meant and f"; {meant}"


def run_passes(arguments: Sequence[str], program: str) -> int:
    """Run the passes in the arguments and return the exit status."""

    def drive() -> None:
        with diagnosed():
            with _usage():
                driver = PassDriver(program, arguments)
            driver.run()

    return run(program, drive)


@contextmanager
def _usage() -> Generator[None]:
    """Raise CommandError for passes, targets and files that xDSL cannot use."""
    try:
        yield
    except Violation:
        raise
    except ArgSpecParseError as error:
        # The passes are already checked.
        raise syntax_error("-t", error) from error
    except ValueError as error:
        raise CommandError(str(error).strip()) from error


def _bytes(source: Source) -> BytesIO:
    return BytesIO(source.text.encode(errors="surrogateescape"))


def _is_of_xdsl(thing: object) -> bool:
    return type(thing).__module__.startswith("xdsl.")


class _KeptText(StringIO):
    """A stream whose text is still available after it is closed."""

    text = ""

    def close(self) -> None:
        if not self.closed:
            self.text = self.getvalue()
        super().close()


class PassDriver(xDSLOptMain):
    version_format = f"{version('tcgen05-opt')} on xDSL {{xdsl_version}}"

    def __init__(self, program: str, arguments: Sequence[str] | None):
        self.program = program
        self.source: Source | None = None
        self.output = _KeptText()
        self.found: list[Finding] | None = None
        """The findings of a part of the input, if they are compared with expectations."""
        self.running: ModulePass | None = None
        self.unverified: ModuleOp | None = None
        """The module before the running pass, if it was not verified."""
        self.parser = ArgumentParser(program)
        super().__init__("Runs passes on a module.", arguments)

    def run(self) -> None:
        printed = StringIO()
        try:
            with redirect_stdout(printed):
                expecting = self._expecting()
                if expecting is None:
                    super().run()
                else:
                    self._compare(expecting)
        finally:
            if text := printed.getvalue():
                write_output(None, text.encode())
        if self.args.output_file not in (None, "-"):
            self.output.close()
            write_output(self.args.output_file, self.output.text.encode())

    def _expecting(self) -> Expecting | None:
        """
        What to compare with expectations; None without `--verify-diagnostics`. With
        `--parsing-diagnostics`, a text without expectations has its errors printed, as xdsl-opt
        does, for FileCheck.
        """
        expecting = self.args.expecting or ("all" if self.args.verify_diagnostics else None)
        prints = self.args.parsing_diagnostics and not has_expectations(self._input)
        return None if prints else expecting

    def _compare(self, expecting: Expecting) -> None:
        """Run the passes on each part of the input. Raises CompileError for the differences between
        the findings and the expectations."""
        differences: list[Finding] = []
        chunks, extension = self.prepare_input()
        output = self.prepare_output()
        for index, (chunk, lines_before) in enumerate(chunks):
            if index:
                output.write("// -----\n")
            text = chunk.read().decode(errors="surrogateescape")
            source = self.source = Source(self.get_input_name(), text, lines_before)
            self.found = []
            chunk.seek(0)
            try:
                with diagnosed(source):
                    module = self.parse_chunk(chunk, extension, lines_before)
                    assert module is not None
                    self.apply_passes(module)
                    output.write(self.output_resulting_program(module))
            except CompileError as error:
                self.found += error.findings
            found = as_errors(self.found) if self.args.strict else self.found
            differences += unexpected(source, found, expecting)
        if differences:
            raise CompileError(differences[0].message, self.get_input_name(), findings=differences)

    def register_all_arguments(self, arg_parser: argparse.ArgumentParser) -> None:
        # xDSL creates the parser; with this class it has the same messages as all commands.
        arg_parser.__class__ = ArgumentParser
        arg_parser.prog = self.program
        assert isinstance(arg_parser, ArgumentParser)
        self.parser = arg_parser
        super().register_all_arguments(arg_parser)
        add_verify_diagnostics(arg_parser)
        add_options(arg_parser, ["--strict"])

    def register_all_frontends(self) -> None:
        super().register_all_frontends()
        # Only the name is used: `parse_chunk` reads the text.
        self.available_frontends["ptx"] = self.available_frontends["mlir"]

    def register_all_dialects(self) -> None:
        self.ctx = FamilyContext()
        super().register_all_dialects()
        self.ctx.replace_dialect("linalg", DIALECTS["linalg"])

    def setup_pipeline(self) -> None:
        check_specs("-p", lambda: parse_pipeline(self.args.passes), self.available_passes)
        spec = parse_spec(self.args.target)
        entry = self.available_targets[spec.name]
        if not signature(entry).parameters:
            factory = cast(Callable[[], type[Target]], entry)
            check_specs("-t", lambda: [spec], {spec.name: factory})
        super().setup_pipeline()
        between = self.pipeline.callback
        assert between is not None
        self.pipeline = replace(self.pipeline, callback=partial(self._between, between))

    def _between(
        self,
        between: PassPipelineCallbackType,
        previous: ModulePass | None,
        module: ModuleOp,
        following: ModulePass | None,
    ) -> None:
        """Do what xDSL does between passes, but verify the module as `compile` does."""
        self.running = following
        is_disabled = self.args.disable_verify
        # The module that was read is verified already.
        if not is_disabled and previous is not None:
            verify(module, self.source)
        self.unverified = module.clone() if is_disabled else None
        self.args.disable_verify = True
        between(previous, module, following)
        self.args.disable_verify = is_disabled

    def get_input_name(self) -> str:
        name = self.args.input_file
        return "<stdin>" if name in (None, "-") else name

    @cached_property
    def _input(self) -> Source:
        return read_source("-" if self.args.input_file is None else self.args.input_file)

    def get_input_stream(self) -> tuple[IO[bytes], str]:
        path = "-" if self.args.input_file is None else self.args.input_file
        extension = splitext(path)[1].removeprefix(".") or "mlir"
        source = self._input
        return _bytes(source), "ptx" if is_ptx(source) else extension

    def prepare_input(self) -> tuple[list[tuple[IO[bytes], int]], str]:
        is_split, self.args.split_input_file = self.args.split_input_file, False
        with _usage():
            chunks, extension = super().prepare_input()
        # xDSL splits lines that only begin with the marker, too.
        parts = split(self._input) if is_split else ()
        return [(_bytes(part), part.lines_before) for part in parts] or chunks, extension

    def parse_chunk(
        self, chunk: IO[bytes], file_extension: str, start_offset: int = 0
    ) -> ModuleOp | None:
        if file_extension == "ptx":
            text = chunk.read().decode(errors="surrogateescape")
            self.source = Source(self.get_input_name(), text, start_offset)
            return import_source(self.source).module
        if file_extension != "mlir":
            return super().parse_chunk(chunk, file_extension, start_offset)
        self.source = Source(self.get_input_name(), chunk.read().decode(), start_offset)
        return LocatedParser(self.ctx, self.source).parse_module(not self.args.no_implicit_module)

    def apply_passes(self, prog: ModuleOp) -> None:
        with diagnosed(self.source):
            if not self.args.disable_verify:
                self._verify(prog)
            with self._explaining(prog):
                super().apply_passes(prog)

    @contextmanager
    def _explaining(self, module: ModuleOp) -> Generator[None]:
        """Replace an exception of a pass or a target by the error in the module, if the module is
        invalid; otherwise replace an exception of a pass of xDSL by an error about the pass. Raises
        CompileError."""
        try:
            yield
        except VerifyException:
            verify(module, self.source)
            raise
        except (Violation, DiagnosticException, RecursionError):
            raise
        except Exception as error:
            if self.unverified is not None:
                verify(self.unverified, self.source)
            running = self.running
            if running is None or not _is_of_xdsl(running) or os.environ.get(TRACEBACK_VARIABLE):
                raise
            message = f"the pass {running.name} of xDSL fails on this module, which is valid"
            if _is_of_xdsl(error) or isinstance(error, ValueError | NotImplementedError):
                message += f": {error}"
            raise CompileError(message, self.get_input_name()) from error

    def _verify(self, prog: ModuleOp) -> None:
        if self.found is None:
            verify(prog, self.source)
            tell = Teller(self.args.strict, self.source)
            tell(warnings_of(prog, self.source))
            tell.end()
            return
        errors = errors_of(prog, self.source)
        if errors:
            found = [finding for error in errors for finding in error.findings]
            raise CompileError(errors[0].message, errors[0].location, findings=found)
        suppressions = Suppressions(self.source)
        warnings = warnings_of(prog, self.source)
        self.found += suppressions.marked(each for error in warnings for each in error.findings)
        self.found += suppressions.problems(is_complete=False)

    def output_resulting_program(self, prog: ModuleOp) -> str:
        with diagnosed(self.source), _usage(), self._explaining(prog):
            return super().output_resulting_program(prog)

    def prepare_output(self) -> IO[str]:
        return sys.stdout if self.args.output_file in (None, "-") else self.output

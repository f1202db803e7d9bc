"""Reference functions: functions in a Python file that compute expected results."""

import re
import sys
import traceback
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from inspect import Parameter, signature
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn, cast

import numpy as np
from xdsl.utils.lexer import Location

from ...isa.model.rule import describe, did_you_mean
from ...reporting.diagnostics import excerpt_of
from ..machine.errors import LaunchError
from .arrays import Array, is_integral
from .scope import Scope

_TEXT = re.compile(r"(?P<file>.+\.py):(?P<function>\w+)")


@dataclass(frozen=True)
class Reference:
    """A function of a Python file."""

    path: Path
    function: str

    @classmethod
    def of(cls, text: Any, folder: Path) -> "Reference | None":
        """The function that a text such as `reference.py:gemm` names, or None."""
        match = _TEXT.fullmatch(text) if isinstance(text, str) else None
        return None if match is None else cls(folder / match["file"], match["function"])

    def contents(self, scope: Scope) -> Mapping[str, Any]:
        """Contents by name of array, which the function returns. Raises LaunchError."""
        found, line = self._call(scope)
        if not isinstance(found, Mapping):
            self._refuse(
                f"must return a dict of expected arrays by name; found {_kind(found)}", line
            )
        contents = cast("Mapping[object, Any]", found)
        for name in contents:
            if name not in scope.arrays:
                known = describe(tuple(scope.arrays))
                self._refuse(f"must return expected arrays by name ({known}); found {name}", line)
        return cast("Mapping[str, Any]", contents)

    def content(self, scope: Scope) -> Any:
        """Content of one array, which the function returns. Raises LaunchError."""
        found, line = self._call(scope)
        kind = _kind(found)
        if found is None or isinstance(found, Mapping):
            self._refuse(f"must return an array; found {kind}", line)
        return found

    def _call(self, scope: Scope) -> tuple[Any, int]:
        """Result of the function, and the line of its definition. Raises LaunchError."""
        text = self._text()
        module = ModuleType(f"_reference_{self.path.stem}")
        module.__file__ = str(self.path)
        # Data classes look up the module that defines them.
        sys.modules[module.__name__] = module
        with self._running(text, str(self.path.parent)):
            exec(compile(text, str(self.path), "exec"), vars(module))
        function = vars(module).get(self.function)
        if not callable(function):
            functions = [name for name, value in vars(module).items() if callable(value)]
            help = did_you_mean(self.function, functions)
            message = f"the file defines no function {self.function}"
            raise LaunchError(message, location=str(self.path), help=help)
        line: int = getattr(getattr(function, "__code__", None), "co_firstlineno", 0)
        arguments = self._arguments(function, scope, line)
        with self._running(text, str(self.path.parent)):
            return function(**arguments), line

    def _text(self) -> str:
        try:
            return self.path.read_text(encoding="utf-8")
        except OSError as error:
            raise LaunchError(f"cannot read {self.path}: {error.strerror}") from error
        except ValueError as error:
            raise LaunchError(f"cannot read {self.path}: not a file of UTF-8 text") from error

    def _arguments(self, function: Callable[..., Any], scope: Scope, line: int) -> dict[str, Any]:
        """Sizes and arrays that the parameters of the function name. Raises LaunchError."""
        known = (*scope.sizes, *scope.arrays)
        wanted: list[str] = []
        try:
            parameters = signature(function).parameters.values()
        except (TypeError, ValueError):
            self._refuse("must be a function defined in the file", line)
        for parameter in parameters:
            if parameter.kind is Parameter.VAR_KEYWORD:
                wanted = list(known)
            elif parameter.name in known:
                wanted.append(parameter.name)
            elif parameter.kind is not Parameter.VAR_POSITIONAL and (
                parameter.default is Parameter.empty
            ):
                legal = f"; the names are {describe(known)}" if known else ""
                found = f"has a parameter {parameter.name}, which names no array and no size"
                self._refuse(f"{found}{legal}", line, did_you_mean(parameter.name, known))
        return {
            name: scope.sizes[name] if name in scope.sizes else _input(scope.arrays[name])
            for name in wanted
        }

    def _refuse(self, message: str, line: int, help: str = "") -> NoReturn:
        """Raise LaunchError at the definition of the function."""
        location = Location(str(self.path), line, 1)
        raise LaunchError(f"{self.function} {message}", location=location, help=help)

    @contextmanager
    def _running(self, text: str, folder: str) -> Generator[None]:
        """
        Run code of the file: it may import its neighbours, and prints to the standard error.

        Raises LaunchError for whatever the code raises.
        """
        sys.path.insert(0, folder)
        try:
            with redirect_stdout(sys.stderr):
                yield
        except (Exception, SystemExit) as error:
            raise self._error(error, text) from error
        finally:
            sys.path.remove(folder)

    def _error(self, error: BaseException, text: str) -> LaunchError:
        path, line, column, width = str(self.path), 0, 0, 1
        if isinstance(error, SyntaxError) and error.filename == path:
            line, column, why = error.lineno or 0, error.offset or 1, error.msg
            message = f"syntax error: {why}"
        else:
            for frame in traceback.extract_tb(error.__traceback__):
                if frame.filename == path:
                    line, column = frame.lineno or 0, (frame.colno or 0) + 1
                    width = (frame.end_colno or column) - column + 1
            why = str(error).partition("\n")[0]
            message = f"the reference raises {type(error).__name__}{why and f': {why}'}"
        lines = text.split("\n")
        source = lines[line - 1] if 0 < line <= len(lines) else None
        excerpt = excerpt_of(source, column, width)
        return LaunchError(message, location=Location(path, line, column), excerpt=excerpt)


def _input(array: Array) -> Array:
    """Copy of an array; floating-point numbers of fewer than 32 bits become float32, exactly."""
    if not is_integral(array.dtype) and array.dtype.itemsize < np.dtype(np.float32).itemsize:
        return array.astype(np.float32)
    return array.copy()


def _kind(value: object) -> str:
    return "None" if value is None else f"a value of type {type(value).__name__}"

"""Values that expressions and functions of Python files compute from the sizes and arrays of a
launch."""

import re
import sys
import traceback
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from inspect import Parameter, signature
from operator import index
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, ClassVar, NoReturn, cast

import numpy as np
from xdsl.utils.lexer import Location

from ...isa.model.rule import describe, did_you_mean
from ...reporting.diagnostics import excerpt_of
from ..machine.errors import LaunchError, blaming, refused
from .arrays import Array, is_integral
from .expression import Expression
from .tables import shown

Uses = dict[str, tuple[str, ...]]
"""Part of a launch -> the other parts that its value is computed from; see LaunchError."""


def origins(parts: Iterable[str], uses: Uses) -> tuple[str, ...]:
    """The parts, and all that their values are computed from."""
    found = dict.fromkeys(parts)
    waiting = list(found)
    for part in waiting:
        new = [each for each in uses.get(part, ()) if each not in found]
        found.update(dict.fromkeys(new))
        waiting += new
    return tuple(found)


class Scope:
    """Sizes and arrays by name. `uses` records what the value of each part is computed from."""

    def __init__(self, sizes: Mapping[str, int | float]):
        self.sizes = sizes
        self.arrays: dict[str, Array] = {}
        self.uses: Uses = {}

    def integers(
        self, given: Sequence[Any], what: str, part: str, key: str = ""
    ) -> tuple[int, ...]:
        """Values of the integer expressions of a part, or of a key of it, over sizes. Raises
        LaunchError."""
        with blaming(*([f"{part}.{key}"] if key else []), part):
            found = self._values(given, what, part, self.sizes)
            try:
                return tuple(map(index, found))
            except TypeError as error:
                raise refused(tuple(map(str, found)), "integers", what) from error

    def number(self, given: Any, what: str, part: str) -> int | float:
        """Value of an expression over sizes. Raises LaunchError."""
        with blaming(part):
            (found,) = self._values([given], what, part, self.sizes)
            if not isinstance(found, int | float):
                raise refused(describe(str(found)), "a number", what)
            return found

    def value(self, given: Any, what: str, part: str) -> Any:
        """Value of an expression over sizes and arrays. Raises LaunchError."""
        with blaming(part):
            (found,) = self._values([given], what, part, {**self.sizes, **self.arrays})
            return found

    def _values(
        self, given: Sequence[Any], what: str, part: str, values: Mapping[str, Any]
    ) -> list[Any]:
        """Values of expressions, which may be given as numbers. Raises LaunchError."""
        expressions: list[Expression] = []
        for each in given:
            if not isinstance(each, str | int | float) or isinstance(each, bool):
                raise refused(shown(each), "a number or an expression", what)
            expressions.append(Expression(str(each), what))
        for expression in expressions:
            expression.check_names(values)
        used = [name for each in expressions for name in each.names]
        uses = (f"{'arrays' if name in self.arrays else 'sizes'}.{name}" for name in used)
        self.uses[part] = (*self.uses.get(part, ()), *uses)
        wide = {
            name: values[name].astype(np.float64) if name in self.arrays else values[name]
            for name in used
        }
        return [expression.value(wide) for expression in expressions]


_TEXT = re.compile(r"(?P<file>.+\.py):(?P<function>\w+)")


@dataclass(frozen=True)
class Reference:
    """A function of a Python file."""

    allowed: ClassVar[bool] = True
    """Whether this process may run such functions."""

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
        legal = "a dict of expected arrays by name"
        if not isinstance(found, Mapping):
            self._refuse(f"must return {legal}; found {_kind(found)}", line)
        contents: dict[object, Any] = self._converted(dict, cast(object, found), legal, line)
        for name in contents:
            if not isinstance(name, str) or name not in scope.arrays:
                known = describe(tuple(scope.arrays))
                shown = name if isinstance(name, str) else _kind(name)
                self._refuse(f"must return expected arrays by name ({known}); found {shown}", line)
        return {
            str(name): self._converted(np.asarray, value, "arrays", line)
            for name, value in contents.items()
        }

    def content(self, scope: Scope) -> Any:
        """Content of one array, which the function returns. Raises LaunchError."""
        found, line = self._call(scope)
        if found is None or isinstance(found, Mapping):
            self._refuse(f"must return an array; found {_kind(cast(object, found))}", line)
        return self._converted(np.asarray, found, "an array", line)

    def _converted(
        self, convert: Callable[[Any], Any], value: object, legal: str, line: int
    ) -> Any:
        """The result of `convert` for a value that the function returns; `legal` names the result
        in messages. Raises LaunchError."""
        try:
            return convert(value)
        except Exception as error:
            found = f"{_kind(value)}, which cannot be converted{_reason(error)}"
            self._refuse(f"must return {legal}; found {found}", line)

    def _call(self, scope: Scope) -> tuple[Any, int]:
        """Result of the function, and the line of its definition. Raises LaunchError."""
        text = self._text()
        with _imports_from(str(self.path.parent)):
            code = self._code(text)
            module = ModuleType(f"_reference_{self.path.stem}")
            module.__file__ = str(self.path)
            # Data classes look up the module that defines them.
            sys.modules[module.__name__] = module
            with self._running(text):
                exec(code, vars(module))
            function = vars(module).get(self.function)
            if not callable(function):
                functions = [name for name, value in vars(module).items() if callable(value)]
                help = did_you_mean(self.function, functions)
                message = f"the file defines no function {self.function}"
                raise LaunchError(message, location=str(self.path), help=help)
            line: int = getattr(getattr(function, "__code__", None), "co_firstlineno", 0)
            arguments = self._arguments(function, scope, line)
            with self._running(text):
                return function(**arguments), line

    def _text(self) -> str:
        if not self.allowed:
            raise LaunchError(f"{self.path} is not read: functions of Python files do not run here")
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

    def _code(self, text: str) -> CodeType:
        try:
            return compile(text, str(self.path), "exec")
        except SyntaxError as error:
            message = f"syntax error: {error.msg}"
            raise self._error(message, text, error.lineno or 0, error.offset or 1) from error
        except (ValueError, RecursionError, MemoryError) as error:
            raise self._error(f"syntax error{_reason(error)}", text) from error

    @contextmanager
    def _running(self, text: str) -> Generator[None]:
        """Run code of the file, which prints to the standard error. Raises LaunchError for whatever
        the code raises."""
        try:
            with redirect_stdout(sys.stderr):
                yield
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            line, column, width = 0, 0, 1
            for frame in traceback.extract_tb(error.__traceback__):
                if frame.filename == str(self.path):
                    line, column = frame.lineno or 0, (frame.colno or 0) + 1
                    width = (frame.end_colno or column) - column + 1
            message = f"the reference raises {type(error).__name__}{_reason(error)}"
            raise self._error(message, text, line, column, width) from error

    def _error(
        self, message: str, text: str, line: int = 0, column: int = 0, width: int = 1
    ) -> LaunchError:
        lines = text.split("\n")
        source = lines[line - 1] if 0 < line <= len(lines) else None
        excerpt = excerpt_of(source, column, width)
        return LaunchError(
            message, location=Location(str(self.path), line, column), excerpt=excerpt
        )


def _input(array: Array) -> Array:
    """Copy of an array; floating-point numbers of fewer than 32 bits become float32, exactly."""
    if not is_integral(array.dtype) and array.dtype.itemsize < np.dtype(np.float32).itemsize:
        return array.astype(np.float32)
    return array.copy()


@contextmanager
def _imports_from(folder: str) -> Generator[None]:
    """Let code import modules of a folder; afterwards the search path is as before."""
    searched, before = sys.path, [*sys.path]
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        # The code may have changed the list, or put another one in its place.
        sys.path = searched
        sys.path[:] = before


def _reason(error: BaseException) -> str:
    """The first line of an error's text after a colon; empty if the error has none."""
    try:
        first = str(error).partition("\n")[0]
    except Exception:
        return ""
    return first and f": {first}"


def _kind(value: object) -> str:
    return "None" if value is None else f"a value of type {type(value).__name__}"

"""
Code of dataclass methods, compiled at the first call and once for each text.

Python compiles the text of every method that it generates for a dataclass. A compilation imports
over 300 dataclasses, most of whose methods are never called, such as the `__setattr__` of frozen
classes. Almost half of the other texts occur several times. Compiling the rest by need saves a
fifth of the time of `tcgen05 compile`. Uses no private names. It can be deleted when importing xDSL
creates few dataclasses. A module of its own, because it must run before xDSL is imported.
"""

import dataclasses
import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

_CREATE = "__create_fn__"
"""The function in the text of a method that makes the method."""
_BY_NEED = ("__init__", "__repr__", "__eq__", "__hash__", "__setattr__", "__delattr__")
"""The methods whose parameters nobody asks for before the first call."""


@cache
def _compiled(text: str) -> Any:
    return compile(text, "<string>", "exec", dont_inherit=True)


def _execute(text: str, globals: dict[str, Any], locals: dict[str, Any]) -> None:
    name = text.partition("\n def ")[2].partition("(")[0]
    if name in _BY_NEED and text.endswith(f"\n return {name}"):
        locals[_CREATE] = _creator(name, text, globals)
    else:
        exec(_compiled(text), globals, locals)


def _creator(name: str, text: str, globals: dict[str, Any]) -> Callable[..., Any]:
    """What the text defines: a function that makes the method from the names that it uses. The
    method takes its own place in the class at its first call."""

    def create(**names: Any) -> Callable[..., Any]:
        def method(self: Any, /, *arguments: Any, **named: Any) -> Any:
            scope: dict[str, Any] = {}
            exec(_compiled(text), globals, scope)
            made = scope[_CREATE](**names)
            made.__qualname__ = method.__qualname__
            for each in type(self).__mro__:
                if vars(each).get(name) is method:
                    setattr(each, name, made)
            return made(self, *arguments, **named)

        method.__name__ = name
        return method

    return create


class _Inspect:
    """The module `inspect`, without the signatures that become docstrings of dataclasses."""

    def __getattr__(self, name: str) -> Any:
        return getattr(inspect, name)

    def signature(self, *_: Any, **__: Any) -> Any:
        raise ValueError


def share_dataclass_code() -> None:
    """Compile methods of dataclasses by need, and equal ones once, for the rest of the process."""
    # The module's own global hides the built-in function. If `dataclasses` no longer calls it, a
    # test fails.
    setattr(dataclasses, exec.__name__, _execute)
    setattr(dataclasses, inspect.__name__, _Inspect())

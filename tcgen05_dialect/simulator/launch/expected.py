"""Expected content of the arrays of a launch: expressions, files and reference functions."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ...isa.model.rule import extents_text
from ..machine.errors import blaming, refused
from .arrays import SUFFIX, Array, converted, is_integral, load, type_name
from .reference import Reference
from .scope import Scope
from .tables import found_in, table


def expected_contents(
    launch: Mapping[str, Any], scope: Scope, folder: Path, views: Mapping[str, bool | None]
) -> dict[str, Array]:
    """
    Expected content of arrays, in their element types, from the content before the run.

    `views` has the key `view` of each array. Raises LaunchError.
    """
    whole = launch.get("expected")
    reference = Reference.of(whole, folder)
    with blaming("expected"):
        if isinstance(whole, str) and reference is None:
            raise refused(whole, "a table, or a function such as reference.py:gemm", "expected")
        given = table(launch, "expected") if reference is None else reference.contents(scope)
    expected: dict[str, Array] = {}
    for name, value in given.items():
        part = f"expected.{name}"
        with blaming(part, f"arrays.{name}"):
            array = found_in(scope.arrays, name, "an expected array")
            what = f"the expected content of {name}"
            if reference is None:
                value = _content(value, what, part, scope, folder)
            expected[name] = _fitted(value, array, views[name], what)
    return expected


def _content(given: Any, what: str, part: str, scope: Scope, folder: Path) -> Any:
    """Array or number that a value of the table describes. Raises LaunchError."""
    if isinstance(given, str) and given.endswith(SUFFIX):
        return load(folder / given)
    reference = Reference.of(given, folder)
    if reference is not None:
        return reference.content(scope)
    return scope.value(given, what, part)


def _fitted(value: Any, array: Array, view: bool | None, what: str) -> Array:
    """
    `value` in the element type and the shape of an array.

    One number stands for an array full of it. Raises LaunchError.
    """
    given = np.asarray(value)
    if given.shape not in ((), array.shape):
        legal = f"numbers of shape {extents_text(array.shape)}, or one number"
        raise refused(f"the shape {extents_text(given.shape)}", legal, what)
    if given.dtype.kind == "V" and type_name(given.dtype) is not None:
        given = given.astype(np.float64)
    if given.dtype.kind == "f" and not is_integral(array.dtype):
        # Unlike an argument, an expected number may be rounded to infinity.
        content = given.astype(array.dtype)
    else:
        content = converted(given, array.dtype, what, view)
    return np.array(np.broadcast_to(content, array.shape))

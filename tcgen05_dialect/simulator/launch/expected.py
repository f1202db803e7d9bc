"""Launches that are ready to run: the expected content of their arrays, comparison with it, and
remarks about differences."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...isa.model.rule import extents_text
from ...reporting.diagnostics import Finding, Source, remark
from .. import Launch
from ..machine.errors import blaming, refused
from ..machine.machine import Machine
from ..provenance.explanation import StoredArray, Wrong, explain
from .arrays import SUFFIX, Array, converted, is_integral, load, parts, type_name
from .binder import Argument, array_of
from .reference import Reference, Scope, Uses
from .tables import found_in, table


def expected_contents(
    launch: Mapping[str, Any], scope: Scope, folder: Path, views: Mapping[str, bool | None]
) -> dict[str, Array]:
    """Expected content of arrays, in their element types, from the content before the run. `views`
    has the key `view` of each array. Raises LaunchError."""
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
            if reference is not None:
                content = value
            elif isinstance(value, str) and value.endswith(SUFFIX):
                content = load(folder / value)
            elif (function := Reference.of(value, folder)) is not None:
                content = function.content(scope)
            else:
                content = scope.value(value, what, part)
            expected[name] = _fitted(content, array, views[name], what)
    return expected


def _fitted(value: Any, array: Array, view: bool | None, what: str) -> Array:
    """`value` in the element type and the shape of an array. One number stands for an array full of
    it. Raises LaunchError."""
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


class Difference(NamedTuple):
    """
    An array that differs from its expected content: `differing` of its `elements` elements differ,
    the first at index `first`. In `not_finite` of them one of the two is infinite or NaN; the
    others are at most `most_apart` apart. Numbers are strings because JSON has no infinity and no
    NaN.
    """

    array: str
    elements: int
    differing: int
    first: tuple[int, ...]
    found: str
    expected: str
    not_finite: int
    most_apart: str
    largest_expected: str
    tolerance: float

    def __str__(self) -> str:
        return (
            f"{self.array}: {self.differing} of {self.elements} elements differ, the first at "
            f"{self.first}: found {self.found}, expected {self.expected}; {self._distance}"
        )

    @property
    def _distance(self) -> str:
        apart = (
            f"the largest difference is {self.most_apart}, and the largest expected number is "
            f"{self.largest_expected} (tolerance {self.tolerance:g} of it)"
        )
        if not self.not_finite:
            return apart
        infinite = (
            f"in {self.not_finite} of them, the found or the expected number is infinite or NaN"
        )
        is_all = self.differing == self.not_finite
        return infinite if is_all else f"{infinite}; in the others, {apart}"


def difference(name: str, actual: Array, expected: Array, tolerance: float) -> Difference | None:
    """The difference between an array and its expected content; None if they agree. `tolerance` is
    a fraction of the largest expected magnitude. NaN equals NaN."""
    same = agreeing(actual, expected, tolerance)
    if same.all():
        return None
    most_apart, not_finite = 0.0, 0
    for found, wanted, agrees in zip(*map(parts, (actual, expected, same)), strict=True):
        apart = _apart(found, wanted)[~agrees]
        finite = apart[np.isfinite(apart)]
        most_apart = float(finite.max(initial=most_apart))
        not_finite += apart.size - finite.size
    place = tuple(map(int, np.unravel_index(same.argmin(), same.shape)))
    return Difference(
        name,
        same.size,
        same.size - int(np.count_nonzero(same)),
        place,
        str(actual[place]),
        str(expected[place]),
        not_finite,
        f"{most_apart:.3g}",
        f"{_largest(expected):.3g}",
        tolerance,
    )


def agreeing(actual: Array, expected: Array, tolerance: float) -> npt.NDArray[np.bool_]:
    """Which elements of an array are as expected; see `difference`."""
    same = np.empty(actual.shape, np.bool_)
    most = tolerance * _largest(expected) if tolerance else 0
    for found, wanted, agrees in zip(*map(parts, (actual, expected, same)), strict=True):
        agrees[:] = (found == wanted) | ((found != found) & (wanted != wanted))
        if tolerance and not agrees.all():
            agrees |= _apart(found, wanted) <= most
    return same


def _apart(found: Array, wanted: Array) -> npt.NDArray[np.float64]:
    """Distances between numbers, infinite for infinities and NaN."""
    with np.errstate(invalid="ignore", over="ignore"):
        apart = np.abs(found.astype(np.float64) - wanted.astype(np.float64))
        return np.nan_to_num(apart, nan=np.inf, posinf=np.inf)


def _largest(expected: Array) -> float:
    """The largest finite magnitude."""
    largest = 0.0
    for part in parts(expected):
        wanted = part.astype(np.float64)
        largest = float(np.abs(wanted[np.isfinite(wanted)]).max(initial=largest))
    return largest


def remarks_on(
    machine: Machine,
    arguments: Sequence[Argument],
    expected: Mapping[int, npt.ArrayLike],
    tolerance: float,
    source: Source | None,
) -> list[Finding]:
    """
    Remarks that explain why arguments differ from their expected content; none if they do not.
    Without an expected content, remarks that explain an error of the run. Raises LaunchError for an
    expected content that no argument can have.
    """
    arrays = dict(_arrays(machine, arguments))
    wrong: list[Wrong] = []
    for number, content in expected.items():
        array = arrays.get(number)
        with blaming("expected"):
            if array is None:
                raise refused(number, tuple(arrays), "the number of an expected argument")
            wanted = np.asarray(content)
            if wanted.shape != array.content.shape:
                legal = extents_text(array.content.shape)
                what = f"the shape of the expected content of {array.name}"
                raise refused(extents_text(wanted.shape), legal, what)
        array = array.viewed(wanted.dtype)
        marked = ~agreeing(array.content, wanted, tolerance)
        if marked.any():
            wrong.append(Wrong(array, wanted.astype(array.content.dtype), marked))
    if expected and not wrong:
        return []
    found = explain(machine.provenance, machine.judge.events, [*arrays.values()], wrong)
    return [remark(*each, source) for each in found]


def _arrays(machine: Machine, arguments: Sequence[Argument]) -> Iterator[tuple[int, StoredArray]]:
    """The arrays among the arguments, by their numbers."""
    memories = {_data(memory.bytes): memory for memory in machine.global_space.memories}
    for number, argument in enumerate(arguments):
        content = array_of(argument)
        if content is not None:
            memory = memories[_data(content)]
            # The word, the number and, if it has one, the name of the argument.
            words = memory.name.split()
            name = words[2] if len(words) == 3 else memory.name
            yield number, StoredArray(name, memory, content)


def _data(array: npt.NDArray[Any]) -> int:
    """Address of the content of an array."""
    return array.__array_interface__["data"][0]


@dataclass
class PreparedLaunch:
    """Launch with all expressions evaluated and all arrays created."""

    launch: Launch
    arguments: list[Argument]
    arrays: Mapping[str, Array]
    expected: Mapping[str, Array]
    tolerance: float
    uses: Uses
    guessed: Sequence[str] = ()
    """The names of values that the launch file calls guesses."""

    def expected_arguments(self) -> dict[int, Array]:
        """The expected content of arguments, by their numbers."""
        found: dict[int, Array] = {}
        for number, argument in enumerate(self.arguments):
            array = array_of(argument)
            for name, content in self.expected.items():
                if array is not None and np.shares_memory(self.arrays[name], array):
                    found[number] = content
        return found

    def differences(self) -> list[Difference]:
        """Arrays that differ from their expected content."""
        pairs = ((name, self.arrays[name], expected) for name, expected in self.expected.items())
        found = (difference(*pair, self.tolerance) for pair in pairs)
        return [each for each in found if each is not None]

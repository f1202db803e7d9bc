"""Remarks about the arguments of a launch that differ from their expected content."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ...isa.model.rule import extents_text
from ...reporting.diagnostics import Source, remark
from ...reporting.findings import Finding
from ..machine.errors import blaming, refused
from ..machine.machine import Machine
from ..provenance.explain import Array, Wrong, explain
from .arguments import array_of
from .binder import Argument
from .comparison import agreeing


def remarks_on(
    machine: Machine,
    arguments: Sequence[Argument],
    expected: Mapping[int, npt.ArrayLike],
    tolerance: float,
    source: Source | None,
) -> list[Finding]:
    """
    Remarks that explain why arguments differ from their expected content; none if they do not.
    Without an expected content, remarks that explain an error of the run.

    Raises LaunchError for an expected content that no argument can have.
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


def _arrays(machine: Machine, arguments: Sequence[Argument]) -> Iterator[tuple[int, Array]]:
    """The arrays among the arguments, by their numbers."""
    memories = {_data(memory.bytes): memory for memory in machine.global_space.memories}
    for number, argument in enumerate(arguments):
        content = array_of(argument)
        if content is not None:
            memory = memories[_data(content)]
            # The word, the number and, if it has one, the name of the argument.
            words = memory.name.split()
            name = words[2] if len(words) == 3 else memory.name
            yield number, Array(name, memory, content)


def _data(array: npt.NDArray[Any]) -> int:
    """Address of the content of an array."""
    return array.__array_interface__["data"][0]

"""Tensor maps of parameters whose type gives the box."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy.typing as npt

from ...isa.model.rule import extents_text
from ...isa.shared_memory.tensor_map import Box, is_other_float
from ..machine.errors import blaming, refused
from ..machine.tensor_map import TensorMap, element_of


class UnboxedMap(NamedTuple):
    """
    A tensor map whose box the type of the parameter gives. Parts that the map gives itself must
    agree with the type. `name` is the name of the map in the launch file.
    """

    array: npt.NDArray[Any]
    element: str | None = None
    swizzle: str | None = None
    fill: str = "zero"
    name: str | None = None

    def with_box(self, box: Box) -> TensorMap:
        """The map with a box. Raises Violation."""
        element = box.element if self.element is None else self.element
        swizzle = box.swizzle if self.swizzle is None else self.swizzle
        return TensorMap.of(self.array, box.extents, element, swizzle, self.fill)


def check_map(given: TensorMap | UnboxedMap, box: Box, name: str, type_: str) -> None:
    """Raise LaunchError unless a map and its array agree with the box in the type of its parameter;
    `name` is the argument, `type_` the type and its place."""
    for key, what, found, legal in _parts(given, box):
        if found != legal:
            help = "leave box, swizzle and element out of the launch: the type gives them"
            with blaming(*_culprits(given, key)):
                raise refused(found, f"{legal}, as in its type {type_}", f"{name}: {what}", help)
    found = element_of(given.array)
    if found is not None and is_other_float(found, box.element):
        help = (
            "give the array and the type of the map one element type; to copy the bits of other "
            f"numbers, pass integers of {box.kind.item_bits} bits"
        )
        legal = f"{box.element}, as in its type {type_}"
        with blaming(*_culprits(given, "array")):
            raise refused(found, legal, f"{name}: the element type of the array", help)


def _culprits(given: TensorMap | UnboxedMap, key: str) -> tuple[str, ...]:
    """The parts of the launch file that a key of a map may be wrong in."""
    return () if given.name is None else (f"maps.{given.name}.{key}", f"maps.{given.name}")


def _parts(given: TensorMap | UnboxedMap, box: Box) -> Iterator[tuple[str, str, str, str]]:
    """The parts that a map gives: the key in a launch file, the name, and the values in the map and
    in the type."""
    if isinstance(given, TensorMap):
        steps = (1, *given.element_strides[1:])
        yield "box", "the box", extents_text(given.box), extents_text(box.extents)
        yield "", "the element strides", extents_text(steps), extents_text((1,) * len(steps))
    if given.element is not None:
        yield "element", "the element type", given.element, box.element
    if given.swizzle is not None:
        yield "swizzle", "the swizzle mode", given.swizzle, box.swizzle

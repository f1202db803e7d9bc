"""
What a kernel tells of its tensor maps: the parameters from which addresses are computed, the bytes
of boxes from a run without data, and the swizzle mode and the element type from the descriptors of
matrix products.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import prod
from typing import Any, NamedTuple

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation, SSAValue

from ..isa.element import container_bits
from ..isa.element import element as element_of
from ..isa.instructions.copies import CTA_GROUPS as COPY_GROUPS
from ..isa.mma.instruction_descriptor import InstructionDescriptor
from ..isa.mma.products import TITLES
from ..isa.mma.shapes import KINDS
from ..isa.mma.sparse import GRANULARITIES, INDEX_BITS, INDICES
from ..isa.model.rule import Violation
from ..isa.shared_memory.descriptor import DESCRIPTOR_LAYOUT, SWIZZLES
from ..isa.shared_memory.tensor_map import BOX_EXTENTS, ELEMENTS, EXTENTS, Box, element_type
from ..ptx import instructions as ptx
from ..ptx.analysis.control_flow import closure
from ..ptx.analysis.known_values import constant_bits, constant_value
from ..ptx.analysis.values import alternatives, guarded, passed_values
from ..ptx.kernel import KernelOp
from ..ptx.register_types import register_bits
from ..ptx.structure import GuardOp
from ..ptx.tcgen05_mma import CTA_GROUPS, Mma
from ..ptx.text.syntax import offset_of
from ..ptx.types import ParamArrayType, TensorMapType
from ..ptx.variables import LoadParameterOp, ParameterAddressOp
from ..verification.static.boxes import COPIES, LOADS
from ..verification.static.inventory import ADDRESS_OPERANDS
from .trial import Coordinates, Key, Trial

_MOST = 32
"""Largest number of origins of a value that are followed."""


class Origin(NamedTuple):
    """
    Origin of a value: the parameter with the number `of`. `is_address`: the value is the address of
    byte `offset` of it; else it is computed from the number in a parameter that begins at this
    byte. `offset` is None if it is not constant.
    """

    of: int
    offset: int | None
    is_address: bool


class Origins:
    """The origins of the values of a kernel."""

    def __init__(self, kernel: KernelOp):
        self._found: dict[SSAValue, set[Origin]] = {}
        merged = _merged_values(kernel)
        roots: list[tuple[SSAValue, Origin]] = [
            (each, Origin(each.index, 0, isinstance(each.type, ParamArrayType | TensorMapType)))
            for each in kernel.body.blocks[0].args
        ]
        roots += (
            (op.result, Origin(op.index, 0, True))
            for op in kernel.walk()
            if isinstance(op, ParameterAddressOp)
        )

        def step(pair: tuple[SSAValue, Origin]) -> Iterator[tuple[SSAValue, Origin]]:
            value, origin = pair
            found = self._found.setdefault(value, set())
            if len(found) < _MOST:
                found.add(origin)
                yield from ((each, origin) for each in merged.get(value, ()))
                for use in value.uses:
                    yield from _passed_on(value, origin, use.operation)

        closure(roots, step)

    def of(self, value: SSAValue) -> set[Origin]:
        """The origins of a value; empty if none is known."""
        return self._found.get(value, set())


def _passed_on(value: SSAValue, origin: Origin, op: Operation) -> Iterator[tuple[SSAValue, Origin]]:
    """The results of an operation on a value, with their origins."""
    if isinstance(op, LoadParameterOp):
        yield op.result, origin
    elif isinstance(op, ptx.LdOp):
        if origin.is_address and origin.offset is not None:
            start = origin.offset + offset_of(op, "address")
            for index, result in enumerate(op.values):
                size = (register_bits(result.type) or 0) // 8
                yield result, Origin(origin.of, start + index * size, False)
    elif any(getattr(op, name) is value for name in _PASSED.get(type(op), ())):
        others = [other for other in op.operands if other is not value]
        yield op.results[0], _moved(origin, op, others)


def _moved(origin: Origin, op: Operation, others: Sequence[SSAValue]) -> Origin:
    """The origin of an address after an operation with other operands."""
    if not origin.is_address or isinstance(
        op, ptx.CvtaOp | ptx.CvtaToOp | ptx.CvtOp | ptx.MovOp | ptx.MapaOp
    ):
        return origin
    if isinstance(op, ptx.AddOp) and len(others) == 1 and origin.offset is not None:
        known = constant_value(others[0])
        return origin._replace(offset=None if known is None else origin.offset + known)
    if isinstance(op, ptx.SelpOp):
        return origin
    return origin._replace(offset=None)


def _merged_values(kernel: KernelOp) -> Mapping[SSAValue, list[SSAValue]]:
    """Value -> the values that may be the same: arguments of blocks, and results of guards."""
    merged = passed_values(kernel.body.blocks)
    for op in kernel.walk():
        if isinstance(op, GuardOp):
            merged |= {result: [*guarded(result, op)] for result in op.outputs}
    found: dict[SSAValue, list[SSAValue]] = {}
    for target, sources in merged.items():
        for source in sources:
            found.setdefault(source, []).append(target)
    return found


_PASSED: Mapping[type[Operation], tuple[str, ...]] = {
    **ADDRESS_OPERANDS,
    ptx.CvtOp: ("a",),
    ptx.AndOp: ("a", "b"),
}
"""Operation -> the operands that may be an address of which the result is one, too."""


def _numbers_of(value: SSAValue, number_of: Callable[[SSAValue], int | None]) -> set[int]:
    """The numbers that a function gives for a value or, if it gives none, for the values that this
    one may be equal to; empty if one of these has no number."""
    numbers: dict[SSAValue, int | None] = {}

    def step(each: SSAValue) -> Sequence[SSAValue]:
        numbers[each] = number_of(each)
        return alternatives(each) if numbers[each] is None else ()

    closure([value], step)
    if any(number is None and not alternatives(each) for each, number in numbers.items()):
        return set()
    return {number for number in numbers.values() if number is not None}


_ROWS = ptx.CpAsyncBulkTensorGather4Op, ptx.CpAsyncBulkTensorScatter4Op
_USES = (*COPIES, ptx.CpAsyncBulkPrefetchTensorOp, ptx.PrefetchTensormapOp)
_DEFAULT = "f16"
SWIZZLE, ELEMENT, SHAPE = "the swizzle mode", "the element type", "the shape of the box"
THE_BOX = "the box"
"""Parts that may be guesses; of the box, how many bytes it has."""
_ROWS_OF_BOX = 64
"""Rows of a box of which nothing is known."""


class BoxProposal(NamedTuple):
    """The box of a tensor map, innermost dimension first. `doubts` name the parts that are
    guesses. `numbers` is the element type of products, if the map is certainly for their matrices:
    the map tells only how many bytes an element has."""

    extents: tuple[int, ...]
    element: str
    swizzle: str
    doubts: tuple[str, ...]
    numbers: str | None = None
    fill: int | None = None
    """What each byte of the tensor must be, or may be, if random bytes are illegal: the metadata of
    sparse products."""
    is_reduced: bool = False
    """Whether copies add to the tensor, or combine it with others in another way."""


@dataclass(eq=False)
class _Map:
    """What copies tell about a tensor map."""

    rank: int = 2
    picks_rows: bool = False
    is_loaded: bool = False
    is_reduced: bool = False
    box: Box | None = None
    """The box, if the type of the parameter gives it."""


@dataclass(eq=False)
class _Matrix:
    """What products tell about an operand: swizzle modes, element types of tensor maps, and types
    of its numbers."""

    swizzles: set[str] = field(default_factory=set[str])
    elements: set[str] = field(default_factory=set[str])
    numbers: set[str] = field(default_factory=set[str])


class Copies:
    """The copies of a kernel."""

    def __init__(self, kernel: KernelOp, origins: Origins):
        self._origins = origins
        self._maps: dict[Key, _Map] = {}
        self._matrices: dict[str, _Matrix] = {}
        """What products tell about their operands, by the titles of these."""
        self._metadata: int | None = None
        """A legal byte of the metadata of sparse products, if there are such products."""
        for each in kernel.body.blocks[0].args:
            if isinstance(each.type, TensorMapType):
                # A launch gives a tensor map that no copy uses, too.
                self._maps[each.index, 0] = _Map(box=each.type.box)
        for op in kernel.walk():
            if isinstance(op, _USES):
                self._see(op)
            elif isinstance(op, Mma):
                self._see_product(op)

    @property
    def element(self) -> str | None:
        """The element type of tensor maps for the matrices of products; None if the kernel does not
        tell it, or there are several."""
        (element, *others) = self._read_by(()).elements or [None]
        return None if others else element

    def boxes(self, trial: Trial) -> Mapping[Key, BoxProposal]:
        """The box of each tensor map, with what a trial tells."""
        return {
            key: self._box(
                each,
                trial.boxes.get(key),
                _steps(trial.origins.get(key, ()), each.rank),
                {*trial.readers.get(key, ())} & {*self._matrices},
            )
            for key, each in self._maps.items()
        }

    def _read_by(self, operands: Collection[str]) -> _Matrix:
        """What products tell about some operands, or about all."""
        found = _Matrix()
        for title, each in self._matrices.items():
            if title in operands or not operands:
                found.swizzles |= each.swizzles
                found.elements |= each.elements
                found.numbers |= each.numbers
        return found

    def _see(self, op: Any) -> None:
        for of, offset, is_address in self._origins.of(op.tensor_map):
            if not is_address or offset is None:
                continue
            found = self._maps.setdefault((of, offset), _Map())
            if not isinstance(op, COPIES):
                continue
            found.picks_rows |= isinstance(op, _ROWS)
            found.rank = 2 if found.picks_rows else len(op.coordinates)
            found.is_loaded |= isinstance(op, LOADS)
            found.is_reduced |= isinstance(op, ptx.CpReduceAsyncBulkTensorOp)

    def _see_product(self, op: Mma) -> None:
        if op.product.sparse:
            granularity = GRANULARITIES[op.kind_name].name
            index = min(INDICES.values("index", granularity=granularity))
            self._metadata = index << INDEX_BITS | index
        a, b = (self._matrices.setdefault(TITLES[name], _Matrix()) for name in "ab")
        for matrix, value in ((a, op.a), (b, op.b)):
            codes = _numbers_of(value, _swizzle_code)
            matrix.swizzles |= {each.name for each in SWIZZLES.values() if each.code in codes}
        pads = KINDS[op.kind_name].pads
        for bits in _numbers_of(op.idesc, constant_bits):
            try:
                descriptor = InstructionDescriptor.decode(op.kind_name, bits)
            except Violation:
                continue
            for matrix, numbers in ((a, descriptor.a), (b, descriptor.b)):
                matrix.numbers.add(numbers)
                matrix.elements.add(_map_element(numbers, pads))

    def _box(
        self, found: _Map, known: int | None, steps: Sequence[int], operands: Collection[str]
    ) -> BoxProposal:
        matrix, doubts = self._read_by(operands), list[str]()
        numbers = fill = None
        if found.box is not None:
            extents, element, swizzle = found.box.extents, found.box.element, found.box.swizzle
        else:
            swizzle = min(matrix.swizzles, default="no_swizzle")
            if found.rank > 3:
                swizzle = "no_swizzle"
            if len(matrix.swizzles) != 1 or not operands or found.rank > 3:
                doubts.append(SWIZZLE)
            mode = SWIZZLES[swizzle]
            element = min(matrix.elements, default=_DEFAULT)
            if len(matrix.elements) != 1 or not operands:
                doubts.append(ELEMENT)
                if mode.is_swizzled and not mode.width % steps[0]:
                    # Boxes that are stored do not overlap.
                    size = 8 * mode.width // steps[0]
                    names = (element, "u8", _DEFAULT, "f32")
                    fitting = (each for each in names if ELEMENTS[each].item_bits == size)
                    element = next(fitting, element)
            size = ELEMENTS[element].item_bits // 8
            most = [min(each, BOX_EXTENTS[-1]) for each in steps]
            if mode.is_swizzled:
                most[0] = min(most[0], mode.width // size)
            elements = (known or 0) // size
            if not elements:
                doubts.append(THE_BOX)
                elements = most[0] * (1 if found.picks_rows else _ROWS_OF_BOX)
            elif not mode.is_swizzled:
                doubts.append(SHAPE)
            extents = _extents_of(elements, most)
            if prod(extents) != elements and THE_BOX not in doubts:
                doubts.append(THE_BOX)
        if found.is_loaded and SWIZZLES[swizzle].is_swizzled and {swizzle} == matrix.swizzles:
            bits = ELEMENTS[element].bits
            fitting = [each for each in matrix.numbers if element_of(each).bits == bits]
            # Scale factors, for example, are not swizzled.
            numbers = fitting[0] if len(fitting) == 1 and (operands or found.box) else None
        if found.is_loaded and element == "u8" and not SWIZZLES[swizzle].is_swizzled:
            fill = self._metadata
        return BoxProposal(extents, element, swizzle, (*doubts,), numbers, fill, found.is_reduced)


def _extents_of(elements: int, most: Sequence[int]) -> tuple[int, ...]:
    """Extents that divide a number of elements, each as large as `most` allows."""
    extents: list[int] = []
    for longest in most:
        legal = range(min(elements, longest), 0, -1)
        extents.append(next(each for each in legal if not elements % each))
        elements //= extents[-1]
    return tuple(extents)


def _steps(origins: Collection[Coordinates], rank: int) -> Sequence[int]:
    """The distances of boxes in each dimension; those of boxes at one coordinate are large."""
    coordinates = [sorted({*each}) for each in zip(*origins, strict=True)] or [[0]] * rank
    apart = ((b - a for a, b in pairwise(each)) for each in coordinates)
    return [min(each, default=EXTENTS[-1]) for each in apart]


def ctas_of(op: Operation) -> int:
    """The number of CTAs that execute an instruction together: 2 for one of a CTA pair."""
    group = op.properties.get("cta_group")
    if not isinstance(group, StringAttr):
        return 1
    return (CTA_GROUPS | COPY_GROUPS)[group.data]


def _map_element(name: str, pads: bool) -> str:
    """The element type of a tensor map for matrices of an element type, which a product pads or
    not."""
    bits = element_of(name).bits
    if bits > 8:
        return {"tf32": "f32"}.get(name, name)
    # Packed elements may be copied as bytes.
    return element_type(name, bits, container_bits(bits, pads)) if pads else "u8"


_SWIZZLE_BIT = DESCRIPTOR_LAYOUT.field("swizzle").lo
_HALF = 32


def _swizzle_code(value: SSAValue) -> int | None:
    """The code of the swizzle mode in a descriptor whose upper half is constant."""
    owner = value.owner
    if (known := constant_bits(value)) is not None:
        return known >> _SWIZZLE_BIT
    if isinstance(owner, ptx.PackOp) and len(owner.parts) > 1:
        high = _numbers_of(owner.parts[-1], constant_bits)
        return high.pop() >> _SWIZZLE_BIT - _HALF if len(high) == 1 else None
    if isinstance(owner, ptx.OrOp | ptx.AddOp):
        found = [_swizzle_code(each) for each in owner.operands]
        known_codes = [each for each in found if each]
        return known_codes[0] if known_codes else None
    return None

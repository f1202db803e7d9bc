"""
Numbers of iterations of loops at given parameters.

The condition of a loop is evaluated for many values of a parameter at once: in place of the lanes
of a warp, the registers have one element for each value.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import Pure

from ..ptx.instructions import ShflSyncOp, SpecialRegisterOp
from ..ptx.known_values import constant_bits
from ..ptx.structure import AddressOfOp
from ..simulator.machine.gathering import Lanewise
from ..simulator.machine.machine import Step
from ..simulator.machine.state import LaunchSizes
from ..simulator.numbers.floats import dtype_of
from .loops import Loop

Numbers = npt.NDArray[Any]


class Unknown(Exception):
    """A value that does not depend on parameters only."""


class _Computation(NamedTuple):
    """The computation of one register from others."""

    function: Callable[..., Numbers]
    operands: Sequence[int]
    result: int


class Evaluation:
    """
    Values as functions of parameters; `step_of` gives the instructions of the kernel, and `passed`
    the arguments of blocks that have one possible value.
    """

    def __init__(
        self,
        step_of: Callable[[Operation], Step],
        sizes: LaunchSizes,
        parameters: Iterable[SSAValue],
        passed: Mapping[SSAValue, SSAValue],
    ):
        self._step_of, self._sizes, self._passed = step_of, sizes, passed
        self._registers: list[Numbers | None] = []
        self._indices: dict[SSAValue, int] = {}
        self._changing: set[int] = set()
        """The registers that change from iteration to iteration."""
        self._before: list[_Computation] = []
        self._inside: list[_Computation] = []
        self._possible = frozenset(parameters)
        self._parameters: dict[SSAValue, int] = {}

    @property
    def parameters(self) -> Iterable[SSAValue]:
        """The parameters on which the values depend."""
        return self._parameters

    def values(
        self, values: Iterable[SSAValue], parameters: Mapping[SSAValue, Numbers]
    ) -> list[Numbers]:
        """Values at these parameters, whose types are those of registers. Raises Unknown if one
        depends on more than parameters."""
        indices = [self._index(each) for each in values]
        # Parameters that are tried together may divide by 0; like a GPU, the result is a number.
        with np.errstate(all="ignore"):
            registers = self._begun({each: parameters[each] for each in self._parameters})
        return [registers[each] for each in indices]

    def sources(self, value: SSAValue) -> set[SSAValue]:
        """The parameters on which a value depends. Raises Unknown if it depends on more."""
        self._index(value)
        found, pending = set[SSAValue](), [value]
        while pending:
            each = pending.pop()
            if each in found:
                continue
            found.add(each)
            if each not in self._parameters and self._known(each) is None:
                pending += self._computation(each)[0]
        return found & self._parameters.keys()

    def _begun(self, parameters: Mapping[SSAValue, Numbers]) -> list[Any]:
        """The registers, with all values that no iteration changes."""
        registers: list[Any] = self._registers.copy()
        for each, index in self._parameters.items():
            registers[index] = parameters[each]
        _compute(self._before, registers)
        return registers

    def _new(self, value: SSAValue, number: Numbers | None = None) -> int:
        """A register for a value, which may have a known number."""
        index = self._indices[value] = len(self._registers)
        self._registers.append(number)
        return index

    def _index(self, value: SSAValue) -> int:
        """The register of a value, computed after those from which it is computed. Without
        recursion: a kernel may compute a bound in any number of operations."""
        indices, pending = self._indices, [value]
        while pending:
            each = pending[-1]
            if each in indices:
                pending.pop()
            elif each in self._possible:
                self._parameters[each] = self._new(each)
            elif (known := self._known(each)) is not None:
                self._new(each, known)
            else:
                operands, function = self._computation(each)
                if missing := [operand for operand in operands if operand not in indices]:
                    pending += missing
                else:
                    self._add(each, function, [indices[operand] for operand in operands])
        return indices[value]

    def _add(
        self, value: SSAValue, function: Callable[..., Numbers], operands: Sequence[int]
    ) -> None:
        """Add the computation of a value."""
        computation = _Computation(function, operands, self._new(value))
        if self._changing.isdisjoint(operands):
            self._before.append(computation)
        else:
            self._changing.add(computation.result)
            self._inside.append(computation)

    def _known(self, value: SSAValue) -> Numbers | None:
        """The value of a constant or of a special register, in the first thread."""
        bits = constant_bits(value)
        if bits is not None:
            return np.full(1, bits).astype(dtype_of(value.type))
        if isinstance(value.owner, SpecialRegisterOp):
            return np.full(1, self._special(value.owner.register.data), np.uint32)
        return None

    def _computation(self, value: SSAValue) -> tuple[Sequence[SSAValue], Callable[..., Numbers]]:
        """The operands of a value, and the function that computes it from their values."""
        op = value.owner
        if value in self._passed:
            return (self._passed[value],), _same
        if isinstance(op, Block):
            raise Unknown
        if isinstance(op, ShflSyncOp) and value is op.d:
            return (op.a,), _same
        if not op.has_trait(Pure) or isinstance(op, AddressOfOp):
            raise Unknown
        step = self._step_of(op)
        if not isinstance(step, Lanewise):
            raise Unknown
        return op.operands, step.function

    def _special(self, name: str) -> int:
        base, _, axis = name.partition(".")
        sizes = self._sizes
        position = sizes.alone or (0, 0, 0)
        vectors = {
            "ctaid": tuple(p * c for p, c in zip(position, sizes.cluster, strict=True)),
            "clusterid": position,
            "ntid": sizes.block,
            "nctaid": sizes.grid,
            "cluster_nctaid": sizes.cluster,
            "nclusterid": tuple(g // c for g, c in zip(sizes.grid, sizes.cluster, strict=True)),
        }
        if axis and base in vectors:
            return vectors[base]["xyz".index(axis)]
        return 0


class Iterations(Evaluation):
    """
    How often a loop runs, as a function of parameters. Raises Unknown if the number depends on more
    than these parameters.
    """

    def __init__(
        self,
        loop: Loop,
        step_of: Callable[[Operation], Step],
        sizes: LaunchSizes,
        parameters: Iterable[SSAValue],
    ):
        super().__init__(step_of, sizes, parameters, loop.passed)
        self._continues_if = loop.continues_if
        carried = loop.deciding()
        first = [self._index(loop.carried[each][0]) for each in carried]
        arguments = [self._new(each) for each in carried]
        self._changing.update(arguments)
        self._condition = self._index(loop.condition)
        following = [self._index(loop.carried[each][1]) for each in carried]
        self._carried = [*zip(arguments, first, following, strict=True)]

    def at(self, parameters: Mapping[SSAValue, Numbers], most: int) -> Numbers:
        """How often the loop runs at these parameters, at most `most` times; their types are those
        of registers."""
        # Parameters that are tried together may divide by 0; like a GPU, the result is a number.
        with np.errstate(all="ignore"):
            return self._at(parameters, most)

    def _at(self, parameters: Mapping[SSAValue, Numbers], most: int) -> Numbers:
        registers = self._begun(parameters)
        for argument, first, _ in self._carried:
            registers[argument] = registers[first]
        count: Numbers = np.zeros(1, np.int64)
        alive: Numbers = np.ones(1, np.bool_)
        for _ in range(most):
            _compute(self._inside, registers)
            alive = alive & (registers[self._condition] == self._continues_if)
            if not alive.any():
                break
            count = count + alive
            values = [registers[following] for _, _, following in self._carried]
            for (argument, _, _), value in zip(self._carried, values, strict=True):
                registers[argument] = value
        return count


def _compute(computations: Iterable[_Computation], registers: list[Any]) -> None:
    for function, operands, result in computations:
        registers[result] = function(*[registers[each] for each in operands])


def _same(value: Numbers) -> Numbers:
    return value

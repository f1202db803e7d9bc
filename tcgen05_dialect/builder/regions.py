"""Regions of a kernel as context managers."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Generic, Self

from typing_extensions import TypeVar
from xdsl.dialects import scf
from xdsl.dialects.builtin import i32
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ..isa.model.rule import plural
from ..isa.ptx.ir_form import STEP_RULE
from ..ptx.known_values import constant_value
from .buffers import handle_for
from .carried import Variables
from .checks import Checked
from .insertion import Insertion, users_place
from .values import Handle, Number, Value, value_of

GivenT = TypeVar("GivenT", covariant=True)
OtherT = TypeVar("OtherT")
_Finish = Callable[[Block, Sequence[SSAValue]], Operation]


class Held(Checked, Generic[GivenT]):
    """
    A region of a kernel: operations that are created inside `with`, or inside the `for` of a loop,
    are in its block.

    A region may give values: `results` holds those of `give` after the region.
    """

    def __init__(
        self,
        insertion: Insertion,
        arguments: Sequence[Attribute],
        enter: Callable[[Block], GivenT],
        finish: _Finish,
    ) -> None:
        self._insertion = insertion
        self._block = Block(arg_types=arguments)
        self._enter, self._finish = enter, finish
        self._place = users_place()
        self._given: list[SSAValue] = []
        self._gives = True
        self._stack = ExitStack()
        self.op: Operation | None = None
        """The operation, after the region."""

    def __enter__(self) -> GivenT:
        if self._block.parent is not None:
            raise RuntimeError("a region is entered once: make another one")
        self._stack.enter_context(self._insertion.inside(self._block))
        return self._enter(self._block)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()
        if error is not None:
            if isinstance(error, GeneratorExit):
                self._insertion.left = self._place
            return
        with self._insertion.here():
            self.op = self._finish(self._block, self._given)
        if self._place is not None:
            self.op.location = self._place

    def __iter__(self) -> Iterator[GivenT]:
        """The region as the body of `for`, which Python executes once."""
        with self as given:
            yield given

    def without_results(self) -> Self:
        """The same region, in which `give` raises TypeError."""
        self._gives = False
        return self

    def with_entered(self, enter: Callable[[GivenT], OtherT]) -> "Held[OtherT]":
        """The same region, which begins with something else."""
        before = self._enter
        return Held(
            self._insertion,
            [each.type for each in self._block.args],
            lambda block: enter(before(block)),
            self._finish,
        )

    def give(self, *values: Number | Handle) -> None:
        """
        Give values, as the last statement of the region. Raises TypeError for a region that has no
        results, such as a role.
        """
        if not self._gives:
            raise TypeError(
                "this region gives no values: give them in role.carry, role.if_, role.produce or "
                "role.consume"
            )
        self._given = [value_of(self._insertion, each) for each in values]

    @property
    def results(self) -> list[Any]:
        """
        The values, tokens and buffers that the region gave. Raises RuntimeError inside the region.
        """
        if self.op is None:
            raise RuntimeError("the results of a region are known after the region")
        return [handle_for(self._insertion, each) for each in self.op.results]


class Branch(Held["Branch"]):
    """
    The region for a condition that holds; `otherwise` is the one for a condition that does not.
    Entering the region returns the region itself, for `give`.
    """

    def __init__(self, insertion: Insertion, condition: Value) -> None:
        def finish(block: Block, given: Sequence[SSAValue]) -> Operation:
            with insertion.inside(block):
                scf.YieldOp(*given)
            types = [each.type for each in given]
            return scf.IfOp(condition.ssa_value, types, Region(block))

        super().__init__(insertion, (), lambda _: self, finish)

    def otherwise(self) -> Held[Held[Any]]:
        """The region for a condition that does not hold; it gives as many values."""

        def finish(block: Block, given: Sequence[SSAValue]) -> Operation:
            op = self.op
            if not isinstance(op, scf.IfOp) or op.false_region.blocks:
                raise RuntimeError("`otherwise` comes once, after the region of the condition")
            with self._insertion.inside(block):
                scf.YieldOp(*given)
            op.false_region.add_block(block)
            return op

        region: Held[Held[Any]] = Held(self._insertion, (), lambda _: region, finish)
        return region


def loop(
    insertion: Insertion, bounds: Sequence[Number], carried: Sequence[Number | Handle]
) -> Held[tuple[Any, ...]]:
    """
    A loop from a start to a stop by a step: its counter, and the values that it carries. Raises
    TypeError for bounds of different types, and Violation for a step that is not positive.
    """
    typed = [each for each in bounds if isinstance(each, Value)]
    type_ = typed[0].type if typed else i32
    start, stop, step = (value_of(insertion, each, type_) for each in bounds)
    if len({start.type, stop.type, step.type}) > 1:
        raise TypeError(f"the bounds of a loop have different types: {typed}")
    number = constant_value(step)
    if number is not None and number < 1:
        raise STEP_RULE.violation(number, "a positive number")
    first = [value_of(insertion, each) for each in carried]
    entered: list[Variables | None] = []

    def enter(block: Block) -> tuple[Any, ...]:
        entered.append(Variables.now())
        return tuple(handle_for(insertion, each) for each in block.args)

    def finish(block: Block, given: Sequence[SSAValue]) -> Operation:
        if (variables := entered.pop()) is not None:
            variables.check_carried(block)
        if len(given) != len(first):
            raise TypeError(
                f"the loop carries {len(first)} {plural('value', len(first))}, and give got "
                f"{len(given)}"
            )
        with insertion.inside(block):
            scf.YieldOp(*given)
        return scf.ForOp(start, stop, step, first, block)

    arguments = [type_, *(each.type for each in first)]
    return Held(insertion, arguments, enter, finish)

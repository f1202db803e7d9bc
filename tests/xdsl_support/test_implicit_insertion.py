"""Tests of ImplicitBuilder in several threads: each inserts what its own thread creates, once."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

from xdsl.builder import ImplicitBuilder
from xdsl.dialects import arith, test
from xdsl.dialects.builtin import IntegerAttr, i32
from xdsl.ir import Block, Operation

from tcgen05_dialect.xdsl_support.construction import CreatedOperation


class Thread(ExitStack):
    """A thread of its own, with a builder that it can enter and leave."""

    def __init__(self) -> None:
        super().__init__()
        self._pool = self.enter_context(ThreadPoolExecutor(1))
        self._entered = ExitStack()
        self.block = Block()
        self.created: list[Operation] = []

    def enters(self) -> None:
        self._pool.submit(self._entered.enter_context, ImplicitBuilder(self.block)).result()

    def leaves(self) -> None:
        self._pool.submit(self._entered.close).result()

    def creates(self) -> None:
        """Create an operation of xDSL, and one of ours."""
        self.created.append(self._pool.submit(arith.ConstantOp, IntegerAttr(1, i32)).result())
        self.created.append(self._pool.submit(CreatedOperation.made, test.TestOp).result())


def test_each_thread_has_its_own_builder() -> None:
    with Thread() as first, Thread() as second, Thread() as without:
        first.enters()
        second.enters()
        for each in (first, second, without):
            each.creates()
        first.leaves()
        second.creates()
        first.creates()
        second.leaves()
        second.creates()
    assert list(first.block.ops) == first.created[:2]
    assert list(second.block.ops) == second.created[:4]
    assert not any(op.parent for op in without.created)

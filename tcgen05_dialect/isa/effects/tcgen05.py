"""Effects of the tcgen05 instructions (9.7.16)."""

from __future__ import annotations

from collections.abc import Iterator

from tcgen05_dialect.isa.effects.model import (
    COMMITTED,
    LOADED,
    REGISTER,
    STORED,
    Actor,
    Area,
    Choice,
    Effects,
    Ordering,
    Participants,
    Proxy,
    StateSpace,
)
from tcgen05_dialect.isa.instructions.mbarrier import BARRIER_OBJECT
from tcgen05_dialect.isa.mma.products import PRODUCTS, D, Operand, Product
from tcgen05_dialect.isa.tensor_memory import alloc, copies, ld_st, synchronization

_FRAGMENT = "the cells of `shape` and `num`"


def _matrix(name: str, extent: str = "") -> Area:
    """A matrix in tensor memory that the tensor core accesses."""
    return Area(StateSpace.TENSOR, (name,), extent, None, COMMITTED)


def _tile(name: str, extent: str = "") -> Area:
    """A matrix in shared memory, which the tensor core reads through the async proxy
    (9.7.16.6.5)."""
    return Area(StateSpace.SHARED, (name,), extent, Proxy.ASYNC, COMMITTED)


def _areas(operand: Operand) -> Iterator[Area]:
    """The areas that a matrix of a product may be in."""
    several = len(operand.memories) > 1
    if "tensor" in operand.memories:
        yield _matrix(operand.name, "if it is an address" if several else "")
    if "shared" in operand.memories:
        yield _tile(operand.name, "if it is a descriptor" if several else "")


def _product(product: Product) -> Effects:
    return Effects(
        product.mnemonic.section,
        reads=tuple(area for each in product.matrices for area in _areas(each)),
        writes=(_matrix(D.name),),
        actor=Actor.TENSOR_CORE,
        executed_by=Participants.ONE,
    )


def _load(section: str, *results: str) -> Effects:
    return Effects(
        section,
        reads=(Area(StateSpace.TENSOR, ("address",), _FRAGMENT, None, LOADED),),
        # Instructions that use the registers wait for them (9.7.16.6.4.5).
        writes=tuple(
            Area(StateSpace.REGISTERS, (name,), proxy=None, completion=REGISTER) for name in results
        ),
        actor=Actor.WARP,
        executed_by=Participants.WHOLE,
    )


_SHIFTED = _matrix("address", "the columns that are shifted")

EFFECTS = {
    "tcgen05.alloc": Effects(
        alloc.ALLOC.section,
        writes=(
            Area(StateSpace.SHARED, ("address",), alloc.SLOT),
            Area(StateSpace.TENSOR, (), "the columns that it allocates", None),
        ),
        actor=Actor.ALLOCATOR,
        executed_by=Participants.WHOLE,
    ),
    "tcgen05.dealloc": Effects(
        alloc.DEALLOC.section,
        writes=(Area(StateSpace.TENSOR, ("taddr",), "the columns that it frees", None),),
        actor=Actor.ALLOCATOR,
        executed_by=Participants.WHOLE,
    ),
    "tcgen05.relinquish_alloc_permit": Effects(
        alloc.RELINQUISH_ALLOC_PERMIT.section,
        actor=Actor.ALLOCATOR,
        executed_by=Participants.WHOLE,
    ),
    "tcgen05.ld": _load(ld_st.LD.section, "values"),
    "tcgen05.ld.red": _load(ld_st.LD_RED.section, "values", "reduced"),
    "tcgen05.st": Effects(
        ld_st.ST.section,
        reads=(Area(StateSpace.REGISTERS, ("values",), proxy=None),),
        writes=(Area(StateSpace.TENSOR, ("address",), _FRAGMENT, None, STORED),),
        actor=Actor.WARP,
        executed_by=Participants.WHOLE,
        data=("values",),
    ),
    "tcgen05.wait": Effects(
        synchronization.WAIT.section,
        executed_by=Participants.WHOLE,
        completes=Choice("operation", {"ld": (LOADED,), "st": (STORED,)}),
    ),
    "tcgen05.cp": Effects(
        copies.CP.section,
        reads=(_tile("descriptor", "the rows of `shape`"),),
        writes=(_matrix("address", "the columns of `shape`"),),
        actor=Actor.TENSOR_CORE,
        executed_by=Participants.ONE,
    ),
    "tcgen05.shift": Effects(
        copies.SHIFT.section,
        reads=(_SHIFTED,),
        writes=(_SHIFTED,),
        actor=Actor.TENSOR_CORE,
        executed_by=Participants.ONE,
    ),
    **{name: _product(product) for name, product in PRODUCTS.items()},
    "tcgen05.commit": Effects(
        synchronization.COMMIT.section,
        writes=(Area(StateSpace.BARRIER, ("mbarrier",), BARRIER_OBJECT, Proxy.ASYNC),),
        actor=Actor.TENSOR_CORE,
        executed_by=Participants.ONE,
        # The manual: a commit implies this fence.
        orders=(Ordering.BEFORE_THREAD_SYNC, Ordering.RELEASE),
        tracks=(COMMITTED,),
        arrives_at="mbarrier",
    ),
    "tcgen05.fence": Effects(
        synchronization.FENCE.section,
        orders=Choice(
            "order",
            {
                "before_thread_sync": (Ordering.BEFORE_THREAD_SYNC,),
                "after_thread_sync": (Ordering.AFTER_THREAD_SYNC,),
            },
        ),
    ),
}

"""
Instruction descriptors that a kernel gets as parameters, such as from the host code of CuTe. Only
a launch gives them; the runs use one with the shape that the rest of the kernel suggests.
"""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from itertools import chain, takewhile
from typing import Any

from xdsl.ir import BlockArgument, Operation

from ...isa.mma.instruction_descriptor import InstructionDescriptor, descriptor_layout
from ...isa.mma.shapes import SHAPES
from ...isa.tensor_memory.alloc import COLUMNS
from ...ptx.tcgen05 import LdOp
from ...ptx.tcgen05_mma import Mma
from ...simulator.machine.tensor_memory import TensorMemory
from ...simulator.order.events import Access
from ...simulator.order.race_detector import Shadowed
from ...simulator.order.shadow import Where
from .boxes import PRODUCTS, Copies


def products_of(numbers: Iterable[BlockArgument]) -> dict[BlockArgument, list[Mma]]:
    """The parameters used only as instruction descriptors, each with the products that use it."""
    found: dict[BlockArgument, list[Mma]] = {}
    for number in numbers:
        users = [use.operation for use in number.uses]
        products = [each for each in users if isinstance(each, Mma) and each.idesc is number]
        if users and len(products) == len(users):
            found[number] = products
    return found


def suggested(product: Mma, columns: int) -> InstructionDescriptor:
    """The instruction descriptor of a product with the largest legal M, and the largest legal N up
    to a number of columns; if there is no such N, the smallest legal one."""
    form = product.form().product
    point: dict[str, Any] = {
        "kind": product.kind_name,
        "ws": form.ws,
        "cta_group": product.ctas,
        "sparse": form.sparse,
    }
    codes = {each.name: each.codes for each in descriptor_layout(product.kind_name).parameters}
    for name in SHAPES.columns[len(point) :]:
        legal = SHAPES.values(name, **point)
        if name == "n":
            point[name] = max((n for n in legal if n <= columns), default=min(legal))
        elif name == "m":
            point[name] = max(legal)
        else:
            # The first type in the order of the codes; f32 comes after f16 for D.
            known = [each for each in codes.get(name) or () if each in legal]
            point[name] = known[-1 if name == "d" else 0] if known else next(iter(legal))
    fields = ("kind", "m", "n", "a", "b", "d", "sparse")
    return InstructionDescriptor(
        **{name: point[name] for name in fields}, scale_type=point["scale"]
    )


@dataclass(eq=False)
class Columns(Copies):
    """A record of a run, with the columns of tensor memory that products write and loads read."""

    _loaded: set[int] = field(default_factory=set[int])
    _products: dict[Operation, set[int]] = field(default_factory=dict[Operation, set[int]])
    """Product -> the first columns of the matrices D that it writes."""

    def width(self, products: Iterable[Operation]) -> int:
        """The width of the narrowest matrix D of some products: the number of adjacent columns that
        loads read, from its first column up to the next matrix. 0 if loads read none of them."""
        all_ = sorted({COLUMNS, *chain.from_iterable(self._products.values())})
        widths: list[int] = []
        for first in {at for each in products for at in self._products.get(each, ())}:
            following = all_[all_.index(first) + 1]
            columns = takewhile(self._loaded.__contains__, range(first, following))
            widths.append(sum(1 for _ in columns))
        return min(filter(None, widths), default=0)

    def read(
        self, access: Access, memory: Shadowed, where: Where, key: Hashable, operand: str = ""
    ) -> None:
        super().read(access, memory, where, key, operand)
        if isinstance(memory, TensorMemory) and isinstance(access.source.op, LdOp):
            self._loaded.update(where.bounds[1])

    def write(self, access: Access, memory: Shadowed, where: Where, updated: bool = False) -> None:
        super().write(access, memory, where, updated)
        op = access.source.op
        if isinstance(memory, TensorMemory) and type(op) in PRODUCTS:
            self._products.setdefault(op, set()).add(where.bounds[1].start)

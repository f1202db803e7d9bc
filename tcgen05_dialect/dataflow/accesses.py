"""The columns of tensor memory that instructions access, relative to their addresses."""

from collections.abc import Iterator
from typing import NamedTuple

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation

from ..isa.mma.operation import tensor_columns
from ..isa.mma.products import TITLES
from ..isa.tensor_memory import cp, ld_st, shift
from ..ptx.syntax import offset_of, word_of
from ..ptx.tcgen05 import CpOp, LdOp, LdRedOp, ShiftOp, StOp
from ..ptx.tcgen05_mma import Mma
from .fact import Fact
from .facts import Facts
from .kernel_facts import KernelFacts
from .numbers import Number, constant, field, total_of


class Access(NamedTuple):
    """
    An access to `columns` of tensor memory at the address in the operand `name`; `what` is what
    messages call the columns.
    """

    name: str
    what: str
    address: Fact
    columns: range

    @property
    def first(self) -> Number:
        """The column of the address, relative to its base."""
        return field(self.address.offset, 0, 16)

    @property
    def lane(self) -> Number:
        """The lane of the address."""
        return field(self.address.offset, 16, 16)


def accesses(op: Operation, known: KernelFacts) -> Iterator[Access]:
    """The accesses of an instruction to tensor memory, as far as their columns are known."""
    if isinstance(op, Mma):
        form = op.form()
        cases = known.facts.number(op.idesc).members or ()
        columns = [tensor_columns(form, idesc) for idesc in cases]
        for each in form.matrices_in("tensor"):
            count = range(min((case.get(each.name, 1) for case in columns), default=1))
            yield _access(op, each.name, f"columns of {TITLES[each.name]}", count, known)
    elif isinstance(op, LdOp | LdRedOp | StOp):
        packed = "pack" in op.properties or "unpack" in op.properties
        split = op.properties.get("split_offset")
        distance = split.value.data if isinstance(split, IntegerAttr) else None
        shape, num = word_of(op, "shape") or "", word_of(op, "num") or ""
        for columns in ld_st.footprint(shape, num, packed, distance).columns:
            yield _access(op, "address", ld_st.COLUMN_RULE.subject, columns, known)
    elif isinstance(op, CpOp):
        columns = range(cp.SHAPES[op.shape.data].columns)
        yield _access(op, "address", "columns of the destination of cp", columns, known)
    elif isinstance(op, ShiftOp):
        yield _access(op, "address", "columns that shift moves", range(shift.COLUMNS), known)


def _access(op: Operation, name: str, what: str, columns: range, known: KernelFacts) -> Access:
    return Access(name, what, address(op, name, known.facts), columns)


def address(op: Operation, name: str, facts: Facts) -> Fact:
    """The address in an operand, with the offset that the instruction adds."""
    fact = facts.fact(getattr(op, name))
    width = fact.offset.width
    return fact._replace(offset=total_of(fact.offset, constant(offset_of(op, name), width)))

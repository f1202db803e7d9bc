"""Atomic operations and reductions on memory (9.7.13.5, 9.7.13.6)."""

from abc import ABC
from collections.abc import Mapping
from functools import cache
from typing import ClassVar

from xdsl.irdl import (
    AttrSizedOperandSegments,
    operand_def,
    opt_operand_def,
    result_def,
    var_operand_def,
    var_result_def,
)

from ..isa.model.table import Place
from ..isa.ptx.atomics import (
    ATOM,
    ATOM_SEMANTICS,
    ATOM_VECTOR,
    CACHED,
    CAS_TYPES,
    RED,
    RED_SEMANTICS,
    RED_VECTOR,
    SPACES,
    VECTOR_SPACES,
)
from ..isa.ptx.memory import SCOPES
from .effects import bytes_at
from .instruction import (
    instruction,
    opt_offset,
    opt_qualifier,
    opt_sinks,
    qualifier,
)
from .register_types import ANY_REGISTER, B32_OR_B64, B64, REGISTER
from .shared_accesses import PlaceInstruction


@cache
def _places(size: int) -> Mapping[str, Place]:
    return {"address": Place(size, size)}


class Atomic(PlaceInstruction, ABC):
    """A read and a write of memory that are one operation."""

    address = operand_def(B32_OR_B64)
    address_offset = opt_offset()

    def places(self) -> Mapping[str, Place]:
        return _places(bytes_at(self, "address"))


_HINT = "?cache_policy(.L2::cache_hint)"
_POLICY = "?cache_policy(, %cache_policy)"


_ATOM = f"atom.$semantics.$scope.$space.$operation.$noftz{_HINT}.$type"
_CAS = "atom.$semantics.$scope.$space.cas.$type"


@instruction(
    f"{_ATOM} %d, [%address], %value{_POLICY}",
    ATOM,
    CACHED,
    also={"no_result": f"{_ATOM} _, [%address], %value{_POLICY}"},
)
class AtomOp(Atomic):
    """Replace a number in memory by its combination with `value`; `d` is the number before."""

    name = "ptx.atom"
    semantics = opt_qualifier(*ATOM_SEMANTICS)
    scope = opt_qualifier(*SCOPES)
    space = opt_qualifier(*SPACES)
    operation = qualifier(*ATOM.values("operation"))
    noftz = opt_qualifier(*ATOM.values("noftz"))
    type = qualifier(*ATOM.values("type"))
    value = operand_def(ANY_REGISTER)
    cache_policy = opt_operand_def(B64)
    d = result_def(ANY_REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"d": "type", "value": "type", "address": "space"}


@instruction(
    f"{_CAS} %d, [%address], %compare, %value",
    also={"no_result": f"{_CAS} _, [%address], %compare, %value"},
)
class AtomCasOp(Atomic):
    """Replace a number in memory by `value` if it is `compare`; `d` is the number before."""

    name = "ptx.atom.cas"
    semantics = opt_qualifier(*ATOM_SEMANTICS)
    scope = opt_qualifier(*SCOPES)
    space = opt_qualifier(*SPACES)
    type = qualifier(*CAS_TYPES)
    compare = operand_def(ANY_REGISTER)
    value = operand_def(ANY_REGISTER)
    d = result_def(ANY_REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {
        "d": "type",
        "compare": "type",
        "value": "type",
        "address": "space",
    }


@instruction(
    f"atom.$semantics.$scope.$space.$operation.$noftz{_HINT}.v#(values).$type {{%old}}, "
    f"[%address], {{!values}}{_POLICY}",
    ATOM_VECTOR,
)
class AtomVectorOp(Atomic):
    """Combine each number of a vector in memory with a value; `old` are the numbers before."""

    name = "ptx.atom.vector"
    semantics = opt_qualifier(*ATOM_SEMANTICS)
    scope = opt_qualifier(*SCOPES)
    space = opt_qualifier(*VECTOR_SPACES)
    operation = qualifier(*ATOM_VECTOR.values("operation"))
    noftz = opt_qualifier(*ATOM_VECTOR.values("noftz"))
    type = qualifier(*ATOM_VECTOR.values("type"))
    values = var_operand_def(REGISTER)
    cache_policy = opt_operand_def(B64)
    old = var_result_def(REGISTER)
    sinks = opt_sinks()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    TYPED: ClassVar[Mapping[str, str]] = {"old": "type", "values": "type", "address": "space"}


@instruction(
    f"red.$semantics.$scope.$space.$operation.$noftz{_HINT}.$type [%address], %value{_POLICY}",
    RED,
    CACHED,
)
class RedOp(Atomic):
    """Replace a number in memory by its combination with `value`."""

    name = "ptx.red"
    semantics = opt_qualifier(*RED_SEMANTICS)
    scope = opt_qualifier(*SCOPES)
    space = opt_qualifier(*SPACES)
    operation = qualifier(*RED.values("operation"))
    noftz = opt_qualifier(*RED.values("noftz"))
    type = qualifier(*RED.values("type"))
    value = operand_def(REGISTER)
    cache_policy = opt_operand_def(B64)
    TYPED: ClassVar[Mapping[str, str]] = {"value": "type", "address": "space"}


@instruction(
    f"red.$semantics.$scope.$space.$operation.$noftz{_HINT}.v#(values).$type [%address], "
    f"{{!values}}{_POLICY}",
    RED_VECTOR,
)
class RedVectorOp(Atomic):
    """Combine each number of a vector in memory with a value."""

    name = "ptx.red.vector"
    semantics = opt_qualifier(*RED_SEMANTICS)
    scope = opt_qualifier(*SCOPES)
    space = opt_qualifier(*VECTOR_SPACES)
    operation = qualifier(*RED_VECTOR.values("operation"))
    noftz = opt_qualifier(*RED_VECTOR.values("noftz"))
    type = qualifier(*RED_VECTOR.values("type"))
    values = var_operand_def(REGISTER)
    cache_policy = opt_operand_def(B64)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    TYPED: ClassVar[Mapping[str, str]] = {"values": "type", "address": "space"}

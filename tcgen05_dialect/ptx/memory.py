"""Loads, stores and address conversions (9.7.9)."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import ClassVar

from xdsl.dialects.builtin import i32, i64
from xdsl.irdl import (
    AttrSizedOperandSegments,
    operand_def,
    opt_operand_def,
    result_def,
    var_operand_def,
    var_result_def,
)
from xdsl.utils.exceptions import VerifyException

from ..isa.model.table import Place
from ..isa.ptx.memory import (
    CVTA_SPACES,
    LD,
    LD_VECTORS,
    PREFETCH,
    ST,
    ST_VECTORS,
    WIDE_BITS,
)
from ..isa.ptx.registers import TYPE_RULE
from .effects import bytes_at
from .instruction import (
    EffectInstruction,
    Instruction,
    PureInstruction,
    instruction,
    opt_offset,
    opt_qualifier,
    qualifier,
)
from .register_types import ADDRESS, ANY_REGISTER, B32, B32_OR_B64, B64
from .shared_accesses import PlaceInstruction
from .structure import GuardOp
from .syntax import SPELLING, word_of


@cache
def _places(size: int) -> Mapping[str, Place]:
    return {"address": Place(size, size)}


class _Access(PlaceInstruction):
    """A load or a store of one register, or of a vector of 2, 4 or 8 registers."""

    TYPED: ClassVar[Mapping[str, str]] = {"values": "type", "address": "space"}
    WIDER: ClassVar[frozenset[str]] = frozenset(("values",))

    def features(self) -> Sequence[str]:
        return ("wide_access",) if 8 * bytes_at(self, "address") >= WIDE_BITS else ()

    def places(self) -> Mapping[str, Place]:
        return _places(bytes_at(self, "address"))


@instruction(
    "ld.$semantics.$scope.$space.$coherence.$cache.$eviction?cache_policy(.L2::cache_hint).$prefetch"
    "*values(.v#(values)).$type <%values>, [%address]?cache_policy(, %cache_policy)",
    LD,
    LD_VECTORS,
)
class LdOp(_Access):
    """Load one register, or a vector of registers, from memory."""

    name = "ptx.ld"
    semantics = opt_qualifier(*LD.values("semantics"))
    scope = opt_qualifier(*LD.values("scope"))
    space = opt_qualifier(*LD.values("space"))
    coherence = opt_qualifier(*LD.values("coherence"))
    cache = opt_qualifier(*LD.values("cache"))
    eviction = opt_qualifier(*LD_VECTORS.values("eviction"))
    prefetch = opt_qualifier(*LD.values("prefetch"))
    type = qualifier(*LD_VECTORS.values("type"))
    address = operand_def(ADDRESS)
    address_offset = opt_offset()
    cache_policy = opt_operand_def(B64)
    values = var_result_def(ANY_REGISTER)


@instruction(
    "st.$semantics.$scope.$space.$cache.$eviction?cache_policy(.L2::cache_hint)"
    "*values(.v#(values)).$type [%address], <%values>?cache_policy(, %cache_policy)",
    ST,
    ST_VECTORS,
)
class StOp(_Access):
    """Store one register, or a vector of registers, to memory."""

    name = "ptx.st"
    semantics = opt_qualifier(*ST.values("semantics"))
    scope = opt_qualifier(*ST.values("scope"))
    space = opt_qualifier(*ST.values("space"))
    cache = opt_qualifier(*ST.values("cache"))
    eviction = opt_qualifier(*ST_VECTORS.values("eviction"))
    type = qualifier(*ST_VECTORS.values("type"))
    address = operand_def(B32_OR_B64)
    address_offset = opt_offset()
    values = var_operand_def(ANY_REGISTER)
    cache_policy = opt_operand_def(B64)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)


@instruction("cvta.$space.u64 %d, %a")
class CvtaOp(PureInstruction):
    """The generic address for an address in a state space."""

    name = "ptx.cvta"
    space = qualifier(*CVTA_SPACES)
    a = operand_def(B64)
    d = result_def(B64)


@instruction("cvta.to.$space.u64 %d, %a")
class CvtaToOp(PureInstruction):
    """The address in a state space for a generic address."""

    name = "ptx.cvta.to"
    space = qualifier(*CVTA_SPACES)
    a = operand_def(B64)
    d = result_def(B64)


def _check_width(op: Instruction, names: Sequence[str]) -> None:
    """Check that these addresses have the width that the spelling gives. Raises VerifyException."""
    expected = i64 if word_of(op, SPELLING) else i32
    for name in names:
        if (type_ := getattr(op, name).type) != expected:
            what = f"{name}: type of an operand or a result"
            violation = TYPE_RULE.violation(type_, str(expected), what, culprit=name)
            raise VerifyException(str(violation)) from violation


@instruction(
    "mapa.shared::cluster.u32 %d, %address, %rank",
    also={"u64": "mapa.shared::cluster.u64 %d, %address, %rank"},
)
class MapaOp(PureInstruction):
    """The `shared::cluster` address that corresponds to `address` in CTA `rank` of the cluster; it
    and `address` have 64 bits with the spelling `u64`."""

    name = "ptx.mapa"
    address = operand_def(B32_OR_B64)
    rank = operand_def(B32)
    d = result_def(B32_OR_B64)

    def verify_(self) -> None:
        super().verify_()
        _check_width(self, ("address", "d"))


@instruction("mapa.u64 %d, %address, %rank")
class MapaGenericOp(PureInstruction):
    """The generic address that corresponds to the generic address `address` of shared memory in CTA
    `rank` of the cluster."""

    name = "ptx.mapa.generic"
    address = operand_def(B64)
    rank = operand_def(B32)
    d = result_def(B64)


@instruction(
    "getctarank.shared::cluster.u32 %d, %address",
    also={"u64": "getctarank.shared::cluster.u64 %d, %address"},
)
class GetctarankOp(PureInstruction):
    """The rank of the CTA whose shared memory has the `shared::cluster` address `address`."""

    name = "ptx.getctarank"
    address = operand_def(B32_OR_B64)
    d = result_def(B32)

    def verify_(self) -> None:
        super().verify_()
        _check_width(self, ("address",))


@instruction("getctarank.u64 %d, %address")
class GetctarankGenericOp(PureInstruction):
    """The rank of the CTA whose shared memory has the generic address `address`."""

    name = "ptx.getctarank.generic"
    address = operand_def(B64)
    d = result_def(B32)


@instruction("prefetch.$space.$level [%address]", PREFETCH)
class PrefetchOp(EffectInstruction):
    """Prefetch the cache line at an address into a cache."""

    name = "ptx.prefetch"
    space = opt_qualifier(*PREFETCH.values("space"))
    level = qualifier(*PREFETCH.values("level"))
    address = operand_def(B64)
    address_offset = opt_offset()


def is_branch_over_stores(guard: GuardOp) -> bool:
    """Whether PTX has one branch over the instructions of a guard, and not a predicate on each."""
    inner = guard.instructions
    return len(inner) > 1 and all(isinstance(each, StOp) for each in inner)

"""Loads, stores and address conversions (9.7.9)."""

from collections.abc import Mapping
from typing import ClassVar

from xdsl.dialects.builtin import i32, i64
from xdsl.ir import Attribute
from xdsl.irdl import BaseAttr, operand_def, result_def, var_operand_def, var_result_def
from xdsl.utils.exceptions import VerifyException

from .instruction import (
    EffectInstruction,
    PureInstruction,
    instruction,
    opt_offset,
    opt_qualifier,
    qualifier,
)
from .registers import B32, B32_OR_B64, B64, REGISTER
from .syntax import values_of
from .types import ParamArrayType

TYPES = (
    "b8",
    "b16",
    "b32",
    "b64",
    "u8",
    "s8",
    "u16",
    "s16",
    "u32",
    "s32",
    "u64",
    "s64",
    "f32",
    "f64",
)
SCOPES = ("cta", "cluster", "gpu", "sys")
SHARED_SPACES = ("shared", "shared::cta", "shared::cluster")
VECTOR_SIZES = (1, 2, 4, 8)


class _Access(EffectInstruction):
    """A load or a store of one register or of a vector of 2, 4 or 8."""

    def _verify_access(self, values: str, space: str | None, address: Attribute) -> None:
        count = len(values_of(self, values))
        if count not in VECTOR_SIZES:
            raise VerifyException(
                f"an access moves {count} registers; legal: 1, or a vector of 2, 4 or 8 "
                "(PTX ISA 5.4.2)"
            )
        legal = i32 if space in SHARED_SPACES else i64
        if address != legal and not (space == "param" and isinstance(address, ParamArrayType)):
            raise VerifyException(
                f"an address of state space {space or 'generic'} has type {address}; "
                f"legal: {legal} (PTX ISA 6.4.1)"
            )


@instruction("ld.$semantics.$scope.$space.$cache*values(.v#(values)).$type <%values>, [%address]")
class LdOp(_Access):
    """Load one register, or a vector of them, from memory."""

    name = "ptx.ld"
    semantics = opt_qualifier("weak", "volatile", "relaxed", "acquire")
    scope = opt_qualifier(*SCOPES)
    space = opt_qualifier("global", *SHARED_SPACES, "param")
    cache = opt_qualifier("nc", "L1::no_allocate", "L1::evict_first", "L1::evict_last")
    type = qualifier(*TYPES)
    address = operand_def(B32_OR_B64 | BaseAttr(ParamArrayType))
    address_offset = opt_offset()
    values = var_result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"values": "type"}

    def verify_(self) -> None:
        super().verify_()
        space = self.space.data if self.space else None
        self._verify_access("values", space, self.address.type)


@instruction("st.$semantics.$scope.$space.$cache*values(.v#(values)).$type [%address], <%values>")
class StOp(_Access):
    """Store one register, or a vector of them, to memory."""

    name = "ptx.st"
    semantics = opt_qualifier("weak", "volatile", "relaxed", "release")
    scope = opt_qualifier(*SCOPES)
    space = opt_qualifier("global", *SHARED_SPACES)
    cache = opt_qualifier("L1::no_allocate", "L1::evict_first", "L1::evict_last")
    type = qualifier(*TYPES)
    address = operand_def(B32_OR_B64)
    address_offset = opt_offset()
    values = var_operand_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"values": "type"}

    def verify_(self) -> None:
        super().verify_()
        space = self.space.data if self.space else None
        self._verify_access("values", space, self.address.type)


@instruction("cvta.$space.u64 %d, %a")
class CvtaOp(PureInstruction):
    """The generic address of an address in a state space."""

    name = "ptx.cvta"
    space = qualifier("global", *SHARED_SPACES, "param")
    a = operand_def(B64)
    d = result_def(B64)


@instruction("cvta.to.$space.u64 %d, %a")
class CvtaToOp(PureInstruction):
    """The address in a state space of a generic address."""

    name = "ptx.cvta.to"
    space = qualifier("global", *SHARED_SPACES, "param")
    a = operand_def(B64)
    d = result_def(B64)


@instruction("mapa.shared::cluster.u32 %d, %address, %rank")
class MapaOp(PureInstruction):
    """The address, in the shared memory of CTA `rank` of the cluster, of a shared variable."""

    name = "ptx.mapa"
    address = operand_def(B32)
    rank = operand_def(B32)
    d = result_def(B32)

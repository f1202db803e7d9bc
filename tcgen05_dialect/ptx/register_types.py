"""
Register classes of PTX, the builtin types that represent them, and constraints whose errors name
the broken rule.

As in MLIR's `llvm` dialect, the register types are the builtin types: `i1` is a `.pred` register,
`i16`, `f16` and `bf16` are `.b16`, `i32` and `f32` are `.b32`, `i64` and `f64` are `.b64`, `i8` is
`.b8` and `i128` is `.b128`. Values of `arith`, `scf` and `cf` therefore mix freely with values of
`ptx`. Every register is declared with its bit-size type, which PTX accepts as an operand of any
type of that size (PTX ISA 9.4.1).
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Generic

from typing_extensions import TypeVar
from xdsl.dialects.builtin import (
    I32,
    DenseArrayBase,
    IntegerAttr,
    StringAttr,
    bf16,
    f16,
    f32,
    f64,
    i1,
    i8,
    i16,
    i32,
    i64,
    i128,
)
from xdsl.ir import Attribute
from xdsl.irdl import (
    AttrConstraint,
    AttrSetConstraint,
    InferenceContext,
    IntConstraint,
    VerificationContext,
    irdl_to_attr_constraint,
)
from xdsl.utils.exceptions import VerifyException

from ..isa.instructions import memory
from ..isa.instructions.conversion import PACKED_ELEMENTS
from ..isa.model.rule import Rule
from ..isa.ptx.kernel import wrong_value
from ..isa.ptx.ptx_text import QUALIFIER_RULE, REGISTER_RULE, TYPE_BITS, TYPE_RULE
from ..xdsl_support.operation_format import number_in
from .types import CarryType, ParamArrayType, TensorMapType

AttributeCovT = TypeVar("AttributeCovT", bound=Attribute, covariant=True)

Legal = Attribute | type[Attribute]
"""One attribute, or all attributes of a class."""


INTEGER_32: AttrConstraint[IntegerAttr[I32]] = irdl_to_attr_constraint(IntegerAttr[I32])
"""A 32-bit number. Shared, because xDSL would create one constraint for each property."""
SINKS: AttrConstraint[DenseArrayBase[I32]] = irdl_to_attr_constraint(DenseArrayBase[I32])
"""Indices of results whose values are not kept."""


def describe_types(legal: tuple[Legal, ...]) -> tuple[str, ...]:
    """The spellings of types in IR; a class is given by its name."""
    return tuple(str(each) if isinstance(each, Attribute) else f"!{each.name}" for each in legal)


@dataclass(frozen=True)
class OneOf(AttrConstraint):
    """
    A type that is one of `legal`.

    Another type breaks `rule`. In the message `what` replaces the rule's subject, and `expected`
    the list of types. The types `left` are left to the verifier of the operation.
    """

    legal: tuple[Legal, ...]
    rule: Rule = TYPE_RULE
    what: str = ""
    expected: str = ""
    left: tuple[type[Attribute], ...] = ()

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        if attr not in self.legal and type(attr) not in (*self.legal, *self.left):
            legal = self.expected or describe_types(self.legal)
            violation = self.rule.violation(attr, legal, self.what)
            raise VerifyException(str(violation)) from violation

    def can_infer(self, var_constraint_names: AbstractSet[str]) -> bool:
        return len(self.legal) == 1 and isinstance(self.legal[0], Attribute)

    def infer(self, context: InferenceContext) -> Attribute:
        (attribute,) = self.legal
        assert isinstance(attribute, Attribute)
        return attribute

    def get_bases(self) -> set[type[Attribute]]:
        return {type(each) if isinstance(each, Attribute) else each for each in self.legal}

    def mapping_type_vars(
        self, type_var_mapping: Mapping[TypeVar, AttrConstraint | IntConstraint]
    ) -> AttrConstraint:
        return self


class Spelled(AttrSetConstraint[StringAttr]):
    """A qualifier with one of the legal spellings."""

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        if attr not in self.values:
            found = attr.data if isinstance(attr, StringAttr) else attr
            legal = frozenset(value.data for value in self.values)
            violation = QUALIFIER_RULE.violation(found, legal, "qualifier")
            raise VerifyException(str(violation)) from violation


@dataclass(frozen=True)
class Written(AttrConstraint[AttributeCovT], Generic[AttributeCovT]):
    """
    Another constraint with its own message. `legal` describes the legal values of the attribute
    `what`. `example` is a legal value; `{}` in it stands for the number found, or else for `usual`.
    """

    constraint: AttrConstraint[AttributeCovT]
    what: str
    legal: str
    example: str
    usual: int

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        try:
            self.constraint.verify(attr, constraint_context)
        except VerifyException as error:
            example = self.example.format(number_in(attr, self.usual))
            violation = wrong_value(attr, self.legal, example, self.what)
            violation.__cause__ = error
            raise VerifyException(str(violation)) from violation

    def get_bases(self) -> set[type[Attribute]] | None:
        return self.constraint.get_bases()

    def mapping_type_vars(
        self, type_var_mapping: Mapping[TypeVar, AttrConstraint | IntConstraint]
    ) -> AttrConstraint[AttributeCovT]:
        return self


REGISTER_CLASSES: Mapping[Attribute, tuple[str, str]] = {
    i1: ("pred", "%p"),
    i16: ("b16", "%rs"),
    f16: ("b16", "%rs"),
    bf16: ("b16", "%rs"),
    i32: ("b32", "%r"),
    f32: ("b32", "%r"),
    i64: ("b64", "%rd"),
    f64: ("b64", "%rd"),
}
"""Register type -> the type that declares the register, and the prefix of its name."""

RARE_CLASSES: Mapping[Attribute, tuple[str, str]] = {i8: ("b8", "%rc"), i128: ("b128", "%rq")}
"""The classes of registers that only a few instructions take."""
ADDRESS_CLASS = REGISTER_CLASSES[i64]
"""The register class of `!ptx.tensor_map` and `!ptx.param_array`, which are addresses."""


def register_class(type_: Attribute) -> tuple[str, str]:
    """The register class of a type. Raises VerifyException if it has none."""
    found = REGISTER_CLASSES.get(type_) or RARE_CLASSES.get(type_)
    if found is not None:
        return found
    if isinstance(type_, TensorMapType | ParamArrayType):
        return ADDRESS_CLASS
    violation = REGISTER_RULE.violation(type_, tuple(REGISTER_CLASSES))
    raise VerifyException(str(violation)) from violation


def register_bits(type_: Attribute) -> int | None:
    """The width of a register in bits; None for a predicate or a carry. Raises VerifyException."""
    if isinstance(type_, CarryType):
        return None
    return TYPE_BITS.get(register_class(type_)[0])


_INTEGERS: Mapping[int, Attribute] = {8: i8, 16: i16, 32: i32, 64: i64}
TYPES: Mapping[str, Sequence[Legal]] = {
    "pred": (i1,),
    **dict.fromkeys(("b8", "u8", "s8"), (i16, i32, i8)),
    "b16": (i16, f16, bf16),
    "u16": (i16,),
    "s16": (i16,),
    "f16": (f16,),
    "bf16": (bf16,),
    "b32": (i32, f32),
    "u32": (i32,),
    "s32": (i32,),
    "f32": (f32,),
    "f16x2": (i32,),
    "u16x2": (i32,),
    "s16x2": (i32,),
    "bf16x2": (i32,),
    "b64": (i64, f64),
    "u64": (i64,),
    "s64": (i64,),
    "f64": (f64,),
    "b128": (i128,),
    "f32x2": (i64,),
    "tf32": (i32, f32),
    **{
        f"{element}x{count}": (_INTEGERS[count * packing.slot_bits],)
        for element, packing in PACKED_ELEMENTS.items()
        for count in packing.counts
    },
}
"""Type qualifier of an instruction -> its legal register types, the usual one first."""

_WIDER: Mapping[str, Sequence[Legal]] = {
    name: (*types, *(each for each in (i32, i64) if each not in types and bits < each.width.data))
    if (bits := TYPE_BITS.get(name, 64)) < 64 and name[0] in "bsu" and name[1:].isdecimal()
    else types
    for name, types in TYPES.items()
}
"""The same for loads and stores, whose registers may be wider than an integer type (9.4.1)."""
GENERIC_ADDRESS: Sequence[Legal] = (i64,)
ADDRESSES: Mapping[str, Sequence[Legal]] = {
    "global": GENERIC_ADDRESS,
    **dict.fromkeys(memory.PARAMETER_SPACES, (i64, i32, ParamArrayType)),
    "local": (i64, i32),
    "const": (i64, i32),
    **dict.fromkeys(memory.SHARED_SPACES, (i32, i64)),
    **{space.replace("::", "_"): (i32, i64) for space in memory.SHARED_SPACES},
}
"""State space of an instruction -> the types of its addresses, the usual one first."""


def register_types(qualifier: str | None, wider: bool = False) -> Sequence[Legal]:
    """The legal types for a type qualifier or a state space, the usual one first. With `wider`, a
    register may be wider than an integer type."""
    if qualifier is None:
        return GENERIC_ADDRESS
    return (_WIDER if wider else TYPES).get(qualifier) or ADDRESSES[qualifier]


BITS: Mapping[str, Attribute] = {"f16": i16, "bf16": i16, "f32": i32, "f64": i64}
"""Float qualifier -> the type of its registers in kernels that were read from PTX. These have one
type for each register class, because PTX uses a register as integer and as float alike."""


def check_type(name: str, type_: Attribute, qualifier: str | None, wider: bool = False) -> None:
    """Raise VerifyException unless the qualifier allows this type for the value `name`; `wider` is
    as for `register_types`."""
    legal = register_types(qualifier, wider)
    if type_ not in legal and type(type_) not in legal:
        use = "as a generic address" if qualifier is None else f"with .{qualifier}"
        violation = TYPE_RULE.violation(
            type_, describe_types(tuple(legal)), f"PTX operand {name} {use}", culprit=name
        )
        raise VerifyException(str(violation)) from violation


PRED: AttrConstraint = OneOf((i1,))
B16: AttrConstraint = OneOf((i16,))
B32: AttrConstraint = OneOf((i32,))
B64: AttrConstraint = OneOf((i64,))
REGISTER: AttrConstraint = OneOf(tuple(REGISTER_CLASSES))
REGISTER_OR_BYTE: AttrConstraint = OneOf((*REGISTER_CLASSES, i8))
BYTE: AttrConstraint = OneOf((i8,))
F32: AttrConstraint = OneOf((f32, i32))
"""A number of 32 bits, or its bits."""
ANY_REGISTER: AttrConstraint = OneOf((*REGISTER_CLASSES, *RARE_CLASSES))
WORD: AttrConstraint = OneOf((i32, f32))
B128: AttrConstraint = OneOf((i128,))
CARRY: AttrConstraint = OneOf((CarryType(),))
ANY_VALUE: AttrConstraint = OneOf((*REGISTER_CLASSES, *RARE_CLASSES, CarryType()))
"""A register, or a carry."""
B32_OR_B64: AttrConstraint = OneOf((i32, i64))
"""A 64-bit descriptor or a 32-bit address in tensor memory; or a shared or generic address."""
SHARED_ADDRESS: AttrConstraint = OneOf((i32, i64))
"""An address in shared memory, which has 64 bits only in PTX of other compilers and if the spelling
makes it generic."""
ADDRESS: AttrConstraint = OneOf((i32, i64, ParamArrayType))
"""An address in any state space."""
MAP_ADDRESS: AttrConstraint = OneOf((i64, i32, TensorMapType))
"""The address of a tensor map in any state space."""
TENSOR_MAP: AttrConstraint = OneOf((i64, TensorMapType))
"""The generic address of a tensor map that is a kernel parameter or in global memory."""

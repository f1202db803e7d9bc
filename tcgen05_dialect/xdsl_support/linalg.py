"""
The dialect `linalg` with the contractions that xDSL lacks, and the syntax of their indexing maps.

xDSL has neither `linalg.contract` nor batched products nor the `indexing_maps` before the operands,
and multiplies before it converts to the type of the sums. Uses no private names. It can be deleted
when xDSL has these operations.
"""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.builder import ImplicitBuilder
from xdsl.dialects import arith
from xdsl.dialects.builtin import AffineMapAttr, AnyFloat, ArrayAttr
from xdsl.dialects.linalg import Linalg
from xdsl.dialects.linalg.abstract_ops import NamedOperation
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.dialects.linalg.ops import YieldOp
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Block, Dialect, Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.irdl import irdl_attr_definition, irdl_op_definition, opt_prop_def
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum

_PARALLEL, _REDUCTION = IteratorTypeAttr.parallel(), IteratorTypeAttr.reduction()


def conversion(old: Attribute, new: Attribute, is_signed: bool = True) -> type[Operation]:
    """The operation of arith that converts a number to another type; the integers may be signed."""
    grows = getattr(old, "bitwidth", 0) < getattr(new, "bitwidth", 0)
    match isinstance(old, AnyFloat), isinstance(new, AnyFloat):
        case True, True:
            return arith.ExtFOp if grows else arith.TruncFOp
        case False, True:
            return arith.SIToFPOp if is_signed else arith.UIToFPOp
        case True, False:
            return arith.FPToSIOp if is_signed else arith.FPToUIOp
        case _:
            extend = arith.ExtSIOp if is_signed else arith.ExtUIOp
            return extend if grows else arith.TruncIOp


class TypeFunction(StrEnum):
    """How a product converts integers."""

    CAST_SIGNED = "cast_signed"
    CAST_UNSIGNED = "cast_unsigned"


@irdl_attr_definition
class TypeFunctionAttr(EnumAttribute[TypeFunction]):
    """`#linalg.type_fn<cast_signed>`."""

    name = "linalg.type_fn"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> TypeFunction:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


class ContractionOp(NamedOperation):
    """A sum of products of two tensors; the default maps are those of the class."""

    MAPS: ClassVar[Sequence[AffineMap]] = ()
    indexing_maps = opt_prop_def(ArrayAttr[AffineMapAttr])
    cast = opt_prop_def(TypeFunctionAttr)

    @classmethod
    def parse(cls, parser: Parser) -> "ContractionOp":
        maps: Attribute | None = None
        if parser.parse_optional_keyword("indexing_maps") is not None:
            parser.parse_punctuation("=")
            maps = parser.parse_attribute()
        attributes = parser.parse_optional_attr_dict()
        op = super().parse(parser)
        for name, given in (*attributes.items(), ("indexing_maps", maps)):
            if given is not None:
                known = name in cls.get_irdl_definition().properties
                (op.properties if known else op.attributes)[name] = given
        return op

    @classmethod
    def get_hidden_region(cls, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue]) -> Region:
        types = cls.body_arg_types((*inputs, *outputs))
        block = Block(arg_types=types)
        is_float = isinstance(types[-1], AnyFloat)
        with ImplicitBuilder(block):
            factors: list[SSAValue] = [*block.args[:2]]
            for at, value in enumerate(factors):
                if value.type != types[-1]:
                    op_type = conversion(value.type, types[-1])
                    op = op_type.create(operands=[value], result_types=types[-1:])
                    factors[at] = op.results[0]
            product = (arith.MulfOp if is_float else arith.MuliOp)(factors[0], factors[1])
            YieldOp((arith.AddfOp if is_float else arith.AddiOp)(block.args[2], product))
        return Region(block)

    def get_default_indexing_maps(self) -> Sequence[AffineMap]:
        given = self.indexing_maps
        return self.MAPS if given is None else [each.data for each in given]

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        *_, out = self.get_default_indexing_maps()
        used = out.used_dims()
        return ArrayAttr(_PARALLEL if at in used else _REDUCTION for at in range(out.num_dims))


def _maps(*rows: str) -> tuple[AffineMap, ...]:
    """Maps of the letters of each row; the letters of all rows, in order, are the loops."""
    letters = sorted({*"".join(rows)}, key="bmnk".index)
    loops = {each: AffineExpr.dimension(at) for at, each in enumerate(letters)}
    return tuple(AffineMap(len(loops), 0, tuple(loops[each] for each in row)) for row in rows)


def _contraction(name: str, *rows: str) -> type[Operation]:
    class Op(ContractionOp):
        MAPS: ClassVar[Sequence[AffineMap]] = _maps(*rows)

    Op.name = f"linalg.{name}"
    return irdl_op_definition(Op)


_CONTRACTIONS = [
    _contraction("matmul", "mk", "kn", "mn"),
    _contraction("matmul_transpose_a", "km", "kn", "mn"),
    _contraction("matmul_transpose_b", "mk", "nk", "mn"),
    _contraction("batch_matmul", "bmk", "bkn", "bmn"),
    _contraction("batch_matmul_transpose_a", "bkm", "bkn", "bmn"),
    _contraction("batch_matmul_transpose_b", "bmk", "bnk", "bmn"),
    _contraction("matvec", "mk", "k", "m"),
    _contraction("vecmat", "k", "kn", "n"),
    _contraction("batch_matvec", "bmk", "bk", "bm"),
    _contraction("dot", "k", "k", ""),
    _contraction("contract"),
]
_OWN = {each.name for each in _CONTRACTIONS}

LINALG = Dialect(
    "linalg",
    [*(each for each in Linalg.operations if each.name not in _OWN), *_CONTRACTIONS],
    [*Linalg.attributes, TypeFunctionAttr],
)
"""The dialect of xDSL, with these operations."""

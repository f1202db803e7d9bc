"""
The dialect `linalg` with operations that xDSL lacks: contractions, convolutions, pooling, `map` and
elementwise operations.

xDSL lacks the `indexing_maps` before the operands and the short form of bodies, too, and multiplies
before it converts to the type of the sums. Uses no private names. It can be deleted when xDSL has
these operations.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, cast

from xdsl.builder import ImplicitBuilder
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    MemRefType,
    StringAttr,
    i64,
)
from xdsl.dialects.linalg import Linalg, ops
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation, NamedOperation
from xdsl.dialects.linalg.attrs import IteratorType, IteratorTypeAttr
from xdsl.dialects.linalg.ops import YieldOp
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Block, Dialect, Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.irdl import (
    AttrSizedOperandSegments,
    ParsePropInAttrDict,
    irdl_attr_definition,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
)
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


class NamedOp(NamedOperation):
    """An operation whose indexing maps, in its class or before its operands, give the loops."""

    MAPS: ClassVar[Sequence[AffineMap]] = ()
    indexing_maps = opt_prop_def(ArrayAttr[AffineMapAttr])
    cast = opt_prop_def(TypeFunctionAttr)

    @classmethod
    def parse(cls, parser: Parser) -> "NamedOp":
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
    def result(cls, values: Sequence[SSAValue]) -> Operation | SSAValue:
        """The result of the body on its arguments; products are added to the output."""
        a, b, out = values
        is_float = isinstance(out.type, AnyFloat)
        product = (arith.MulfOp if is_float else arith.MuliOp)(a, b)
        return (arith.AddfOp if is_float else arith.AddiOp)(out, product)

    @classmethod
    def get_hidden_region(cls, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue]) -> Region:
        types = cls.body_arg_types((*inputs, *outputs))
        block = Block(arg_types=types)
        with ImplicitBuilder(block):
            values: list[SSAValue] = [*block.args]
            for at, value in enumerate(values):
                if value.type != types[-1]:
                    op_type = conversion(value.type, types[-1])
                    op = op_type.create(operands=[value], result_types=types[-1:])
                    values[at] = op.results[0]
            YieldOp(cls.result(values))
        return Region(block)

    def get_default_indexing_maps(self) -> Sequence[AffineMap]:
        given = self.indexing_maps
        return self.MAPS if given is None else [each.data for each in given]

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        *_, out = self.get_default_indexing_maps()
        used = out.used_dims()
        return ArrayAttr(_PARALLEL if at in used else _REDUCTION for at in range(out.num_dims))


class WindowOp(NamedOp):
    """
    A convolution or a pooling. The name has the dimensions of the image and the window, such as
    `nhwc_hwcf`.

    `IMAGE`, `WINDOW` and `OUT` have a letter for each dimension. A capital letter is the position
    of the window in the image, the same letter in lower case a position inside the window.
    """

    IMAGE: ClassVar[str] = ""
    WINDOW: ClassVar[str] = ""
    OUT: ClassVar[str] = ""
    strides = opt_prop_def(Attribute)
    dilations = opt_prop_def(Attribute)

    def get_default_indexing_maps(self) -> Sequence[AffineMap]:
        letters = dict.fromkeys(self.OUT + self.WINDOW + self.IMAGE)
        loops = {each: AffineExpr.dimension(at) for at, each in enumerate(letters)}
        spatial = [each.lower() for each in self.OUT if each.isupper()]
        steps, gaps = (
            dict(zip(spatial, cast(Any, given).get_values() if given else (), strict=False))
            for given in (self.strides, self.dilations)
        )
        image = [
            loops[each.upper()] * steps.get(each, 1) + loops[each] * gaps.get(each, 1)
            if each in spatial
            else loops[each]
            for each in self.IMAGE
        ]
        rows = image, [loops[each] for each in self.WINDOW], [loops[each] for each in self.OUT]
        return [AffineMap(len(loops), 0, tuple(row)) for row in rows]


class DimensionsOp(NamedOp):
    """An operation with a list of dimensions, which the outputs of `reduce` and the input of
    `broadcast` lack. The body is a region, or only the name of an operation in braces."""

    dimensions = opt_prop_def(DenseArrayBase)

    @classmethod
    def parse_head(cls, parser: Parser) -> NamedOp:
        """The operation before its dimensions and its body."""
        return super().parse(parser)

    @classmethod
    def parse(cls, parser: Parser) -> "DimensionsOp":
        function, attributes = "", dict[str, Attribute]()
        has_body = cls.name in ("linalg.map", "linalg.reduce")
        if has_body and parser.parse_optional_punctuation("{") is not None:
            function = parser.parse_identifier()
            attributes = parser.parse_optional_attr_dict()
            parser.parse_punctuation("}")
        op = cls.parse_head(parser)
        properties = dict(op.properties)
        if parser.parse_optional_keyword("dimensions") is not None:
            parser.parse_punctuation("=")
            square = parser.Delimiter.SQUARE
            numbers = parser.parse_comma_separated_list(square, parser.parse_integer)
            properties["dimensions"] = DenseArrayBase.from_list(i64, numbers)
        types = cls.body_arg_types(op.operands)
        if function:
            # An accumulation begins with the output.
            order = slice(None, None, -1) if cls.name == "linalg.reduce" else slice(len(op.inputs))
            block = Block(arg_types=types)
            made = parser.ctx.get_op(function).create(
                operands=block.args[order], result_types=types[-1:], properties=attributes
            )
            block.add_ops([made, YieldOp(*made.results)])
            region = Region(block)
        elif not has_body:
            region = op.detach_region(op.body)
        else:
            paren = parser.Delimiter.PAREN
            arguments = parser.parse_comma_separated_list(paren, parser.parse_argument)
            region = parser.parse_region(arguments)
            for type_ in types[len(arguments) :]:
                # Before LLVM 22, the body of a map had no argument for the output.
                region.block.insert_arg(type_, len(region.block.args))
        results = [each.type for each in op.outputs if not isinstance(each.type, MemRefType)]
        return cls.build(
            operands=(op.inputs, op.outputs),
            result_types=(results,),
            properties=properties,
            attributes=op.attributes | parser.parse_optional_attr_dict(),
            regions=(region,),
        )

    @classmethod
    def result(cls, values: Sequence[SSAValue]) -> Operation | SSAValue:
        return values[0]

    def get_default_indexing_maps(self) -> Sequence[AffineMap]:
        narrow = self.inputs if self.name == "linalg.broadcast" else self.outputs
        ranks = [len(cast(Any, each.type).get_shape()) for each in self.operands]
        given: Any = self.dimensions
        left_out = () if given is None else given.get_values()
        whole = AffineMap.identity(max(ranks))
        kept = tuple(each for at, each in enumerate(whole.results) if at not in left_out)
        part = AffineMap(whole.num_dims, 0, kept)
        return [part if each in narrow else whole for each in self.operands]


def _maps(*rows: str) -> tuple[AffineMap, ...]:
    """Maps of the letters of each row; the letters of the last row are the first loops."""
    letters = dict.fromkeys("".join(reversed(rows)))
    loops = {each: AffineExpr.dimension(at) for at, each in enumerate(letters)}
    return tuple(AffineMap(len(loops), 0, tuple(loops[each] for each in row)) for row in rows)


_CONTRACTIONS = {
    "matmul": "mk kn mn",
    "matmul_transpose_a": "km kn mn",
    "matmul_transpose_b": "mk nk mn",
    "batch_matmul": "bmk bkn bmn",
    "batch_matmul_transpose_a": "bkm bkn bmn",
    "batch_matmul_transpose_b": "bmk bnk bmn",
    "batch_reduce_matmul": "bmk bkn mn",
    "matvec": "mk k m",
    "vecmat": "k kn n",
    "batch_matvec": "bmk bk bm",
    "dot": "k k ",
    "batch_vecmat": "bk bkn bn",
    "mmt4d": "mkxz nkyz mnxy",
    "batch_mmt4d": "bmkxz bnkyz bmnxy",
}
"""Product -> the loops of the dimensions of both factors and of the result."""
_WINDOWS = """
    conv_1d conv_2d conv_3d conv_1d_nwc_wcf conv_1d_ncw_fcw
    conv_2d_nhwc_hwcf conv_2d_nhwc_fhwc conv_2d_nchw_fchw
    conv_2d_ngchw_fgchw conv_2d_ngchw_gfchw conv_2d_nhwgc_gfhwc
    conv_3d_ndhwc_dhwcf conv_3d_ncdhw_fcdhw
    depthwise_conv_1d_nwc_wc depthwise_conv_1d_ncw_cw depthwise_conv_1d_nwc_wcm
    depthwise_conv_2d_nhwc_hwc depthwise_conv_2d_nchw_chw depthwise_conv_2d_nhwc_hwcm
    depthwise_conv_3d_ndhwc_dhwc depthwise_conv_3d_ncdhw_cdhw depthwise_conv_3d_ndhwc_dhwcm
"""
_POOLINGS = {
    "nwc": "sum max max_unsigned min min_unsigned",
    "ncw": "sum max",
    "nhwc": "sum max max_unsigned min min_unsigned",
    "nchw": "sum max",
    "ndhwc": "sum max min",
}
"""Dimensions of images -> the functions of windows."""
_FUNCTIONS: Mapping[str, Sequence[type[Operation]]] = {
    "sum": (arith.AddfOp, arith.AddiOp),
    "max": (arith.MaximumfOp, arith.MaxSIOp),
    "max_unsigned": (arith.MaximumfOp, arith.MaxUIOp),
    "min": (arith.MinimumfOp, arith.MinSIOp),
    "min_unsigned": (arith.MinimumfOp, arith.MinUIOp),
    "abs": (math.AbsFOp, math.AbsIOp),
    "ceil": (math.CeilOp,),
    "div": (arith.DivfOp, arith.DivSIOp),
    "div_unsigned": (arith.DivUIOp, arith.DivUIOp),
    "erf": (math.ErfOp,),
    "floor": (math.FloorOp,),
    "negf": (arith.NegfOp,),
    "powf": (math.PowFOp,),
    "round": (math.RoundOp,),
    "rsqrt": (math.RsqrtOp,),
    "square": (arith.MulfOp, arith.MuliOp),
    "tanh": (math.TanhOp,),
}
"""Function -> its operations on floats and on integers."""


def _function(name: str, values: Sequence[SSAValue]) -> Operation:
    """The operation of a function; a square multiplies its only value twice."""
    type_ = values[0].type
    op_type: Any = _FUNCTIONS[name][0 if isinstance(type_, AnyFloat) else -1]
    operands = [*values, *values][: len(op_type.get_irdl_definition().operands)]
    return op_type.create(operands=operands, result_types=[type_])


def _operation(name_: str, base: type[NamedOp] = NamedOp, **members: Any) -> type[Operation]:
    """The class of an operation."""

    class Op(base):
        name = f"linalg.{name_}"

    op_type = irdl_op_definition(Op)
    for name, value in members.items():
        setattr(op_type, name, value)
    return op_type


def _window(name: str, image: str, window: str, **members: Any) -> type[Operation]:
    """The class of an operation on windows. The output of a convolution has its own features; the
    output of a depthwise convolution has several features for each feature of the image."""
    spatial = [each for each in "dhw" if each in window]
    out = "".join(each.upper() if each in spatial else each for each in image)
    if name.startswith("conv"):
        out = out.replace("c", "f")
    if "m" in window:
        out += "m"
    return _operation(name, WindowOp, IMAGE=image, WINDOW=window, OUT=out, **members)


def _convolution(name: str) -> type[Operation]:
    image, _, window = name.partition("d_")[2].partition("_")
    image = image or "dhw"[-int(name[-2]) :]
    return _window(name, image, window or image)


def _pooling(image: str, function: str) -> type[Operation]:
    def result(values: Sequence[SSAValue]) -> Operation | SSAValue:
        return _function(function, [values[2], values[0]])

    window = "".join(each for each in "dhw" if each in image)
    return _window(f"pooling_{image}_{function}", image, window, result=staticmethod(result))


def _elementwise(name: str) -> type[Operation]:
    def result(values: Sequence[SSAValue]) -> Operation | SSAValue:
        return _function(name, values[:-1])

    return _operation(name, DimensionsOp, result=staticmethod(result))


def _attributed(op_type: Any) -> type[Operation]:
    """The class of an operation of xDSL that may have any attributes, where MLIR prints them."""
    if not issubclass(op_type, LinalgStructuredOperation):
        return op_type

    def parse(parser: Parser) -> Operation:
        attributes = parser.parse_optional_attr_dict()
        op = op_type.parse(parser)
        op.attributes |= attributes | parser.parse_optional_attr_dict()
        return op

    return type(op_type.__name__, (op_type,), {"parse": staticmethod(parse)})


_MAP: Any = _operation("map", DimensionsOp)


@irdl_op_definition
class GenericOp(LinalgStructuredOperation):
    """`linalg.generic`, whose attributes may have an alias, with any number of results."""

    name = "linalg.generic"
    indexing_maps = prop_def(ArrayAttr[AffineMapAttr])
    iterator_types = prop_def(ArrayAttr[IteratorTypeAttr])
    doc = opt_prop_def(StringAttr)
    library_call = opt_prop_def(StringAttr)
    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    print = ops.GenericOp.print

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        return self.indexing_maps

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        return self.iterator_types

    @classmethod
    def parse(cls, parser: Parser) -> "GenericOp":
        given = parser.parse_attribute()
        attributes: Any = given.data if isinstance(given, DictionaryAttr) else {}
        for name in ("indexing_maps", "iterator_types"):
            if not isinstance(attributes.get(name), ArrayAttr):
                parser.raise_error(f"linalg.generic needs a list {name}")
        # What follows is that of other operations, until the body.
        head = _MAP.parse_head(parser)
        body, results = parser.parse_region(), list[Attribute]()
        if parser.parse_optional_punctuation("->") is not None:
            paren = parser.Delimiter.PAREN
            several = parser.parse_optional_comma_separated_list(paren, parser.parse_type)
            results += [parser.parse_type()] if several is None else several
        kinds = [IteratorTypeAttr(IteratorType(each.data)) for each in attributes["iterator_types"]]
        return cls.build(
            operands=(head.inputs, head.outputs),
            result_types=(results,),
            properties={**attributes, "iterator_types": ArrayAttr(kinds)},
            regions=(body,),
        )


_OPERATIONS = [
    _operation("contract"),
    *(_operation(name, MAPS=_maps(*rows.split(" "))) for name, rows in _CONTRACTIONS.items()),
    *map(_convolution, _WINDOWS.split()),
    *(_pooling(image, each) for image, names in _POOLINGS.items() for each in names.split()),
    *(_elementwise(name) for name in _FUNCTIONS if not name.startswith(("sum", "max", "min"))),
    *(_operation(name, DimensionsOp) for name in ("reduce", "broadcast")),
    _MAP,
    GenericOp,
]
_OWN = {each.name for each in _OPERATIONS}

LINALG = Dialect(
    "linalg",
    [*(_attributed(each) for each in Linalg.operations if each.name not in _OWN), *_OPERATIONS],
    [*Linalg.attributes, TypeFunctionAttr],
)
"""The dialect of xDSL, with these operations."""

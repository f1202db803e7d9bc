"""Types of parameters that fit no register, types of carries, the target of a module, and names
that `ptx.name` fixes."""

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, IntAttr, ModuleOp, NoneAttr, StringAttr
from xdsl.ir import Attribute, Operation, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import ParseError

from ..isa import targets
from ..isa.model.rule import Violation
from ..isa.ptx.kernel import IDENTIFIER_RULE, check_identifier
from ..isa.shared_memory.tensor_map import CUDA_SWIZZLES, ELEMENTS, Box


@irdl_attr_definition
class TensorMapType(ParametrizedAttribute, TypeAttribute):
    """
    A tensor map passed by value to a kernel (`__grid_constant__ const CUtensorMap`).

    The kernel's argument is the generic address of the map, in a 64-bit register. The type may give
    the box that a copy moves, as in `!ptx.tensor_map<128x64xbf16, swizzle_128b>`: its extents, the
    innermost dimension last; the element type of the tensor; and the swizzle mode, by default
    `no_swizzle`. The element strides of such a map are 1.
    """

    name = "ptx.tensor_map"
    extents: ArrayAttr[IntAttr] | NoneAttr = param_def()
    element: StringAttr | NoneAttr = param_def()
    swizzle: StringAttr | NoneAttr = param_def()

    def __init__(self, box: Box | None = None) -> None:
        if box is None:
            super().__init__(NoneAttr(), NoneAttr(), NoneAttr())
        else:
            extents = ArrayAttr(map(IntAttr, reversed(box.extents)))
            super().__init__(extents, StringAttr(box.element), StringAttr(box.swizzle))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        if parser.parse_optional_punctuation("<") is None:
            return cls().parameters
        position = parser.pos
        extents = parser.parse_dimension_list()
        if not extents or min(extents) < 0:
            parser.raise_error("expected the extents of a box, as in 128x64xbf16", position)
        try:
            parser.parse_shape_delimiter()
        except ParseError as error:
            example = f"{'x'.join(map(str, extents))}xbf16"
            message = (
                f"expected 'x' and the element type of the box, without spaces, as in {example}"
            )
            parser.raise_error(message, error.span.start, error.span.end)
        element = parser.parse_keyword_in(tuple(ELEMENTS))
        swizzle = Box.swizzle
        if parser.parse_optional_punctuation(",") is not None:
            swizzle = parser.parse_keyword_in(tuple(CUDA_SWIZZLES))
        parser.parse_punctuation(">")
        return cls(Box(tuple(reversed(extents)), element, swizzle)).parameters

    def print_parameters(self, printer: Printer) -> None:
        if (box := self.box) is None:
            return
        with printer.in_angle_brackets():
            printer.print_dimension_list(box.extents[::-1])
            printer.print_string(f"x{box.element}")
            if box.swizzle != Box.swizzle:
                printer.print_string(f", {box.swizzle}")

    @property
    def box(self) -> Box | None:
        """The box; None if the type does not give it."""
        match self.extents, self.element, self.swizzle:
            case ArrayAttr(data=extents), StringAttr(data=element), StringAttr(data=swizzle):
                return Box(tuple(each.data for each in reversed(extents)), element, swizzle)
            case _:
                return None


@irdl_attr_definition
class ParamArrayType(ParametrizedAttribute, TypeAttribute):
    """
    Bytes passed by value to a kernel, such as a structure: `!ptx.param_array<size, alignment>`.

    The kernel's argument is the address of the bytes in the `.param` state space, in a 64-bit
    register; `ptx.ld param` loads from it.
    """

    name = "ptx.param_array"
    size: IntAttr = param_def()
    alignment: IntAttr = param_def()

    @classmethod
    def of(cls, size: int, alignment: int) -> "ParamArrayType":
        """The type of so many bytes, aligned to so many."""
        return cls(IntAttr(size), IntAttr(alignment))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            size = parser.parse_integer(allow_boolean=False)
            parser.parse_punctuation(",")
            return IntAttr(size), IntAttr(parser.parse_integer(allow_boolean=False))

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"{self.size.data}, {self.alignment.data}")


@irdl_attr_definition
class CarryType(ParametrizedAttribute, TypeAttribute):
    """A carry or a borrow, which is in the condition code register: `!ptx.carry`."""

    name = "ptx.carry"


ATTRIBUTE = "ptx.target"
"""The name of the attribute of `builtin.module` that holds its target."""
DEFAULT_TARGET = "sm_100a"


@irdl_attr_definition
class TargetAttr(ParametrizedAttribute):
    """The `.target` and the `.version` of a module, such as `#ptx.target<"sm_100a", "8.6">`."""

    name = "ptx.target"
    target: StringAttr = param_def()
    version: StringAttr = param_def()

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[StringAttr]:
        legal = 'expected a target and a PTX version, as in <"sm_100a", "8.6">'
        with parser.in_angle_brackets():
            target = parser.expect(parser.parse_optional_str_literal, legal)
            if parser.parse_optional_punctuation(",") is None:
                parser.raise_error(legal)
            version = parser.expect(parser.parse_optional_str_literal, legal)
        return StringAttr(target), StringAttr(version)


def target_of(module: ModuleOp) -> TargetAttr | None:
    """The target of a module, if it has one. Raises Violation if the attribute is not a target."""
    attribute = module.attributes.get(ATTRIBUTE)
    if attribute is None or isinstance(attribute, TargetAttr):
        return attribute
    legal = f"an attribute such as {TargetAttr(StringAttr(DEFAULT_TARGET), StringAttr('8.6'))}"
    raise targets.TARGET_RULE.violation(str(attribute), legal, f"attribute {ATTRIBUTE}")


def check_target(module: ModuleOp) -> None:
    """Check the target of a module, if it has one. Raises Violation."""
    carried = target_of(module)
    if carried is not None:
        version = targets.parse_version(carried.version.data)
        targets.check_feature("base", carried.target.data, version)


def known_target_of(op: Operation) -> TargetAttr | None:
    """The target of the module around an operation; None if the module has no target, or an invalid
    one, which is reported elsewhere."""
    module = op.get_toplevel_object()
    if not isinstance(module, ModuleOp):
        return None
    try:
        check_target(module)
    except Violation:
        return None
    return target_of(module)


def choose_target(module: ModuleOp, target: str | None, version: str | None) -> TargetAttr:
    """
    The target chosen by the options, or else by the module, or else the default.

    The version defaults to that of the module if it supports the target, or else to the first
    version that does. Raises Violation for an unknown target or version, or if the version does not
    support the target.
    """
    carried = target_of(module)
    own = None if carried is None else targets.parse_version(carried.version.data)
    asked = target
    if target is None:
        target = DEFAULT_TARGET if carried is None else carried.target.data
    first = targets.parse_target(target).first
    if version is not None:
        chosen = targets.parse_version(version)
    elif own is None or (asked is not None and own < first):
        chosen = first
    else:
        chosen = own
    targets.check_feature("base", target, chosen)
    return TargetAttr(StringAttr(target), StringAttr(str(chosen)))


NAME = "ptx.name"
LABEL_PREFIX = "$L__"
"""The prefix of labels that the printer numbers; nothing else may use it."""


def check_own_name(name: str) -> None:
    """Raise Violation unless a parameter, a label or a symbol can have a name."""
    check_identifier(name)
    if name.startswith(LABEL_PREFIX):
        raise IDENTIFIER_RULE.violation(name, f"a name that does not begin with {LABEL_PREFIX}")

"""The place where the operations of a kernel are inserted, with checks of arguments, types of
buffers, and conversions."""

import contextlib
import inspect
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache, wraps
from inspect import currentframe
from itertools import islice
from pathlib import Path
from types import CodeType, FrameType, FunctionType, NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    ParamSpec,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

import xdsl
from xdsl.builder import Builder, ImplicitBuilder
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntOrFPElementsAttr,
    FileLineColLoc,
    FloatAttr,
    IntAttr,
    IntegerAttr,
    IntegerType,
    Signedness,
    StringAttr,
    VectorType,
    f8E8M0FNU,
    f32,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import VerifyException

from ..isa.element import INDEX, PACKINGS
from ..isa.mma.products import ACCUMULATOR, MATRIX_A, METADATA, SCALE
from ..isa.mma.shapes import LAYOUT_RULE, LAYOUTS
from ..isa.model.rule import Violation, alternatives, did_you_mean, raise_any
from ..isa.shared_memory.descriptor import SWIZZLES, UNIT_BYTES
from ..isa.shared_memory.layout import ATOM_ORDERS, MAJORS, SharedMemoryLayout
from ..isa.shared_memory.tensor_map import Box, element_type
from ..operations import ptx, ws
from ..tcgen05.types import ELEMENT_TYPES, ROLES, TensorMemoryType
from ..ws.base import COPIED_ROLES, SharedTileType
from ..xdsl_support.construction import take_objects_as_values

take_objects_as_values()

_OWN = tuple(
    str(folder)
    for folder in (
        Path(__file__).parents[1],
        Path(xdsl.__file__).parent,
        Path(contextlib.__file__),
    )
)
"""Files that belong to no user."""


@cache
def _is_own(file: str) -> bool:
    return file.startswith((*_OWN, "<"))


def _position(code: CodeType, instruction: int) -> tuple[int | None, int | None]:
    """The line and the column, from 0, of the expression that an instruction belongs to."""
    line, _, column, _ = next(islice(code.co_positions(), instruction // 2, None))
    return line, column


def users_frame() -> FrameType | None:
    """The frame of the user's function that is executed; None if there is none."""
    frame: FrameType | None = currentframe()
    while frame is not None and _is_own(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def users_place() -> FileLineColLoc | None:
    """The line of the user's file that is executed; None if there is none."""
    if (frame := users_frame()) is None:
        return None
    line, column = _position(frame.f_code, frame.f_lasti)
    file = StringAttr(frame.f_code.co_filename)
    return FileLineColLoc(file, IntAttr(line or frame.f_lineno), IntAttr((column or 0) + 1))


_UNKNOWN_OUTSIDE: Sequence[tuple[type[Operation], str, str]] = (
    (
        scf.ForOp,
        "the loop",
        "to use it after the loop, let the loop carry it: `role.carry(..., values=[...])`, `give` "
        "and `results`",
    ),
    (
        scf.IfOp,
        "the region of the condition",
        "to use it after the region, let both regions give it: `give` and `results`",
    ),
    (ws.RoleOp, "the role", "compute it in each role, or pass it through a ring"),
    (ptx.KernelOp, "another kernel", "use values of one kernel"),
)
"""Operations whose values are unknown outside of their regions, with words for a message."""


def _line_of(op: Operation) -> str:
    place = op.location
    if not isinstance(place, FileLineColLoc):
        return ""
    return f" at {place.filename.data}:{place.line.data}"


class Insertion:
    """The entry block of a kernel, its constants, and the regions that are open."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self._open: list[Block] = []
        """The blocks of the open regions, the innermost last."""
        self.left: FileLineColLoc | None = None
        """Where a loop is that Python left before its end."""
        self._constants: dict[tuple[bool, str, float, str], Operation] = {}

    @property
    def innermost(self) -> Block | None:
        """The block of the innermost open region; None outside of regions."""
        return self._open[-1] if self._open else None

    @contextmanager
    def inside(self, block: Block) -> Generator[None]:
        """Insert the operations that are created at the end of a block."""
        self._open.append(block)
        builder = Builder(InsertPoint.at_end(block), operation_insertion_handler=[self._inserted])
        try:
            with ImplicitBuilder(builder):
                yield
        finally:
            self._open.pop()

    def _inserted(self, op: Operation) -> None:
        place = users_place()
        if place is not None:
            op.location = place
        for operand in op.operands:
            self._check_known(operand)

    def _check_known(self, value: SSAValue) -> None:
        """
        Raise ValueError for a value of a loop or a condition that has ended, or of another kernel.

        Values of a production or a consumption are known after it, because it gives them.
        """
        owner = value.owner
        block = owner if isinstance(owner, Block) else owner.parent
        while block is not None and block is not self.block and block not in self._open:
            around = block.parent_op()
            for kind, where, help_ in _UNKNOWN_OUTSIDE:
                if isinstance(around, kind):
                    name = value.name_hint or "a value"
                    raise ValueError(f"{name} is known only in {where}{_line_of(around)}: {help_}")
            block = None if around is None else around.parent

    @contextmanager
    def here(self) -> Generator[None]:
        """Insert the operations that are created in the open region, or else in the entry block."""
        if self._open:
            yield
            return
        with self.inside(self.block):
            yield

    def constant(self, number: object, type_: Attribute | None = None) -> SSAValue:
        """
        A constant of a number or of a vector, by default of the type i32 or f32. All constants are
        at the beginning of the kernel, in order, each one once.

        Raises TypeError if the number is no constant of the type.
        """
        if type_ is None:
            type_ = f32 if isinstance(number, float) else i32
        vector = vector_type(type_)
        element: Attribute = type_ if vector is None else vector.get_element_type()
        value = _constant(number, element)
        if not isinstance(number, int | float) or value is None:
            raise TypeError(f"expected a value or a constant of the type {type_}; found {number!r}")
        if vector is not None:
            value = DenseIntOrFPElementsAttr.from_list(vector, [number])
        # The text of the value tells -0.0 from 0.0.
        key = isinstance(element, AnyFloat), str(cast(object, type_)), number, str(value)
        if key not in self._constants:
            later = [op for each, op in self._constants.items() if each > key]
            first = min(later, key=_place_in_block) if later else self._behind_constants()
            point = InsertPoint.at_end(self.block) if first is None else InsertPoint.before(first)
            with ImplicitBuilder(Builder(point, operation_insertion_handler=[self._inserted])):
                self._constants[key] = arith.ConstantOp(value)
            if isinstance(type_, IntegerType) and isinstance(number, int) and number >= 0:
                self._constants[key].results[0].name_hint = f"c{number}"
        return self._constants[key].results[0]

    def _behind_constants(self) -> Operation | None:
        op = self.block.first_op
        while op in self._constants.values():
            assert op is not None
            op = op.next_op
        return op


def vector_type(type_: Attribute) -> VectorType[Any] | None:
    """The type of a vector; None for other types."""
    return cast("VectorType[Any]", type_) if isinstance(type_, VectorType) else None


def _constant(
    number: object, type_: Attribute
) -> IntegerAttr[IntegerType] | FloatAttr[AnyFloat] | None:
    """The attribute of a constant; None if the number is no constant of the type."""
    with suppress(VerifyException, OverflowError):
        if isinstance(type_, IntegerType) and isinstance(number, int):
            return IntegerAttr(number, cast("IntegerType", type_))
        if isinstance(type_, AnyFloat) and isinstance(number, int | float):
            return FloatAttr(float(number), type_)
    return None


def _place_in_block(op: Operation) -> int:
    count = 0
    while (before := op.prev_op) is not None:
        op, count = before, count + 1
    return count


P = ParamSpec("P")
R = TypeVar("R")

_KINDS: Mapping[object, str] = {
    NoneType: "None",
    bool: "True or False",
    int: "an int, which is known when Python builds the kernel",
    float: "a number, which is known when Python builds the kernel",
    str: "a str",
    Attribute: "a type of xDSL, such as bf16",
    Operation: "an operation of xDSL with one result",
    SSAValue: "a value of xDSL",
    SharedTileType: "the type of a tile, such as tile(64, 64, bf16) or the `tile` of a tensor map",
    TensorMemoryType: "the type of a matrix in tensor memory, such as accumulator(128, 256)",
}
"""Class -> the noun of messages. Classes of the builder have their own one in `KIND`."""
_CHECKED = ("__init__", "__getitem__")
"""The special methods whose arguments are checked; operators check their operands themselves."""
_MOST_CHARACTERS = 200


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """
    The same function, which checks its arguments by their annotations.

    The function then raises TypeError for an argument of a wrong type, and ValueError for an
    unknown word of a `Literal` or if an operation or a type that it makes is illegal by itself.
    """

    @wraps(function)
    def call(*positional: P.args, **named: P.kwargs) -> R:
        for name, given, annotation in _arguments(function, positional, named):
            _check(f"{function.__qualname__}: {name}", given, annotation)
        try:
            return function(*positional, **named)
        except VerifyException as error:
            if isinstance(error.__cause__, Violation):
                raise error.__cause__ from None
            raise ValueError(f"{function.__qualname__}: {error}") from None

    return call


class Checked:
    """A class whose public methods check their arguments by their annotations."""

    KIND: ClassVar[str] = ""
    """The noun of messages for an instance."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for name, each in [*vars(cls).items()]:
            if isinstance(each, FunctionType) and (not name.startswith("_") or name in _CHECKED):
                setattr(cls, name, checked(each))


@cache
def _declared(function: Callable[..., object]) -> tuple[inspect.Signature, Mapping[str, Any]]:
    return inspect.signature(function), get_type_hints(function, include_extras=True)


def _arguments(
    function: Callable[..., object], positional: Sequence[object], named: Mapping[str, object]
) -> Iterator[tuple[str, object, object]]:
    """The annotated arguments: name, value and annotation. Raises TypeError."""
    signature, hints = _declared(function)
    try:
        bound = signature.bind(*positional, **named)
    except TypeError as error:
        raise TypeError(f"{function.__qualname__}: {error}") from None
    for name, given in bound.arguments.items():
        kind = signature.parameters[name].kind
        if name in hints and kind is not inspect.Parameter.VAR_KEYWORD:
            several = kind is inspect.Parameter.VAR_POSITIONAL
            for each in cast("Sequence[object]", given) if several else (given,):
                yield name, each, hints[name]


def _check(what: str, given: object, annotation: object) -> None:
    if _fits(given, annotation):
        return
    words = get_args(annotation) if get_origin(annotation) is Literal else ()
    if words and isinstance(given, str):
        check_word(what, given, words)
    raise TypeError(f"{what} must be {_kind(annotation)}; found {shown(given)}")


def _fits(given: object, annotation: object) -> bool:
    """Whether a value has a type; annotations without a check, such as Any, take all values."""
    origin, arguments = get_origin(annotation) or annotation, get_args(annotation)
    if origin is Annotated:
        return _fits(given, arguments[0])
    if origin in (Union, UnionType):
        return any(_fits(given, each) for each in arguments)
    if origin is Literal:
        return isinstance(given, str) and given in arguments
    if origin in (Sequence, tuple):
        if not isinstance(given, Sequence) or isinstance(given, str | bytes):
            return False
        items = list(cast("Sequence[object]", given))
        if origin is tuple and len(items) != len(arguments):
            return False
        kinds = arguments if origin is tuple else arguments * len(items)
        return all(map(_fits, items, kinds))
    if origin is float:
        return isinstance(given, int | float) and not isinstance(given, bool)
    if origin is int:
        return isinstance(given, int) and not isinstance(given, bool)
    return origin is Any or not isinstance(origin, type) or isinstance(given, origin)


def _kind(annotation: object) -> str:
    """The noun of a message for a type; `Annotated` gives its own."""
    origin, arguments = get_origin(annotation) or annotation, get_args(annotation)
    if origin is Annotated:
        return str(arguments[1])
    if origin in (Union, UnionType):
        kinds = [_kind(each) for each in arguments if each is not NoneType]
        return ", or ".join([*dict.fromkeys(kinds), *(["None"] if NoneType in arguments else [])])
    if origin is Literal:
        return alternatives(arguments)
    if origin is Sequence:
        return f"a sequence, such as a list, in which each element is {_kind(arguments[0])}"
    if origin is tuple:
        return f"a tuple of {len(arguments)}: {'; '.join(map(_kind, arguments))}"
    if isinstance(origin, type) and issubclass(origin, Checked):
        return origin.KIND
    return _KINDS.get(cast(object, origin), "an object of another type")


def shown(given: object) -> str:
    """A value that a message quotes."""
    text = given.name if isinstance(given, Operation) else repr(given)
    return text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS]}..."


def check_word(name: str, found: object, legal: Collection[str]) -> None:
    """Raise ValueError for an argument that is none of some words."""
    if found not in legal:
        help_ = did_you_mean(found, legal) if isinstance(found, str) else ""
        end = f": {help_}" if help_ else ""
        raise ValueError(f"{name} must be {alternatives(tuple(legal))}; found {found!r}{end}")


def check_positive(name: str, *found: int) -> None:
    """Raise ValueError for a number below 1."""
    for each in found:
        if each < 1:
            raise ValueError(f"{name} must be at least 1; found {each}")


def check_name(found: str) -> None:
    """Raise ValueError for what cannot be the name of a value in the text of IR."""
    if not SSAValue.is_valid_name(found):
        raise ValueError(
            "a name must be letters, digits, _, $, . and -, and not begin with a digit; found "
            f"{found!r}"
        )


@checked
def accumulator(rows: int, columns: int, element: Attribute = f32) -> TensorMemoryType:
    """The type of the accumulator of one CTA."""
    return _matrix(rows, columns, element, ACCUMULATOR)


@checked
def matrix_a(
    rows: int, columns: int, element: Attribute, packing: str = PACKINGS[0]
) -> TensorMemoryType:
    """The type of a matrix A in tensor memory; elements of fewer than 8 bits may be `packed`."""
    return _matrix(rows, columns, element, MATRIX_A, packing)


@checked
def scale_factors(rows: int, factors: int, element: Attribute = f8E8M0FNU) -> TensorMemoryType:
    """The type of scale factors in tensor memory, with `factors` for each row."""
    return _matrix(rows, factors, element, SCALE)


@checked
def metadata(rows: int, indices: int) -> TensorMemoryType:
    """The type of the metadata of a sparse A in tensor memory, with `indices` for each row."""
    return _matrix(rows, indices, IntegerType(INDEX.bits), METADATA)


def _matrix(
    rows: int, columns: int, element: Attribute, role: str, packing: str = PACKINGS[0]
) -> TensorMemoryType:
    _check_element(element, ROLES[role])
    check_positive("an extent", rows, columns)
    check_word("packing", packing, PACKINGS)
    legal = frozenset(each.rows for each in LAYOUTS.values())
    if role in (ACCUMULATOR, MATRIX_A) and rows not in legal:
        what = "the number of rows of a matrix that a product has in one CTA"
        raise LAYOUT_RULE.violation(rows, legal, what)
    return TensorMemoryType.get(rows, columns, element, role, packing=packing)


@checked
def copied(matrix: TensorMemoryType) -> SharedTileType:
    """The type of the tile in shared memory that is copied to scale factors or metadata in tensor
    memory. Raises TypeError for other types, and ValueError for extents that blocks cannot fill."""
    if not _is_copied(matrix):
        raise TypeError(f"expected the type of scale factors or of metadata; found {matrix}")
    tile = SharedTileType(matrix)
    raise_any(tile.violations())
    return tile


def _is_copied(type_: object) -> bool:
    return isinstance(type_, TensorMemoryType) and type_.role.data in COPIED_ROLES


@checked
def tile(
    rows: int,
    columns: int,
    element: Attribute,
    major: str = MAJORS[0],
    swizzle: str | None = None,
    atom_order: str = ATOM_ORDERS[0],
    packing: str = PACKINGS[0],
) -> SharedTileType:
    """
    The type of a tile in shared memory. Columns are contiguous; they are along K, or along M or N
    if the tile is `mn_major`. The default swizzle mode is the widest that fits.

    Consecutive atoms are adjacent along K or, with `atom_order="mn_first"`, along M or N. A tile
    whose rows take several boxes of 128 bytes needs `mn_first`. Elements of fewer than 8 bits
    occupy 8 bits, unless they are `packed`.

    Raises TypeError for an element that is no element type of a matrix, and ValueError for an
    unknown word.
    """
    _check_element(element, ELEMENT_TYPES)
    check_positive("an extent", rows, columns)
    check_word("major", major, MAJORS)
    check_word("atom_order", atom_order, ATOM_ORDERS)
    check_word("packing", packing, PACKINGS)
    mn, k = (rows, columns) if major == MAJORS[0] else (columns, rows)
    bits, pads = ELEMENT_TYPES[element].bits, packing == PACKINGS[0]
    if swizzle is None:
        layout = SharedMemoryLayout(mn, k, bits, major, "no_swizzle", pads=pads)
        swizzle = _widest_swizzle(columns * layout.container_bits // 8)
    check_word("swizzle", swizzle, SWIZZLES)
    return SharedTileType.get(mn, k, element, major, swizzle, atom_order, packing)


def box_of(tile: SharedTileType, outer: Sequence[int], kind: str | None = None) -> Box:
    """The box of a tensor map that fills a tile; `outer` holds the extents of further dimensions.
    `kind` is the element type of the map, if it does not follow from the tile."""
    layout, element = tile.layout, tile.descriptor.element_type
    kind = element_type(element.name, layout.bits, layout.container_bits) if kind is None else kind
    return Box((*reversed(tile.extents), *reversed(outer)), kind, layout.swizzle)


def _widest_swizzle(row: int) -> str:
    """The swizzle mode with the widest rows that divide a row of `row` bytes."""
    modes = [mode for mode in SWIZZLES.values() if row % mode.width == 0]
    # A mode with larger chunks fits few tiles.
    usual = [mode for mode in modes if mode.chunk == UNIT_BYTES]
    return max(usual, key=lambda mode: mode.width, default=SWIZZLES["no_swizzle"]).name


def _check_element(element: Attribute, legal: Collection[Attribute]) -> None:
    if element not in legal:
        text = alternatives(tuple(map(str, legal)))
        raise TypeError(f"an element must be one of the types of xDSL {text}; found {element!r}")


def conversion(
    old: Attribute, new: Attribute, of_vector: bool
) -> Callable[[SSAValue, Any], Operation] | None:
    """The operation of a conversion; None if there is none."""
    if isinstance(old, AnyFloat) and isinstance(new, AnyFloat):
        return arith.ExtFOp if old.bitwidth < new.bitwidth else arith.TruncFOp
    if isinstance(old, IntegerType) and isinstance(new, AnyFloat):
        is_unsigned = cast("IntegerType", old).signedness.data == Signedness.UNSIGNED
        if not of_vector:
            return arith.UIToFPOp if is_unsigned else arith.SIToFPOp
        op_type = ws.UIToFPOp if is_unsigned else ws.SIToFPOp
        return lambda integers, type_: op_type(integers, result_type=type_)
    if of_vector:
        return None
    if isinstance(old, AnyFloat) and isinstance(new, IntegerType):
        return arith.FPToSIOp
    if isinstance(old, IntegerType) and isinstance(new, IntegerType):
        return arith.ExtUIOp if old.bitwidth < new.bitwidth else arith.TruncIOp
    return None

"""
Construction of operations: typed constructors, and fast and thread-safe creation.

- `ConstructedOperation` derives the constructor of an operation from its definition.
- `CreatedOperation` makes an operation in 4 instead of the 9 µs of `Operation.create`, which took
  almost half of the time of a lowering. It can be deleted when `Operation.create` is as fast.
- `take_objects_as_values` lets objects that stand for a value, such as those of the builder, be
  operands of xDSL's operations. It replaces `SSAValue.get` and `irdl_build_operations_arg`, and can
  be deleted when xDSL has an interface for such objects.
- `insert_by_thread` inserts operations by the `ImplicitBuilder` of the thread that creates them.
  xDSL replaces a method of all operations while a builder is active, and restores the method that
  it found, so that several threads insert an operation twice or never. It can be deleted when xDSL
  does not replace the method.

Uses these private names of xDSL: `_operands`, `_operand_uses`, `_current_builder`,
`_override_operation_post_init`.
"""

from abc import ABC
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from inspect import Parameter, Signature
from typing import Any, NamedTuple, Protocol, Self, TypeAlias, cast, runtime_checkable

from typing_extensions import TypeVar
from xdsl import builder
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    UNKNOWN_LOC,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FloatAttr,
    IntAttr,
    IntegerAttr,
    LocationAttr,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue, SSAValues, Use
from xdsl.irdl import (
    AttributeDef,
    InferenceContext,
    IRDLOperation,
    OptionalDef,
    OptPropertyDef,
    PropertyDef,
    VariadicDef,
    operations,
)
from xdsl.traits import SingleBlockImplicitTerminator, ensure_terminator

from .attributes import attribute_of, plain_types

_OVERRIDE = "_override_operation_post_init"
_created: Callable[[Operation], None] = Operation.__post_init__


def _insert_created(self: Operation) -> None:
    _created(self)
    current = vars(builder)["_current_builder"].builder
    # An ImplicitBuilder that was active during the import has inserted the operation.
    if current is not None and self.parent is None:
        current.insert(self)


def _install() -> Callable[[Operation], None]:
    Operation.__post_init__ = _insert_created
    return _insert_created


def insert_by_thread() -> None:
    """Let each thread insert the operations that it creates, for the rest of the process."""
    # If xDSL no longer calls it, a test fails.
    setattr(builder, _OVERRIDE, _install)
    _install()


insert_by_thread()
OperationT = TypeVar("OperationT", bound=Operation)
_NONE: Mapping[str, Attribute] = {}


class CreatedOperation(IRDLOperation, ABC):
    """An operation that is made in less time."""

    @classmethod
    def create(
        cls,
        *,
        operands: Sequence[SSAValue] = (),
        result_types: Sequence[Attribute] = (),
        properties: Mapping[str, Attribute] = _NONE,
        attributes: Mapping[str, Attribute] = _NONE,
        location: LocationAttr | None = None,
        successors: Sequence[Block] = (),
        regions: Sequence[Region] = (),
    ) -> Self:
        op = CreatedOperation.made(cls, operands, result_types, properties, attributes, regions)
        if location is not None:
            op.location = location
        if successors:
            op.successors = successors
        return op

    @staticmethod
    def made(
        op_type: type[OperationT],
        operands: Sequence[SSAValue] = (),
        result_types: Sequence[Attribute] = (),
        properties: Mapping[str, Attribute] = _NONE,
        attributes: Mapping[str, Attribute] = _NONE,
        regions: Sequence[Region] = (),
    ) -> OperationT:
        """An operation of any dialect, without successors."""
        defaults = _defaults(op_type)
        op = op_type.__new__(op_type)
        uses: list[Use] = []
        for at, operand in enumerate(operands):
            use = Use(op, at)
            operand.add_use(use)
            uses.append(use)
        op._operands = SSAValues(operands)
        op._operand_uses = tuple(uses)
        op.results = SSAValues([OpResult(each, op, at) for at, each in enumerate(result_types)])
        op.properties = dict(properties)
        op.attributes = dict(attributes)
        op.location = UNKNOWN_LOC
        for region in regions:
            op.add_region(region)
        for name, default in defaults.properties:
            op.properties.setdefault(name, default)
        for name, default in defaults.attributes:
            op.attributes.setdefault(name, default)
        # This method inserts the operation for an ImplicitBuilder.
        Operation.__post_init__(op)
        return op


class _Defaults(NamedTuple):
    """The properties and attributes that an operation has unless they are given."""

    properties: Sequence[tuple[str, Attribute]]
    attributes: Sequence[tuple[str, Attribute]]


@cache
def _defaults(op_type: type[Operation]) -> _Defaults:
    if not issubclass(op_type, IRDLOperation):
        return _Defaults((), ())
    definition = op_type.get_irdl_definition()
    return _Defaults(_given(definition.properties), _given(definition.attributes))


def _given(definitions: Mapping[str, PropertyDef | AttributeDef]) -> list[tuple[str, Attribute]]:
    return [
        (name, each.default_value)
        for name, each in definitions.items()
        if each.default_value is not None and not isinstance(each, OptionalDef)
    ]


Operands: TypeAlias = Mapping[str, Sequence[SSAValue]]
"""The operands of an operation by name."""
Properties: TypeAlias = Mapping[str, Attribute]
"""The properties of an operation by name."""


@runtime_checkable
class HasValue(Protocol):
    """Anything that stands for a value of IR."""

    @property
    def ssa_value(self) -> SSAValue: ...


class Constructible(CreatedOperation, ABC):
    """An operation whose constructor follows from its definition and from these methods."""

    @classmethod
    def operand_order(cls) -> Sequence[str]:
        """The names of the operands in the order in which the constructor takes them."""
        return [name for name, _ in cls.get_irdl_definition().operands]

    @classmethod
    def optional_operands(cls) -> Sequence[str]:
        """The names of the operands that may be left out, which are given by name."""
        defined = cls.get_irdl_definition().operands
        return [name for name, each in defined if isinstance(each, OptionalDef)]

    @classmethod
    def inferred_types(
        cls, operands: Operands, properties: Properties
    ) -> Sequence[Attribute] | None:
        """
        The types of the results, where they follow from operands and properties.

        None if they do not; the constructor then needs them. The operands and properties may be
        illegal: the verifier refuses the operation later.
        """
        return None

    @classmethod
    def block_arguments(cls, operands: Operands, properties: Properties) -> Sequence[Attribute]:
        """The types of the arguments of the block of a region that is not given."""
        return ()


class ConstructedOperation(Constructible, ABC):
    """
    An operation that is constructed from values and plain Python objects.

    The parameters follow from the definition; see `construction.signature_of`, and `operations` for
    their types. xDSL's own way, with a list for each group, remains as the class method `build`.
    """

    def __init__(self, *positional: Any, **named: Any) -> None:
        super().__init__(**arguments_of(type(self), positional, named))
        if any(block.ops for region in self.regions for block in region.blocks):
            for trait in self.get_traits_of_type(SingleBlockImplicitTerminator):
                ensure_terminator(self, trait)


STATIC = "static_"
"""Before the name of operands that may be numbers: the property that holds the numbers."""
_SEGMENTS = ("operandSegmentSizes", "resultSegmentSizes")
"""Properties that follow from the numbers of operands and results."""
_RESULT_TYPE, _RESULT_TYPES, _ATTRIBUTES = "result_type", "result_types", "attributes"
_VALUE, _INDEX, _REGION = "Value", "Value | int", "Body"
_ATTRIBUTE = "Attribute"


class _Plan:
    """The definition of an operation, and the parameters of its constructor."""

    def __init__(self, op_type: type[Constructible]) -> None:
        definition = op_type.get_irdl_definition()
        self.op_type = op_type
        self.operands = dict(definition.operands)
        self.order = op_type.operand_order()
        self.optional = op_type.optional_operands()
        self.static = {name for name in self.operands if STATIC + name in definition.properties}
        implied = {*_SEGMENTS, *(STATIC + name for name in self.static)}
        self.properties = {
            name: each for name, each in definition.properties.items() if name not in implied
        }
        self.successors = dict(definition.successors)
        self.regions = dict(definition.regions)
        self.results = [each for _, each in definition.results]
        self.names_results = not all(
            not isinstance(each, VariadicDef)
            and each.constr.can_infer(frozenset(), length_known=True)
            for each in self.results
        )
        self.is_inferring = (
            op_type.inferred_types.__func__ is not Constructible.inferred_types.__func__
        )
        self.signature = Signature([*self._positional(), *self._named()])

    @property
    def has_several_results(self) -> bool:
        """Whether the constructor takes a list of the types of results."""
        return len(self.results) != 1 or isinstance(self.results[0], VariadicDef)

    def _positional(self) -> Iterator[Parameter]:
        kind = Parameter.POSITIONAL_OR_KEYWORD
        for name, each in self.successors.items():
            several = isinstance(each, VariadicDef)
            yield Parameter(name, kind, annotation="Sequence[Block]" if several else "Block")
        names = [each for each in self.order if each not in self.optional]
        for index, name in enumerate(names):
            is_list = isinstance(self.operands[name], VariadicDef)
            rest = (self.operands[each] for each in names[index:])
            default = () if all(isinstance(e, VariadicDef) for e in rest) else Parameter.empty
            item = _INDEX if name in self.static else _VALUE
            annotation = f"Sequence[{item}]" if is_list else _VALUE
            yield Parameter(name, kind, default=default, annotation=annotation)

    def _named(self) -> Iterator[Parameter]:
        kind = Parameter.KEYWORD_ONLY
        for name in self.optional:
            if isinstance(self.operands[name], OptionalDef):
                yield Parameter(name, kind, default=None, annotation=f"{_VALUE} | None")
            else:
                yield Parameter(name, kind, default=(), annotation=f"Sequence[{_VALUE}]")
        for name, each in self.properties.items():
            types = plain_types(each.constr)
            if isinstance(each, OptPropertyDef) or each.default_value is not None:
                yield Parameter(name, kind, default=None, annotation=f"{types} | None")
            else:
                yield Parameter(name, kind, annotation=types)
        if self.names_results:
            yield self._result_parameter(kind)
        for name in self.regions:
            yield Parameter(name, kind, default=None, annotation=f"{_REGION} | None")
        annotation = f"Mapping[str, {_ATTRIBUTE}] | None"
        yield Parameter(_ATTRIBUTES, kind, default=None, annotation=annotation)

    def _result_parameter(self, kind: Any) -> Parameter:
        several = self.has_several_results
        name = _RESULT_TYPES if several else _RESULT_TYPE
        types = f"Sequence[{_ATTRIBUTE}]" if several else _ATTRIBUTE
        if self.is_inferring:
            return Parameter(name, kind, default=None, annotation=f"{types} | None")
        default = () if several else Parameter.empty
        return Parameter(name, kind, default=default, annotation=types)


@cache
def _plan(op_type: type[Constructible]) -> _Plan:
    return _Plan(op_type)


def signature_of(op_type: type[Constructible]) -> Signature:
    """
    The parameters of the constructor of an operation; their annotations are texts.

    Blocks and required operands come first, in the order of the text. Optional operands,
    properties, types of results that do not follow, and regions are given by name.
    """
    return _plan(op_type).signature


def arguments_of(
    op_type: type[Constructible], positional: Sequence[Any], named: Mapping[str, Any]
) -> dict[str, Any]:
    """The arguments of xDSL's constructor, from the arguments of an operation. Raises TypeError."""
    plan = _plan(op_type)
    try:
        bound = plan.signature.bind(*positional, **named)
    except TypeError as error:
        raise TypeError(f"{op_type.name}: {error}") from None
    bound.apply_defaults()
    given = bound.arguments
    operands, properties = _operands(plan, given), _properties(plan, given)
    for name in plan.static:
        operands[name], properties[STATIC + name] = _split(op_type.name, name, given[name])
    return {
        "operands": [operands[name] for name in plan.operands],
        "result_types": _result_types(plan, given, operands, properties),
        "properties": properties,
        "attributes": given[_ATTRIBUTES] or {},
        "successors": [given[name] for name in plan.successors],
        "regions": [_region(plan, given[name], operands, properties) for name in plan.regions],
    }


def value_of(given: object, what: str) -> SSAValue:
    """The value that is given for an operand. Raises TypeError."""
    if isinstance(given, SSAValue):
        return cast("SSAValue", given)
    if isinstance(given, Operation):
        if len(given.results) == 1:
            return given.results[0]
        found = f"{given.name}, which has {len(given.results)} results"
    elif isinstance(given, HasValue):
        return given.ssa_value
    else:
        found = repr(given)
    raise TypeError(f"{what}: expected a value, or an operation with one result; found {found}")


def _operands(plan: _Plan, given: Mapping[str, Any]) -> dict[str, list[SSAValue]]:
    found: dict[str, list[SSAValue]] = {}
    for name, each in plan.operands.items():
        what = f"{plan.op_type.name}: {name}"
        if name in plan.static:
            continue
        if isinstance(each, OptionalDef) or not isinstance(each, VariadicDef):
            found[name] = [] if given[name] is None else [value_of(given[name], what)]
        else:
            found[name] = [value_of(item, what) for item in given[name]]
    return found


def _split(
    op_name: str, name: str, given: Sequence[object]
) -> tuple[list[SSAValue], DenseArrayBase[Any]]:
    """The values among operands that may be numbers, and the property that holds the numbers."""
    what = f"{op_name}: {name}"
    mixed = [each if isinstance(each, int) else value_of(each, what) for each in given]
    numbers = [each if isinstance(each, int) else DYNAMIC_INDEX for each in mixed]
    values = [each for each in mixed if not isinstance(each, int)]
    return values, DenseArrayBase.from_list(i64, numbers)


def _properties(plan: _Plan, given: Mapping[str, Any]) -> dict[str, Attribute]:
    found: dict[str, Attribute] = {}
    for name, each in plan.properties.items():
        if given[name] is not None:
            what = f"{plan.op_type.name}: {name}"
            attribute = attribute_of(given[name], each.constr, what, given.get(_RESULT_TYPE))
            if attribute is not None:
                found[name] = attribute
    return found


def _result_types(
    plan: _Plan,
    given: Mapping[str, Any],
    operands: Mapping[str, Sequence[SSAValue]],
    properties: Mapping[str, Attribute],
) -> list[Attribute | Sequence[Attribute]]:
    """The types of each result, or list of results, of the definition. Raises TypeError."""
    op_type = plan.op_type
    if not plan.names_results:
        return [each.constr.infer(InferenceContext(), length=1)[0] for each in plan.results]
    types = given[_RESULT_TYPES if plan.has_several_results else _RESULT_TYPE]
    if types is None:
        types = op_type.inferred_types(operands, properties)
        if types is None:
            name = _RESULT_TYPES if plan.has_several_results else _RESULT_TYPE
            raise TypeError(f"{op_type.name}: {name} does not follow from the operands: give it")
    elif not plan.has_several_results:
        types = [types]
    rest = list(types)
    spare = len(rest) - sum(not isinstance(each, VariadicDef) for each in plan.results)
    grouped: list[Attribute | Sequence[Attribute]] = []
    for each in plan.results:
        if isinstance(each, VariadicDef):
            grouped.append(rest[: max(spare, 0)])
            del rest[: max(spare, 0)]
        elif not rest:
            raise TypeError(f"{op_type.name}: too few result types: {len(list(types))}")
        else:
            grouped.append(rest.pop(0))
    return grouped


def _region(
    plan: _Plan,
    given: Any,
    operands: Mapping[str, Sequence[SSAValue]],
    properties: Mapping[str, Attribute],
) -> Region:
    if given is None:
        return Region(Block(arg_types=plan.op_type.block_arguments(operands, properties)))
    if isinstance(given, Block):
        return Region(given)
    return given if isinstance(given, Region) else Region(Block(given))


_get = SSAValue.get
_built = operations.irdl_build_operations_arg


def _value(arg: Any, **named: Any) -> SSAValue:
    return _get(arg if isinstance(arg, Operation) else value_of(arg, "an operand"), **named)


def _operand(operand: Any) -> SSAValue | list[SSAValue]:
    if operand is None or isinstance(operand, (SSAValue, Operation, Iterable)):
        return _built(cast(Any, operand))
    return value_of(operand, "an operand")


def take_objects_as_values() -> None:
    """Let xDSL's constructors take such objects, and refuse others with TypeError, for the rest of
    the process."""
    # If xDSL no longer calls them, a test fails.
    setattr(SSAValue, _get.__name__, staticmethod(_value))
    setattr(operations, _built.__name__, _operand)


Value: TypeAlias = SSAValue | Operation | HasValue
"""An operand: a value, an operation with one result, or an object that stands for a value."""
Body: TypeAlias = Region | Block | Sequence[Operation]
"""A region."""
Flag: TypeAlias = bool | UnitAttr
Integer: TypeAlias = int | IntegerAttr[Any] | IntAttr
Float: TypeAlias = float | FloatAttr[Any]
Text: TypeAlias = str | StringAttr
Symbol: TypeAlias = str | SymbolRefAttr
Integers: TypeAlias = Sequence[int] | DenseArrayBase[Any]
Items: TypeAlias = Sequence[object] | ArrayAttr[Attribute]
"""A list of attributes or of plain values."""
Dictionary: TypeAlias = Mapping[str, object] | DictionaryAttr

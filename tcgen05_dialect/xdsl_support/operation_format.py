"""
What xDSL derives from the declaration of an operation: format, verifier and messages.

- `formats_parsed_at_first_use` postpones parsing of declarative formats. xDSL parses the format of
  every operation when its class is created, which takes a tenth of the compile time.
- `own_checks` is the verifier of an operation without the checks of its declaration. A run in the
  emulator verifies instructions with the values of registers, and these checks take more than half
  of the time. xDSL joins both in one method, in whose closure `custom_verify` is the name of the
  rest; without that name, the whole verifier is used. It can be deleted when xDSL calls the two
  separately.
- `printed_name` is the name of a value in printed IR. To look names up and to print a whole line
  takes two thirds of the time. It uses the private name `Printer._ssa_values`, and can be deleted
  when xDSL gives the name of a value without printing it.
- `check_properties` names a property that violates the declaration, and legal values. It can be
  deleted when xDSL's `verify_` does.
"""

from collections.abc import Callable, Collection, Generator, Mapping
from contextlib import contextmanager
from functools import cache, cached_property
from itertools import chain
from threading import Lock
from typing import Any

from typing_extensions import TypeVar
from xdsl import __version__
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AttrConstraint,
    IRDLOperation,
    OpDef,
    OptPropertyDef,
    VerificationContext,
    irdl_op_definition,
)
from xdsl.irdl.declarative_assembly_format import FormatProgram, ParsingState
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..isa.model.rule import Violation, alternatives, describe, did_you_mean
from ..isa.ptx.kernel import ATTRIBUTE_RULE, wrong_value
from .syntax_errors import sentence


def check_properties(op_type: type[IRDLOperation], properties: Mapping[str, Attribute]) -> None:
    """Check the properties of an operation. Raises Violation, which names the wrong property and
    shows a legal value."""
    declared = op_type.get_irdl_definition().properties
    for name in properties:
        if name not in declared:
            raise _unknown(name, declared)
    for name, definition in declared.items():
        attribute = properties.get(name)
        fault = None if attribute is None else _refusal(definition.constr, attribute)
        if attribute is None or fault is None:
            continue
        if isinstance(fault.__cause__, Violation):
            raise fault.__cause__
        samples = chain(
            (("a number", _number(attribute, type_)) for type_ in (i32, i64)),
            _SAMPLES,
        )
        fitting = (each for each in samples if _refusal(definition.constr, each[1]) is None)
        shown, legal = next(fitting, (_described(definition.constr, fault), None))
        raise wrong_value(attribute, shown, legal, name) from fault


def has_declared_properties(operation: Operation) -> bool:
    """Whether each property of an operation is as declared. If not, other code must not read it."""
    if not isinstance(operation, IRDLOperation):
        return True
    declared = operation.get_irdl_definition().properties
    return all(
        isinstance(definition, OptPropertyDef)
        if (attribute := operation.properties.get(name)) is None
        else _refusal(definition.constr, attribute) is None
        for name, definition in declared.items()
    )


_SAMPLES: tuple[tuple[str, Attribute], ...] = (
    ("a string", StringAttr("name")),
    ("the name of a symbol", SymbolRefAttr("name")),
    ("a list of numbers", DenseArrayBase.from_list(i32, [1])),
    ("a list of numbers", DenseArrayBase.from_list(i64, [1])),
    ("a list", ArrayAttr([])),
    ("a mark without a value", UnitAttr()),
    ("a dictionary", DictionaryAttr({})),
    ("a type of functions", FunctionType.from_lists([], [])),
    ("a truth", IntegerAttr(1, i1)),
    ("a type", i32),
)
"""Kinds of attributes, each with an example."""


def _described(constraint: AttrConstraint, fault: VerifyException) -> str:
    """What a constraint allows: the attributes by their names, or else what xDSL says."""
    names = frozenset(f"#{base.name}" for base in constraint.get_bases() or ())
    return alternatives(names) if names else sentence(str(fault))


def _unknown(name: str, declared: Collection[str]) -> Violation:
    """The violation to raise for a property that an operation does not declare."""
    legal = describe(frozenset(declared))
    meant = did_you_mean(name, declared)
    help_ = meant or f"write the operation without {name}: xDSL {__version__} does not know it"
    return ATTRIBUTE_RULE.violation(name, legal, culprit=name, help=help_)


def _number(attribute: Attribute, type_: IntegerType) -> IntegerAttr:
    """The number in an attribute as one of a type, or else the usual number."""
    lowest, end = type_.value_range()
    number = number_in(attribute)
    return IntegerAttr(number if lowest <= number < end else 1, type_)


def number_in(attribute: Attribute, usual: int = 1) -> int:
    """The integer in an attribute, or else the usual number."""
    return attribute.value.data if isinstance(attribute, IntegerAttr) else usual


def _refusal(constraint: AttrConstraint, attribute: Attribute) -> VerifyException | None:
    try:
        constraint.verify(attribute, VerificationContext())
    except VerifyException as error:
        return error
    return None


OperationT = TypeVar("OperationT", bound=IRDLOperation)
_parse = FormatProgram.from_str


class _Program(FormatProgram):
    """A format whose errors name the property that is wrong."""

    def resolve_constraint_variables(self, state: ParsingState, op_def: OpDef) -> None:
        try:
            super().resolve_constraint_variables(state, op_def)
        except VerifyException:
            check_properties(state.op_type, state.properties)
            raise


class _Postponed:
    """A `FormatProgram` that is parsed at first use. It has the methods that xDSL calls."""

    def __init__(self, text: str, definition: OpDef) -> None:
        self._text, self._definition = text, definition

    @cached_property
    def program(self) -> FormatProgram:
        """The parsed format. Raises ParseError."""
        return _Program(_parse(self._text, self._definition).stmts)

    def parse(self, parser: Parser, op_type: type[OperationT]) -> OperationT:
        return self.program.parse(parser, op_type)

    def print(self, printer: Printer, op: IRDLOperation) -> None:
        self.program.print(printer, op)


class _Postponing:
    """The contexts, of all threads, in which formats are postponed; the first one replaces the
    function that parses formats, and the last one restores it."""

    def __init__(self) -> None:
        self._lock, self._active = Lock(), 0

    def enter(self) -> None:
        with self._lock:
            self._active += 1
            self._set(_Postponed)

    def leave(self) -> None:
        with self._lock:
            self._active -= 1
            if not self._active:
                self._set(_parse)

    def _set(self, parse: Callable[[str, OpDef], object]) -> None:
        # Not the class itself: xDSL's parser of formats may be imported, and take it, meanwhile.
        setattr(FormatProgram, _parse.__name__, staticmethod(parse))


_postponing = _Postponing()


@contextmanager
def formats_parsed_at_first_use() -> Generator[None]:
    """
    Postpone the parsing of formats while operation classes are created or imported.

    Another thread that creates classes at the same time postpones them too.
    """
    # Works because xDSL calls the function for each operation. If that changes, a test fails.
    _postponing.enter()
    try:
        yield
    finally:
        _postponing.leave()


def formatted_op_definition(op_type: type[OperationT]) -> type[OperationT]:
    """Define an operation with an `assembly_format`, as xDSL's `irdl_op_definition` does."""
    with formats_parsed_at_first_use():
        return irdl_op_definition(op_type)


@cache
def own_checks(op_type: type[Operation]) -> Callable[[Any], None]:
    """The verifier of an operation whose declaration holds. It raises VerifyException."""
    whole = op_type.verify_
    names = dict(zip(whole.__code__.co_freevars, whole.__closure__ or (), strict=True))
    own = names.get("custom_verify")
    return whole if own is None else own.cell_contents


def printed_name(printer: Printer, value: SSAValue) -> str | None:
    """The name, without `%`, that a value has been printed with; None if it has not been."""
    names: dict[SSAValue, str] = vars(printer)["_ssa_values"]
    return names.get(value)

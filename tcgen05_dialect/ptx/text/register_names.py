"""
The PTX text of the values of a kernel: registers, also with names that `ptx.name` fixes, immediates
and addresses.

`ptx.name` is a string such as `"%sum"`, the name of the register of the first result, or an
array of strings for the first results. On a branch the strings are the labels of its first
successors, and on a loop the label of its beginning; an empty string leaves a label out. Other
registers and labels have numbers, which change if the kernel changes.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from string import digits
from typing import cast

from xdsl.dialects.builtin import (
    UNKNOWN_LOC,
    ArrayAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    i1,
    i16,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from ...isa.instructions.arithmetic import CONDITION_CODE
from ...isa.model.rule import Violation, plural
from ...isa.ptx import ptx_text
from ...isa.ptx.kernel import ATTRIBUTE_RULE, FLOAT_PREFIXES, IDENTIFIER_RULE, check_register_name
from ...isa.ptx.ptx_text import SINK, copy_of
from ...reporting.diagnostics import OperationError, located
from ...xdsl_support.attributes import attribute_bits
from ..register_types import RARE_CLASSES, REGISTER_CLASSES, register_class
from ..structure import AddressOfOp, ConstantOp
from ..types import NAME, CarryType, check_own_name
from ..variables import ParameterAddressOp, VariableAddressOp

_LOOPS = frozenset(("scf.for", "scf.while"))
_CLASSES = {**REGISTER_CLASSES, **RARE_CLASSES}
_PREFIXES = frozenset(prefix for _, prefix in _CLASSES.values())


def names_labels(op: Operation) -> bool:
    """Whether the names of an operation are those of labels."""
    return bool(op.successors) or op.name in _LOOPS


def register_names(op: Operation) -> list[str]:
    """The names that an operation gives the registers of its first results."""
    return [] if names_labels(op) else names_in(op)


def label_names(op: Operation) -> list[tuple[Block, str]]:
    """The labels that a branch gives its successors, or a loop its body."""
    if not names_labels(op):
        return []
    blocks = op.successors or [region.blocks[0] for region in op.regions[:1] if region.blocks]
    return [(block, name) for block, name in zip(blocks, names_in(op), strict=False) if name]


def names_in(op: Operation) -> list[str]:
    """The names in the attribute of an operation."""
    given = op.attributes.get(NAME)
    parts = cast("Sequence[object]", getattr(given, "data", ())) if given else ()
    parts = (given,) if isinstance(given, StringAttr) else parts
    return [part.data for part in parts if isinstance(part, StringAttr)]


def check_names_of(op: Operation) -> None:
    """Raise Violation for names of an operation that its registers cannot have."""
    given = op.attributes.get(NAME)
    if given is None:
        return
    names = names_in(op)
    if names_labels(op):
        count, what = len(op.successors) or 1, "label"
    elif op.regions and not op.name.startswith("ptx."):
        legal = "on a loop, a branch, or an operation without regions"
        raise ATTRIBUTE_RULE.violation(op.name, legal, NAME, culprit=NAME)
    else:
        count, what = len(op.results), "result"
    legal = f"at most {count} {plural('string', count)}, one for each {what}"
    if not names or len(names) > count:
        raise ATTRIBUTE_RULE.violation(given, legal, NAME, culprit=NAME)
    for name in names:
        if what == "result":
            check_register_name(name, _PREFIXES)
        elif name or count == 1:
            check_own_name(name)


def check_unique_names(kernel: Operation, taken: Callable[[], Collection[str]]) -> None:
    """
    Raise OperationError if two operations of a kernel fix the same name, or if a label has a name
    that is `taken`; that function is called only if there are such labels.

    Copies of an operation, which passes make, have its location and may have its names.
    """
    first: dict[str, Operation] = {}
    labelled: dict[str, tuple[Block, Operation]] = {}
    for op in kernel.walk():
        if NAME in op.attributes:
            for name in register_names(op):
                other = first.setdefault(name, op)
                if op.location is UNKNOWN_LOC or op.location == other.location:
                    continue
                legal = "a name that no other register of the kernel has"
                raise located(op, IDENTIFIER_RULE.violation(name, legal, culprit=NAME), other)
            for block, name in label_names(op):
                own, other = labelled.setdefault(name, (block, op))
                known = op.location is not UNKNOWN_LOC
                if own is not block and known and op.location != other.location:
                    legal = "a name that no other label of the kernel has"
                    raise located(op, IDENTIFIER_RULE.violation(name, legal, culprit=NAME), other)
    names = taken() if labelled else ()
    for name, (_, op) in labelled.items():
        if name in names:
            legal = "a name that no symbol of the module and no parameter has"
            raise located(op, IDENTIFIER_RULE.violation(name, legal, culprit=NAME))


def fixed_names(
    operations: Iterable[Operation], shared: Mapping[SSAValue, SSAValue]
) -> dict[SSAValue, str]:
    """
    Value -> the fixed name of its register; `shared` maps a value to that whose register it has.

    Of several names for one register, the first counts; a name that is taken gets a number.
    """
    found: dict[SSAValue, str] = {}
    taken: set[str] = set()
    for op in operations:
        if NAME not in op.attributes:
            continue
        for name, result in zip(register_names(op), op.results, strict=False):
            value = shared.get(result, result)
            if value not in found:
                found[value] = next(each for each in _versions(name) if each not in taken)
                taken.add(found[value])
    return found


def fixed_labels(blocks: Iterable[Block]) -> dict[Block, str]:
    """Block -> its fixed label. Of several, the first counts; one that is taken gets a number."""
    found: dict[Block, str] = {}
    taken: set[str] = set()
    for each in blocks:
        if each.last_op is None or NAME not in each.last_op.attributes:
            continue
        for block, name in label_names(each.last_op):
            if block not in found:
                found[block] = next(each for each in _versions(name) if each not in taken)
                taken.add(found[block])
    return found


def keep_labels(old: Operation, new: Operation) -> None:
    """Give a branch that replaces another one, or enters a loop, its labels."""
    named = dict(zip(old.successors, names_in(old), strict=False)) or dict(
        zip(new.successors, names_in(old), strict=False)
    )
    names = [named.get(each, "") for each in new.successors]
    if any(names):
        new.attributes[NAME] = ArrayAttr([*map(StringAttr, names)])


def _versions(name: str) -> Iterator[str]:
    yield name
    number = 1
    while True:
        yield f"{name}_{number}"
        number += 1


def name_registers(kernel: Operation) -> None:
    """
    Fix the names of the registers of a kernel that was read from PTX, as far as they are no numbers
    and their operations have an attribute for each; of several writes of a register, the first
    counts.
    """
    seen: set[str] = set()
    for op in kernel.walk():
        names: list[str] = []
        for result in op.results:
            name = f"%{result.name_hint}"
            if result.name_hint is None or name in seen or not _is_fixable(name):
                break
            names.append(name)
        if names and not isinstance(op, ConstantOp):
            seen.update(names)
            texts = [*map(StringAttr, names)]
            op.attributes[NAME] = texts[0] if len(texts) == 1 else ArrayAttr(texts)


def _is_fixable(name: str) -> bool:
    try:
        check_register_name(name, _PREFIXES)
    except Violation:
        return False
    return name[-1] not in digits


def keep_names(old: Operation, results: Iterable[SSAValue]) -> None:
    """Give the operations that compute the results of a replaced operation its names."""
    for name, result in zip(register_names(old), results, strict=False):
        op = result.owner
        if isinstance(op, Operation) and op.results[0] is result and NAME not in op.attributes:
            op.attributes[NAME] = StringAttr(name)


_FLOATS = tuple(FLOAT_PREFIXES.values())


def immediate_text(value: Attribute) -> str:
    match value:
        case IntegerAttr():
            number = value.value.data
            # ptxas refuses a negative number for a 16-bit mask; a signed instruction takes the
            # unsigned form as the same number.
            return str(number % (1 << 16) if value.type == i16 else number)
        case FloatAttr():
            bits, width = attribute_bits(value), value.type.bitwidth
            # PTX has float constants only for these widths.
            return f"{FLOAT_PREFIXES.get(width, '0x')}{bits:0{width // 4}X}"
        case _:
            raise TypeError(f"no immediate for {value}")


class KernelNames(dict[SSAValue, str]):
    """
    The registers of a kernel, numbered in order of first use; constants become immediates.

    `shared` maps a value to the value whose register it has. With `keeps_addresses`, an address
    that is in a register is not also written as the name of its variable. `fixed` has the values
    whose registers have names instead of numbers.
    """

    def __init__(
        self,
        emit: Callable[[str], None],
        shared: Mapping[SSAValue, SSAValue] | None = None,
        keeps_addresses: bool = False,
        fixed: Mapping[SSAValue, str] | None = None,
    ) -> None:
        super().__init__()
        self._fixed = fixed or {}
        self._declared: list[str] = []
        """The declarations of registers with fixed names."""
        self._emit = emit
        self._keeps_addresses = keeps_addresses
        self._shared = shared or {}
        self._numbers: dict[tuple[str, str], int] = {}
        self._classes: dict[int, tuple[str, str]] = {}
        """Identity of a type -> its register class; comparing types would be slower."""

    def __missing__(self, value: SSAValue) -> str:
        owner = value.owner
        if type(owner) is ConstantOp and value.type != i1:
            name = immediate_text(owner.value)
        elif (first := self._shared.get(value)) is not None:
            name = self[first]
        elif isinstance(value.type, CarryType):
            name = CONDITION_CODE
        else:
            try:
                name = self._named(value) or self.fresh(value.type)
            except VerifyException as error:
                op = owner if isinstance(owner, Operation) else owner.parent_op()
                if op is None:
                    raise
                raise OperationError(op, str(error)) from error
        self[value] = name
        return name

    def _named(self, value: SSAValue) -> str:
        """The fixed name of a register, which is then declared; empty if it has none."""
        if name := self._fixed.get(value, ""):
            type_ = register_class(value.type)[0]
            self._declared.append(f"\t{ptx_text.REGISTER} .{type_} {name};")
        return name

    def is_shared(self, one: SSAValue, other: SSAValue) -> bool:
        """Whether two values have the same register; this names neither."""
        return self._shared.get(one, one) is self._shared.get(other, other)

    def fresh(self, type_: Attribute) -> str:
        """An unused register for values of a type. Raises VerifyException."""
        found = self._classes.get(id(type_))
        if found is None:
            found = self._classes[id(type_)] = register_class(type_)
        number = self._numbers.get(found, 0) + 1
        self._numbers[found] = number
        return f"{found[1]}{number}"

    def register(self, value: SSAValue) -> str:
        """A register that holds a value; a constant is moved into a new one."""
        if type(value.owner) is not ConstantOp or value.type == i1:
            return self[value]
        register = self.fresh(value.type)
        self._emit(f"{copy_of(register_class(value.type)[0])} {register}, {self[value]}")
        return register

    def element(self, value: SSAValue) -> str:
        """An element of a vector. Float constants are moved into registers, because PTX does not
        allow them beside integers."""
        name = self[value]
        return self.register(value) if name.startswith(_FLOATS) else name

    def discard(self, value: SSAValue) -> None:
        """Print a result as `_`."""
        self[value] = SINK

    def address(self, value: SSAValue, offset: int) -> str:
        """The text of an address operand between its brackets."""
        owner = value.owner
        if isinstance(owner, AddressOfOp | ParameterAddressOp | VariableAddressOp) and not (
            value in self and (self._keeps_addresses or owner.in_register is not None)
        ):
            if not isinstance(owner, ParameterAddressOp):
                return variable(owner, offset)
            else:
                return f"{owner.text}+{offset}" if offset else owner.text
        register = self.register(value)
        return f"{register}+{offset}" if offset else register

    def declarations(self) -> Iterator[str]:
        """The declarations of all registers in use."""
        for (type_, prefix), count in sorted(self._numbers.items()):
            yield f"\t{ptx_text.REGISTER} .{type_} {prefix}<{count + 1}>;"
        yield from self._declared


def variable(op: AddressOfOp | VariableAddressOp, offset: int = 0) -> str:
    """The PTX text of an address in a variable, `offset` bytes after the address of `op`."""
    name, offset = op.variable.string_value(), op.start + offset
    return f"{name}+{offset}" if offset else name

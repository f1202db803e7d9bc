"""
Names that the attribute `ptx.name` fixes for the registers of results in PTX text.

The attribute is a string such as `"%sum"`, the name of the first result, or an array of strings for
the first results. Other registers have numbers, which change if the kernel changes.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from string import digits
from typing import cast

from xdsl.dialects.builtin import UNKNOWN_LOC, ArrayAttr, StringAttr
from xdsl.ir import Operation, SSAValue

from ..isa.model.rule import Violation, plural
from ..isa.ptx.ir_form import ATTRIBUTE_RULE
from ..isa.ptx.kernel import IDENTIFIER_RULE, check_register_name
from ..reporting.operation_error import located
from .register_types import RARE_CLASSES, REGISTER_CLASSES
from .structure import ConstantOp

NAME = "ptx.name"
_CLASSES = {**REGISTER_CLASSES, **RARE_CLASSES}
_PREFIXES = frozenset(prefix for _, prefix in _CLASSES.values())


def register_names(op: Operation) -> list[str]:
    """The names that an operation gives the registers of its first results."""
    given = op.attributes.get(NAME)
    parts = cast("Sequence[object]", getattr(given, "data", ())) if given else ()
    parts = (given,) if isinstance(given, StringAttr) else parts
    return [part.data for part in parts if isinstance(part, StringAttr)]


def check_names_of(op: Operation) -> None:
    """Raise Violation for names of an operation that its registers cannot have."""
    given = op.attributes.get(NAME)
    if given is None:
        return
    if op.regions and not op.name.startswith("ptx."):
        legal = "on an operation without regions, whose results are registers of its own"
        raise ATTRIBUTE_RULE.violation(op.name, legal, NAME, culprit=NAME)
    names = register_names(op)
    count = len(op.results)
    legal = f"at most {count} {plural('string', count)}, one for each result"
    if not names or len(names) > len(op.results):
        raise ATTRIBUTE_RULE.violation(given, legal, NAME, culprit=NAME)
    for name in names:
        check_register_name(name, _PREFIXES)


def check_unique_names(kernel: Operation) -> None:
    """Raise OperationError if two operations of a kernel fix the same name. Copies of an operation,
    which passes make, have its location and may have its names."""
    first: dict[str, Operation] = {}
    for op in kernel.walk():
        if NAME in op.attributes:
            for name in register_names(op):
                other = first.setdefault(name, op)
                if op.location is UNKNOWN_LOC or op.location == other.location:
                    continue
                legal = "a name that no other register of the kernel has"
                raise located(op, IDENTIFIER_RULE.violation(name, legal, culprit=NAME), other)


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

"""
Names that the attribute `ptx.name` fixes in PTX text.

The attribute is a string such as `"%sum"`, the name of the register of the first result, or an
array of strings for the first results. On a branch the strings are the labels of its first
successors, and on a loop the label of its beginning; an empty string leaves a label out. Other
registers and labels have numbers, which change if the kernel changes.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from string import digits
from typing import cast

from xdsl.dialects.builtin import UNKNOWN_LOC, ArrayAttr, StringAttr
from xdsl.ir import Block, Operation, SSAValue

from ..isa.model.rule import Violation, plural
from ..isa.ptx.kernel import ATTRIBUTE_RULE, IDENTIFIER_RULE, check_register_name
from ..reporting.diagnostics import located
from .own_names import NAME, check_own_name
from .register_types import RARE_CLASSES, REGISTER_CLASSES
from .structure import ConstantOp

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

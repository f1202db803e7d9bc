"""Errors of operands that are illegal for every value that their unknown bits can have, also where
a predicate selects one of several constants."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import compress, islice, product
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from ..isa.instructions.meaning import WHOLE
from ..isa.mma.instruction_descriptor import (
    InstructionDescriptor,
    descriptor_layout,
    without_later_k,
)
from ..isa.mma.products import TITLES
from ..isa.model.rule import Violation, combined
from ..isa.practice import kept_in_ptx
from ..isa.shared_memory.descriptor import (
    CONSTANT_BITS,
    DESCRIPTOR_LAYOUT,
    SharedMemoryDescriptor,
    is_unset,
    unset_violation,
    with_constant,
)
from ..ptx import instructions
from ..ptx.analysis.operand_checks import asked_values, verify_with, warnings_with
from ..ptx.analysis.values import backwards, evaluator, loads_parameter, source_type
from ..ptx.instruction import PureInstruction
from ..ptx.structure import ConstantOp
from ..ptx.tcgen05 import Tcgen05Instruction
from ..ptx.tcgen05_mma import Mma
from ..ptx.variables import ParameterUse
from ..reporting.diagnostics import OperationError, located, rule_of
from .accesses import allocation_errors, lane_errors, overlap_errors
from .fact import OPPOSITE, Condition, Fact
from .facts import Facts
from .kernel_facts import KernelFacts, descriptors_of, name_of, tcgen05_kernels
from .numbers import Number, is_pure

_MOST_PREDICATES = 4
_MOST_OPERATIONS = 64


class Choice(NamedTuple):
    """A value, and the conditions under which it is chosen."""

    value: int
    conditions: tuple[Condition, ...]


def choices(value: SSAValue, facts: Facts, held: Iterable[Condition]) -> list[Choice] | None:
    """
    The values of a computation from constants, for all combinations of the predicates that select
    them. Conditions that hold are taken into account. None if the value is not so computed.
    """
    fixed = dict(_decided(each, facts) for each in held)
    order: dict[SSAValue, None] = {}
    predicates: dict[Hashable, Condition] = {}
    if not _collect(value, facts, order, predicates):
        return None
    free = [key for key in predicates if key not in fixed]
    if len(free) > _MOST_PREDICATES:
        return None
    found: dict[int, Choice] = {}
    for truths in product((True, False), repeat=len(free)):
        chosen = {**fixed, **dict(zip(free, truths, strict=True))}
        result = _value(value, facts, reversed(order), chosen)
        if result is None:
            return None
        conditions = tuple(
            (predicates[key][0], truth is predicates[key][1])
            for key, truth in zip(free, truths, strict=True)
        )
        found.setdefault(result, Choice(result, conditions))
    return [*found.values()]


def chosen_by_launch(choice: Choice) -> bool:
    """Whether a choice depends on nothing but parameters of the kernel: no launch need make it."""
    predicates = (predicate for predicate, _ in choice.conditions)
    sources = backwards(
        predicates, {}, lambda op: op.operands if _depends_on_operands_only(op) else ()
    )
    return all(
        value.owner.prev_block is None
        if isinstance(value.owner, Block)
        else _depends_on_operands_only(value.owner)
        for value in sources
    )


def _depends_on_operands_only(op: Operation) -> bool:
    """Whether the results depend on nothing but the operands and the parameters."""
    return loads_parameter(op) or is_pure(type(op)) or isinstance(op, ConstantOp | ParameterUse)


def _collect(
    value: SSAValue,
    facts: Facts,
    order: dict[SSAValue, None],
    predicates: dict[Hashable, Condition],
) -> bool:
    """Collect the computations of a value, each before those it depends on, and the predicates of
    its selections. Returns whether everything else is constant."""
    pending = [value]
    while pending:
        each = pending.pop()
        if facts.number(each).constant is not None:
            continue
        owner = each.owner
        if not isinstance(owner, PureInstruction) or len(order) > _MOST_OPERATIONS:
            return False
        order.pop(each, None)
        order[each] = None
        if isinstance(owner, instructions.SelpOp):
            key, truth = _decided((owner.condition, True), facts)
            predicates.setdefault(key, (owner.condition, truth))
            pending += (owner.a, owner.b)
        elif owner.operands:
            pending += owner.operands
        else:
            return False
    return True


def _value(
    value: SSAValue,
    facts: Facts,
    order: Iterable[SSAValue],
    chosen: Mapping[Hashable, bool],
) -> int | None:
    known: dict[SSAValue, int] = {}

    def bits(each: SSAValue) -> int:
        constant = facts.number(each).constant
        return known[each] if constant is None else constant

    for each in order:
        owner = each.owner
        assert isinstance(owner, Operation)
        if isinstance(owner, instructions.SelpOp):
            key, truth = _decided((owner.condition, True), facts)
            known[each] = bits(owner.a if chosen[key] is truth else owner.b)
            continue
        evaluate = evaluator(owner)
        result = None if evaluate is None else evaluate(*map(bits, owner.operands))
        if result is None:
            return None
        known[each] = result
    return bits(value)


def _decided(condition: Condition, facts: Facts) -> tuple[Hashable, bool]:
    """What a condition is about, equal for a condition and its opposite, and whether it holds."""
    predicate, truth = condition
    while isinstance(predicate.owner, instructions.NotOp):
        predicate, truth = predicate.owner.a, not truth
    owner = predicate.owner
    if isinstance(owner, instructions.SetpOp) and source_type(owner) in WHOLE:
        name = owner.comparison.data
        if name > (opposite := OPPOSITE[name]):
            name, truth = opposite, not truth
        key = facts.key(owner.a), facts.key(owner.b), name, source_type(owner)
        return key, truth
    return facts.key(predicate), truth


_MOST_COMPLETIONS = 1024
"""The most words that are tried for a descriptor with unknown bits."""


def illegal_operands(known: KernelFacts) -> Iterator[OperationError]:
    """The errors, or warnings about PTX text, of instructions whose operands are certainly illegal:
    one for each instruction."""
    for op in known.instructions:
        violation = _violation(op, known)
        if violation is not None:
            yield located(op, violation)


def unset_descriptors(known: KernelFacts) -> Iterator[OperationError]:
    """The warnings of the instructions in a kernel of PTX text with a descriptor whose constant
    field is certainly 0."""
    if not known.kernel.is_read:
        return
    for op in known.instructions:
        for name, value in descriptors_of(op).items():
            number = known.facts.number(value)
            if is_unset(number.ones, number.known):
                yield located(op, unset_violation(name, TITLES.get(name, "")))
                break


def _violation(op: Tcgen05Instruction, known: KernelFacts) -> Violation | None:
    try:
        asked = asked_values(op)
    except VerifyException:
        # The verifier has reported it.
        return None
    if not asked:
        return None
    idesc = op.idesc if isinstance(op, Mma) else None
    tried: dict[SSAValue, Sequence[int]] = {}
    shared = descriptors_of(op).values()
    for value in asked:
        if value is idesc:
            continue
        fact = known.facts.fact(value)
        if value in shared and fact.number.constant is None:
            tried[value] = _descriptors(fact.number, known.kernel.is_read)
        elif values := _addresses(fact):
            tried[value] = values
    if isinstance(op, Mma) and op.idesc in asked:
        return _wrong_case(op, op.idesc, tried, known)
    return _wrong(op, {}, tried, known)


def _descriptors(number: Number, is_read: bool) -> Sequence[int]:
    """Descriptors with the known bits of a number that represent all of them; none if these are too
    many. In PTX text, which `is_read`, the constant field may be 0."""
    ones, known = number.ones, number.known
    if is_read and is_unset(ones):
        ones, known = with_constant(ones), known | CONSTANT_BITS
    # Any start address is legal.
    start = DESCRIPTOR_LAYOUT.field("start_address")
    known |= (1 << start.hi + 1) - (1 << start.lo)
    words = DESCRIPTOR_LAYOUT.completions(ones, known)
    first = next(words)
    try:
        SharedMemoryDescriptor.decode(first)
    except Violation:
        # A field is illegal, whatever the unknown bits are.
        return (first,)
    found = (first, *islice(words, _MOST_COMPLETIONS))
    return found if len(found) <= _MOST_COMPLETIONS else ()


def _addresses(fact: Fact) -> Sequence[int]:
    """The possible values of an address, relative to its allocation, or of another number."""
    return (fact.offset if fact.is_cell else fact.number).members or ()


def _wrong(
    op: Tcgen05Instruction,
    given: dict[SSAValue, int],
    tried: Mapping[SSAValue, Sequence[int]],
    known: KernelFacts,
) -> Violation | None:
    """The violation by an operand all of whose values are illegal together with the given ones."""
    for value, words in tried.items():
        least: Violation | None = None
        for word in words:
            found = _checked(op, {**given, value: word}, known)
            if found is None:
                least = None
                break
            if least is None or _weight(found) < _weight(least):
                least = found
        if least is not None:
            constant = known.facts.number(value).constant is not None
            return least if constant else _described(least, value, known)
    return None


def _weight(violation: Violation) -> tuple[bool, int]:
    """Whether a violation is an error, and the number of its parts."""
    return violation.rule.severity == "error", len(violation.parts)


def _described(violation: Violation, value: SSAValue, known: KernelFacts) -> Violation:
    every = f", for every value of {name_of(value)}"
    if known.facts.fact(value).slot is not None:
        every = f", relative to the address that alloc wrote ({name_of(value)})"
    return violation.ending(every)


def _checked(
    op: Tcgen05Instruction, bits: dict[SSAValue, int], known: KernelFacts
) -> Violation | None:
    try:
        verify_with(op, bits, known.target, known.features(op))
    except Violation as violation:
        return violation
    if not (found := warnings_with(op, bits)):
        return None
    # The operation by itself shows what does not depend on these bits.
    own = {(each.rule, each.culprit) for each in warnings_with(op, {})}
    return combined(each for each in found if (each.rule, each.culprit) not in own)


def _wrong_case(
    op: Mma, idesc: SSAValue, tried: Mapping[SSAValue, Sequence[int]], known: KernelFacts
) -> Violation | None:
    """The violation for a value of the instruction descriptor that the program selects."""
    number = known.facts.number(idesc)
    cases = choices(idesc, known.facts, known.conditions(op))
    if cases is None:
        if number.members is None:
            return _wrong_field(op, idesc, known) or _wrong(op, {}, tried, known)
        cases = [Choice(each, ()) for each in number.members]
        certain = False
    else:
        certain = True
    found: list[tuple[Choice, Violation]] = []
    for case in cases:
        bits = {idesc: case.value}
        violation = _checked(op, bits, known) or _wrong(op, bits, tried, known)
        if violation is not None:
            found.append((case, violation))
    if len(found) == len(cases):
        return found[0][1] if found else None
    # Zero may stand for no value, on a way that does not use it. A choice by parameters may never
    # be made: CuTe passes the signs of its TiledMMA as parameters.
    wrong = [
        (case, violation)
        for case, violation in found
        if certain and case.value and not chosen_by_launch(case)
    ]
    if not wrong:
        return None
    case, violation = wrong[0]
    conditions = " and ".join(
        f"{name_of(predicate)} is {str(truth).lower()}" for predicate, truth in case.conditions
    )
    return violation.ending(
        f", for the value {case.value:#x} of {name_of(idesc)} where {conditions}"
    )


def _wrong_field(op: Mma, idesc: SSAValue, known: KernelFacts) -> Violation | None:
    """The violation by a field of the instruction descriptor whose known bits are illegal."""
    number = known.facts.number(idesc)
    if not number.known:
        return None
    kind = op.kind_name
    ones = without_later_k(kind, number.ones) if known.kernel.is_read else number.ones
    word = next(descriptor_layout(kind).completions(ones, number.known))
    try:
        InstructionDescriptor.decode(kind, word)
    except Violation as violation:
        return _described(violation.blaming("idesc"), idesc, known)
    return None


_FINDERS = (
    illegal_operands,
    overlap_errors,
    allocation_errors,
    lane_errors,
    unset_descriptors,
)


def operand_errors(module: ModuleOp) -> Iterator[OperationError]:
    """The errors of the kernels of a lowered or imported module, at most one for each operation,
    and the warnings of kernels of PTX text, one of each rule."""
    for kernel, raw in tcgen05_kernels(module):
        known = KernelFacts(kernel, raw)
        errors = [error for find in _FINDERS for error in find(known)]
        if kernel.is_read:
            errors = [*compress(errors, kept_in_ptx(map(rule_of, errors)))]
        found: dict[Operation, OperationError] = {}
        for error in sorted(errors, key=lambda each: bool(rule_of(each).practice)):
            found.setdefault(error.operation, error)
        yield from found.values()

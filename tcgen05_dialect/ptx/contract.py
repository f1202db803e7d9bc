"""Contracts on the parameters of kernels, and assumptions."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, IntegerType, StringAttr, i64
from xdsl.ir import Attribute, Block, Operation
from xdsl.irdl import operand_def, traits_def
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure

from ..isa.model.rule import Violation, did_you_mean
from ..isa.practice import CONTRACT_RULE
from ..isa.ptx.kernel import ATTRIBUTE_RULE
from ..xdsl_support.construction import ConstructedOperation
from ..xdsl_support.operation_format import formatted_op_definition
from .register_types import PRED
from .types import NAME, TensorMapType

AT_LEAST = "ptx.at_least"
AT_MOST = "ptx.at_most"
MULTIPLE_OF = "ptx.multiple_of"
SAME_ARRAY = "ptx.same_array"
NAMES = (AT_LEAST, AT_MOST, MULTIPLE_OF, SAME_ARRAY)
_MISSPELT = 0.8
"""Least similarity of a misspelt name: at_all is another contract than at_least."""


class Contract(NamedTuple):
    """
    What the caller of a kernel promises about an argument.

    The argument, as a signed number, is at least `at_least`, at most `at_most`, and a multiple of
    `multiple_of`.
    Parameters with the same label `same_array` are pointers to, or tensor maps of, one array.
    """

    at_least: int | None = None
    multiple_of: int = 1
    same_array: str | None = None
    at_most: int | None = None

    def smallest_from(self, number: int) -> int:
        """The smallest number that keeps the contract and is not less than another one; the largest
        that keeps it if all are less."""
        least = number if self.at_least is None else max(number, self.at_least)
        found = -(-least // self.multiple_of) * self.multiple_of
        if self.at_most is None:
            return found
        return min(found, self.at_most // self.multiple_of * self.multiple_of)


_NONE = Contract()


def contract_of(attributes: Mapping[str, Attribute]) -> Contract:
    """The contract in the valid attributes of a parameter."""
    contract = _NONE
    if not attributes:
        return contract
    if isinstance(least := attributes.get(AT_LEAST), IntegerAttr):
        contract = contract._replace(at_least=least.value.data)
    if isinstance(most := attributes.get(AT_MOST), IntegerAttr):
        contract = contract._replace(at_most=most.value.data)
    if isinstance(factor := attributes.get(MULTIPLE_OF), IntegerAttr):
        contract = contract._replace(multiple_of=factor.value.data)
    if isinstance(label := attributes.get(SAME_ARRAY), StringAttr):
        contract = contract._replace(same_array=label.data)
    return contract


def contract_violations(
    types: Sequence[Attribute], given: Sequence[Attribute]
) -> Iterator[Violation]:
    """Violations in the attributes of parameters: `types` has their types, `given` their
    dictionaries."""
    if len(given) != len(types) or not all(isinstance(each, DictionaryAttr) for each in given):
        legal = f"{len(types)} dictionaries, one for each parameter"
        yield ATTRIBUTE_RULE.violation(len(given), legal, "arg_attrs", culprit="arg_attrs")
        return
    dictionaries = [each.data for each in given if isinstance(each, DictionaryAttr)]
    for type_, attributes in zip(types, dictionaries, strict=True):
        yield from parameter_violations(type_, attributes)
    labels = [attributes.get(SAME_ARRAY) for attributes in dictionaries]
    for label in dict.fromkeys(labels):
        if label is not None and labels.count(label) == 1:
            legal = "a label of two or more parameters"
            yield CONTRACT_RULE.violation(label, legal, SAME_ARRAY, culprit=SAME_ARRAY)


def parameter_violations(
    type_: Attribute, attributes: Mapping[str, Attribute]
) -> Iterator[Violation]:
    """Violations in the attributes of one parameter."""
    found = [each for item in attributes.items() for each in _violations(type_, *item)]
    yield from found or _without_numbers(type_, contract_of(attributes))


def _without_numbers(type_: Attribute, contract: Contract) -> Iterator[Violation]:
    """The violation of a contract that no number of a type keeps."""
    if contract.at_least is None or not isinstance(type_, IntegerType):
        return
    least = contract._replace(at_most=None).smallest_from(contract.at_least)
    if contract.at_most is not None and least > contract.at_most:
        yield CONTRACT_RULE.violation(
            contract.at_most, f"at least {least}", AT_MOST, culprit=AT_MOST
        )
        return
    largest = (1 << type_.bitwidth - 1) - 1
    if contract.at_least <= largest < least:
        most = largest // contract.multiple_of * contract.multiple_of
        legal = f"at most {most}, the last multiple of {contract.multiple_of} of type {type_}"
        yield CONTRACT_RULE.violation(contract.at_least, legal, AT_LEAST, culprit=AT_LEAST)


def _violations(type_: Attribute, name: str, value: Attribute) -> Iterator[Violation]:
    if name == NAME:
        if not isinstance(value, StringAttr):
            yield ATTRIBUTE_RULE.violation(value, "a string", NAME, culprit=NAME)
        return
    if (check := _CHECKS.get(name)) is not None:
        legal = check(type_, value)
        if legal:
            shown = value.value.data if isinstance(value, IntegerAttr) else value
            found = f"{shown} on a parameter of type {type_}"
            yield CONTRACT_RULE.violation(found, legal, name, culprit=name)
    elif "." not in name or name.startswith("ptx."):
        help = did_you_mean(name, (*NAMES, NAME), cutoff=_MISSPELT)
        what = "a contract of a parameter"
        yield ATTRIBUTE_RULE.violation(name, NAMES, what, culprit=name, help=help)


def _wrong_number(type_: Attribute, value: Attribute, negative: bool) -> str:
    """Legal numbers for an integer parameter of this type; empty if the number is legal."""
    if not isinstance(type_, IntegerType):
        return "on a parameter of an integer type"
    bits: int = type_.bitwidth
    legal = range(-(1 << bits - 1) if negative else 1, 1 << bits - 1)
    if isinstance(value, IntegerAttr) and value.value.data in legal:
        return ""
    return f"a number from {legal[0]} to {legal[-1]}"


def _wrong_bound(type_: Attribute, value: Attribute) -> str:
    return _wrong_number(type_, value, negative=True)


def _wrong_label(type_: Attribute, value: Attribute) -> str:
    if type_ != i64 and not isinstance(type_, TensorMapType):
        return "on a parameter of type i64 or !ptx.tensor_map"
    return "" if isinstance(value, StringAttr) else 'a label such as "c"'


_CHECKS: Mapping[str, Callable[[Attribute, Attribute], str]] = {
    AT_LEAST: _wrong_bound,
    AT_MOST: _wrong_bound,
    MULTIPLE_OF: lambda type_, value: _wrong_number(type_, value, negative=False),
    SAME_ARRAY: _wrong_label,
}
"""Attribute of a parameter -> function of a type and a value: the description of the legal values,
empty if the value is legal."""


@formatted_op_definition
class AssumeOp(ConstructedOperation):
    """
    The condition holds whenever a thread reaches the operation; the emulator checks it. PTX has no
    such instruction: the printer omits the operation, and the operations that only compute its
    condition.

        ptx.assume %condition attr-dict
    """

    name = "ptx.assume"
    condition = operand_def(PRED)
    # The write effect keeps the operation from being erased.
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "$condition attr-dict"


def operations_of_assumptions(blocks: Iterable[Block]) -> Set[Operation]:
    """The assumptions in blocks of a kernel, and the operations that only compute conditions of
    assumptions."""
    found: set[Operation] = {op for block in blocks for op in block.ops if type(op) is AssumeOp}
    pending = [*found]
    while pending:
        for operand in pending.pop().operands:
            owner = operand.owner
            if isinstance(owner, Operation) and owner not in found and _only_for(owner, found):
                found.add(owner)
                pending.append(owner)
    return found


def _only_for(op: Operation, users: Set[Operation]) -> bool:
    """Whether an operation has no effect but to compute operands of these users."""
    uses = (use.operation for result in op.results for use in result.uses)
    return op.has_trait(Pure) and all(user in users for user in uses)

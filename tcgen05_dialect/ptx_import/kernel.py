"""A kernel in SSA form, made from its blocks."""

from collections.abc import Iterable, Iterator, Sequence, Set
from functools import lru_cache

from xdsl.dialects.builtin import (
    I32,
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    LocationAttr,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ..isa.model.rule import Violation
from ..isa.ptx import kernel as isa
from ..isa.ptx.registers import PARAMETER_BITS
from ..ptx.control_flow import BraOp, BrxOp, CondBraOp
from ..ptx.inline import PragmaOp
from ..ptx.instruction import segment_sizes
from ..ptx.instructions import AddOp, ExitOp, MovOp, NotOp, RetOp
from ..ptx.kernel import KernelOp
from ..ptx.register_types import register_bits
from ..ptx.structure import AddressOfOp, ConstantOp, GuardOp, UndefinedOp, YieldOp
from ..ptx.types import ParamArrayType
from ..ptx.variables import LoadParameterOp, ParameterAddressOp, VariableAddressOp
from ..ptx_reader.constant_expression import integer
from ..ptx_reader.diagnosis import INTEGERS, integer_constant
from ..ptx_reader.tokens import Fault
from .blocks import Guard, Item, Node, Pragma
from .names import CLASSES, Kernel, Parameter, Symbol, Variable
from .plans import Constant, Integer, Leaf, Plan, Repetition, Use, address_type
from .values import Values, order_of


def _numbers_of(words: Sequence[str]) -> list[int] | None:
    """The numbers of a directive; None if it has others than integers."""
    numbers = [integer(word) for word in words[1:] if word != ","]
    known = [number for number in numbers if number is not None]
    return known if len(known) == len(numbers) else None


def _is_kept(name: str, numbers: Sequence[int], names: Set[str]) -> bool:
    """Whether a directive is one number that the directives called `names` do not override."""
    is_one = len(numbers) == 1
    return is_one and not (name == _MINNCTAPERSM and isa.ignores_minnctapersm(numbers[0], names))


def _directive_text(words: Sequence[str]) -> str:
    """The text of a directive, with decimal integers."""
    numbers = zip(words, map(integer, words), strict=True)
    text = " ".join(word if number is None else str(number) for word, number in numbers)
    return text.replace(" ,", ",").replace(" ;", ";")


class KernelBuilder:
    """Builds the operation of one kernel."""

    def __init__(
        self,
        kernel: Kernel,
        nodes: Sequence[Node],
        variables: Sequence[Operation],
        repetition: Repetition,
        faults: list[Fault],
    ):
        self.kernel = kernel
        self._faults = faults
        self._repetition = repetition
        self.nodes = nodes
        self.blocks = {node: Block() for node in nodes}
        self.entry = self.blocks[nodes[0]]
        self.head: list[Operation] = list(variables)
        """Operations without a place in the text, which go to the beginning of the kernel."""
        self.shared: dict[object, SSAValue] = {}
        """What the head holds: constants, addresses and undefined values."""
        self.parameters: list[SSAValue] = []
        for parameter in kernel.parameters:
            argument = self.entry.insert_arg(_type_of(parameter), len(self.parameters))
            argument.name_hint = _hint(parameter.name)
            self.parameters.append(argument)
        order = order_of(nodes)
        self.values = Values(order, self._undefined)
        self.number = {node: index for index, node in enumerate(order)}
        self.order = order

    def build(self) -> KernelOp:
        for node in self.order:
            number, block = self.number[node], self.blocks[node]
            for variable in self.values.arguments[number]:
                argument = block.insert_arg(variable.type, len(block.args))
                argument.name_hint = _hint(variable.name)
                self.values.write(variable, number, argument)
        for node in self.order:
            self._fill(node)
        if self.head:
            first = self.entry.first_op
            assert first is not None
            self.entry.insert_ops_before(self.head, first)
        region = Region([self.blocks[node] for node in self.nodes])
        return KernelOp.create(properties=self._properties(), regions=[region])

    def _properties(self) -> dict[str, Attribute]:
        declarations = [StringAttr(each.declaration) for each in self.kernel.parameters]
        properties: dict[str, Attribute] = {
            "sym_name": StringAttr(self.kernel.name),
            "declarations": ArrayAttr(declarations),
        }
        others: list[Attribute] = []
        named = {extents.ptx: name for name, extents in isa.EXTENTS.items()}
        given = list(self.kernel.directives)
        is_explicit = [isa.EXPLICIT_CLUSTER] in given
        if is_explicit:
            given.remove([isa.EXPLICIT_CLUSTER])
        names = {words[0] for words in given}
        for words in given:
            name, numbers = words[0], _numbers_of(words)
            prefix = f"{isa.EXPLICIT_CLUSTER}\n" if is_explicit else ""
            extents = named.get(name) or named.get(prefix + name)
            if extents is not None and numbers is not None:
                if self._is_legal(isa.extents_violations(extents, tuple(numbers))):
                    properties[extents] = DenseArrayBase.from_list(i32, numbers)
                    is_explicit = is_explicit and prefix + name not in named
            elif name in _NUMBERS and numbers is not None and _is_kept(name, numbers, names):
                if self._is_legal(_NUMBERS[name].violations(*numbers)):
                    properties[name[1:]] = IntegerAttr(numbers[0], i32)
            else:
                others.append(StringAttr(_directive_text(words)))
        if is_explicit:
            others.insert(0, StringAttr(isa.EXPLICIT_CLUSTER))
        if others:
            properties["directives"] = ArrayAttr(others)
        return properties

    def _is_legal(self, violations: Iterable[Violation]) -> bool:
        """Whether a directive of the header has no violations; records them."""
        header = self.kernel.header
        faults = [Fault(each, header.start, header.end) for each in violations]
        self._faults += faults
        return not faults

    # Values.

    def _headed(self, key: object, make: Operation) -> SSAValue:
        self.head.append(make)
        if isinstance(make, ConstantOp | UndefinedOp):
            self._repetition.repeated[make] = None
        value = self.shared[key] = make.results[0]
        return value

    def _undefined(self, type_: Attribute) -> SSAValue:
        found = self.shared.get(type_)
        return found or self._headed(type_, UndefinedOp.create(result_types=[type_]))

    def _constant(self, constant: Constant) -> SSAValue:
        found = self.shared.get(constant)
        if found is not None:
            return found
        properties: dict[str, Attribute] = {"value": constant.value}
        make = ConstantOp.create(properties=properties, result_types=[constant.type])
        if isinstance(value := constant.value, IntegerAttr):
            make.result.name_hint = f"c{value.value.data}".replace("-", "m")
        return self._headed(constant, make)

    def _integer(self, number: int, type_: IntegerType) -> SSAValue:
        key = number, type_.width.data
        found = self.shared.get(key)
        if found is None:
            value = _integer_attribute(number, type_)
            found = self.shared[key] = self._constant(Constant(value, type_))
        return found

    def _address(self, symbol: Symbol, type_: Attribute, location: LocationAttr) -> SSAValue:
        """The address of a variable or a parameter; the location is that of its first use."""
        found = self.shared.get((symbol, type_))
        if found is not None:
            return found
        if symbol.parameter is not None:
            argument = self.parameters[symbol.parameter]
            make = ParameterAddressOp.create(operands=[argument], result_types=[type_])
        elif address_type(symbol, type_) is AddressOfOp:
            make = AddressOfOp.of(SymbolRefAttr(symbol.name), 0)
        else:
            make = VariableAddressOp.of(symbol.name, 0, type_)
        make.location = location
        return self._headed((symbol, type_), make)

    # Operations.

    def _fill(self, node: Node) -> None:
        number = self.number[node]
        operations: list[Operation] = []
        for item in node.items:
            if isinstance(item, Pragma):
                text = " ".join(item.statement.words[1:]).strip('"')
                operations.append(PragmaOp.create(properties={"text": StringAttr(text)}))
            else:
                self._instruction(item, number, operations)
        end = self._end(node, number)
        self._repetition.repeated[end] = None
        if node.end.location is not None:
            end.location = node.end.location
        operations.append(end)
        self.blocks[node].add_ops(operations)

    def _instruction(self, item: Item, number: int, operations: list[Operation]) -> None:
        plan, leaves = item.plan, item.leaves
        read = self.values.read
        operands: list[SSAValue] = []
        for each in plan.operands:
            if isinstance(each, Constant):
                operands.append(self._constant(each))
                continue
            leaf = leaves[each.leaf]
            if isinstance(each, Integer):
                assert isinstance(leaf, int)
                operands.append(self._integer(leaf, each.type))
            elif isinstance(leaf, Variable):
                value = read(leaf, number)
                if each.negated:
                    negation = NotOp.assemble({"a": [value]}, properties={"type": "pred"})
                    negation.location = item.location
                    operations.append(negation)
                    value = negation.d
                elif each.plus:
                    type_ = INTEGERS[value.type]
                    terms = {"a": [value], "b": [self._integer(each.plus, type_)]}
                    total = AddOp.assemble(terms, properties={"type": f"s{type_.width.data}"})
                    total.location = item.location
                    operations.append(total)
                    value = total.d
                operands.append(value)
            else:
                assert isinstance(leaf, Symbol)
                operands.append(self._symbol(leaf, each, item.location))
        for each in plan.kept:
            leaf = leaves[each]
            assert isinstance(leaf, Variable)
            operands.append(read(leaf, number))
        written: list[Variable | None] = []
        types: list[Attribute] = []
        for each in plan.results:
            if not isinstance(each, int):
                written.append(None)
                types.append(each)
                continue
            leaf = leaves[each]
            assert not isinstance(leaf, Symbol | int)
            written.append(leaf)
            types.append(leaf.type if leaf else i32)
        properties = plan.properties
        if plan.offsets:
            properties = {**properties, **dict(_offsets(plan, leaves))}
        if plan.op_type in (AddressOfOp, VariableAddressOp):
            symbol = leaves[_SYMBOL_OF_MOVE]
            assert isinstance(symbol, Symbol)
            properties = {**properties, "variable": SymbolRefAttr(symbol.name)}
        op = plan.op_type.create(
            operands=operands,
            result_types=types,
            properties=properties,
            location=item.location,
        )
        self._repetition.see(op, plan, leaves)
        results: Sequence[SSAValue] = op.results
        if item.guard is not None:
            if plan.op_type in _ADDRESSES:
                # A guard holds instructions; such an operation has no effect elsewhere.
                operations.append(op)
                type_ = f"b{register_bits(types[0])}"
                op = MovOp.assemble({"a": [op.results[0]]}, types, {"type": type_})
                op.location = item.location
            op = self._guarded(op, item.guard, written, types, number)
            self._repetition.repeated[op] = None
            op.location = item.location
            results = op.results
        operations.append(op)
        for variable, result in zip(written, results, strict=True) if results else ():
            if variable is not None:
                result.name_hint = _hint(variable.name)
                self.values.write(variable, number, result)

    def _symbol(self, symbol: Symbol, use: Use, location: LocationAttr) -> SSAValue:
        if symbol.parameter is not None and use.type is None:
            return self.parameters[symbol.parameter]
        return self._address(symbol, use.type or i32, location)

    def _guarded(
        self,
        op: Operation,
        guard: Guard,
        written: Sequence[Variable | None],
        types: Sequence[Attribute],
        number: int,
    ) -> Operation:
        kept = [
            self._undefined(type_) if variable is None else self.values.read(variable, number)
            for variable, type_ in zip(written, types, strict=True)
        ]
        inner = [op]
        if types:
            inner.append(YieldOp.create(operands=list(op.results)))
        properties: dict[str, Attribute] = {"negated": UnitAttr()} if guard.negated else {}
        return GuardOp.create(
            operands=[self.values.read(guard.predicate, number), *kept],
            result_types=list(types),
            properties=properties,
            regions=[Region(Block(inner))],
        )

    # Ends of blocks.

    def _end(self, node: Node, number: int) -> Operation:
        end = node.end
        targets = [self._target(each, number) for each in node.successors]
        uniform: dict[str, Attribute] = {"uniform": UnitAttr()} if end.uniform else {}
        if end.guard is not None:
            (then, then_values), (other, other_values) = targets
            sizes = segment_sizes((1, len(then_values), len(other_values)))
            predicate = self.values.read(end.guard.predicate, number)
            return CondBraOp.create(
                operands=[predicate, *then_values, *other_values],
                successors=[then, other],
                properties={"operandSegmentSizes": sizes, **uniform},
            )
        match end.kind:
            case "ret":
                return RetOp.create()
            case "exit":
                return ExitOp.create()
            case "brx":
                assert end.index is not None
                return BrxOp.to(self.values.read(end.index, number), targets, end.uniform)
            case "bra" | "next":
                ((block, arguments),) = targets
                return BraOp.create(operands=arguments, successors=[block], properties=uniform)

    def _target(self, node: Node, number: int) -> tuple[Block, list[SSAValue]]:
        arguments = self.values.arguments[self.number[node]]
        return self.blocks[node], [self.values.read(each, number) for each in arguments]


@lru_cache(maxsize=1024)
def _integer_attribute(number: int, type_: IntegerType) -> Attribute:
    """The value of a constant; cached, because kernels have the same ones."""
    return integer_constant(number, type_).value


def _offsets(plan: Plan, leaves: Sequence[Leaf]) -> Iterator[tuple[str, Attribute]]:
    """The properties with the offsets of addresses; none for an offset of 0."""
    for name, place in plan.offsets:
        offset = leaves[place]
        if isinstance(offset, int) and offset:
            yield name, _offset(offset)


@lru_cache(maxsize=1024)
def _offset(number: int) -> IntegerAttr[I32]:
    """The property with an offset; cached, because xDSL's constructor takes long."""
    return IntegerAttr(number, i32)


_SYMBOL_OF_MOVE = 1
"""The leaf of the variable in `mov.b32 %d, variable`."""
_ADDRESSES = (AddressOfOp, LoadParameterOp, ParameterAddressOp, VariableAddressOp)
_MINNCTAPERSM = ".minnctapersm"
_NUMBERS = {_MINNCTAPERSM: isa.MINNCTAPERSM, ".maxnreg": isa.MAXNREG}


def _type_of(parameter: Parameter) -> Attribute:
    if parameter.bits is None:
        return ParamArrayType.of(parameter.size, parameter.alignment)
    return CLASSES[max(parameter.bits, PARAMETER_BITS)]


def _hint(name: str) -> str | None:
    """The name of a value for a name in PTX; None if no value can have it."""
    found = name.lstrip("%")
    return found if SSAValue.is_valid_name(found) else None

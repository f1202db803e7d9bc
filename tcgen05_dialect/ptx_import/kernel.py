"""
A kernel in SSA form, made from its blocks, in which registers are written several times.

A block gets an argument for a register if different values of the register meet there and the
register is read later: the iterated dominance frontier of Cytron et al. (1991), computed as by
Sreedhar and Gao, "A Linear Time Algorithm for Placing phi-Nodes" (1995), within the blocks where
the register is live. A register with one write that dominates all reads needs no search.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from functools import lru_cache
from heapq import heapify, heappop, heappush

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
from ..isa.ptx.ptx_text import PARAMETER_BITS
from ..ptx.analysis.control_flow import closure, immediate_dominators, tree_intervals
from ..ptx.control_flow import BraOp, BrxOp, CondBraOp
from ..ptx.instruction import segment_sizes
from ..ptx.instructions import AddOp, ExitOp, MovOp, NotOp, RetOp
from ..ptx.kernel import KernelOp
from ..ptx.register_types import register_bits
from ..ptx.structure import AddressOfOp, ConstantOp, GuardOp, PragmaOp, UndefinedOp, YieldOp
from ..ptx.types import ParamArrayType
from ..ptx.variables import LoadParameterOp, ParameterAddressOp, VariableAddressOp
from ..ptx_reader.constant_expression import integer
from ..ptx_reader.diagnosis import INTEGERS, integer_constant
from ..ptx_reader.tokens import Fault
from .blocks import Guard, Item, Node, Pragma
from .names import CLASSES, Kernel, Parameter, Symbol, Variable
from .plans import Constant, Integer, Leaf, Plan, Repetition, Use, address_type


def order_of(nodes: Sequence[Node]) -> list[Node]:
    """The blocks in reverse postorder."""
    seen = {nodes[0]}
    finished: list[Node] = []
    stack = [(nodes[0], iter(nodes[0].successors))]
    while stack:
        node, successors = stack[-1]
        for successor in successors:
            if successor not in seen:
                seen.add(successor)
                stack.append((successor, iter(successor.successors)))
                break
        else:
            finished.append(node)
            stack.pop()
    return finished[::-1]


def accesses(item: Item) -> Iterator[tuple[Variable, bool]]:
    """The registers that an instruction reads, then those that it writes (as True)."""
    leaves = item.leaves
    if item.guard is not None:
        yield item.guard.predicate, False
        for leaf in item.plan.writes:
            if isinstance(register := leaves[leaf], Variable):
                yield register, False
    for leaf in item.plan.reads:
        if isinstance(register := leaves[leaf], Variable):
            yield register, False
    for leaf in item.plan.writes:
        if isinstance(register := leaves[leaf], Variable):
            yield register, True


class Values:
    """The values of registers at each place of a function."""

    def __init__(self, order: Sequence[Node], undefined: Callable[[Attribute], SSAValue]):
        self._undefined = undefined
        number = {node: index for index, node in enumerate(order)}
        self._successors = [[number[each] for each in node.successors] for node in order]
        self._predecessors: list[list[int]] = [[] for _ in order]
        for index, successors in enumerate(self._successors):
            for each in successors:
                self._predecessors[each].append(index)
        self._dominators = immediate_dominators(self._predecessors)
        self._children: list[list[int]] = [[] for _ in order]
        self._level = [0] * len(order)
        for index in range(1, len(order)):
            self._children[self._dominators[index]].append(index)
            self._level[index] = self._level[self._dominators[index]] + 1
        self._intervals = tree_intervals(self._children)
        self._known: list[dict[Variable, SSAValue]] = [{} for _ in order]
        """For each block, the current values of registers in it."""
        self._only: dict[Variable, SSAValue | None] = {}
        """The registers with one value, and the value once it is known."""
        self.arguments: list[list[Variable]] = [[] for _ in order]
        """For each block, the registers for which it has an argument."""
        for register in self._registers(order):
            if self._has_one_value(register):
                self._only[register] = None
            else:
                for block in self._joins(register):
                    self.arguments[block].append(register)

    @staticmethod
    def _registers(order: Sequence[Node]) -> list[Variable]:
        """All registers in use, with the blocks that write and read them."""
        found: dict[Variable, None] = {}
        for block, node in enumerate(order):
            written: set[Variable] = set()

            def read(register: Variable, block: int = block, written: set[Variable] = written):
                found[register] = None
                exposed = register.exposed
                if register not in written and (not exposed or exposed[-1] != block):
                    exposed.append(block)

            for item in node.items:
                if not isinstance(item, Item):
                    continue
                for register, is_write in accesses(item):
                    if is_write:
                        found[register] = None
                        register.writes.append(block)
                        written.add(register)
                    else:
                        read(register)
            if node.end.guard is not None:
                read(node.end.guard.predicate)
            if node.end.index is not None:
                read(node.end.index)
        return list(found)

    def _dominates(self, one: int, other: int) -> bool:
        first, last = self._intervals[one]
        return first <= self._intervals[other][0] <= last

    def _has_one_value(self, register: Variable) -> bool:
        if not register.writes:
            return True
        block, *others = register.writes
        return not others and all(
            each != block and self._dominates(block, each) for each in register.exposed
        )

    def _joins(self, register: Variable) -> list[int]:
        """The blocks where different values of a register meet and the register is live."""
        sources = set(register.writes)
        before = self._predecessors
        live = closure(register.exposed, lambda at: (x for x in before[at] if x not in sources))
        sources |= live & {0}
        joins: set[int] = set()
        seen: set[int] = set()
        level = self._level
        queue = [(-level[block], block) for block in sources]
        heapify(queue)
        while queue:
            _, root = heappop(queue)
            pending = [root]
            while pending:
                block = pending.pop()
                for each in self._successors[block]:
                    if each in live and level[each] <= level[root] and each not in joins:
                        joins.add(each)
                        if each not in sources:
                            heappush(queue, (-level[each], each))
                for each in self._children[block]:
                    if each in live and each not in seen:
                        seen.add(each)
                        pending.append(each)
        return sorted(joins)

    def read(self, register: Variable, block: int) -> SSAValue:
        """The value of a register at the current place in a block."""
        if register in self._only:
            value = self._only[register]
            if value is None:
                value = self._only[register] = self._undefined(register.type)
            return value
        path: list[int] = []
        while (value := self._known[block].get(register)) is None:
            path.append(block)
            if block == 0:
                value = self._undefined(register.type)
                break
            block = self._dominators[block]
        for each in path:
            self._known[each][register] = value
        return value

    def write(self, register: Variable, block: int, value: SSAValue) -> None:
        """Set the value of a register from the current place in a block on."""
        if register in self._only:
            self._only[register] = value
        else:
            self._known[block][register] = value


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
            "sym_name": StringAttr(self.kernel.function.name),
            "declarations": ArrayAttr(declarations),
        }
        others: list[Attribute] = []
        named = {extents.ptx: name for name, extents in isa.EXTENTS.items()}
        given = list(self.kernel.function.directives)
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
                if (computed := self._computed(value, each)) is not None:
                    computed.location = item.location
                    operations.append(computed)
                    value = computed.d
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

    def _computed(self, value: SSAValue, use: Use) -> NotOp | AddOp | None:
        """The operation that negates a register or adds a number to it, if its use does so."""
        if use.negated:
            return NotOp.assemble({"a": [value]}, properties={"type": "pred"})
        if use.plus:
            type_ = INTEGERS[value.type]
            terms = {"a": [value], "b": [self._integer(use.plus, type_)]}
            return AddOp.assemble(terms, properties={"type": f"s{type_.width.data}"})
        return None

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

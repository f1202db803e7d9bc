"""The printer of modules as PTX text."""

from collections.abc import Iterator, Sequence, Set
from typing import cast

from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i1
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from ..isa import targets
from ..isa.model.rule import Violation
from ..isa.ptx import ptx_text
from ..isa.ptx.kernel import EXTENTS
from ..reporting.operation_error import OperationError, no_lowering
from .analysis.dominance import check_dominance
from .compiled_syntax import CompiledSyntax
from .contract import operations_of_assumptions
from .control_flow import BraOp, CondBraOp, check_arguments
from .instruction import Instruction, syntax_of
from .kernel import LABEL_PREFIX, KernelOp, SharedMemoryOp, check_names, memory_of
from .kernel_names import KernelNames, variable
from .moves import sequential_moves
from .register_types import REGISTER_CLASSES, register_class
from .structure import AddressOfOp, ConstantOp, GuardOp
from .target import TargetAttr
from .types import ParamArrayType, TensorMapType
from .used_variables import used_variables


def print_module(module: ModuleOp, target: TargetAttr) -> str:
    """
    The PTX text of a module.

    Raises OperationError if an operation has no PTX form or a value is used before its definition.
    """
    check_names(module)
    lines = [
        f"{ptx_text.VERSION} {target.version.data}",
        f"{ptx_text.TARGET} {target.target.data}",
        f"{ptx_text.ADDRESS_SIZE} {max(ptx_text.ADDRESS_BITS)}",
        "",
    ]
    for op in module.ops:
        if isinstance(op, SharedMemoryOp):
            lines.append(_shared_memory(op))
        elif isinstance(op, KernelOp):
            lines.append("")
            lines.extend(_Kernel(op, target).lines())
        else:
            raise no_lowering(op, "ptx.kernel and ptx.shared_memory")
    return "\n".join(lines) + "\n"


def _shared_memory(op: SharedMemoryOp) -> str:
    size, linking = ("", f"{ptx_text.EXTERN} ") if op.size is None else (op.size.value.data, "")
    return f"{linking}{ptx_text.SHARED} {_bytes(op.sym_name.data, op.alignment.value.data, size)};"


def _bytes(name: str, alignment: int, size: int | str) -> str:
    """The declaration of an array of bytes, without its state space."""
    return f"{ptx_text.ALIGN} {alignment} .b8 {name}[{size}]"


class _Kernel:
    """The printer of one kernel."""

    def __init__(self, op: KernelOp, target: TargetAttr):
        self.op = op
        self.target = target.target.data
        self.version = targets.parse_version(target.version.data)
        self.body: list[str] = []
        self.names = KernelNames(self._emit)
        self.syntaxes: dict[type[Instruction], CompiledSyntax] = {}
        self.labels: dict[Block, str] = {}
        self.label_count = 0
        self.used_labels: set[str] = set()
        self.unprinted: Set[Operation] = set()

    def lines(self) -> list[str]:
        dominance = check_dominance(self.op.body)
        blocks = [block for block in self.op.body.blocks if dominance.is_reachable(block)]
        self.unprinted = operations_of_assumptions(blocks)
        for index, argument in enumerate(blocks[0].args):
            self._load_parameter(index, argument)
        for index, block in enumerate(blocks):
            if index:
                self.body.append(f"{self._label(block)}:")
            following = blocks[index + 1] if index + 1 < len(blocks) else None
            self._print_block(block, following)
        self._check_shared_memory(blocks)
        body = [
            line
            for line in self.body
            if not line.startswith(LABEL_PREFIX) or line[:-1] in self.used_labels
        ]
        return [*self._header(), "{", *self.names.declarations(), "", *body, "}"]

    def _check_shared_memory(self, blocks: Sequence[Block]) -> None:
        """Raise OperationError if the variables in use do not fit into shared memory."""
        sizes = (op.size for op in used_variables(self.op, blocks))
        total = sum(size.value.data for size in sizes if size is not None)
        largest = targets.SHARED_BYTES[targets.TARGETS[self.target].suffix]
        if total > largest:
            what = f"{targets.SHARED_RULE.subject}, {self.target}"
            violation = targets.SHARED_RULE.violation(total, f"at most {largest}", what)
            raise OperationError(self.op, str(violation)) from violation

    def _header(self) -> Iterator[str]:
        op = self.op
        parameters = [
            f"\t{_parameter(argument.type, op.parameter_name(index))}"
            for index, argument in enumerate(op.body.blocks[0].args)
        ]
        yield f"{ptx_text.VISIBLE} {ptx_text.KERNEL} {op.sym_name.data}("
        if parameters:
            yield ",\n".join(parameters)
        yield ")"
        for name, directive in EXTENTS.items():
            if (extents := op.extents(name)) is not None:
                yield f"{directive.ptx} {', '.join(map(str, extents))}"
        for name, number in op.numbers():
            yield f".{name} {number}"

    def _load_parameter(self, index: int, argument: BlockArgument) -> None:
        name, register = self.op.parameter_name(index), self.names[argument]
        match argument.type:
            case TensorMapType():
                self._emit(f"mov.b64 {register}, {name}")
                self._emit(f"cvta.param.u64 {register}, {register}")
            case ParamArrayType():
                self._emit(f"mov.b64 {register}, {name}")
            case type_:
                self._emit(f"ld.param.{register_class(type_)[0]} {register}, [{name}]")

    def _print_block(self, block: Block, following: Block | None) -> None:
        for op in block.ops:
            if op in self.unprinted:
                continue
            if isinstance(op, Instruction):
                self._print_instruction(op, "")
            else:
                self._print_other(op, following)

    def _print_other(self, op: Operation, following: Block | None) -> None:
        match op:
            case ConstantOp():
                if op.result.type == i1:
                    self._print_predicate(op)
            case AddressOfOp():
                self._print_address_of(op)
            case BraOp():
                self._print_edge(op, op.successor, op.arguments)
                self._branch(op.successor, following)
            case CondBraOp():
                self._print_cond_bra(op, following)
            case GuardOp():
                sign = "" if op.negated is None else "!"
                guard = f"@{sign}{self.names[op.predicate]} "
                for guarded in op.body.block.ops:
                    self._print_instruction(cast(Instruction, guarded), guard)
            case _:
                raise no_lowering(op, "operations of ptx, to which it must be lowered first")

    def _emit(self, text: str) -> None:
        self.body.append(f"\t{text};")

    def _print_instruction(self, op: Instruction, guard: str) -> None:
        for feature in op.features():
            self._check_feature(op, feature)
        op_type = type(op)
        syntax = self.syntaxes.get(op_type)
        if syntax is None:
            syntax = self.syntaxes[op_type] = syntax_of(op_type)
        text = syntax.ptx(op, self.names)
        self.body.append(f"\t{guard}{text}" if syntax.is_block else f"\t{guard}{text};")

    def _check_feature(self, op: Instruction, feature: str) -> None:
        try:
            targets.check_feature(feature, self.target, self.version)
        except Violation as violation:
            raise OperationError(op, str(violation)) from violation

    def _print_predicate(self, op: ConstantOp) -> None:
        value = cast(IntegerAttr, op.value).value.data
        self._emit(f"setp.ne.b32 {self.names[op.result]}, {value & 1}, 0")

    def _print_address_of(self, op: AddressOfOp) -> None:
        if not all(_is_address(use.operation, op.result) for use in op.result.uses):
            self._emit(f"mov.b32 {self.names[op.result]}, {variable(op)}")

    def _label(self, block: Block) -> str:
        label = self.labels.get(block)
        if label is None:
            label = self.labels[block] = self._new_label()
        return label

    def _new_label(self) -> str:
        self.label_count += 1
        return f"{LABEL_PREFIX}{self.label_count}"

    def _branch(self, block: Block, following: Block | None) -> None:
        if block is not following:
            self._jump(self._label(block))

    def _jump(self, label: str, guard: str = "") -> None:
        self.used_labels.add(label)
        self._emit(f"{guard}bra {label}")

    def _moves(
        self, op: Operation, block: Block, arguments: Sequence[SSAValue]
    ) -> list[tuple[str, str, str]]:
        """The moves (type, destination, source) that pass the arguments of a block."""
        check_arguments(op, block, arguments)
        types: dict[str, Attribute] = {}
        moves: dict[str, str] = {}
        for parameter, argument in zip(block.args, arguments, strict=True):
            register = self.names[parameter]
            types[register] = parameter.type
            moves[register] = self.names[argument]

        def temporary(register: str) -> str:
            fresh = self.names.fresh(types[register])
            types[fresh] = types[register]
            return fresh

        return [
            (register_class(types[to])[0], to, source)
            for to, source in sequential_moves(moves, temporary)
        ]

    def _print_edge(self, op: Operation, block: Block, arguments: Sequence[SSAValue]) -> None:
        self._print_moves(self._moves(op, block, arguments))

    def _print_moves(self, moves: Sequence[tuple[str, str, str]]) -> None:
        for type_, to, source in moves:
            self._emit(f"mov.{type_} {to}, {source}")

    def _print_cond_bra(self, op: CondBraOp, following: Block | None) -> None:
        predicate = self.names[op.predicate]
        then_moves = self._moves(op, op.then_block, op.then_arguments)
        else_moves = self._moves(op, op.else_block, op.else_arguments)
        if not then_moves and (else_moves or op.then_block is not following):
            self._jump(self._label(op.then_block), f"@{predicate} ")
            self._finish(else_moves, op.else_block, following)
            return
        if not else_moves:
            self._jump(self._label(op.else_block), f"@!{predicate} ")
            self._finish(then_moves, op.then_block, following)
            return
        other = self._new_label()
        self._jump(other, f"@!{predicate} ")
        self._finish(then_moves, op.then_block, None)
        self.body.append(f"{other}:")
        self._finish(else_moves, op.else_block, following)

    def _finish(
        self, moves: Sequence[tuple[str, str, str]], block: Block, following: Block | None
    ) -> None:
        self._print_moves(moves)
        self._branch(block, following)


def _parameter(type_: Attribute, name: str) -> str:
    """The declaration of a parameter."""
    if type_ in REGISTER_CLASSES:
        return f"{ptx_text.PARAMETER} .{REGISTER_CLASSES[type_][0]} {name}"
    memory = memory_of(type_)
    assert memory is not None
    size, alignment = memory
    return f"{ptx_text.PARAMETER} {_bytes(name, alignment, size)}"


def _is_address(op: Operation, value: SSAValue) -> bool:
    """Whether an operation uses a value only between brackets."""
    if not isinstance(op, Instruction):
        return False
    addresses = [getattr(op, name) for name in syntax_of(type(op)).variables]
    return sum(operand is value for operand in op.operands) == sum(a is value for a in addresses)

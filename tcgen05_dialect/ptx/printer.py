"""Printing of a module as PTX text."""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, ModuleOp, i1
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from .control_flow import BraOp, CondBraOp
from .dominance import check_dominance
from .errors import OperationError
from .instruction import Instruction, syntax_of
from .kernel import KernelOp, SharedMemoryOp
from .moves import sequential_moves
from .registers import REGISTER_CLASSES
from .structure import AddressOfOp, ConstantOp, GuardOp
from .target import TargetAttr
from .types import ParamArrayType, TensorMapType

TENSOR_MAP_BYTES = 128
TENSOR_MAP_ALIGNMENT = 64


def print_module(module: ModuleOp, target: TargetAttr) -> str:
    """
    The PTX text of a module.

    Raises OperationError if an operation has no PTX, or a value is used where it is not defined.
    """
    lines = [
        f".version {target.version.data}",
        f".target {target.target.data}",
        ".address_size 64",
        "",
    ]
    for op in module.ops:
        if isinstance(op, SharedMemoryOp):
            lines.append(_shared_memory(op))
        elif isinstance(op, KernelOp):
            lines.append("")
            lines.extend(_Kernel(op).lines())
        else:
            raise OperationError(op, "has no PTX; legal: ptx.kernel and ptx.shared_memory")
    return "\n".join(lines) + "\n"


def _shared_memory(op: SharedMemoryOp) -> str:
    name, alignment = op.sym_name.data, op.alignment.value.data
    if op.size is None:
        return f".extern .shared .align {alignment} .b8 {name}[];"
    return f".shared .align {alignment} .b8 {name}[{op.size.value.data}];"


def _immediate(value: Attribute) -> str:
    match value:
        case IntegerAttr():
            return str(cast(IntegerAttr, value).value.data)
        case FloatAttr():
            bits = int.from_bytes(value.type.pack((value.value.data,)), "little")
            digits = 2 * value.type.size
            prefix = {8: "0f", 16: "0d"}.get(digits, "0x")
            return f"{prefix}{bits:0{digits}X}"
        case _:
            raise TypeError(f"no immediate for {value}")


class _Registers(dict[SSAValue, str]):
    """The registers of a kernel, numbered as values are first met; constants are immediates."""

    def __init__(self) -> None:
        super().__init__()
        self._numbers: dict[tuple[str, str], int] = {}

    def __missing__(self, value: SSAValue) -> str:
        owner = value.owner
        if isinstance(owner, ConstantOp) and value.type != i1:
            name = _immediate(owner.value)
        else:
            name = self.fresh(value.type)
        self[value] = name
        return name

    def fresh(self, type_: Attribute) -> str:
        """A register of the class of this type that no value has."""
        register_class = REGISTER_CLASSES.get(type_, ("b64", "%rd"))
        number = self._numbers.get(register_class, 0) + 1
        self._numbers[register_class] = number
        return f"{register_class[1]}{number}"

    def address(self, value: SSAValue, offset: int) -> str:
        """The text of an address operand between its brackets."""
        base = self.variable(value) or self[value]
        return f"{base}+{offset}" if offset else base

    def variable(self, value: SSAValue) -> str | None:
        """The variable and offset that an address is, if it is one."""
        if not isinstance(owner := value.owner, AddressOfOp):
            return None
        offset = owner.offset.value.data if owner.offset else 0
        name = owner.variable.string_value()
        return f"{name}+{offset}" if offset else name

    def declarations(self) -> Iterator[str]:
        """The declarations of all registers given out."""
        for (register_class, prefix), count in sorted(self._numbers.items()):
            yield f"\t.reg .{register_class} {prefix}<{count + 1}>;"


class _Kernel:
    """The printing of one kernel."""

    def __init__(self, op: KernelOp):
        self.op = op
        self.names = _Registers()
        self.body: list[str] = []
        self.labels: dict[Block, str] = {}
        self.label_count = 0
        self.used_labels: set[str] = set()

    def lines(self) -> list[str]:
        dominance = check_dominance(self.op.body)
        blocks = [block for block in self.op.body.blocks if dominance.is_reachable(block)]
        for index, argument in enumerate(blocks[0].args):
            self._load_parameter(index, argument)
        for index, block in enumerate(blocks):
            if index:
                self.body.append(f"{self._label(block)}:")
            following = blocks[index + 1] if index + 1 < len(blocks) else None
            self._print_block(block, following)
        body = [
            line
            for line in self.body
            if not line.startswith("$L__") or line[:-1] in self.used_labels
        ]
        return [*self._header(), "{", *self.names.declarations(), "", *body, "}"]

    def _header(self) -> Iterator[str]:
        op = self.op
        parameters = [
            f"\t{_parameter(argument.type)[0]} {op.parameter_name(index)}{suffix}"
            for index, argument in enumerate(op.body.blocks[0].args)
            for suffix in (_parameter(argument.type)[1],)
        ]
        yield f".visible .entry {op.sym_name.data}("
        if parameters:
            yield ",\n".join(parameters)
        yield ")"
        for name, directive in _EXTENT_DIRECTIVES.items():
            if (extents := op.extents(name)) is not None:
                yield f"{directive} {', '.join(map(str, extents))}"
        for name in ("minnctapersm", "maxnreg"):
            if isinstance(number := op.properties.get(name), IntegerAttr):
                yield f".{name} {cast(IntegerAttr, number).value.data}"

    def _load_parameter(self, index: int, argument: BlockArgument) -> None:
        name, register = self.op.parameter_name(index), self.names[argument]
        match argument.type:
            case TensorMapType():
                self._emit(f"mov.b64 {register}, {name}")
                self._emit(f"cvta.param.u64 {register}, {register}")
            case ParamArrayType():
                self._emit(f"mov.b64 {register}, {name}")
            case type_:
                self._emit(f"ld.param.{REGISTER_CLASSES[type_][0]} {register}, [{name}]")

    def _print_block(self, block: Block, following: Block | None) -> None:
        for op in block.ops:
            match op:
                case Instruction():
                    self._print_instruction(op, "")
                case ConstantOp():
                    if op.result.type == i1:
                        self._print_predicate(op)
                case AddressOfOp():
                    self._print_address_of(op)
                case BraOp():
                    self._print_edge(op.successor, op.arguments)
                    self._branch(op.successor, following)
                case CondBraOp():
                    self._print_cond_bra(op, following)
                case GuardOp():
                    sign = "" if op.negated is None else "!"
                    guard = f"@{sign}{self.names[op.predicate]} "
                    for guarded in op.body.block.ops:
                        self._print_instruction(cast(Instruction, guarded), guard)
                case _:
                    raise OperationError(op, "has no PTX; it must be lowered to ptx first")

    def _emit(self, text: str) -> None:
        self.body.append(f"\t{text};")

    def _print_instruction(self, op: Instruction, guard: str) -> None:
        syntax = syntax_of(type(op))
        if syntax.vectors:
            self._print_with_vectors(op, syntax.vectors, guard)
            return
        text = syntax.ptx(op, self.names)
        # A block in braces is no instruction and takes no semicolon.
        self.body.append(
            f"\t{guard}{text}" if text.endswith("}") and "\n" in text else f"\t{guard}{text};"
        )

    def _print_with_vectors(self, op: Instruction, vectors: Sequence[str], guard: str) -> None:
        """Print an instruction after putting constants among the elements into registers."""
        immediates: dict[SSAValue, str] = {}
        for name in vectors:
            for value in cast(Sequence[SSAValue], getattr(op, name)):
                if isinstance(value.owner, ConstantOp) and value not in immediates:
                    immediates[value] = self.names[value]
                    self.names[value] = self.names.fresh(value.type)
                    register_class = REGISTER_CLASSES[value.type][0]
                    self._emit(f"mov.{register_class} {self.names[value]}, {immediates[value]}")
        self._emit(guard + syntax_of(type(op)).ptx(op, self.names))
        self.names.update(immediates)

    def _print_predicate(self, op: ConstantOp) -> None:
        value = cast(IntegerAttr, op.value).value.data
        self._emit(f"setp.ne.b32 {self.names[op.result]}, {value & 1}, 0")

    def _print_address_of(self, op: AddressOfOp) -> None:
        if not all(_is_address(use.operation, op.result) for use in op.result.uses):
            self._emit(f"mov.b32 {self.names[op.result]}, {self.names.variable(op.result)}")

    def _label(self, block: Block) -> str:
        label = self.labels.get(block)
        if label is None:
            label = self.labels[block] = self._new_label()
        return label

    def _new_label(self) -> str:
        self.label_count += 1
        return f"$L__{self.label_count}"

    def _branch(self, block: Block, following: Block | None) -> None:
        if block is not following:
            self._jump(self._label(block))

    def _jump(self, label: str, guard: str = "") -> None:
        self.used_labels.add(label)
        self._emit(f"{guard}bra {label}")

    def _moves(self, block: Block, arguments: Sequence[SSAValue]) -> list[str]:
        """The moves that give a block its arguments."""
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
            f"mov.{REGISTER_CLASSES.get(types[to], ('b64',))[0]} {to}, {source}"
            for to, source in sequential_moves(moves, temporary)
        ]

    def _print_edge(self, block: Block, arguments: Sequence[SSAValue]) -> None:
        for move in self._moves(block, arguments):
            self._emit(move)

    def _print_cond_bra(self, op: CondBraOp, following: Block | None) -> None:
        predicate = self.names[op.predicate]
        then_moves = self._moves(op.then_block, op.then_arguments)
        else_moves = self._moves(op.else_block, op.else_arguments)
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

    def _finish(self, moves: Sequence[str], block: Block, following: Block | None) -> None:
        for move in moves:
            self._emit(move)
        self._branch(block, following)


_EXTENT_DIRECTIVES: Mapping[str, str] = {
    "maxntid": ".maxntid",
    "reqntid": ".reqntid",
    "cluster_dims": ".explicitcluster\n.reqnctapercluster",
}


def _parameter(type_: Attribute) -> tuple[str, str]:
    """What stands before and after the name in the declaration of a parameter."""
    match type_:
        case TensorMapType():
            return f".param .align {TENSOR_MAP_ALIGNMENT} .b8", f"[{TENSOR_MAP_BYTES}]"
        case ParamArrayType():
            return f".param .align {type_.alignment.data} .b8", f"[{type_.size.data}]"
        case _:
            return f".param .{REGISTER_CLASSES[type_][0]}", ""


def _is_address(op: Operation, value: SSAValue) -> bool:
    """Whether an operation uses a value in brackets only."""
    if not isinstance(op, Instruction):
        return False
    addresses = [getattr(op, name) for name in syntax_of(type(op)).addresses]
    return sum(operand is value for operand in op.operands) == sum(a is value for a in addresses)

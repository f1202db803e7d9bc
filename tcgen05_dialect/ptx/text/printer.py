"""The printer of modules as PTX text, and the xDSL target `ptx`."""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import IO, Any, ClassVar, TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i1
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.utils.target import Target

from ...isa import targets
from ...isa.model.rule import Violation
from ...isa.ptx import ptx_text
from ...isa.ptx.kernel import EXTENTS, check_minnctapersm
from ...isa.ptx.ptx_text import copy_of
from ...reporting.diagnostics import OperationError, located, no_lowering, text_place
from ..analysis.control_flow import check_dominance
from ..analysis.registers import check_carries, kept_values, shared_registers
from ..contract import operations_of_assumptions
from ..control_flow import BraOp, BrxOp, CallOp, CondBraOp, check_arguments
from ..instruction import Instruction, syntax_of
from ..instructions import ExitOp, MovOp, RetOp
from ..kernel import KernelOp, SharedMemoryOp, check_names, memory_of
from ..register_types import REGISTER_CLASSES, register_class
from ..structure import (
    AddressOfOp,
    ConstantOp,
    DeclarationOp,
    GuardOp,
    InlineOp,
    PragmaOp,
    UndefinedOp,
    is_branch_over_stores,
)
from ..types import LABEL_PREFIX, ParamArrayType, TargetAttr, TensorMapType, choose_target
from ..variables import (
    LoadParameterOp,
    ParameterAddressOp,
    ParameterUse,
    VariableAddressOp,
    VariableOp,
    shared_memory_violation,
    used_variables,
)
from .compiled_syntax import CompiledSyntax
from .register_names import KernelNames, fixed_labels, fixed_names, variable


def shared_memory_line(op: SharedMemoryOp) -> str:
    """The declaration of a variable in shared memory."""
    size, linking = ("", f"{ptx_text.EXTERN} ") if op.size is None else (op.size.value.data, "")
    return f"{linking}{ptx_text.SHARED} {_bytes(op.sym_name.data, op.alignment.value.data, size)};"


def _bytes(name: str, alignment: int, size: int | str) -> str:
    """The declaration of an array of bytes, without its state space."""
    return f"{ptx_text.ALIGN} {alignment} .b8 {name}[{size}]"


def header_lines(op: KernelOp) -> Iterator[str]:
    """The lines of a kernel before its body."""
    parameters = [
        f"\t{_parameter(argument.type, op.parameter_name(index))}"
        for index, argument in enumerate(op.body.blocks[0].args)
    ]
    if op.declarations is not None:
        parameters = [f"\t{ptx_text.PARAMETER} {each.data}" for each in op.declarations]
    yield f"{ptx_text.VISIBLE} {ptx_text.KERNEL} {op.sym_name.data}("
    if parameters:
        yield ",\n".join(parameters)
    yield ")"
    for name, directive in EXTENTS.items():
        if name in op.properties and (extents := op.extents(name)) is not None:
            yield f"{directive.ptx} {', '.join(map(str, extents))}"
    for name, number in op.numbers():
        yield f".{name} {number}"
    for directive in op.directives or ():
        yield directive.data


def _parameter(type_: Attribute, name: str) -> str:
    """The declaration of a parameter."""
    if type_ in REGISTER_CLASSES:
        return f"{ptx_text.PARAMETER} .{REGISTER_CLASSES[type_][0]} {name}"
    memory = memory_of(type_)
    assert memory is not None
    size, alignment = memory
    return f"{ptx_text.PARAMETER} {_bytes(name, alignment, size)}"


def sequential_moves(
    moves: Mapping[str, str], temporary: Callable[[str], str]
) -> Iterator[tuple[str, str]]:
    """
    A sequence of moves (destination, source) with the same effect as the parallel `moves`.

    `temporary` returns an unused register of the same class as its argument; each cycle, such as a
    swap, needs one.
    """
    pending = {to: source for to, source in moves.items() if to != source}
    readers: dict[str, int] = {}
    for source in pending.values():
        readers[source] = readers.get(source, 0) + 1
    ready = [to for to in pending if to not in readers]
    while pending:
        while ready:
            to = ready.pop()
            source = pending.pop(to)
            yield to, source
            readers[source] -= 1
            if readers[source] == 0 and source in pending:
                ready.append(source)
        if pending:
            to = next(iter(pending))
            saved = temporary(to)
            yield saved, to
            for other, source in pending.items():
                if source == to:
                    pending[other] = saved
            readers[saved] = readers.pop(to)
            ready.append(to)


_Move: TypeAlias = tuple[str, str, str]
"""A move: its type, destination and source."""


class LineTable:
    """The files and lines from which a text is made, as directives (11.5.3, 11.5.4)."""

    def __init__(self) -> None:
        self._files: dict[str, int] = {}
        self._last = ""

    def line(self, op: Operation) -> str | None:
        """The directive before the instructions of an operation, if its place is a new one."""
        place = text_place(op.location)
        if place is None:
            return None
        number = self._files.setdefault(place.filename.data, len(self._files) + 1)
        line = f"\t{ptx_text.LOC} {number} {place.line.data} {place.column.data}"
        if line == self._last:
            return None
        self._last = line
        return line

    def files(self) -> Iterator[str]:
        """The directives that number the files."""
        for name, number in self._files.items():
            # A string of PTX has no quotes, and only characters of ASCII.
            text = "".join("?" if each in '"\n\0' or each > "~" else each for each in name)
            yield f'{ptx_text.FILE} {number} "{text}"'


def print_module(module: ModuleOp, target: TargetAttr, has_lines: bool = False) -> str:
    """
    The PTX text of a module. With `has_lines`, directives name the places of the operations.

    Raises OperationError if an operation has no PTX form or a value is used before its definition.
    """
    check_names(module)
    lines = [
        f"{ptx_text.VERSION} {target.version.data}",
        f"{ptx_text.TARGET} {target.target.data}",
        f"{ptx_text.ADDRESS_SIZE} {max(ptx_text.ADDRESS_BITS)}",
        "",
    ]
    table = LineTable() if has_lines else None
    first = len(lines)
    for op in module.ops:
        if isinstance(op, SharedMemoryOp):
            lines.append(shared_memory_line(op))
        elif isinstance(op, DeclarationOp):
            lines.append(op.text.data)
        elif isinstance(op, VariableOp):
            lines.append(f"{op.ptx};")
        elif isinstance(op, KernelOp):
            lines.append("")
            lines.extend(_Kernel(op, target, table).lines())
        else:
            raise no_lowering(op, "ptx.kernel and ptx.shared_memory")
    if table is not None:
        lines[first:first] = table.files()
    return "\n".join(lines) + "\n"


class _Kernel:
    """The printer of one kernel."""

    def __init__(self, op: KernelOp, target: TargetAttr, table: LineTable | None):
        self.op = op
        self.table = table
        self.target = target.target.data
        self.version = targets.parse_version(target.version.data)
        self.body: list[str] = []
        self.names = KernelNames(self._emit)
        self.is_read = op.is_read
        self.syntaxes: dict[type[Instruction], CompiledSyntax] = {}
        self.labels: dict[Block, str] = {}
        self.label_count = 0
        self.used_labels: set[str] = set()
        self.unprinted: Set[Operation] = set()
        self.has_carries = False
        """Whether an instruction uses the condition code register."""
        self.inner_ends: Set[Block] = set()
        """The blocks that are printed as a guarded instruction at the end of another block."""
        self.following: Block | None = None
        """The block after the current one in the text."""
        self.tables_edges: list[tuple[str, Block, Sequence[_Move]]] = []
        """Labels, targets and moves of the edges of branch tables that need moves."""

    def lines(self) -> list[str]:
        dominance = check_dominance(self.op.body)
        blocks = [block for block in self.op.body.blocks if dominance.is_reachable(block)]
        self.unprinted = operations_of_assumptions(blocks)
        shared = shared_registers(blocks, dominance, self.is_read)
        fixed = fixed_names((op for block in blocks for op in block.ops), shared)
        self.names = KernelNames(self._emit, shared, self.is_read, fixed)
        self.labels.update(fixed_labels(blocks))
        for index, argument in enumerate(blocks[0].args):
            if not self.is_read or not all(
                isinstance(use.operation, ParameterUse) for use in argument.uses
            ):
                self._load_parameter(index, argument)
        self.inner_ends = set(_inner_ends(blocks)) if self.is_read else set()
        blocks = [block for block in blocks if block not in self.inner_ends]
        for index, block in enumerate(blocks):
            if index:
                self.body.append(f"{self._label(block)}:")
            self.following = blocks[index + 1] if index + 1 < len(blocks) else None
            self._print_block(block)
        for label, block, moves in self.tables_edges:
            self.body.append(f"{label}:")
            self._finish(moves, block, None)
        violation = shared_memory_violation(used_variables(self.op, blocks), self.target)
        if violation is not None:
            raise located(self.op, violation)
        self._check_directives()
        if self.has_carries:
            check_carries(blocks)
        body = [
            line
            for line in self.body
            if not line.startswith(LABEL_PREFIX) or line[:-1] in self.used_labels
        ]
        return [*header_lines(self.op), "{", *self.names.declarations(), "", *body, "}"]

    def _check_directives(self) -> None:
        """Raise OperationError for a directive that ptxas ignores; PTX text may have it."""
        number = self.op.minnctapersm
        if number is not None and not self.op.is_read:
            try:
                check_minnctapersm(number.value.data, self.target)
            except Violation as violation:
                raise located(self.op, violation) from violation

    def _load(self, name: str, value: SSAValue) -> None:
        self._emit(f"ld.param.{register_class(value.type)[0]} {self.names[value]}, [{name}]")

    def _load_parameter(self, index: int, argument: BlockArgument) -> None:
        name, register = self.op.parameter_name(index), self.names[argument]
        match argument.type:
            case TensorMapType():
                self._emit(f"mov.b64 {register}, {name}")
                self._emit(f"cvta.param.u64 {register}, {register}")
            case ParamArrayType():
                self._emit(f"mov.b64 {register}, {name}")
            case _:
                self._load(name, argument)

    def _print_block(self, block: Block) -> None:
        for op in block.ops:
            if op in self.unprinted:
                continue
            if self.table is not None and (line := self.table.line(op)) is not None:
                if self.body and self.body[-1].lstrip().startswith(ptx_text.LOC):
                    self.body.pop()
                self.body.append(line)
            if isinstance(op, Instruction):
                self._print_instruction(op, "")
            else:
                self._print_other(op)

    def _print_other(self, op: Operation) -> None:
        if type(op) not in self._PRINTERS:
            raise no_lowering(op, "operations of ptx, to which it must be lowered first")
        self._PRINTERS[type(op)](self, op)

    def _print_nothing(self, op: UndefinedOp) -> None:
        pass

    def _print_constant(self, op: ConstantOp) -> None:
        if op.result.type != i1:
            return
        value = cast(IntegerAttr, op.value).value.data
        if self.is_read and all(type(use.operation) is MovOp for use in op.result.uses):
            self.names[op.result] = "-1" if value else "0"
        else:
            self._emit(f"setp.ne.b32 {self.names[op.result]}, {value & 1}, 0")

    def _print_variable(self, op: VariableOp) -> None:
        self._emit(op.ptx)

    def _print_bra(self, op: BraOp) -> None:
        self._print_edge(op, op.successor, op.arguments)
        self._branch(op.successor, self.following, op.uniform)

    def _print_unguarded(self, op: InlineOp) -> None:
        self._keep(op)
        self._print_inline(op, "")

    def _print_declaration(self, op: DeclarationOp) -> None:
        self.body.append(f"\t{op.text.data}")

    def _print_pragma(self, op: PragmaOp) -> None:
        self._emit(f'{ptx_text.PRAGMA} "{op.text.data}"')

    def _print_load_parameter(self, op: LoadParameterOp) -> None:
        self._load(op.text, op.result)

    def _print_guard(self, op: GuardOp) -> None:
        self._keep(op)
        sign = "" if op.negated is None else "!"
        guard = f"@{sign}{self.names[op.predicate]} "
        (*inner,) = op.instructions
        if op.outputs:
            for computed, result in zip(inner[0].results, op.outputs, strict=True):
                self.names[computed] = self.names[result]
        if is_branch_over_stores(op):
            self._print_branch_over(inner, f"@{'' if sign else '!'}{self.names[op.predicate]} ")
            return
        for guarded in inner:
            if isinstance(guarded, InlineOp):
                self._print_inline(guarded, guard)
            else:
                self._print_instruction(cast(Instruction, guarded), guard)

    def _print_branch_over(self, stores: Sequence[Operation], guard: str) -> None:
        """
        Print stores and one branch over them.

        ptxas splits predicated stores into a branch for each pair, but turns a short branch over
        them into predicates, which takes fewer instructions.
        """
        end = self._new_label()
        self._jump(end, guard)
        for store in stores:
            self._print_instruction(cast(Instruction, store), "")
        self.body.append(f"{end}:")

    def _keep(self, op: GuardOp | InlineOp) -> None:
        """Print the moves of the values that results keep from other registers."""
        for result, kept in kept_values(op):
            register, old = self.names[result], self.names[kept]
            if register != old and not isinstance(kept.owner, UndefinedOp):
                self._emit(f"{copy_of(register_class(result.type)[0])} {register}, {old}")

    def _print_inline(self, op: InlineOp, guard: str) -> None:
        self._emit(f"{guard}{op.ptx(self.names.__getitem__)}")

    def _emit(self, text: str) -> None:
        self.body.append(f"\t{text};")

    def _print_instruction(self, op: Instruction, guard: str) -> None:
        for feature in op.features():
            self._check_feature(op, feature)
        op_type = type(op)
        syntax = self.syntaxes.get(op_type)
        if syntax is None:
            syntax = self.syntaxes[op_type] = syntax_of(op_type)
            self.has_carries = self.has_carries or bool(syntax.implicit)
        text = op.spelled(syntax.ptx(op, self.names), self.version)
        self.body.append(f"\t{guard}{text}" if syntax.is_block else f"\t{guard}{text};")

    def _check_feature(self, op: Instruction, feature: str) -> None:
        try:
            targets.check_feature(feature, self.target, self.version)
        except Violation as violation:
            raise OperationError(op, str(violation)) from violation

    def _print_address(self, op: AddressOfOp | VariableAddressOp | ParameterAddressOp) -> None:
        if _needs_register(op):
            text = op.text if isinstance(op, ParameterAddressOp) else variable(op)
            type_ = register_class(op.result.type)[0]
            self._emit(f"mov.{type_} {self.names[op.result]}, {text}")

    def _print_call(self, op: CallOp) -> None:
        # The texts of all values come first: a constant in a vector may need a move.
        statements = [*op.ptx(self.names.__getitem__, self.names.element)]
        self.body += ["\t{", *(f"\t{each};" for each in statements), "\t}"]

    def _label(self, block: Block) -> str:
        label = self.labels.get(block)
        if label is None:
            label = self.labels[block] = self._new_label()
        return label

    def _new_label(self) -> str:
        self.label_count += 1
        return f"{LABEL_PREFIX}{self.label_count}"

    def _branch(self, block: Block, following: Block | None, uniform: object = None) -> None:
        if block is not following:
            self._jump(self._label(block), "", uniform)

    def _jump(self, label: str, guard: str = "", uniform: object = None) -> None:
        self.used_labels.add(label)
        self._emit(f"{guard}bra{'' if uniform is None else '.uni'} {label}")

    def _moves(self, op: Operation, block: Block, arguments: Sequence[SSAValue]) -> list[_Move]:
        """The moves (type, destination, source) that pass the arguments of a block."""
        check_arguments(op, block, arguments)
        types: dict[str, Attribute] = {}
        moves: dict[str, str] = {}
        for parameter, argument in zip(block.args, arguments, strict=True):
            # Registers have numbers in the order of the text: without a move, none is named here.
            if isinstance(argument.owner, UndefinedOp) or self.names.is_shared(parameter, argument):
                continue
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

    def _print_moves(self, moves: Sequence[_Move]) -> None:
        for type_, to, source in moves:
            self._emit(f"{copy_of(type_)} {to}, {source}")

    def _print_cond_bra(self, op: CondBraOp) -> None:
        predicate, following = self.names[op.predicate], self.following
        if op.then_block in self.inner_ends:
            self._print_guarded_end(op.then_block, f"@{predicate} ")
            self._print_edge(op, op.else_block, op.else_arguments)
            self._branch(op.else_block, following)
            return
        if op.else_block in self.inner_ends:
            self._print_guarded_end(op.else_block, f"@!{predicate} ")
            self._print_edge(op, op.then_block, op.then_arguments)
            self._branch(op.then_block, following)
            return
        then_moves = self._moves(op, op.then_block, op.then_arguments)
        else_moves = self._moves(op, op.else_block, op.else_arguments)
        if not then_moves and (else_moves or op.then_block is not following):
            self._jump(self._label(op.then_block), f"@{predicate} ", op.uniform)
            self._finish(else_moves, op.else_block, following)
            return
        if not else_moves:
            self._jump(self._label(op.else_block), f"@!{predicate} ", op.uniform)
            self._finish(then_moves, op.then_block, following)
            return
        other = self._new_label()
        self._jump(other, f"@!{predicate} ")
        self._finish(then_moves, op.then_block, None)
        self.body.append(f"{other}:")
        self._finish(else_moves, op.else_block, following)

    def _print_guarded_end(self, block: Block, guard: str) -> None:
        end = block.last_op
        assert isinstance(end, Instruction)
        self._print_instruction(end, guard)

    def _print_brx(self, op: BrxOp) -> None:
        index = self.names.register(op.index)
        labels: list[str] = []
        for block, arguments in op.targets():
            moves = self._moves(op, block, arguments)
            label = self._new_label() if moves else self._label(block)
            if moves:
                self.tables_edges.append((label, block, moves))
            self.used_labels.add(label)
            labels.append(label)
        table = self._new_label()
        self.used_labels.add(table)
        self.body.append(f"{table}:")
        self._emit(f"{ptx_text.BRANCH_TARGETS} {', '.join(labels)}")
        self._emit(f"brx.idx{'' if op.uniform is None else '.uni'} {index}, {table}")

    def _finish(self, moves: Sequence[_Move], block: Block, following: Block | None) -> None:
        self._print_moves(moves)
        self._branch(block, following)

    _PRINTERS: ClassVar[Mapping[type[Operation], Callable[[Any, Any], None]]] = {
        ConstantOp: _print_constant,
        AddressOfOp: _print_address,
        VariableAddressOp: _print_address,
        ParameterAddressOp: _print_address,
        LoadParameterOp: _print_load_parameter,
        VariableOp: _print_variable,
        DeclarationOp: _print_declaration,
        PragmaOp: _print_pragma,
        UndefinedOp: _print_nothing,
        CallOp: _print_call,
        BraOp: _print_bra,
        CondBraOp: _print_cond_bra,
        BrxOp: _print_brx,
        GuardOp: _print_guard,
        InlineOp: _print_unguarded,
    }


def _inner_ends(blocks: Sequence[Block]) -> Iterator[Block]:
    """The blocks that only return or exit, each after one branch, which it directly follows."""
    for before, block, following in zip(blocks, blocks[1:], blocks[2:], strict=False):
        last, end = before.last_op, block.last_op
        if (
            isinstance(last, CondBraOp)
            and isinstance(end, RetOp | ExitOp)
            and block.first_op is end
            and not block.args
            and {*last.successors} == {block, following}
            and len(list(block.predecessors())) == 1
        ):
            yield block


def _needs_register(op: AddressOfOp | ParameterAddressOp | VariableAddressOp) -> bool:
    """Whether an address is moved into a register."""
    if op.in_register is not None:
        return True
    return not all(_is_address(use.operation, op.result) for use in op.result.uses)


def _is_address(op: Operation, value: SSAValue) -> bool:
    """Whether an operation uses a value only between brackets."""
    if not isinstance(op, Instruction):
        return False
    addresses = [getattr(op, name) for name in syntax_of(type(op)).variables]
    return sum(operand is value for operand in op.operands) == sum(a is value for a in addresses)


@dataclass(frozen=True)
class PTXTarget(Target):
    """Prints a module as PTX text: `-t 'ptx{target="sm_100a" version="8.8"}'`."""

    name = "ptx"
    target: str | None = None
    version: str | float | None = None

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        version = None if self.version is None else str(self.version)
        output.write(print_module(module, choose_target(module, self.target, version)))

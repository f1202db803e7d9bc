"""
The pass `tcgen05-to-nvvm`: kernels as functions of MLIR's `llvm` and `nvvm`.

`arith`, `scf` and `cf` are left to MLIR. Instructions that NVVM lacks become inline
assembly, made from their syntax line. So do functions of `math`, because LLVM needs a library
for them, and the arithmetic of descriptors, because LLVM would move it into loops.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import arith, builtin, cf, llvm, scf
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, UnitAttr, i1, i16, i32, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.traits import IsTerminator

from tcgen05_dialect.isa.targets import Version, parse_version
from tcgen05_dialect.ptx.contract import AssumeOp
from tcgen05_dialect.ptx.control_flow import BraOp, CondBraOp
from tcgen05_dialect.ptx.instruction import Instruction, PureInstruction, syntax_of
from tcgen05_dialect.ptx.instructions import RetOp
from tcgen05_dialect.ptx.kernel import KernelOp, SharedMemoryOp, memory_of
from tcgen05_dialect.ptx.structure import AddressOfOp, ConstantOp, GuardOp, InlineOp, UndefinedOp
from tcgen05_dialect.ptx.text.register_names import immediate_text
from tcgen05_dialect.ptx.text.syntax import offset_of, sinks_of, values_of, word_of
from tcgen05_dialect.ptx.types import ATTRIBUTE, TargetAttr, TensorMapType, choose_target
from tcgen05_dialect.reporting.diagnostics import no_lowering

from .convert_tcgen05_to_ptx import CONVERSION
from .lower_to_ptx import lower_roles
from .support.conversion import check_cta_groups
from .support.nvvm_forms import Form, attribute, form_of

_SHARED, _GENERIC = llvm.LLVMPointerType(builtin.IntAttr(3)), llvm.LLVMPointerType()
_LETTERS: Mapping[Attribute, str] = {
    i1: "b",
    i16: "h",
    i32: "r",
    i64: "l",
    builtin.i128: "q",
    builtin.f32: "f",
    builtin.f64: "d",
}
"""Type -> its letter in the constraints of inline assembly."""
_BITS: Mapping[Attribute, Attribute] = {builtin.f16: i16, builtin.bf16: i16}
"""Type that inline assembly does not take -> the one with the same bits."""
_DIRECTIVES = {
    "reqntid": "reqntid",
    "maxntid": "maxntid",
    "maxnreg": "maxnreg",
    "cluster_dims": "cluster_dim",
    "minnctapersm": "minctasm",
}
"""Directive of a kernel -> the attribute of NVVM."""
_class = cache(builtin.UnregisteredOp.with_name)


class _Names:
    """
    The texts of the values of an operation in inline assembly, which numbers results first.

    Constants are immediates. A mark stands for `$`, which is doubled elsewhere.
    """

    def __init__(self, results: Sequence[SSAValue]):
        self._places: dict[SSAValue, int] = {value: at for at, value in enumerate(results)}
        self._sinks: set[SSAValue] = set()
        self.operands: list[SSAValue] = []

    def __getitem__(self, value: SSAValue) -> str:
        if value in self._sinks:
            return "_"
        owner = value.owner
        if isinstance(owner, ConstantOp | arith.ConstantOp) and value.type != i1:
            return immediate_text(owner.value)
        return self.register(value)

    def register(self, value: SSAValue) -> str:
        if value not in self._places:
            self._places[value] = len(self._places)
            self.operands.append(value)
        return f"\0{self._places[value]}"

    def element(self, value: SSAValue) -> str:
        return self.register(value) if isinstance(value.type, type(builtin.f32)) else self[value]

    def discard(self, value: SSAValue) -> None:
        self._sinks.add(value)

    def address(self, value: SSAValue, offset: int) -> str:
        register = self.register(value)
        return f"{register}+{offset}" if offset else register


class _Builder:
    """Replaces the operations of a kernel, each before it."""

    def __init__(self, version: Version):
        self.version = version
        self.at: Operation
        self.loads = defaultdict[Block | None, list[SSAValue]](list)
        """Block -> the registers of loads from tensor memory in it that no wait has followed."""

    def insert(self, op: Operation) -> Operation:
        op.location = self.at.location
        block = self.at.parent
        assert block is not None
        block.insert_op_before(op, self.at)
        return op

    def make(
        self,
        name: str,
        operands: Sequence[SSAValue] = (),
        results: Sequence[Attribute] = (),
        **properties: Attribute,
    ) -> Sequence[SSAValue]:
        """The results of a new operation."""
        op_type = _class(name)
        made = op_type.create(operands=operands, result_types=results, properties=properties)
        return self.insert(made).results

    def assembly(
        self,
        text: str,
        operands: Sequence[SSAValue],
        results: Sequence[Attribute],
        tied: Sequence[SSAValue] = (),
        is_pure: bool = False,
    ) -> Sequence[SSAValue]:
        """The results of inline assembly. The last operands, `tied`, are in the registers of the
        results."""
        inputs = [
            self.cast(value, _BITS.get(value.type, value.type)) for value in (*operands, *tied)
        ]
        types = [_BITS.get(each, each) for each in results]
        if not {*types, *(value.type for value in inputs)} <= _LETTERS.keys():
            raise no_lowering(self.at, "one whose operands LLVM takes in inline assembly")
        letters = [f"={_LETTERS[each]}" for each in types]
        letters += [_LETTERS[value.type] for value in inputs[: len(operands)]]
        letters += map(str, range(len(tied)))
        properties: dict[str, Attribute] = {"asm_dialect": IntegerAttr(0, i64)}
        if not is_pure:
            letters.append("~{memory}")
            properties["has_side_effects"] = UnitAttr()
        properties["asm_string"] = builtin.StringAttr(text.replace("$", "$$").replace("\0", "$"))
        properties["constraints"] = builtin.StringAttr(",".join(letters))
        if len(types) < 2:
            found = self.make("llvm.inline_asm", inputs, types, **properties)
        else:
            struct = llvm.LLVMStructType.from_type_list(types)
            (whole,) = self.make("llvm.inline_asm", inputs, [struct], **properties)
            found = [self.extract(whole, at, each) for at, each in enumerate(types)]
        return [self.cast(value, each) for value, each in zip(found, results, strict=True)]

    def extract(self, whole: SSAValue, at: int, type_: Attribute) -> SSAValue:
        """A member of a structure."""
        position = builtin.DenseArrayBase.from_list(i64, [at])
        return self.make("llvm.extractvalue", [whole], [type_], position=position)[0]

    def cast(self, value: SSAValue, type_: Attribute) -> SSAValue:
        """A value with the same bits of another type."""
        return value if value.type == type_ else self.make("llvm.bitcast", [value], [type_])[0]

    def instruction(
        self,
        op: Operation,
        kept: Sequence[SSAValue] = (),
        guard: SSAValue | None = None,
        sign: str = "",
    ) -> Sequence[SSAValue]:
        """The results of an instruction as inline assembly; `kept` are the old values of its
        registers, and `guard` is its predicate after `sign`."""
        sinks = sinks_of(op)
        shown = [each for at, each in enumerate(op.results) if at not in sinks]
        names = _Names(shown)
        before = "" if guard is None else f"@{sign}{names.register(guard)} "
        if isinstance(op, Instruction):
            syntax = syntax_of(type(op))
            text = op.spelled(syntax.ptx(op, names), self.version)
            text = text if syntax.is_block else f"{text};"
        else:
            text = f"{cast(InlineOp, op).ptx(names.__getitem__)};"
        tied = [each for at, each in enumerate(kept) if at not in sinks]
        is_pure = isinstance(op, PureInstruction) and guard is None
        types = [each.type for each in shown]
        found = iter(self.assembly(before + text, names.operands, types, tied, is_pure))
        if op.has_trait(IsTerminator) and guard is None:
            self.make("llvm.unreachable")
        return [
            self.undefined(each.type) if at in sinks else next(found)
            for at, each in enumerate(op.results)
        ]

    def pointer(self, value: SSAValue, space: int, offset: int = 0) -> SSAValue:
        """A pointer to an address in an address space, plus an offset."""
        type_ = llvm.LLVMPointerType(builtin.IntAttr(space)) if space else _GENERIC
        if isinstance(value.owner, _class("llvm.ptrtoint")) and not offset:
            (pointer,) = value.owner.operands
            if pointer.type == type_:
                return pointer
        if offset:
            value = self.insert(arith.AddiOp(value, self.number(offset, value.type))).results[0]
        return self.make("llvm.inttoptr", [value], [type_])[0]

    def number(self, value: int, type_: Attribute) -> SSAValue:
        return self.insert(arith.ConstantOp(IntegerAttr(value, cast("Any", type_)))).results[0]

    def operation(self, op: Instruction, form: Form) -> Sequence[SSAValue]:
        """The results of an operation of `nvvm` that is an instruction."""
        operands: list[SSAValue] = []
        sizes: list[int] = []
        for name, sign, space in form.operands:
            values = [*values_of(op, name)] if name else []
            if sign == "." or (sign == "&" and values[0].type == i32):
                values = [self.pointer(values[0], space, offset_of(op, name))]
            operands += values
            sizes.append(len(values))
        attributes = form.attributes_of(op)
        if form.is_segmented:
            attributes["operandSegmentSizes"] = builtin.DenseArrayBase.from_list(i32, sizes)
        results = values_of(op, form.result) if form.result else ()
        made = self.make(form.name, operands, [each.type for each in results], **attributes)
        new = dict(zip(results, made, strict=True))
        return [new.get(each) or self.undefined(each.type) for each in op.results]

    def undefined(self, type_: Attribute) -> SSAValue:
        return self.make("llvm.mlir.undef", (), [type_])[0]


def _guard(build: _Builder, op: GuardOp) -> Sequence[SSAValue]:
    inner = op.instructions
    if len(inner) > 1:
        # Predicates on each would keep LLVM from anything else, and ptxas makes them of a branch.
        body = Block()
        condition: SSAValue = op.predicate
        if op.negated is not None:
            condition = build.insert(arith.XOrIOp(condition, build.number(1, i1))).results[0]
        for each in inner:
            each.detach()
            body.add_op(each)
        body.add_op(scf.YieldOp())
        build.insert(scf.IfOp(condition, (), Region(body), Region(Block([scf.YieldOp()]))))
        for each in inner:
            _convert(build, each)
        return ()
    return build.instruction(inner[0], op.kept, op.predicate, "" if op.negated is None else "!")


def _wait_for_loads(build: _Builder, op: Instruction) -> Sequence[SSAValue]:
    """A wait for loads, through which their registers go: LLVM would read them before it."""
    loaded = [value for value in build.loads.pop(op.parent, ()) if value.uses]
    text = f"{syntax_of(type(op)).ptx(op, _Names(()))};"
    later = [[use for use in value.uses if not _is_before(use.operation, op)] for value in loaded]
    results = build.assembly(text, (), [each.type for each in loaded], loaded)
    for uses, new in zip(later, results, strict=True):
        for use in uses:
            use.operation.operands[use.index] = new
    return ()


LOADS = ("ptx.tcgen05.ld", "ptx.tcgen05.ld.red")


def _is_wait_for_loads(op: Operation) -> bool:
    return op.name == "ptx.tcgen05.wait" and word_of(op, "operation") == "ld"


def _check_wait(op: Operation) -> None:
    """Raise OperationError unless a wait in the block of a load follows it."""
    following = op.next_op
    while following is not None and not _is_wait_for_loads(following):
        following = following.next_op
    if following is None:
        raise no_lowering(op, "a load with a wait for it in its block")


def _is_before(op: Operation, other: Operation) -> bool:
    """Whether an operation is in the block of another one, and before it."""
    return op.parent is other.parent and op.is_before_in_block(other)


def _address_of(build: _Builder, op: AddressOfOp) -> Sequence[SSAValue]:
    (pointer,) = build.make("llvm.mlir.addressof", (), [_SHARED], global_name=op.variable)
    (address,) = build.make("llvm.ptrtoint", [pointer], [i32])
    if op.start:
        address = build.insert(arith.AddiOp(address, build.number(op.start, i32))).results[0]
    return [address]


def _branch(build: _Builder, op: BraOp | CondBraOp) -> Sequence[SSAValue]:
    targets = op.targets()
    if isinstance(op, BraOp):
        ((block, arguments),) = targets
        build.insert(cf.BranchOp(block, *arguments))
    else:
        (then, given), (other, passed) = targets
        build.insert(cf.ConditionalBranchOp(op.predicate, then, given, other, passed))
    return ()


_REGISTER = re.compile(r"(?:n?tid|n?ctaid|n?clusterid|cluster_n?ctaid)\.[xyz]|cluster_n?ctarank")
"""The special registers that operations of NVVM read."""


def _special_register(build: _Builder, op: Instruction) -> Sequence[SSAValue]:
    name = word_of(op, "register") or ""
    if _REGISTER.fullmatch(name) is None:
        return build.instruction(op)
    name = name.replace("cluster_", "cluster.")
    return build.make(f"nvvm.read.ptx.sreg.{name}", (), [i32])


_LOWERINGS: Mapping[str, Callable[[_Builder, Any], Sequence[SSAValue]]] = {
    ConstantOp.name: lambda build, op: build.insert(arith.ConstantOp(op.value)).results,
    AddressOfOp.name: _address_of,
    UndefinedOp.name: lambda build, op: [build.undefined(op.result.type)],
    AssumeOp.name: lambda build, op: (),
    GuardOp.name: _guard,
    BraOp.name: _branch,
    CondBraOp.name: _branch,
    RetOp.name: lambda build, op: build.make("llvm.return"),
    InlineOp.name: lambda build, op: build.instruction(op, op.kept),
    "ptx.special_register": _special_register,
}


def _convert(build: _Builder, op: Operation) -> None:
    build.at = op
    lower = _LOWERINGS.get(op.name)
    if lower is not None:
        results = lower(build, op)
    elif not isinstance(op, Instruction):
        raise no_lowering(op, "one with a form in NVVM or in inline assembly")
    elif _is_wait_for_loads(op):
        results = _wait_for_loads(build, op)
    elif (form := form_of(op)) is not None:
        results = build.operation(op, form)
    else:
        results = build.instruction(op)
        if op.name in LOADS:
            _check_wait(op)
            build.loads[op.parent] += results
    for old, new in zip(op.results, results, strict=True):
        old.replace_all_uses_with(new)
    Rewriter.erase_op(op, safe_erase=False)


def _kernel(kernel: KernelOp, target: TargetAttr) -> None:
    build = _Builder(parse_version(target.version.data))
    first = kernel.body.blocks[0].first_op
    assert first is not None
    build.at = first
    attributes: list[Attribute] = []
    types: list[Attribute] = []
    for argument in [*kernel.body.blocks[0].args]:
        given: dict[str, Attribute] = {}
        if isinstance(argument.type, TensorMapType):
            size, alignment = cast("tuple[int, int]", memory_of(argument.type))
            given = {
                "llvm.byval": llvm.LLVMArrayType(size // 8, i64),
                "llvm.align": IntegerAttr(alignment, i64),
                "nvvm.grid_constant": UnitAttr(),
            }
            new = Rewriter.replace_value_with_new_type(argument, _GENERIC)
            uses = [*new.uses]
            (address,) = build.make("llvm.ptrtoint", [new], [i64])
            for use in uses:
                use.operation.operands[use.index] = address
            argument = new
        elif argument.type not in {*_LETTERS, *_BITS}:
            raise no_lowering(kernel, "one of a kernel without structures as parameters")
        types.append(argument.type)
        attributes.append(builtin.DictionaryAttr(given))
    for op in [*kernel.body.walk()]:
        # The operations in a guard are lowered with it.
        if op.parent is None or isinstance(op.parent_op(), GuardOp):
            continue
        if op.name.startswith("ptx."):
            _convert(build, op)
    directives = {f"nvvm.{told}": kernel.properties.get(name) for name, told in _DIRECTIVES.items()}
    function = _class("llvm.func").create(
        properties={
            "sym_name": kernel.sym_name,
            "function_type": llvm.LLVMFunctionType(types, llvm.LLVMVoidType()),
            "linkage": attribute("llvm.linkage", "<external>"),
            "arg_attrs": builtin.ArrayAttr(attributes),
            "target_cpu": target.target,
        },
        attributes={
            "nvvm.kernel": UnitAttr(),
            **{name: told for name, told in directives.items() if told is not None},
        },
        regions=[kernel.detach_region(kernel.body)],
    )
    Rewriter.replace_op(kernel, function, [])


def _variable(op: SharedMemoryOp) -> None:
    size = 0 if op.size is None else op.size.value.data
    linkage = "external" if op.size is None else "internal"
    properties: dict[str, Attribute] = {
        "sym_name": op.sym_name,
        "global_type": llvm.LLVMArrayType(size, builtin.i8),
        "linkage": attribute("llvm.linkage", f"<{linkage}>"),
        "addr_space": IntegerAttr(3, i32),
        "alignment": op.alignment,
    }
    made = _class("llvm.mlir.global").create(properties=properties, regions=[Region()])
    Rewriter.replace_op(op, made, [])


@dataclass(frozen=True)
class Tcgen05ToNvvm(ModulePass):
    """
    Lowers kernels to functions of `llvm` with operations of `nvvm`, and with inline assembly for
    instructions that NVVM lacks; `arith`, `scf` and `cf` are kept. With
    `unroll_rings`, it runs `tcgen05-unroll-rings`, too.
    """

    name = "tcgen05-to-nvvm"
    unroll_rings: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = choose_target(op, None, None)
        op.attributes.pop(ATTRIBUTE, None)
        lower_roles(ctx, op, self.unroll_rings)
        check_cta_groups(op)
        CONVERSION.apply(op)
        if "xdsl.dialects.math" in sys.modules:
            # Imported here, because few kernels need it. LLVM has these functions in a library.
            from .convert_math_to_ptx import CONVERSION as of_math

            of_math.apply(op)
        for each in [*op.ops]:
            match each:
                case KernelOp():
                    _kernel(each, target)
                case SharedMemoryOp():
                    _variable(each)
                case _:
                    raise no_lowering(each, "one of a kernel or a variable in shared memory")

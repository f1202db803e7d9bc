"""
The pass `tcgen05-to-nvvm`: kernels as functions of MLIR's `llvm` and `nvvm`.

`arith`, `scf` and `cf` are left to MLIR. What NVVM lacks becomes inline assembly, made of the
syntax line of the instruction: among others functions of `math`, for which LLVM needs a library,
and the arithmetic of descriptors, which LLVM would move into loops.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import arith, cf, scf
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FloatAttr,
    IntAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    UnitAttr,
    UnregisteredOp,
    bf16,
    f16,
    f32,
    f64,
    i1,
    i8,
    i16,
    i32,
    i64,
    i128,
)
from xdsl.dialects.llvm import (
    LLVMArrayType,
    LLVMFunctionType,
    LLVMPointerType,
    LLVMStructType,
    LLVMVoidType,
)
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
from .support.builder import check_cta_groups
from .support.nvvm_forms import Form, attribute, form_of

_SHARED, _GENERIC = LLVMPointerType(IntAttr(3)), LLVMPointerType()
_LETTERS: Mapping[Attribute, str] = {
    i1: "b",
    i16: "h",
    i32: "r",
    f32: "f",
    i64: "l",
    f64: "d",
    i128: "q",
}
"""Type -> its letter in the constraints of inline assembly."""
_BITS: Mapping[Attribute, Attribute] = {f16: i16, bf16: i16}
"""Type that inline assembly does not take -> the one with the same bits."""
_WAIT = "ptx.tcgen05.wait"
_DIRECTIVES = {
    "reqntid": "nvvm.reqntid",
    "maxntid": "nvvm.maxntid",
    "cluster_dims": "nvvm.cluster_dim",
    "minnctapersm": "nvvm.minctasm",
    "maxnreg": "nvvm.maxnreg",
}


@cache
def _class(name: str) -> type[Operation]:
    return UnregisteredOp.with_name(name)


def _name(op: Operation) -> str:
    return op.op_name.data if isinstance(op, UnregisteredOp) else op.name


def _make(
    name: str,
    operands: Sequence[SSAValue] = (),
    results: Sequence[Attribute] = (),
    properties: Mapping[str, Attribute] | None = None,
    regions: Sequence[Region] = (),
) -> Operation:
    """An operation of MLIR that xDSL does not know, or not with all properties."""
    return _class(name).create(
        operands=operands, result_types=results, properties=properties or {}, regions=regions
    )


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
        return self.register(value) if isinstance(value.type, type(f32)) else self[value]

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
        return self.insert(_make(name, operands, results, properties)).results

    def assembly(
        self,
        text: str,
        operands: Sequence[SSAValue],
        results: Sequence[Attribute],
        tied: Sequence[SSAValue] = (),
        is_pure: bool = False,
    ) -> Sequence[SSAValue]:
        """
        The results of inline assembly. The last operands, `tied`, are in the registers of the
        results.
        """
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
        properties["asm_string"] = StringAttr(text.replace("$", "$$").replace("\0", "$"))
        properties["constraints"] = StringAttr(",".join(letters))
        if len(types) < 2:
            found = self.make("llvm.inline_asm", inputs, types, **properties)
        else:
            struct = LLVMStructType.from_type_list(types)
            (whole,) = self.make("llvm.inline_asm", inputs, [struct], **properties)
            found = [self.extract(whole, at, each) for at, each in enumerate(types)]
        return [self.cast(value, each) for value, each in zip(found, results, strict=True)]

    def extract(self, whole: SSAValue, at: int, type_: Attribute) -> SSAValue:
        """A member of a structure."""
        position = DenseArrayBase.from_list(i64, [at])
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
        type_ = LLVMPointerType(IntAttr(space)) if space else _GENERIC
        owner = value.owner
        if isinstance(owner, Operation) and _name(owner) == "llvm.ptrtoint" and not offset:
            (pointer,) = owner.operands
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
            attributes["operandSegmentSizes"] = DenseArrayBase.from_list(i32, sizes)
        results = (
            [each for each in op.results if each in values_of(op, form.result)]
            if form.result
            else []
        )
        found = iter(self.make(form.name, operands, [each.type for each in results], **attributes))
        return [
            next(found) if each in results else self.undefined(each.type) for each in op.results
        ]

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


def _wait_for_loads(build: _Builder, op: Operation) -> Sequence[SSAValue]:
    """A wait for loads, through which their registers go: LLVM would read them before it."""
    loaded = [value for value in build.loads.pop(op.parent, ()) if value.uses]
    names = _Names(())
    text = f"{syntax_of(type(cast(Instruction, op))).ptx(op, names)};"
    later = [[use for use in value.uses if not _is_before(use.operation, op)] for value in loaded]
    results = build.assembly(text, (), [each.type for each in loaded], loaded)
    for uses, new in zip(later, results, strict=True):
        for use in uses:
            use.operation.operands[use.index] = new
    return ()


LOADS = ("ptx.tcgen05.ld", "ptx.tcgen05.ld.red")


def _check_wait(op: Operation) -> None:
    """Raise OperationError unless a wait in the block of a load follows it."""
    following = op.next_op
    while following is not None:
        if following.name == _WAIT and word_of(following, "operation") == "ld":
            return
        following = following.next_op
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


def _wait(build: _Builder, op: Instruction) -> Sequence[SSAValue]:
    if word_of(op, "operation") == "ld":
        return _wait_for_loads(build, op)
    form = form_of(op)
    assert form is not None
    return build.operation(op, form)


def _constant(build: _Builder, op: ConstantOp) -> Sequence[SSAValue]:
    return build.insert(
        arith.ConstantOp(cast("IntegerAttr[Any] | FloatAttr[Any]", op.value))
    ).results


_LOWERINGS: Mapping[str, Callable[[_Builder, Any], Sequence[SSAValue]]] = {
    ConstantOp.name: _constant,
    AddressOfOp.name: _address_of,
    UndefinedOp.name: lambda build, op: [build.undefined(op.result.type)],
    AssumeOp.name: lambda build, op: (),
    GuardOp.name: _guard,
    BraOp.name: _branch,
    CondBraOp.name: _branch,
    RetOp.name: lambda build, op: build.make("llvm.return"),
    InlineOp.name: lambda build, op: build.instruction(op, op.kept),
    _WAIT: _wait,
    "ptx.special_register": _special_register,
}


def _convert(build: _Builder, op: Operation) -> None:
    build.at = op
    lower = _LOWERINGS.get(op.name)
    if lower is not None:
        results = lower(build, op)
    elif isinstance(op, Instruction) and (form := form_of(op)) is not None:
        results = build.operation(op, form)
    elif isinstance(op, Instruction):
        results = build.instruction(op)
        if op.name in LOADS:
            _check_wait(op)
            build.loads[op.parent] += results
    else:
        raise no_lowering(op, "one with a form in NVVM or in inline assembly")
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
                "llvm.byval": LLVMArrayType(size // 8, i64),
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
            raise no_lowering(
                kernel, "one of a kernel whose parameters are registers and tensor maps"
            )
        types.append(argument.type)
        attributes.append(DictionaryAttr(given))
    for op in [*kernel.body.walk()]:
        # The operations in a guard are lowered with it.
        if op.parent is None or isinstance(op.parent_op(), GuardOp):
            continue
        if op.name.startswith("ptx."):
            _convert(build, op)
    properties: dict[str, Attribute] = {
        "sym_name": kernel.sym_name,
        "function_type": LLVMFunctionType(types, LLVMVoidType()),
        "linkage": attribute("llvm.linkage", "<external>"),
        "arg_attrs": ArrayAttr(attributes),
        "target_cpu": target.target,
        "nvvm.kernel": UnitAttr(),
    }
    for name, told in _DIRECTIVES.items():
        if name in kernel.properties:
            properties[told] = kernel.properties[name]
    build.at = kernel
    function = _class("llvm.func").create(
        properties={k: v for k, v in properties.items() if not k.startswith("nvvm.")},
        attributes={k: v for k, v in properties.items() if k.startswith("nvvm.")},
        regions=[kernel.detach_region(kernel.body)],
    )
    build.insert(function)
    Rewriter.erase_op(kernel)


def _variable(op: SharedMemoryOp) -> None:
    size = 0 if op.size is None else op.size.value.data
    linkage = "external" if op.size is None else "internal"
    properties: dict[str, Attribute] = {
        "sym_name": op.sym_name,
        "global_type": LLVMArrayType(size, i8),
        "linkage": attribute("llvm.linkage", f"<{linkage}>"),
        "addr_space": IntegerAttr(3, i32),
        "alignment": op.alignment,
    }
    made = _make("llvm.mlir.global", (), (), properties, [Region()])
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

"""
Mutants of kernels in `ws`: operations dropped, doubled and moved; kinds, bounds and operands
exchanged; numbers and words of the text changed.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial
from io import StringIO
from itertools import pairwise
from typing import NamedTuple

from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, is_side_effect_free

from tcgen05_dialect.compiler import parse
from tcgen05_dialect.reporting.diagnostics import Source, text_place
from tcgen05_dialect.ws.base import enclosing
from tcgen05_dialect.ws.regions import HoldOp
from tcgen05_dialect.ws.roles import RoleOp, WarpSpecializeOp

KINDS = ("tma", "mma", "threads")


class Mutant(NamedTuple):
    """A changed kernel: what was done, where, and what makes its text."""

    change: str
    place: str
    make: Callable[[], str]

    @property
    def text(self) -> str:
        return self.make()

    def __str__(self) -> str:
        return f"{self.change}, {self.place}"


def mutants(text: str) -> Iterator[Mutant]:
    """The mutants of a kernel."""
    yield from _structural(text)
    yield from _textual(text)


# Changes of operations.


class Change(NamedTuple):
    """A change of an operation, and whether it applies."""

    applies: Callable[[Operation], bool]
    change: Callable[[Operation], None]


def _structural(text: str) -> Iterator[Mutant]:
    module = parse(Source("kernel.mlir", text))[0]
    for at, op in enumerate(_changed_operations(module)):
        place = text_place(op.location)
        line = "" if place is None else f"line {place.line.data}: "
        for name, (applies, change) in _CHANGES.items():
            if applies(op):
                make = partial(_changed, module, at, change)
                yield Mutant(name, f"{line}{op.name} ({at})", make)


def _changed(module: ModuleOp, at: int, change: Callable[[Operation], None]) -> str:
    """The text of a module in which one of its operations is changed."""
    copy = module.clone()
    change(_changed_operations(copy)[at])
    stream = StringIO()
    Printer(stream=stream).print_op(copy)
    return stream.getvalue()


def _changed_operations(module: ModuleOp) -> list[Operation]:
    """The roles, and the operations in them."""
    return [
        op
        for op in module.walk()
        if isinstance(op, RoleOp)
        or (any(isinstance(each, RoleOp) for each in enclosing(op)) and not _ends(op))
    ]


def _ends(op: Operation) -> bool:
    return op.has_trait(IsTerminator)


def _is_free(op: Operation) -> bool:
    return not any(result.uses for result in op.results)


def _drop(op: Operation) -> None:
    op.detach()


def _is_wrapper(op: Operation) -> bool:
    """Whether an operation has one body, whose values are known without it."""
    return isinstance(op, scf.ForOp | scf.IfOp) and not op.results


def _unwrap(op: Operation) -> None:
    """Replace a loop or a conditional by its body, once."""
    body = op.regions[0].block
    if isinstance(op, scf.ForOp):
        body.args[0].replace_all_uses_with(op.lb)
    for each in [*body.ops]:
        if not _ends(each):
            each.detach()
            _block(op).insert_op_before(each, op)
    op.detach()


def _may_double(op: Operation) -> bool:
    is_pure = not op.regions and is_side_effect_free(op)
    return not isinstance(op, RoleOp | scf.IfOp) and not is_pure


def _double(op: Operation) -> None:
    _block(op).insert_op_after(op.clone(), op)


def _block(op: Operation) -> Block:
    assert op.parent is not None
    return op.parent


def _next(op: Operation) -> Operation | None:
    after = op.next_op
    return None if after is None or _ends(after) else after


def _uses_inside(op: Operation, other: Operation) -> bool:
    """Whether `other`, or an operation in it, uses a result of `op`."""
    inside = {*other.walk()}
    return any(use.operation in inside for result in op.results for use in result.uses)


def _may_swap(op: Operation) -> bool:
    after = _next(op)
    return after is not None and not _uses_inside(op, after)


def _swap(op: Operation) -> None:
    after = op.next_op
    assert after is not None
    op.detach()
    _block(after).insert_op_after(op, after)


def _may_move_in(op: Operation) -> bool:
    after = _next(op)
    return after is not None and bool(after.regions) and not _uses_outside(op, after)


def _uses_outside(op: Operation, other: Operation) -> bool:
    inside = {*other.walk()} - {other}
    return any(use.operation not in inside for result in op.results for use in result.uses)


def _move_in(op: Operation) -> None:
    """Move an operation into the region behind it."""
    after = op.next_op
    assert after is not None
    body = after.regions[0].block
    op.detach()
    if body.first_op is None:
        body.add_op(op)
    else:
        body.insert_op_before(op, body.first_op)


def _around(op: Operation) -> Operation | None:
    """The loop, the conditional or the region around an operation, if it is not a role."""
    around = op.parent_op()
    return None if isinstance(around, RoleOp | WarpSpecializeOp) else around


def _may_move_before(op: Operation) -> bool:
    around = _around(op)
    return around is not None and not _depends(op, around)


def _depends(op: Operation, around: Operation) -> bool:
    """Whether an operation uses values that are defined in `around`."""
    inside = {*around.walk()} - {around} - {*op.walk()}
    values = [operand for each in op.walk() for operand in each.operands]
    return any(
        (value.owner.parent_op() is around if isinstance(value.owner, Block) else False)
        or value.owner in inside
        for value in values
    )


def _move_before(op: Operation) -> None:
    around = op.parent_op()
    assert around is not None
    op.detach()
    _block(around).insert_op_before(op, around)


def _may_move_behind(op: Operation) -> bool:
    return _may_move_before(op) and _is_free(op)


def _move_behind(op: Operation) -> None:
    around = op.parent_op()
    assert around is not None
    op.detach()
    _block(around).insert_op_after(op, around)


def _next_role(op: Operation) -> RoleOp | None:
    role = op.parent_op()
    after = role.next_op if isinstance(role, RoleOp) else None
    return after if isinstance(after, RoleOp) else None


def _may_change_role(op: Operation) -> bool:
    role = op.parent_op()
    if not isinstance(role, RoleOp) or _next_role(op) is None or not _is_free(op):
        return False
    return not _depends(op, role)


def _change_role(op: Operation) -> None:
    """Move an operation to the end of the next role."""
    role = _next_role(op)
    assert role is not None
    op.detach()
    role.body.block.add_op(op)


def _kind(to: str) -> "Change":
    def change(op: Operation) -> None:
        op.properties["by"] = StringAttr(to)

    def applies(op: Operation) -> bool:
        return isinstance(op, HoldOp) and op.kind != to

    return Change(applies, change)


def _is_loop(op: Operation) -> bool:
    return isinstance(op, scf.ForOp)


def _bound(index: int) -> "Change":
    """Exchange a bound of a loop with the other bound or the step."""

    def change(op: Operation) -> None:
        op.operands[index] = op.operands[(index + 1) % 3]

    return Change(_is_loop, change)


def _alike(op: Operation) -> tuple[int, int] | None:
    """The first two neighbouring operands of the same type."""
    if not op.name.startswith("ws."):
        return None
    types: list[tuple[int, SSAValue]] = [*enumerate(op.operands)]
    for (one, a), (other, b) in pairwise(types):
        if a.type == b.type and a is not b:
            return one, other
    return None


def _has_alike(op: Operation) -> bool:
    return _alike(op) is not None


def _exchange(op: Operation) -> None:
    found = _alike(op)
    assert found is not None
    one, other = found
    a, b = op.operands[one], op.operands[other]
    op.operands[one], op.operands[other] = b, a


_CHANGES: dict[str, Change] = {
    "drop": Change(_is_free, _drop),
    "unwrap": Change(_is_wrapper, _unwrap),
    "double": Change(_may_double, _double),
    "swap": Change(_may_swap, _swap),
    "move in": Change(_may_move_in, _move_in),
    "move before": Change(_may_move_before, _move_before),
    "move behind": Change(_may_move_behind, _move_behind),
    "change role": Change(_may_change_role, _change_role),
    "exchange operands": Change(_has_alike, _exchange),
    **{f"by {kind}": _kind(kind) for kind in KINDS},
    **{f"bound {index}": _bound(index) for index in range(3)},
}


# Changes of the text.

_WORDS = {
    " persistent": (r" persistent", ("",)),
    " pair": (r"warp_specialize pair", ("warp_specialize",)),
    " leader": (r" leader", ("",)),
    "half": (r"half %", ("%",)),
    "in_place": (r" in_place", ("",)),
    "accumulate": (r" accumulate %\w+", ("",)),
    "reduction": (r" add$", ("", " min")),
    "major": (r"\bk_major", ("mn_major",)),
    "minor": (r"\bmn_major", ("k_major",)),
    "atoms": (r", mn_first", ("",)),
    "swizzle": (r"\bswizzle_\d+b", ("swizzle_32b", "swizzle_64b", "swizzle_128b")),
    "element": (r"(?<=x)bf16", ("f16", "f32", "f8E4M3FN")),
    "element of sums": (r"(?<=x)f32(?=>)", ("bf16", "i32")),
    "element in bytes": (r"(?<=x)f8E4M3FN", ("f8E5M2", "bf16")),
    "specialised": (r"(?<=ws\.warp_specialize )tiles", ("pair tiles",)),
    "persistent": (r"(?<=\d\))(?= \{$)", (" persistent",)),
}
"""By name, what is replaced in the text, and by what."""
_NUMBERS = {
    "extent": r"\bby (\d+)",
    "stages": r"\bring (\d+)",
    "warps": r"\bwarps\((\d+)\)",
    "registers": r"\bregisters\((\d+)\)",
    "cluster": r"\bcluster_dims = array<i32: (\d+)",
    "constant": r"= arith\.constant (\d+) : i32",
    "rows": r"<(\d+)x\d+x\w",
    "columns": r"<\d+x(\d+)x\w",
    "length": r"vector<(\d+)x",
    "column": r"%\w+\[(\d+)\]",
    "index": r"%\w+, (\d+)\]",
}
"""By name, a number of the text."""


def _numbers(name: str, number: int) -> Iterator[int]:
    """Other numbers in place of a number."""
    given = {number // 2, 2 * number, number + 1, number - 1}
    if name == "stages":
        given |= {0, 5, 64}
    if name in ("constant", "rows", "columns", "length"):
        given -= {number - 1} if number > 2 else set()
    if name in ("column", "index"):
        given |= {8, 64}
    return (each for each in sorted(given) if each >= 0 and each != number)


def _textual(text: str) -> Iterator[Mutant]:
    """The kernels with another word or number."""
    code = re.sub(r"//.*", lambda found: " " * len(found[0]), text)
    replaced = [
        (name, match.span(), instead)
        for name, (pattern, replacements) in _WORDS.items()
        for match in re.finditer(pattern, code, re.MULTILINE)
        for instead in replacements
    ]
    replaced += [
        (name, match.span(1), str(number))
        for name, pattern in _NUMBERS.items()
        for match in re.finditer(pattern, code)
        for number in _numbers(name, int(match[1]))
    ]
    for name, (begin, end), instead in replaced:
        if text[begin:end] == instead:
            continue
        line = text.count("\n", 0, begin) + 1
        column = begin - text.rfind("\n", 0, begin)
        shown = f"line {line}:{column}: {text[begin:end].strip()} -> {instead.strip() or 'nothing'}"
        changed = text[:begin] + instead + text[end:]
        yield Mutant(name, shown, lambda changed=changed: changed)

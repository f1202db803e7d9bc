"""Tests of every instruction of `ptx` in every form of its definition, against ptxas."""

import io
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp, StringAttr
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator

from tcgen05_dialect.assembler import assemble, find_tool
from tcgen05_dialect.isa import targets
from tcgen05_dialect.ptx.dialect import PTX
from tcgen05_dialect.ptx.instruction import Instruction, syntax_of
from tcgen05_dialect.ptx.instructions import (
    AtomCasOp,
    AtomOp,
    AtomVectorOp,
    FenceProxyTensormapAcquireOp,
    RedOp,
    RedVectorOp,
    StmatrixB8Op,
    StmatrixOp,
)
from tcgen05_dialect.ptx.structure import ConstantOp
from tcgen05_dialect.ptx.text.printer import print_module
from tcgen05_dialect.ptx.text.register_names import KernelNames
from tcgen05_dialect.ptx.text.syntax import SPELLING
from tcgen05_dialect.ptx.types import TargetAttr

from ..support.effort import SWEEP, sampled
from ..support.oldest_ptxas import RELEASES
from ..support.ptx_instances import (
    INSTRUCTIONS,
    VARIABLE,
    Point,
    Values,
    is_legal,
    module,
    points,
    variants,
)

pytestmark = pytest.mark.slow

_MOST = 16
"""The number of instructions in a module."""
_PARTS = 8
"""The number of parts of the instructions, which processes share."""

LENIENT = (
    r"fma\.r[zmp]\.(relu\.)?bf16(x2)? ",
    r"(add|sub)\.sat\.s32 ",
    r"set\..*\.bf16\.f16 ",
    r"rcp\.r[nzmp]\.ftz\.f64 ",
    r"cvt\.(f16\.bf16|bf16\.f16) ",
    r"mov\.b\d\d (%\w+, \{%\w+\}|\{%\w+\}, %\w+);",
    r"mov\.b128 .*\{(%\w+, ){3}%\w+\}",
    r"(atom|red)\..*\.noftz\..*f32 ",
    r"(ld|st)\.volatile\.local\.",
    r"(ld|st)\.(.*\.)?v8\.[bsu](8|16) ",
    r"(cp\.async\.)?mbarrier\..*shared.*\[%rd\d+",
    r"(cp|st|red)\.(reduce\.)?(async|bulk)\..*shared.*\[%rd\d+",
    r"clusterlaunchcontrol\.try_cancel\..*\[%rd\d+",
    r"multimem\.red\..*(min|max)\.v",
    r"tcgen05\.mma\..*kind::i8.*, \d+;",
    r"tcgen05\.st\..*16x32bx2.* \[%\w+\], 1, ",
)
"""What ptxas takes although the manual has no such form, or another instruction has it."""


@dataclass
class Forms:
    """The forms of one instruction that the verifier takes, and others that it refuses."""

    legal: list[Point] = field(default_factory=list[Point])
    illegal: list[Point] = field(default_factory=list[Point])


@pytest.fixture(scope="module", params=range(_PARTS))
def number(request: pytest.FixtureRequest) -> int:
    """The number of a part of the instructions."""
    return request.param


@pytest.fixture(scope="module")
def forms(number: int) -> Mapping[type[Instruction], Forms]:
    values = Values()
    found: dict[type[Instruction], Forms] = {}
    for op_type in INSTRUCTIONS[number::_PARTS]:
        found[op_type] = known = Forms()
        for point in points(op_type):
            legal = is_legal(point.build(values))
            (known.legal if legal else known.illegal).append(point)
    return found


def _modules(points: Sequence[Point], variations: bool = True) -> Iterator[ModuleOp]:
    """Modules that hold these forms: in a kernel each terminator, and each kind of CTA group of a
    few instructions, whose values fit into registers."""
    groups: dict[object, list[Point]] = {}
    numbers: dict[type[Instruction], int] = {}
    for point in points:
        ends = point.op_type.has_trait(IsTerminator)
        number = numbers.setdefault(point.op_type, len(numbers)) // _MOST
        group = number, str(point.properties.get("cta_group", "1"))[-1]
        groups.setdefault(point.op_type if ends else group, []).append(point)
    for group in groups.values():
        values = Values()
        ops: list[Instruction] = []
        varied: set[object] = set()
        for point in group:
            op = point.build(values)
            ops.append(op)
            # What stands for an operand does not depend on the other qualifiers.
            kind = (point.op_type, *op.operand_types, point.properties.get("type"))
            if variations and kind not in varied:
                varied.add(kind)
                ops.extend(each for each in variants(op, values) if not _crashes_ptxas(each))
        yield module(values, ops)


def _crashes_ptxas(op: Instruction) -> bool:
    """Whether ptxas 13.5 has an internal error: for stmatrix to a constant address, and for some
    atomic operations on one."""
    if not isinstance(op, _CRASHING):
        return False
    return isinstance(op.address.owner, ConstantOp)


_CRASHING = (
    *(StmatrixOp, StmatrixB8Op),
    *(AtomOp, AtomCasOp, AtomVectorOp, RedOp, RedVectorOp),
)


def test_each_qualifier_and_operand_has_a_legal_form(
    forms: Mapping[type[Instruction], Forms],
) -> None:
    for op_type, known in forms.items():
        syntax = syntax_of(op_type)
        for qualifier in syntax.qualifiers:
            found = {point.properties.get(qualifier.name) for point in known.legal}
            expected = {*qualifier.spellings, *([None] if qualifier.optional else [])}
            assert found == expected, f"{op_type.name}: {qualifier.name}"
        for name, value in syntax.values.items():
            counts = {point.counts[name] for point in known.legal}
            limit = syntax.limits.get(name)
            varies = value.variadic and (limit is None or len(limit.values) > 1)
            assert (len(counts) > 1) is varies, f"{op_type.name}: {name}"
            assert counts


def test_variants_are_legal(forms: Mapping[type[Instruction], Forms]) -> None:
    for known in forms.values():
        for made in _modules(sampled(known.legal, 2)):
            made.verify()


def test_ptxas_takes_legal_forms(forms: Mapping[type[Instruction], Forms]) -> None:
    """Those with each word, and some combinations."""
    target = TargetAttr(StringAttr("sm_100a"), StringAttr(str(targets.NEWEST)))
    points = [*_available(forms, target)]
    chosen = dict.fromkeys(map(id, _each_word(points)))
    for op_type in forms:
        own = [id(point) for point in points if point.op_type is op_type]
        chosen |= dict.fromkeys(sampled(own, 4))
    for ptx in _printed((point for point in points if id(point) in chosen), target):
        assemble(ptx, target.target.data)


@pytest.mark.sweep
def test_ptxas_takes_every_word_in_the_oldest_version(
    forms: Mapping[type[Instruction], Forms],
) -> None:
    target = TargetAttr(StringAttr("sm_100a"), StringAttr("8.6"))
    for ptx in _printed(_each_word(_available(forms, target)), target):
        assemble(ptx, target.target.data, ["-O0"])


def test_the_oldest_ptxas_takes_every_word(
    forms: Mapping[type[Instruction], Forms], number: int
) -> None:
    """That of each target in a sweep, else that of one, which another part has next."""
    for release in RELEASES if SWEEP else [RELEASES[number % len(RELEASES)]]:
        name = release.targets[0]
        target = TargetAttr(StringAttr(name), StringAttr(release.ptx_version))
        points = (each for each in _available(forms, target) if not _fails_in_old_ptxas(each))
        for ptx in _printed(_each_word(points), target):
            release.assemble(ptx, name, "-O0")


def _fails_in_old_ptxas(point: Point) -> bool:
    """
    Whether ptxas 12.8 to 13.0 crash, for the addition of bf16 in a cluster; or refuse a form that
    13.5 takes in every PTX version.
    """
    if point.op_type is FenceProxyTensormapAcquireOp:
        return point.properties["semantics"] == "acq_rel"
    is_sum = {"type": "bf16", "space": "shared::cluster"}.items() <= point.properties.items()
    return point.op_type is AtomOp and is_sum


def _each_word(points: Iterable[Point]) -> Iterator[Point]:
    """Forms among which each instruction has each value of each qualifier and each count."""
    seen: set[object] = set()
    for point in points:
        words = {
            (point.op_type, *each) for each in (*point.properties.items(), *point.counts.items())
        }
        if not words <= seen:
            seen |= words
            yield point


def _printed(points: Iterable[Point], target: TargetAttr) -> Iterator[str]:
    """Kernels with these forms."""
    for made in _modules([*points]):
        yield print_module(made, target)


def _available(forms: Mapping[type[Instruction], Forms], target: TargetAttr) -> Iterator[Point]:
    """The legal forms that a target has."""
    version = targets.parse_version(target.version.data)
    values = Values()
    for known in forms.values():
        for point in known.legal:
            found = (
                targets.first_version(feature, target.target.data)
                for feature in point.build(values).features()
            )
            if all(first is not None and first <= version for first in found):
                yield point


def test_ptxas_refuses_what_the_verifier_refuses(
    forms: Mapping[type[Instruction], Forms], tmp_path: Path
) -> None:
    values = Values()
    names = KernelNames(lambda line: None)
    lines: dict[str, None] = {}
    for op_type, known in forms.items():
        syntax = syntax_of(op_type)
        if not syntax.is_block:
            # A spelling hides an operand that it does not show.
            illegal = [each for each in known.illegal if SPELLING not in each.properties]
            for point in sampled(illegal, 12):
                lines[f"{syntax.ptx(point.build(values), names)};"] = None
    taken = [line for line in lines if not any(re.match(text, line) for text in LENIENT)]
    assert len(taken) > 25
    # The later stages of ptxas only see what the earlier ones take.
    while refused := _refused(taken, list(names.declarations()), tmp_path / "kernel.ptx"):
        taken = [line for index, line in enumerate(taken) if index not in refused]
    assert taken == []


def _refused(lines: Sequence[str], declarations: Sequence[str], path: Path) -> set[int]:
    """The indices of the lines of a kernel that ptxas complains about."""
    head = [
        f".version {targets.NEWEST}",
        ".target sm_100a",
        ".address_size 64",
        f".shared .align 1024 .b8 {VARIABLE}[1024];",
        ".visible .entry kernel()",
        "{",
        *declarations,
    ]
    path.write_text("\n".join([*head, *lines, "ret;", "}", ""]))
    command = [find_tool("ptxas"), "-arch=sm_100a", "-o", path.with_suffix(".cubin"), path]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return {
        int(line) - len(head) - 1
        for line in re.findall(r"line (\d+); (?:error|fatal)", result.stdout + result.stderr)
    }


def test_round_trips(forms: Mapping[type[Instruction], Forms]) -> None:
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(PTX)
    for known in forms.values():
        points = [*_each_word(known.legal)]
        for made in _modules(sampled(points, 2)):
            text = str(made)
            assert str(Parser(context, text).parse_module()) == text
        for made in _modules(sampled(points, 1), variations=False):
            text, generic = str(made), io.StringIO()
            Printer(generic, print_generic_format=True).print_op(made)
            assert str(Parser(context, generic.getvalue()).parse_module()) == text

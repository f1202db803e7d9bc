"""
Tests of instructions one step away from a legal one: `check` and ptxas agree on each.

The legal forms come from the golden table, one of each kind. Forms whose qualifiers differ only in
numbers are of one kind, because one step leads from one to the other. ptxas names the line of each
error, so one file holds thousands of neighbours. An error of its parser, or many errors of another
kind, hides later errors: the test removes the refused lines and repeats until ptxas takes the rest.
"""

import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from tcgen05_dialect.assembler import find_tool
from tcgen05_dialect.check import check_source
from tcgen05_dialect.isa import targets
from tcgen05_dialect.reporting.diagnostics import Source

from ..support.effort import sampled
from ..support.golden_tables import declarations, forms

_OTHERS = "st|cp|alloc|dealloc|relinquish_alloc_permit|commit|shift|wait|fence"
_GROUPS = {"mma.ws": "sm_100a", "mma": "sm_100a", "ld.red": "sm_103a", "ld": "sm_100a"} | {
    _OTHERS: "sm_100a"
}
"""The parts of the test: what the name of an instruction begins with behind `tcgen05.`, and a
target that has all forms of it."""
# fmt: off
_FOREIGN = (
    ".shared", ".shared::cta", ".shared::cluster", ".global", ".local", ".b8", ".b16", ".b32",
    ".b64", ".f16", ".f32", ".s32", ".u32", ".x2", ".x3", ".v2", ".32x32b", ".16x32b", ".64x128b",
    ".add", ".up", ".sp", ".ws", ".red", ".sync", ".aligned", ".cta_group::3", ".kind::f64",
    ".kind::f16", ".collector::a", ".collector::a:fill", ".block_scale", ".scale_vec::3X",
    ".ashift", ".pack::16b", ".unpack::16b", ".multicast::cluster", ".mbarrier::arrive::one",
    ".abs", ".NaN", ".relaxed",
)
# fmt: on
"""Qualifiers that an instruction may lack."""
_NAMES = (".ws", ".sp", ".red", ".kind::i8")
"""Qualifiers that make the operands others."""
_AT_ONCE = 500
"""How many lines ptxas reads again, at the most, behind an error that it does not get over."""
_MOST = 900
"""A report has at most a thousand errors."""

_DISAGREEMENTS = {
    "9.7.16.7 to 9.7.16.12: the grammars have a qualifier once; ptxas takes two .sync, two .NaN": (
        r"\.sync\b.*\.sync\b|\.NaN\b.*\.NaN\b",
        ("ld.red", "ld", _OTHERS),
    ),
    "9.7.16.9.2: the grammar of cp has .dst_fmt.src_fmt as one; ptxas takes them apart": (
        r"tcgen05\.cp\b.*\.b8x16\.(?!b[64]x16)",
        (_OTHERS,),
    ),
    "9.7.16.10.9: kind::i8 has no scale-input-d; ptxas takes one, even a register": (
        r"\.kind::i8\b.*%p, \S+;",
        ("mma.ws", "mma"),
    ),
    "9.7.16.10.9: disable-output-lane is a vector; ptxas takes anything if two more follow": (
        r"tcgen05\.mma\b(?!\.ws).*%idesc, %p, (%p|5), 5;",
        ("mma",),
    ),
    "9.7.16.4: descriptors that are known are decoded; ptxas takes any number": (
        r"tcgen05\.mma\b.*, 64\b",
        ("mma.ws", "mma"),
    ),
    "9.7.16.8.4: the halves of a store do not overlap; ptxas takes any offset": (
        r"tcgen05\.st\b.*\.16x32bx2\b",
        (_OTHERS,),
    ),
}
"""Why ptxas takes what we refuse -> the instructions, and the groups that have some. There is
nothing that only ptxas refuses."""


class Form(NamedTuple):
    """The text of an instruction in parts; the name is the first word after `tcgen05`."""

    name: str
    qualifiers: tuple[str, ...]
    operands: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.name}{''.join(self.qualifiers)} {', '.join(self.operands)};"


def _form(text: str) -> Form:
    mnemonic, _, operands = text.removesuffix(";").partition(" ")
    family, name, *qualifiers = mnemonic.split(".")
    outside = re.findall(r"(?:\{[^}]*\}|[^,{])+", operands)
    return Form(
        f"{family}.{name}",
        tuple(f".{word}" for word in qualifiers),
        tuple(operand.strip() for operand in outside),
    )


@cache
def _forms() -> Sequence[Form]:
    return [_form(row["ptx"]) for row in forms()]


def _is_of(form: Form, group: str) -> bool:
    """Whether a form belongs to a group, and to no more specific one."""
    whole = str(form).partition(".")[2]
    first = next(each for each in _GROUPS if re.match(rf"({each})\b", whole))
    return first == group


def _kind(qualifier: str) -> str:
    """
    The subject of a qualifier; each kind of MMA is a subject of its own, because its rules differ.
    """
    if qualifier.startswith(".kind::"):
        return qualifier
    head, _, last = qualifier.rpartition("::")
    return re.sub(r"\d+", "#", head or last)


def _written(operand: str) -> tuple[str, int]:
    """The brackets of an operand, and its number of values."""
    return operand[0], operand.count("%")


def _of_each_kind(forms: Iterable[Form]) -> tuple[list[Form], list[Form]]:
    """A form for each set of kinds of qualifiers, and a form for each way to write the operands."""
    qualifiers: dict[object, Form] = {}
    operands: dict[object, Form] = {}
    for form in forms:
        kinds = frozenset(map(_kind, form.qualifiers))
        names = tuple(each for each in form.qualifiers if each in _NAMES)
        qualifiers.setdefault((form.name, kinds), form)
        operands.setdefault((form.name, names, tuple(map(_written, form.operands))), form)
    return list(qualifiers.values()), list(operands.values())


def _exchanged(things: Sequence[str], one: int, other: int) -> tuple[str, ...]:
    changed = list(things)
    changed[one], changed[other] = changed[other], changed[one]
    return tuple(changed)


def _other_qualifiers(form: Form, family: Sequence[str]) -> Iterator[Form]:
    """Forms with one qualifier dropped, added or replaced, or with two exchanged."""
    words = form.qualifiers
    changed: list[tuple[str, ...]] = [(*words, other) for other in family]
    changed += [(other, *words) for other in family]
    for place in range(len(words)):
        before, behind = words[:place], words[place + 1 :]
        changed.append((*before, *behind))
        changed += [(*before, other, *behind) for other in family]
    changed += [_exchanged(words, *places) for places in combinations(range(len(words)), 2)]
    yield from (form._replace(qualifiers=each) for each in changed)


def _rewritten(operand: str) -> Iterator[str]:
    """
    An operand with other brackets, with another number of values, or with a number for the
    register.
    """
    inner = operand.strip("[]{}")
    yield from (inner, f"[{inner}]", f"{{{inner}}}", f"[{inner}+4]", f"{{{inner}, {inner}}}")
    yield from ("64", "[64]", "_", inner.partition(", ")[0], f"{{{inner.rpartition(', ')[0]}}}")


def _other_operands(form: Form) -> Iterator[Form]:
    """Forms with one operand dropped, repeated or rewritten, or with two exchanged."""
    changed: list[tuple[str, ...]] = []
    given = form.operands
    for place, operand in enumerate(given):
        before, behind = given[:place], given[place + 1 :]
        changed.append((*before, *behind))
        changed += [(*given[:to], operand, *given[to:]) for to in range(len(given) + 1)]
        changed += [(*before, other, *behind) for other in _rewritten(operand)]
    changed += [_exchanged(given, *places) for places in combinations(range(len(given)), 2)]
    yield from (form._replace(operands=each) for each in changed)


def _neighbours(group: str) -> Iterator[Form]:
    forms = [form for form in _forms() if _is_of(form, group)]
    families: dict[str, set[str]] = {}
    for form in forms:
        families.setdefault(form.name, set()).update(form.qualifiers)
    by_qualifiers, by_operands = _of_each_kind(forms)
    for form in by_qualifiers:
        yield from _other_qualifiers(form, sorted(families[form.name]))
    for form in {form.name: form for form in by_qualifiers}.values():
        yield from _other_qualifiers(form, _FOREIGN)
    for form in by_operands:
        yield from _other_operands(form)


def _file(lines: Sequence[str], target: str) -> str:
    """
    A file whose lines, from the second on, are `lines`. It has two functions, because ptxas allows
    one cta_group in each; instructions with cta_group::2 come last.
    """
    begin = f".visible .entry one() {{ {declarations(' '.join(lines))}"
    body = list(lines)
    switch = next((n for n, line in enumerate(lines) if _is_last(line)), 0)
    if switch:
        body[switch] = f"}} {begin.replace('one', 'two')} {body[switch]}"
    header = f".version {targets.NEWEST} .target {target} .address_size 64 {begin}"
    return "\n".join([header, *body, "}\n"])


def _is_last(line: str) -> bool:
    return "cta_group::2" in line


class _Errors(NamedTuple):
    """
    The lines that errors name, counted from zero, and the line at which ptxas stopped reading.
    """

    lines: set[int]
    last: int | None


def _errors_of_ptxas(lines: Mapping[int, str], target: str) -> _Errors | None:
    """The errors of ptxas in some lines; None if it takes them all."""
    numbers = list(lines)
    command = [find_tool("ptxas"), f"-arch={target}", "-O0", "-o", "all.cubin", "all.ptx"]
    with TemporaryDirectory() as folder:
        Path(folder, "all.ptx").write_text(_file(list(lines.values()), target))
        result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if result.returncode == 0:
        return None
    found = re.findall(r", line (\d+); (error|fatal)", result.stdout + result.stderr)
    places = [(numbers[int(line) - 2], kind) for line, kind in found]
    last = max((line for line, kind in places if kind == "fatal"), default=None)
    return _Errors({line for line, _ in places}, last)


def _refused_by_ptxas(lines: Sequence[str], target: str) -> set[int]:
    refused: set[int] = set()
    start = 0
    while start < len(lines):
        stop = min(start + _AT_ONCE, len(lines))
        errors = _errors_of_ptxas({n: lines[n] for n in range(start, stop)}, target)
        refused |= errors.lines if errors is not None else set()
        start = stop if errors is None or errors.last is None else errors.last + 1
    pending = [{n: line for n, line in enumerate(lines) if n not in refused}]
    while pending:
        part = pending.pop()
        if not part or (errors := _errors_of_ptxas(part, target)) is None:
            continue
        # An error of a later phase may name no line.
        found = errors.lines or (set(part) if len(part) == 1 else set())
        refused |= found
        if found:
            pending.append({n: line for n, line in part.items() if n not in found})
        else:
            items = list(part.items())
            pending += [dict(items[0::2]), dict(items[1::2])]
    return refused


def _refused_by_us(lines: Sequence[str], target: str) -> set[int]:
    refused: set[int] = set()
    for start in range(0, len(lines), _MOST):
        text = _file(lines[start : start + _MOST], target)
        refused |= {start + each.line - 2 for each in check_source(Source("all.ptx", text))}
    return refused


def _reasons(line: str) -> set[str]:
    """The reasons for which ptxas may take an instruction that `check` refuses."""
    return {why for why, (pattern, _) in _DISAGREEMENTS.items() if re.search(pattern, line)}


@pytest.mark.slow
@pytest.mark.parametrize("group", _GROUPS)
def test_ptxas_agrees_on_the_neighbours_of_every_form(group: str) -> None:
    target = _GROUPS[group]
    every = sorted(set(map(str, _neighbours(group))), key=lambda line: (_is_last(line), line))
    assert len(every) > 1000
    taken = {*sampled(every, 75), *sampled(every, 30, of=lambda line: frozenset(_reasons(line)))}
    lines = [line for line in every if line in taken]
    by_ptxas, by_us = _refused_by_ptxas(lines, target), _refused_by_us(lines, target)
    # ptxas may blame a right line for a CTA group that a wrong one has.
    doubtful = [lines[n] for n in sorted(by_ptxas - by_us)]
    assert [doubtful[n] for n in _refused_by_ptxas(doubtful, target)] == []
    reasons = {lines[n]: _reasons(lines[n]) for n in sorted(by_us - by_ptxas)}
    assert [line for line, known in reasons.items() if not known] == []
    met = set[str]().union(*reasons.values())
    assert met == {reason for reason, (_, groups) in _DISAGREEMENTS.items() if group in groups}

"""
Kernels in several forms that have lost one wait, fence or commit, and what `check` says of them.

`python -m tests.support.lost_steps FORM... --most N --only KERNEL` prints what it says of N steps
of each kind in each kernel, and how often it names the lost step.
"""

import argparse
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from tcgen05_dialect.passes.ws_lower import LowerWs
from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer

from tcgen05_dialect.check import check_source
from tcgen05_dialect.compiler import lower_source, parse, print_ptx
from tcgen05_dialect.reporting.diagnostics import Finding, Source
from tcgen05_dialect.reporting.formats import edited

from .foreign_kernels import foreign_kernel, foreign_kernels
from .repository import EXAMPLES
from .ring_styles import KERNELS

_STEP = re.compile(
    r"""(?<![%$\w.:])(?:ptx\.)?
    (?P<name>(?:[a-z]\w*\.)*(?:\w+_)?(?:wait|fence|commit)(?:_\w+)?(?!\w)(?:[.:]+\w+)*
       (?:\ ["a-z]["\w:]*(?![\w,]))*)
    (?P<operands>[^;`\n]*)""",
    re.VERBOSE,
)
_LINE = re.compile(rf"^[ \t]*(?:@!?\S+\s+)?{_STEP.pattern};?", re.VERBOSE | re.MULTILINE)
_POLL = re.compile(r"\{[^{}]*\bmbarrier\.try_wait[^{}]*\}")
"""The block of PTX that asks again and again whether a phase is over."""
_ADDRESS = re.compile(r"\[[^]]*\]|%\w+(?!.*\[)")
_COMMENT = re.compile(r"//[^\n]*")


class Step(NamedTuple):
    """A wait, fence or commit: its name with its qualifiers, and its address, if it has one."""

    name: str
    address: str


def steps(text: str) -> list[Step]:
    """The waits, fences and commits of a text."""
    found: list[Step] = []
    for each in _STEP.finditer(_COMMENT.sub("", text)):
        address = _ADDRESS.search(each["operands"])
        found.append(Step(each["name"], address[0] if address else ""))
    return found


class Lost(NamedTuple):
    """A kernel without a step, which is in a line; other lines keep their numbers."""

    step: Step
    line: int
    text: str


def lost_steps(text: str) -> Iterator[Lost]:
    """The kernels that have lost one step."""
    code = _COMMENT.sub(lambda found: " " * len(found[0]), text)
    for pattern in _POLL, _LINE:
        for match in pattern.finditer(code):
            start, end = match.span()
            (step,) = steps(match[0])
            left = text[:start] + "\n" * match[0].count("\n") + text[end:]
            yield Lost(step, code.count("\n", 0, start) + 1, left)
        code = pattern.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), code)


class Judgement(NamedTuple):
    """What `check` says of a lost step, and the fix that it proposes."""

    word: str
    fix: str = ""


def judged(right: str, lost: Lost) -> Judgement:
    """Compare the fix of the first finding that the right kernel does not have with the step."""
    source = Source("kernel", lost.text)
    found = [each for each in check_source(source, verify="quick", fixes=True) if each.rule]
    new = [each for each in found if _key(each) not in _known(right)]
    if not new:
        return Judgement("not found")
    first = next((each for each in new if each.edits), None)
    if first is None:
        return Judgement("no fix")
    after = edited(source, first.edits)
    if after.text.split() == right.split():
        return Judgement("exact", first.fix)
    again = check_source(after, verify="quick")
    if any(each.rule == first.rule and each.message == first.message for each in again):
        return Judgement("without effect", first.fix)
    inserted = steps("\n".join(each.text for each in first.edits))
    if inserted == [lost.step]:
        return Judgement("named", first.fix)
    same = [each.name for each in inserted] == [lost.step.name]
    return Judgement("same operation" if same else "other step", first.fix)


def _key(finding: Finding) -> tuple[str, int]:
    return finding.rule, finding.line


@cache
def _known(text: str) -> frozenset[tuple[str, int]]:
    return frozenset(map(_key, check_source(Source("kernel", text), verify="quick")))


def _structured(text: str) -> str:
    module, context = parse(Source("kernel.mlir", text))
    LowerWs().apply(context, module)
    return _printed(module)


def _branches(text: str, unroll: bool = False) -> str:
    return _printed(lower_source(Source("kernel.mlir", text), unroll_rings=unroll).module)


def _unrolled(text: str) -> str:
    return _branches(text, unroll=True)


def _printed(module: ModuleOp) -> str:
    stream = StringIO()
    Printer(stream=stream).print_op(module)
    return stream.getvalue()


def _ptx(text: str) -> str:
    source = Source("kernel.mlir", text)
    lowered = lower_source(source)
    return print_ptx(lowered.module, lowered.target, source)


def _texts(folder: Path) -> Mapping[str, str]:
    return {each.stem: each.read_text(encoding="utf-8") for each in sorted(folder.glob("*.mlir"))}


class Form(NamedTuple):
    """Kernels, and how to make their form."""

    kernels: Callable[[], Mapping[str, str]]
    make: Callable[[str], str]


def _raw() -> Mapping[str, str]:
    return {**_texts(EXAMPLES), **KERNELS}


def _rings() -> Mapping[str, str]:
    names = "gemm_warp_specialized", "gemm_pipelined", *KERNELS
    return {name: text for name, text in _raw().items() if name in names}


def _ws() -> Mapping[str, str]:
    return _texts(EXAMPLES / "ws")


def _foreign() -> Mapping[str, str]:
    return {name: foreign_kernel(name) for name in foreign_kernels()}


FORMS = {
    "raw": Form(_raw, str),
    "branches": Form(_raw, _branches),
    "unrolled": Form(_rings, _unrolled),
    "ptx": Form(_raw, _ptx),
    "ws_structured": Form(_ws, _structured),
    "ws_branches": Form(_ws, _branches),
    "ws_ptx": Form(_ws, _ptx),
    "foreign": Form(_foreign, str),
}


def sample(text: str, most: int) -> list[Lost]:
    """At most so many lost steps of each kind, spread over the kernel."""
    kinds: dict[str, list[Lost]] = {}
    for each in lost_steps(text):
        kinds.setdefault(each.step.name, []).append(each)
    return [each for found in kinds.values() for each in found[:: -(-len(found) // most)]]


def main() -> None:
    """Print a line for each lost step, and the words of each form, by number."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("forms", nargs="+", choices=FORMS)
    parser.add_argument("--most", type=int, default=2)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    for form in options.forms:
        counts = Counter[str]()
        for name, text in FORMS[form].kernels().items():
            if not re.fullmatch(options.only or ".*", name):
                continue
            right = FORMS[form].make(text)
            for each in sample(right, options.most):
                start = time.process_time()
                word, fix = judged(right, each)
                counts[word] += 1
                seconds = time.process_time() - start
                step = f"{each.step.name} {each.step.address}"
                print(f"{form} {name}:{each.line}: {step}: {word}; {fix} ({seconds:.1f} s)")
        print(f"{form}: {counts.total()} steps, {dict(counts)}", flush=True)


if __name__ == "__main__":
    main()

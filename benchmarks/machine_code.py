"""
Machine code of the examples: registers, spilled bytes and instructions of each kernel, and
instructions of its shortest loops around matrix products and around exponentials.

Two more kernels are an example written without care, which makes its descriptors in the loop, and
the same example with unrolled rings.
"""

import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from corpus import ROOT

from tcgen05_dialect import assemble, compile_to_ptx
from tcgen05_dialect.assembler import find_tool

TARGET = "sm_100a"
PRODUCT, EXPONENTIAL = re.compile(r"UTC\w*MMA"), re.compile(r"MUFU\.EX2")
_LABEL = re.compile(r"(\.L_x_\d+):")
_INSTRUCTION = re.compile(r"\s+/\*[0-9a-f]{4,}\*/\s+(.+?)\s*;")
_BRANCH = re.compile(r"\bBRA\b.*`\((\.L_x_\d+)\)")


class Loop(NamedTuple):
    """The instructions of a loop, and how many of them are of the kind that is asked for."""

    instructions: int
    of_kind: int


def listing(cubin: bytes) -> str:
    """The machine code of a kernel as a text."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "kernel.cubin"
        file.write_bytes(cubin)
        command = [find_tool("nvdisasm"), "-c", file]
        return subprocess.run(command, capture_output=True, check=True, text=True).stdout


def loops(text: str, kind: re.Pattern[str]) -> Iterator[Loop]:
    """The loops with instructions of a kind: each begins where a later branch goes back to."""
    code: list[str] = []
    labels: dict[str, int] = {}
    for line in text.splitlines():
        if label := _LABEL.match(line):
            labels[label[1]] = len(code)
        elif instruction := _INSTRUCTION.match(line):
            code.append(instruction[1])
            first = labels.get(branch[1]) if (branch := _BRANCH.search(instruction[1])) else None
            inside = [] if first is None else code[first:]
            if of_kind := sum(bool(kind.search(each)) for each in inside):
                yield Loop(len(inside), of_kind)


def shortest(text: str, kind: re.Pattern[str]) -> str:
    """The loop with the fewest instructions for each of a kind, as a text."""
    found = min(loops(text, kind), key=lambda loop: loop[0] / loop[1], default=None)
    return "-" if found is None else f"{found.instructions} / {found.of_kind}"


def _naive(tuned: str) -> str:
    """The warp-specialised product with descriptors made from addresses in the loop."""
    for x in "ab":
        tuned = tuned.replace(f"      %{x}_first = tcgen05.descriptor %{x}_ring : !{x}_tile\n", "")
        tuned = tuned.replace(
            f"%{x}_0 = tcgen05.tile %{x}_first[%stage] : !{x}_tile",
            f"%{x}_offset = arith.muli %stage, %{x}_tile_bytes : i32\n"
            f"%{x}_address = arith.addi %{x}_ring, %{x}_offset : i32\n"
            f"%{x}_0 = tcgen05.descriptor %{x}_address : !{x}_tile",
        )
    assert "tcgen05.tile" not in tuned
    return tuned


def _kernels() -> Iterator[tuple[str, str]]:
    """The names and the PTX texts of the kernels."""
    for path in sorted((ROOT / "examples").rglob("*.mlir")):
        text = path.read_text()
        name = str(path.relative_to(ROOT / "examples").with_suffix(""))
        yield name, compile_to_ptx(text, target=TARGET)
        if path.stem == "gemm_warp_specialized":
            yield "with descriptors in the loop", compile_to_ptx(_naive(text), target=TARGET)
            yield "with unrolled rings", compile_to_ptx(text, target=TARGET, unroll_rings=True)


def main() -> None:
    """Print a line for each kernel."""
    heads = ("registers", "spilled", "instructions", "loop / MMAs", "loop / ex2")
    print(f"{'kernel':28}" + "".join(f"{head:>14}" for head in heads))
    for name, ptx in _kernels():
        assembled = assemble(ptx, TARGET, ["-v"])
        registers = re.findall(r"Used (\d+) registers", assembled.messages)
        spilled = sum(map(int, re.findall(r"(\d+) bytes spill", assembled.messages)))
        text = listing(assembled.cubin)
        count = sum(bool(_INSTRUCTION.match(line)) for line in text.splitlines())
        columns = (*registers, spilled, count, *(shortest(text, k) for k in (PRODUCT, EXPONENTIAL)))
        print(f"{name:28}" + "".join(f"{each:>14}" for each in columns))


if __name__ == "__main__":
    main()

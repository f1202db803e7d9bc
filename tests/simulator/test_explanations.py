"""
Tests of the remarks that explain a wrong result: mistakes in the examples, each with the remark
that must come first.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from xdsl.printer import Printer

from tcgen05_dialect.compiler import lower_source
from tcgen05_dialect.isa.mma.instruction_descriptor import InstructionDescriptor
from tcgen05_dialect.isa.model.rule import Violation
from tcgen05_dialect.isa.shared_memory.descriptor import SharedMemoryDescriptor
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.simulator import Report, Run, simulate
from tcgen05_dialect.simulator.launch.launch_file import read_launches
from tcgen05_dialect.tools.main import main

from ..support.effort import sampled
from ..support.repository import EXAMPLES

KERNELS = ("gemm_single_tile", "gemm_pipelined", "gemm_warp_specialized")
SIZES = {"m": 130, "n": 264, "k": 136}
"""Sizes with several tiles in each dimension, and with a rest in each."""

Change = Callable[[str], str]


def same(text: str) -> str:
    return text


def changed(pattern: str, replacement: str, count: int = 0) -> Change:
    """Function that replaces a pattern, which must occur."""

    def change(text: str) -> str:
        result = re.sub(pattern, replacement, text, count=count, flags=re.DOTALL | re.MULTILINE)
        assert result != text
        return result

    return change


def all_of(*changes: Change) -> Change:
    def change(text: str) -> str:
        for each in changes:
            text = each(text)
        return text

    return change


def untyped(text: str) -> str:
    """A kernel whose tensor maps are not typed: the launch file alone gives their boxes."""
    return changed(r"(%[ab]_map) : !\w+", r"\1 : !ptx.tensor_map")(text)


def boxed(a: str = "swizzle_128b", b: str = "swizzle_128b", element: str = "bf16") -> Change:
    """Function that gives the tensor maps of a launch file boxes, with these swizzle modes."""

    def change(text: str) -> str:
        rows = dict(zip("ab", re.findall(r"ceildiv\(\w, (\d+)\)", text), strict=True))
        for name, swizzle in (("a", a), ("b", b)):
            box = f'box = [64, {rows[name]}]\nswizzle = "{swizzle}"\nelement = "{element}"\n'
            text = changed(rf'(\[maps.{name}_map\]\narray = "{name}"\n)', rf"\1{box}")(text)
        return text

    return change


def lowered(text: str) -> str:
    out = StringIO()
    Printer(out).print_op(lower_source(Source("k.mlir", text)).module)
    return out.getvalue()


def instruction_descriptor(**fields: Any) -> Change:
    """Function that lowers a kernel and changes fields of its instruction descriptors."""

    def encoded(match: re.Match[str]) -> str:
        number = int(match[1])
        try:
            found = InstructionDescriptor.decode("f16", number)
        except Violation:
            return match[0]
        is_descriptor = found.a == "bf16"
        return f"ptx.constant {replace(found, **fields).encode() if is_descriptor else number} "

    return lambda text: (
        changed(r"ptx\.constant (\d+) ", "", 0)
        and re.sub(r"ptx\.constant (\d+) ", encoded, lowered(text))
    )


def shared_memory_descriptor(**fields: Any) -> Change:
    """Function that lowers a kernel and changes the upper words of its descriptors."""
    word = SharedMemoryDescriptor(0, 16, 1024, swizzle="swizzle_128b")
    before, after = word.encode() >> 32, replace(word, **fields).encode() >> 32

    def change(text: str) -> str:
        return changed(rf"ptx\.constant {before} ", f"ptx.constant {after} ")(lowered(text))

    return change


class Mistake(NamedTuple):
    """A change of a kernel or of its launch file, and the first remark; or the first error and its
    rule, if the change is found without a run."""

    kernel: Change
    cause: str
    launch: Change = same
    rule: str = ""


def mistake(pattern: str, replacement: str, remark: str) -> Mistake:
    return Mistake(changed(pattern, replacement), remark)


def _layout(operand: str, written: str, read: str) -> str:
    tile = r"the tile at @\S+ in shared memory of CTA \(0, 0, 0\), written at line \d+"
    return rf"{tile} with {written} as bf16, is read {operand}{read}"


def _stride(found: int) -> str:
    return (
        r"A: stride dimension byte offset, from each of \d+ swizzle atoms to the next, must be a "
        rf"multiple of 1024, the bytes of an atom of swizzle_128b; found {found}"
    )


_ATOMS_APART = changed(rf"(ptx\.constant) {16 // 16 << 16} ", rf"\1 {2048 // 16 << 16} ")
"""Gives lowered descriptors a leading dimension byte offset of 2048."""
_A, _B = "%a_map", "%b_map"
_EVIDENCE = (
    r", so that element \(0, 0\) of {0} is %{1}_map\[0, 0\] and element \({2}\) of {0} is .*"
)


def _pairing(a: str, b: str) -> str:
    return rf"it multiplies %a_map\[:, {a}\], loaded at line \d+, by %b_map\[:, {b}\], loaded .*"


def _again(span: str) -> str:
    return (
        rf"it adds the product of %a_map\[:, {span}\], loaded at line \d+, by %b_map\[:, {span}\], "
        r"loaded at line \d+, of which line \d+ has added elements before"
    )


def _block(c: str, a: str, b: str) -> str:
    return rf"CTA \(\d, \d, 0\) stores %c\[{c}\], but multiplies {a} by {b}"


_STORED = "wrong elements of %c were never stored; they are"
_FALSE = changed("(%true = arith.constant true)", r"\1\n%false = arith.constant false")

MISTAKES: Mapping[str, Mistake] = {
    "no swizzle in the map of A": Mistake(
        untyped, _layout("", "no_swizzle", "with swizzle_128b as bf16"), boxed(a="no_swizzle")
    ),
    "no swizzle in the map of B": Mistake(
        untyped, _layout("", "no_swizzle", "with swizzle_128b as bf16"), boxed(b="no_swizzle")
    ),
    "another atom in the maps": Mistake(
        untyped,
        _layout("", "swizzle_128b_atom_32b", "with swizzle_128b as bf16"),
        boxed("swizzle_128b_atom_32b", "swizzle_128b_atom_32b"),
    ),
    **{
        f"{swizzle} in the descriptors": Mistake(
            all_of(untyped, changed("k_major, swizzle_128b", f"k_major, {swizzle}")),
            _layout("", "swizzle_128b", f"with {swizzle} as bf16"),
            boxed(),
        )
        for swizzle in ("no_swizzle", "swizzle_32b", "swizzle_64b")
    },
    "half the stride offset": Mistake(
        shared_memory_descriptor(stride_byte_offset=512),
        _stride(512),
        rule="T5-DESC-017",
    ),
    "no stride offset": Mistake(
        shared_memory_descriptor(stride_byte_offset=0),
        _stride(0),
        rule="T5-DESC-017",
    ),
    "f16 in the instruction descriptor": Mistake(
        instruction_descriptor(a="f16", b="f16"), _layout("", "swizzle_128b", "as f16")
    ),
    "f16 for B": Mistake(instruction_descriptor(b="f16"), _layout("", "swizzle_128b", "as f16")),
    "f16 in all types": Mistake(
        all_of(
            untyped,
            changed("xbf16, k_major", "xf16, k_major"),
            changed("bf16 x bf16", "f16 x f16"),
        ),
        _layout("", "swizzle_128b", "as f16"),
        boxed(),
    ),
    "A transposed": Mistake(
        all_of(instruction_descriptor(transpose_a=True), _ATOMS_APART),
        _layout("as A with ", "swizzle_128b", "majorness mn_major")
        + _EVIDENCE.format("A", "a", "64, 0"),
    ),
    "B transposed": Mistake(
        all_of(instruction_descriptor(transpose_b=True), _ATOMS_APART),
        _layout("as B with ", "swizzle_128b", "majorness mn_major")
        + _EVIDENCE.format("B", "b", "64, 0"),
    ),
    "A not advanced along K": mistake(
        r"(tcgen05.mma %acc, %a_0)\[k = 16\]",
        r"\1",
        _pairing("0:16", "16:32"),
    ),
    "an advance by half a step": Mistake(changed(r"\[k = 16\]", "[k = 8]"), _again("8:24")),
    "an MMA left out": mistake(
        r"^ *tcgen05.mma %acc, %a_0\[k = 32\][^:]*:[^\n]*\n",
        "",
        r"elements \[:, 32:48\] of the tile of %a_map at @\S+ in .* are loaded here, but no MMA .*",
    ),
    "an MMA twice": mistake(
        r"(^ *tcgen05.mma %acc, %a_0\[k = 48\][^:]*:[^\n]*\n)", r"\1\1", _again("48:64")
    ),
    "the same block of K again": mistake(r"(%block_k = arith.muli )%\w+", r"\1%c0", _again("0:16")),
    "blocks of K that overlap": mistake(
        r"%block_k = arith.muli %(\w+), %tile_k",
        r"%half = arith.constant 32 : i32\n%block_k = arith.muli %\1, %half",
        _again("32:48"),
    ),
    "the rest of K left out": mistake(
        "%blocks = arith.ceildivui",
        "%blocks = arith.divui",
        r"%a_map\[:, 128:136\] is never loaded by .*",
    ),
    "one block of K": mistake(
        "%blocks = arith.ceildivui %k, %tile_k :",
        "%blocks = arith.constant 1 :",
        r"%a_map\[:, 64:136\] is never loaded by the copies at line \d+",
    ),
    "no block added": Mistake(
        all_of(_FALSE, changed("accumulate %not_first_block", "accumulate %false")),
        r"it overwrites the sums of the MMA at line \d+, which nothing has read",
    ),
    "the second MMA overwrites": Mistake(
        all_of(_FALSE, changed(r"(\[k = 16\], %b_0\[k = 16\] accumulate )%true", r"\1%false")),
        r"it overwrites the sums of the MMA at line \d+, which nothing has read",
    ),
    "A loaded by columns": mistake(
        "%a_map, {(%block_k), %first_row",
        r"%a_map, {\1, %first_column",
        _block(r"128:130, 0:\d+", "rows 0 to 127 of %a_map", r"rows 0 to \d+ of %b_map"),
    ),
    "B loaded by rows": mistake(
        "%b_map, {(%block_k), %first_column",
        r"%b_map, {\1, %first_row",
        _block(r"0:128, \d+:\d+", "rows 0 to 127 of %a_map", r"rows 0 to \d+ of %b_map"),
    ),
    "coordinates of A in another order": mistake(
        r"\{(%block_k), (%first_row)\}", r"{\2, \1}", _pairing(r"\d+:\d+", r"\d+:\d+")
    ),
    "half of the columns": mistake(
        r"%columns = arith.minsi %columns_left, %tile_n",
        r"%half = arith.constant 64 : i32\n%columns = arith.minsi %columns_left, %half",
        rf"\d+ of the \d+ {_STORED} in %c\[:, 64:256\]",
    ),
    "rows left out": mistake(
        "%row_is_inside = arith.cmpi slt, %row, %m : i32",
        "%rows = arith.constant 96 : i32\n%is_low = arith.cmpi slt, %thread, %rows : i32\n"
        "%in_c = arith.cmpi slt, %row, %m : i32\n%row_is_inside = arith.andi %is_low, %in_c : i1",
        rf"\d+ of the \d+ {_STORED} in %c\[96:128, :\]",
    ),
    "pairs of columns exchanged": mistake(
        r"f32 %v#(\d+), %v#(\d+)", r"f32 %v#\2, %v#\1", "column 0 of %c holds the expected column 1"
    ),
    "the same chunk of columns": mistake(
        r"(%acc\[%first_lane, )%column(\] : !accumulator to !chunk)",
        r"\1%c0\2",
        r"column (8|32) of %c holds the expected column 0",
    ),
}
ONE_STAGE = {
    "A and B exchanged": Mistake(
        same,
        r"\d+ of the \d+ wrong elements of %c are those expected elsewhere, with rows and columns "
        r"exchanged: %c\[\d+, \d+:\d+\] holds what is expected at %c\[\d+:\d+, \d+\]",
        changed('args = \\["a_map", "b_map"', 'args = ["b_map", "a_map"'),
    ),
    "A loaded twice": mistake(
        r"\], %b_map, ",
        "], %a_map, ",
        _block(r"0:128, 128:256", "rows 0 to 127 of %a_map", "rows 128 to 129 of %a_map"),
    ),
}
"""Mistakes for a kernel with tiles of one size and one stage."""
STAGES = {
    "the stage of B": mistake(
        r"(tcgen05.tile %b_first)\[%stage\]", r"\1[%c0]", _pairing("64:80", "0:16")
    )
}
"""Mistakes for kernels with several stages."""
FAST = (
    "no swizzle in the map of A",
    "no stride offset",
    "B transposed",
    "an MMA left out",
    "one block of K",
    "rows left out",
    "A loaded twice",
)
CASES = [
    *(("gemm_single_tile", what) for what in {**MISTAKES, **ONE_STAGE}),
    *((kernel, what) for kernel in KERNELS[1:] for what in {**MISTAKES, **STAGES}),
]


def run(kernel: str, wrong: Mistake, folder: Path, schedule: str = "eager") -> Report:
    """Run an example with a mistake."""
    path = folder / "k.toml"
    path.write_text(wrong.launch((EXAMPLES / f"{kernel}.toml").read_text()))
    ((_, launch),) = read_launches(path, {}, SIZES, 0, lambda _: ())
    return simulate(
        wrong.kernel((EXAMPLES / f"{kernel}.mlir").read_text()),
        launch.arguments,
        launch.launch,
        Run(schedule),
        expected=launch.expected_arguments(),
    )


@pytest.mark.parametrize(
    ("kernel", "what"),
    [
        pytest.param(*case, marks=() if case[1] in FAST else pytest.mark.slow)
        for case in sampled(sampled(CASES, 1, of=lambda case: case[1]), 2)
    ],
)
def test_the_cause_comes_first(kernel: str, what: str, tmp_path: Path) -> None:
    wrong = {**MISTAKES, **ONE_STAGE, **STAGES}[what]
    report = run(kernel, wrong, tmp_path)
    assert {each.rule for each in report.errors} == {wrong.rule} - {""}
    first = report.errors[0] if wrong.rule else report.remarks[0]
    _, _, sentence = first.message.partition(": ")
    assert re.fullmatch(wrong.cause, sentence), first.message
    assert first.severity == ("error" if wrong.rule else "remark")
    assert first.line and first.excerpt and first.help


@pytest.mark.slow
@pytest.mark.parametrize("schedule", ["eager", "lazy", "random"])
def test_right_result(schedule: str, tmp_path: Path) -> None:
    report = run("gemm_single_tile", Mistake(same, ""), tmp_path, schedule)
    assert not report.findings
    assert not report.remarks


def test_another_type_of_the_same_bits(tmp_path: Path) -> None:
    """A map of 16-bit integers copies the bytes of bf16 unchanged: the result is right."""
    report = run("gemm_single_tile", Mistake(untyped, "", boxed(element="u16")), tmp_path)
    assert not report.errors
    assert not report.remarks


@pytest.mark.slow
def test_bytes_that_were_never_written(tmp_path: Path) -> None:
    """An error of the run itself: the remark names its cause."""
    wrong = Mistake(shared_memory_descriptor(stride_byte_offset=2048), "")
    report = run("gemm_warp_specialized", wrong, tmp_path)
    assert [each.rule for each in report.errors] == ["T5-SIM-013"]
    assert "with a stride dimension byte offset of 2048" in report.remarks[0].message


_SCALES = (1, 4, 32, 16)


@pytest.mark.slow
def test_nan_among_scale_factors(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The remark names the factor: row 3, the third group of 16 elements along K."""
    scales = np.full(_SCALES, 0x38, np.uint8)
    scales[0, 0, 3, 2] = 0x7F
    out = _nvfp4(tmp_path, scales, 1, capfd)
    assert out.count("remark") == 1
    assert (
        "1 of the 512 scale factors of A that it reads is NaN: it is 0x7f, for elements [3, 32:48]"
        " of A, in byte 2 of column 256 in lane 3 of the tensor memory of CTA (0, 0, 0), copied"
        " from %sa_map at line"
    ) in out


@pytest.mark.slow
def test_packed_elements_are_read(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """An MMA reads both elements of a byte."""
    out = _nvfp4(tmp_path, np.full(_SCALES, 0x38, np.uint8), 2, capfd)
    assert "16384 elements differ" in out
    assert "no MMA reads" not in out


def _nvfp4(folder: Path, scales: Any, factor: int, capfd: pytest.CaptureFixture[str]) -> str:
    """The output of a run of an example with these scale factors of A, where a multiple of the
    result is expected."""
    examples, reference = EXAMPLES / "ws", folder / "references.py"
    np.save(folder / "sa.npy", scales)
    times = f"def times(a, b, sa, sb): return {factor} * nvfp4(a, b, sa, sb)"
    reference.write_text(f"{(examples / 'references.py').read_text()}\n{times}\n")
    options = ["--grid=2", f"--arg=sa={folder / 'sa.npy'}", f"--expect=c={reference}:times"]
    options += [f"--size={each}" for each in ("m=128", "n=128", "k=256")]
    assert main(["sim", str(examples / "gemm_nvfp4_pair.mlir"), *options]) == 1
    return capfd.readouterr().out

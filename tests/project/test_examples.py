"""Tests of the examples: ptxas takes each, and its main loop is short."""

import re
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import pytest

from tcgen05_dialect import assemble, compile_to_ptx
from tcgen05_dialect.isa.targets import TARGETS

from ..support.effort import sampled
from ..support.machine_code import Code, disassemble
from ..support.oldest_ptxas import OLDEST
from ..support.repository import EXAMPLE_KERNELS

NAMES = ("sm_100a", "sm_100f", "sm_103a", "sm_110a")
LOOP_LIMIT = 40
"""The most instructions of the steady-state loop for each four MMAs."""

on_each_target = pytest.mark.parametrize("target", NAMES)


def compile_example(path: Path, target: str) -> str:
    """The PTX of an example in the first version that knows the target."""
    version = str(TARGETS[target].first)
    return compile_to_ptx(path.read_text(), target=target, ptx_version=version)


def test_there_are_examples() -> None:
    assert [path.stem for path in EXAMPLE_KERNELS] == [
        "gemm_pipelined",
        "gemm_single_tile",
        "gemm_warp_specialized",
    ]


@pytest.mark.slow
@on_each_target
@pytest.mark.parametrize("path", EXAMPLE_KERNELS, ids=lambda path: path.stem)
def test_ptxas_takes_it_without_spills(path: Path, target: str) -> None:
    ptx = compile_example(path, target)
    assert f".version {TARGETS[target].first}\n.target {target}\n" in ptx
    assembled = assemble(ptx, target, ["-Werror", "-v"])
    assert not re.search("warning|advisory", assembled.messages)
    usage = re.findall(r"(\d+) bytes (stack frame|spill stores|spill loads)", assembled.messages)
    assert sorted(usage) == [("0", "spill loads"), ("0", "spill stores"), ("0", "stack frame")]
    if path.stem == "gemm_warp_specialized":
        _check_main_loop(disassemble(assembled.cubin).main_loop())


def _check_main_loop(loop: Sequence[str]) -> None:
    mmas = sum("UTCHMMA" in text for text in loop)
    assert sum("TRYWAIT" in text for text in loop) >= 1
    assert mmas >= 4
    assert 4 * len(loop) <= LOOP_LIMIT * mmas, "\n".join(loop)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "target"), sampled(product(EXAMPLE_KERNELS, TARGETS), 1, of=lambda pair: pair[1])
)
def test_the_oldest_ptxas_takes_ascii(path: Path, target: str) -> None:
    """Releases before 13.5 refuse other characters, also in comments."""
    ptx = compile_example(path, target)
    assert ptx.isascii()
    assert OLDEST[target].assemble(ptx, target, "-Werror") == ""


LISTING = """
.text.kernel:
        /*0000*/                   MOV R1, c[0x0] ;
.L_x_1:
        /*0010*/                   TRYWAIT P0, [UR6] ;
        /*0020*/              @!P0 BRA `(.L_x_2) ;
.L_x_3:
        /*0030*/                   UTCHMMA tmem[UR14] ;
        /*0040*/                   BRA.U UP0, `(.L_x_1) ;
        /*0050*/                   EXIT ;
.L_x_2:
        /*0060*/                   TRYWAIT P0, [UR6] ;
        /*0070*/              @!P0 BRA `(.L_x_2) ;
        /*0080*/                   BRA `(.L_x_3) ;
"""


def test_the_counter_finds_the_loop_and_not_the_slow_path() -> None:
    loop = Code(LISTING).loop_around(3)
    assert loop == [
        "TRYWAIT P0, [UR6]",
        "@!P0 BRA `(.L_x_2)",
        "UTCHMMA tmem[UR14]",
        "BRA.U UP0, `(.L_x_1)",
    ]

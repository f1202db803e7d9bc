"""Tests of the examples in `ws`: what ptxas makes of them, and that `sim` and `check` agree."""

from pathlib import Path

import pytest

from tcgen05_dialect import CompileError, assemble, compile_to_ptx
from tcgen05_dialect.check import check_source
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.tools.main import main

from ..support.machine_code import disassemble, is_mma
from ..support.repository import EXAMPLES

PARTITIONED = "gemm_sequential"
"""The example that becomes another one, as tests/ws/test_partition.py shows."""
KERNELS = {
    path.stem: path for path in sorted((EXAMPLES / "ws").glob("*.mlir")) if path.stem != PARTITIONED
}
LIMITS = {
    "attention": 40,
    "attention_causal": 41,
    "attention_sequential": 40,
    "gemm": 21,
    "gemm_clc": 20,
    "gemm_fp8_silu": 21,
    "gemm_int8": 21,
    "gemm_multicast": 22,
    "gemm_mxf8": 30,
    "gemm_nvfp4_pair": 60,
    "gemm_pair": 22,
    "gemm_sparse": 30,
    "gemm_tf32": 21,
    "gemm_split_k": 21,
    "gemm_tokens": 37,
}
"""By example, the most instructions of the main loop for each four MMAs."""
TARGETS = ("sm_100a", "sm_100f", "sm_103a", "sm_110a")
VERSION = "9.0"
"""The first version of PTX in which all targets exist."""
REFUSED = {"gemm_int8": {"sm_100f", "sm_103a"}}
"""By example, the targets that do not have its instructions."""


@pytest.mark.slow
@pytest.mark.parametrize("name", KERNELS)
def test_machine_code(name: str) -> None:
    """ptxas takes each example for each target that has its instructions."""
    refused: set[str] = set()
    for target in TARGETS:
        try:
            ptx = compile_to_ptx(KERNELS[name].read_text(), target=target, ptx_version=VERSION)
        except CompileError as error:
            assert all(rule.startswith("T5-TARGET") for rule in error.rules)
            refused.add(target)
            continue
        assembled = assemble(ptx, target, ["-Werror"])
        assert assembled.messages == ""
        if target == TARGETS[0]:
            loop = disassemble(assembled.cubin).main_loop()
            assert 4 * len(loop) <= LIMITS[name] * sum(map(is_mma, loop)), "\n".join(loop)
    assert refused == REFUSED.get(name, set())


@pytest.mark.slow
@pytest.mark.parametrize("path", KERNELS.values(), ids=KERNELS)
def test_is_verified_and_as_expected(path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (remark,) = check_source(Source(path.name, path.read_text()), verify="quick")
    assert remark.verdict in ("verified", "verified in part"), remark.message
    for schedule in ("eager", "lazy", "random"):
        assert main(["sim", str(path), "--schedule", schedule]) == 0
        assert capfd.readouterr().out.startswith("as expected: ")

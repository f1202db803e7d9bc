"""Tests of the examples in `ws`: what ptxas makes of them, and that `sim` and `check` agree."""

from itertools import product

import pytest

from tcgen05_dialect import CompileError, assemble, compile_to_ptx
from tcgen05_dialect.check import check_source
from tcgen05_dialect.compiler import lower_source
from tcgen05_dialect.isa.targets import first_version
from tcgen05_dialect.ptx.instruction import Instruction
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.tools.main import main

from ..support.effort import sampled
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
    "gemm_gather": 21,
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


def _assembled(name: str, target: str) -> bytes:
    """The machine code of an example, about which ptxas has nothing to say."""
    ptx = compile_to_ptx(KERNELS[name].read_text(), target=target, ptx_version=VERSION)
    assembled = assemble(ptx, target, ["-Werror"])
    assert assembled.messages == ""
    return assembled.cubin


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(KERNELS, 2))
def test_machine_code(name: str) -> None:
    loop = disassemble(_assembled(name, TARGETS[0])).main_loop()
    assert 4 * len(loop) <= LIMITS[name] * sum(map(is_mma, loop)), "\n".join(loop)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "name"), sampled(product(TARGETS[1:], KERNELS), 1, of=lambda pair: pair[0])
)
def test_other_targets(target: str, name: str) -> None:
    source = Source(name, KERNELS[name].read_text())
    ops = lower_source(source, TARGETS[0], VERSION).module.walk()
    features = {each for op in ops if isinstance(op, Instruction) for each in op.features()}
    if all(first_version(each, target) for each in features):
        assert _assembled(name, target)
        return
    with pytest.raises(CompileError) as raised:
        _assembled(name, target)
    assert all(rule.startswith("T5-TARGET") for rule in raised.value.rules)


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(KERNELS, 2))
def test_is_verified(name: str) -> None:
    path = KERNELS[name]
    (remark,) = check_source(Source(path.name, path.read_text()), verify="quick")
    assert remark.verdict in ("verified", "verified in part"), remark.message


@pytest.mark.slow
@pytest.mark.parametrize("schedule", sampled(("lazy", "eager", "random"), 1))
@pytest.mark.parametrize("name", sampled(KERNELS, 2))
def test_is_as_expected(name: str, schedule: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["sim", str(KERNELS[name]), "--schedule", schedule]) == 0
    assert capfd.readouterr().out.startswith("as expected: ")

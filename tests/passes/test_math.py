"""Tests of the lowering of `math`, in the emulator against numpy."""

from collections.abc import Callable

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest

from tcgen05_dialect import assemble, compile_to_ptx
from tcgen05_dialect.simulator import Launch, simulate

Numbers = npt.NDArray[np.float64]
FUNCTIONS: dict[str, Callable[[Numbers], Numbers]] = {
    "absf": np.abs,
    "cos": np.cos,
    "exp": np.exp,
    "exp2": np.exp2,
    "log": lambda x: np.log(np.abs(x)),
    "log2": lambda x: np.log2(np.abs(x)),
    "rsqrt": lambda x: 1 / np.sqrt(np.abs(x)),
    "sin": np.sin,
    "sqrt": lambda x: np.sqrt(np.abs(x)),
    "tanh": np.tanh,
    "fma": lambda x: x * x + x,
}
OF_POSITIVES = ("log", "log2", "rsqrt", "sqrt")
TYPES = {"f32": np.float32, "f16": np.float16, "bf16": ml_dtypes.bfloat16}
X = np.linspace(-3.1, 3, 32)


def kernel(type_: str) -> str:
    """A kernel that stores each function of the number of its thread."""
    bits = "b32" if type_ == "f32" else "b16"
    size = 4 if type_ == "f32" else 2
    lines: list[str] = []
    for at, name in enumerate(FUNCTIONS):
        x = "%positive" if name in OF_POSITIVES else "%x"
        operands = ", ".join([x] * (3 if name == "fma" else 1))
        lines.append(f"%y{at} = math.{name} {operands} : {type_}")
        lines.append(f"ptx.st global {bits} [%to + {32 * size * at}], {{%y{at}}}")
    return f"""
ptx.kernel @k(%in : i64, %out : i64) attributes {{reqntid = array<i32: 32>}} {{
  %thread = ptx.special_register tid.x
  %size = arith.constant {size} : i32
  %from = ptx.mad.wide u32 %thread, %size, %in
  %to = ptx.mad.wide u32 %thread, %size, %out
  %x = ptx.ld global {bits} [%from] -> {type_}
  %positive = math.absf %x : {type_}
  {chr(10).join(lines)}
  ptx.ret
}}"""


@pytest.mark.parametrize("type_", TYPES)
def test_functions(type_: str) -> None:
    dtype = TYPES[type_]
    x = X.astype(dtype)
    out = np.zeros((len(FUNCTIONS), 32), dtype)
    arguments = [each if type_ == "f32" else each.view(np.uint16) for each in (x, out)]
    assert simulate(kernel(type_), arguments, Launch((1,))).findings == ()
    wide = x.astype(np.float64)
    expected = np.stack([function(wide) for function in FUNCTIONS.values()])
    bits = {"f32": 18, "f16": 9.5, "bf16": 7.5}[type_]
    np.testing.assert_allclose(out.astype(np.float64), expected, rtol=2.0**-bits, atol=1e-6)


@pytest.mark.slow
def test_ptxas_takes_them() -> None:
    for type_ in TYPES:
        assert assemble(compile_to_ptx(kernel(type_)), "sm_100a", ["-Werror"]).messages == ""

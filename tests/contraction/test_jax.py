"""Tests of kernels of JAX functions: the emulator computes what XLA does on the CPU."""

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tcgen05_dialect import CompileError, Source, assemble
from tcgen05_dialect.compiler import lower_tensors, parse
from tcgen05_dialect.jax import TensorProgram, emulated, lower

from ..support.effort import EFFORT, SWEEP, sampled
from ..support.machine_code import disassemble, is_mma
from .jax_programs import BF16, CASES, F32, Case, dot

_MOST_KERNELS = 3
"""Of a program with more kernels, only a sweep takes the time."""
jax: Any = import_module("jax")  # Many of its types are unknown.
jnp: Any = jax.numpy
TOLERANCES = {2: 2e-2, 4: 3e-3}
"""Bytes of an element -> the largest difference, as a part of the largest number."""


def contents(case: Case) -> list[Any]:
    """Random arguments of a function."""
    random = np.random.default_rng(0)
    found: list[Any] = []
    for shape, element in case.arguments:
        if jnp.issubdtype(element, jnp.floating):
            content = jnp.asarray(random.standard_normal(shape) / 2, element)
        else:
            content = jnp.asarray(random.integers(0, 8, shape), element)
        found.append(content)
    return found


def lowered(case: Case) -> TensorProgram:
    """The kernels of a function."""
    shapes = (jax.ShapeDtypeStruct(*each) for each in case.arguments)
    return lower(case.function, *shapes, tf32=case.tf32)


def check(found: Any, expected: Any) -> None:
    """Compare two arrays."""
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
    tolerance = TOLERANCES.get(found.dtype.itemsize, 0) if found.dtype != np.int32 else 0
    a, b = (np.asarray(jnp.asarray(each), np.float64) for each in (found, expected))
    same = a == b
    finite = np.abs(np.where(same, 0, b)).max(initial=0)
    largest = max(finite, np.abs(b[np.isfinite(b)]).max(initial=0))
    assert np.abs(np.where(same, 0, a) - np.where(same, 0, b)).max() <= tolerance * largest


SHORT = [name for name in sorted(CASES) if CASES[name].kernels <= _MOST_KERNELS or SWEEP]


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(SHORT, 10))
def test_program(name: str) -> None:
    case = CASES[name]
    program, arrays = lowered(case), contents(case)
    assert len(program.program.kernels) == case.kernels
    found, expected = program.emulate(*arrays), case.function(*arrays)
    several = len(program.program.results) > 1
    for each, other in zip(found, expected, strict=True) if several else [(found, expected)]:
        check(each, np.asarray(other))
    assert {each.verdict for each in program.verify(EFFORT)} == {"verified"}


def test_decorator() -> None:
    @emulated
    def layer(x: Any, w: Any) -> Any:
        return jax.nn.relu(x @ w)

    def model(x: Any, v: Any, w: Any) -> Any:
        return layer(layer(x, v), w).sum(axis=1)

    x, v, w = contents(Case(model, (((32, 64), BF16), ((64, 64), BF16), ((64, 32), BF16))))
    expected = jax.nn.relu(jax.nn.relu(x @ v) @ w).sum(axis=1)
    check(np.asarray(jax.jit(model)(x, v, w)), np.asarray(expected))


@pytest.mark.slow
def test_trees() -> None:
    """Arguments and results may be trees; some arguments may be unused."""

    def layer(weights: Any, x: Any, unused: Any) -> Any:
        return {"y": jax.nn.relu(x @ weights["w"] + weights["b"]), "x": (x + 1,)}

    w, b, x, unused = contents(
        Case(layer, (((32, 64), BF16), ((64,), BF16), ((40, 32), BF16), ((3,), BF16)))
    )
    arguments = {"w": w, "b": b}, x, unused
    program, expected = lower(layer, *arguments), layer(*arguments)
    for found in (program.emulate(*arguments), jax.jit(emulated(layer))(*arguments)):
        check(np.asarray(found["y"]), np.asarray(expected["y"]))
        check(np.asarray(found["x"][0]), np.asarray(expected["x"][0]))
    names = [array.name for array in program.program.arguments]
    assert names == ["weights_b", "weights_w", "x", "unused"]


CONSTANT = jnp.arange(64.0)


def captured(x: Any) -> Any:
    return x + CONSTANT


def f32_product(a: Any, b: Any) -> Any:
    return dot(a, b)


def total(a: Any) -> Any:
    return jnp.sort(a)


def infinite_power(x: Any) -> Any:
    return jax.lax.pow(x, jnp.full_like(x, jnp.inf))


def relu(x: Any, w: Any) -> Any:
    return jax.nn.relu(x @ w)


@pytest.mark.parametrize("function", [jax.nn.silu, jax.nn.log_softmax, jax.jit(relu), relu])
def test_names(function: Any) -> None:
    """A module of JAX may have another function of the same name."""
    shapes = [jax.ShapeDtypeStruct((32, 32), BF16)] * (1 + (function.__name__ == "relu"))
    (kernel,) = lower(function, *shapes).program.kernels
    assert kernel.plan.name == f"{function.__name__}_"


def printing(a: Any) -> Any:
    jax.debug.print("{}", a)
    return a + 1


@pytest.mark.parametrize(
    ("function", "shapes", "message"),
    [
        (printing, ((64,),), "stablehlo.custom_call: no kernel can be made"),
        (f32_product, ((64, 64), (64, 64)), "do not multiply f32 x f32"),
        (total, ((64,),), "no kernel can be made"),
        (captured, ((64,),), "must be one number"),
        (infinite_power, ((64,),), "the exponent must be"),
    ],
)
def test_refusal(function: Any, shapes: Any, message: str) -> None:
    with pytest.raises(CompileError, match=message) as error:
        lower(function, *(jax.ShapeDtypeStruct(each, F32) for each in shapes))
    (finding,) = error.value.findings
    assert finding.line and finding.file.endswith(("test_jax.py", "jax_programs.py"))
    # Only the message is shown: no frames of jax and of the readers.
    assert error.value.__suppress_context__
    assert error.value.__cause__ is None
    assert len(error.traceback) == 2


def test_place_in_a_function_of_jax() -> None:
    """An operation inside a function of jax has the line that calls it."""
    with pytest.raises(CompileError) as error:
        lower(total, jax.ShapeDtypeStruct((64,), F32))
    (finding,) = error.value.findings
    line = Path(__file__).read_text().split("\n")[finding.line - 1]
    assert "jnp.sort(a)" in line


def bias_and_relu(a: Any, b: Any, bias: Any) -> Any:
    return jax.nn.relu(dot(a, b.T) + bias).astype(BF16)


@pytest.mark.slow
def test_main_loop() -> None:
    """A large product has pairs of CTAs, and at most 20 instructions for four products."""
    shapes = ((8192, 4096), BF16), ((8192, 4096), BF16), ((8192,), F32)
    program = lower(bias_and_relu, *(jax.ShapeDtypeStruct(*each) for each in shapes))
    (kernel,) = program.program.kernels
    assert kernel.grid == (148,)
    loop = disassemble(assemble(program.ptx, "sm_100a").cubin).main_loop()
    products = sum(map(is_mma, loop))
    assert 4 * len(loop) <= 20 * products


ATTRIBUTES = """func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = "stablehlo.slice"(%x) {start_indices = array<i64: 0>, strides = array<i64: 1>}
    : (tensor<8xf32>) -> tensor<4xf32>
  %b = "stablehlo.slice"(%x) {start_indices = array<i64: 4>, strides = array<i64: 1>}
    : (tensor<8xf32>) -> tensor<4xf32>
  %c = "stablehlo.concatenate"(%b, %a) {dimension = 0 : i64}
    : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  func.return %c : tensor<8xf32>
}
"""


def test_attributes() -> None:
    """Text may give properties as attributes; they tell operations apart."""
    source, x = Source("it.mlir", ATTRIBUTES), np.arange(8, dtype=np.float32)
    (program,) = lower_tensors(parse(source)[0], source)
    assert (TensorProgram(program).emulate(x) == np.roll(x, 4)).all()

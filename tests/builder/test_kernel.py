"""Tests of the builder: regions, values, places, and errors."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import ml_dtypes
import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp, bf16, f16, f32, i32, i64

from tcgen05_dialect import (
    CompileError,
    Launch,
    TensorMap,
    Violation,
    check_source,
    compile_to_ptx,
    parse_module,
    simulate,
)
from tcgen05_dialect.builder import Kernel, Value, accumulator, half, tile
from tcgen05_dialect.builder.values import check_condition
from tcgen05_dialect.operations import ptx


def texts(build: Callable[[Kernel, Value, Value], object]) -> list[str]:
    """The operations that a function creates for a number n and a float x, without constants."""
    kernel = Kernel("kernel")
    n, x = kernel.parameter("n"), kernel.parameter("x", f32)
    build(kernel, n, x)
    body = kernel.module().body.block.first_op
    assert isinstance(body, ptx.KernelOp)
    ops = [str(op) for op in body.body.block.ops]
    return [text.partition(" = ")[2] for text in ops if " = " in text and "constant" not in text]


def test_comparison_of_vectors() -> None:
    def build(kernel: Kernel, n: Value, x: Value) -> None:
        v = x.splat(4)
        positive = v > 0
        (positive & v.ne(1)).select(v, 0)
        positive.select(x, 2.0)
        positive.select(1, x)
        positive.reduce("or").select(v, 0)
        with pytest.raises(TypeError, match="a condition must be a value of type i1"):
            check_condition(positive)

    choices = [text for text in texts(build) if text.startswith("arith.select")]
    assert len(choices) == 4 and all(text.endswith(": vector<4xf32>") for text in choices)


OPERATORS: list[tuple[Callable[[Value, Value], Value], str]] = [
    (lambda n, x: n + 1, "arith.addi %n, %c1 : i32"),
    (lambda n, x: 1 + n, "arith.addi %c1, %n : i32"),
    (lambda n, x: n - n, "arith.subi %n, %n : i32"),
    (lambda n, x: 7 - n, "arith.subi %c7, %n : i32"),
    (lambda n, x: 3 * n, "arith.muli %c3, %n : i32"),
    (lambda n, x: n // 4, "arith.divui %n, %c4 : i32"),
    (lambda n, x: n % 4, "arith.remui %n, %c4 : i32"),
    (lambda n, x: n << 4, "arith.shli %n, %c4 : i32"),
    (lambda n, x: n >> 4, "arith.shrui %n, %c4 : i32"),
    (lambda n, x: n & 4, "arith.andi %n, %c4 : i32"),
    (lambda n, x: n | 4, "arith.ori %n, %c4 : i32"),
    (lambda n, x: n ^ 4, "arith.xori %n, %c4 : i32"),
    (lambda n, x: -n, "arith.subi %c0, %n : i32"),
    (lambda n, x: n.ceildiv(4), "arith.ceildivui %n, %c4 : i32"),
    (lambda n, x: n.min(4), "arith.minsi %n, %c4 : i32"),
    (lambda n, x: n.max(4), "arith.maxsi %n, %c4 : i32"),
    (lambda n, x: n < 4, "arith.cmpi slt, %n, %c4 : i32"),
    (lambda n, x: n >= 4, "arith.cmpi sge, %n, %c4 : i32"),
    (lambda n, x: n.eq(4), "arith.cmpi eq, %n, %c4 : i32"),
    (lambda n, x: n.to(i64), "arith.extui %n : i32 to i64"),
    (lambda n, x: n.to(f32), "arith.sitofp %n : i32 to f32"),
    (lambda n, x: x + x, "arith.addf %x, %x : f32"),
    (lambda n, x: x - x, "arith.subf %x, %x : f32"),
    (lambda n, x: x * x, "arith.mulf %x, %x : f32"),
    (lambda n, x: x / x, "arith.divf %x, %x : f32"),
    (lambda n, x: -x, "arith.negf %x : f32"),
    (lambda n, x: x.max(x), "arith.maxnumf %x, %x : f32"),
    (lambda n, x: x <= x, "arith.cmpf ole, %x, %x : f32"),
    (lambda n, x: x.ne(x), "arith.cmpf une, %x, %x : f32"),
    (lambda n, x: abs(x), "math.absf %x : f32"),
    (lambda n, x: x.sqrt(), "math.sqrt %x : f32"),
    (lambda n, x: x.rsqrt(), "math.rsqrt %x : f32"),
    (lambda n, x: x.exp(approximate=True), "math.exp %x fastmath<afn> : f32"),
    (lambda n, x: x.exp2(), "math.exp2 %x : f32"),
    (lambda n, x: x.log(), "math.log %x : f32"),
    (lambda n, x: x.log2(), "math.log2 %x : f32"),
    (lambda n, x: x.sin(), "math.sin %x : f32"),
    (lambda n, x: x.cos(), "math.cos %x : f32"),
    (lambda n, x: x.tanh(), "math.tanh %x : f32"),
    (lambda n, x: x.to(f16), "arith.truncf %x : f32 to f16"),
    (lambda n, x: x.to(i32), "arith.fptosi %x : f32 to i32"),
]


@pytest.mark.parametrize(("build", "text"), OPERATORS)
def test_operators(build: Callable[[Value, Value], Value], text: str) -> None:
    assert texts(lambda kernel, n, x: build(n, x)) == [text]


OF_VECTORS: list[tuple[Callable[[Value, Value], Value], str]] = [
    (lambda n, x: x.splat(1).splat(4), "vector.broadcast %1 : vector<1xf32> to vector<4xf32>"),
    (lambda n, x: x.splat(4)[-1], "vector.extract %1[3] : f32 from vector<4xf32>"),
    (lambda n, x: [*x.splat(3)][-1], "vector.extract %1[2] : f32 from vector<3xf32>"),
    (lambda n, x: x.splat(4).keep_first(n, x), "ws.keep_first %n of %1 else %x"),
    (lambda n, x: x.splat(4).to(bf16), "arith.truncf %1 : vector<4xf32> to vector<4xbf16>"),
    (lambda n, x: n.splat(4).to(f32), "ws.sitofp %1 -> vector<4xf32>"),
    (lambda n, x: x - x.splat(4).named("v"), "arith.subf %1, %v : vector<4xf32>"),
    (lambda n, x: (n < 1).named("c").select(0, n), "arith.select %c, %c0, %n : i32"),
    (lambda n, x: 1 << n, "arith.shli %c1, %n : i32"),
    (lambda n, x: x.splat(4).tanh(), "math.tanh %1 : vector<4xf32>"),
]


@pytest.mark.parametrize(("build", "text"), OF_VECTORS)
def test_operations_on_vectors(build: Callable[[Value, Value], Value], text: str) -> None:
    assert texts(lambda kernel, n, x: build(n, x))[-1] == text


def test_a_conversion_to_the_same_type_is_none() -> None:
    assert texts(lambda kernel, n, x: n.to(i32)) == []


def test_constants_are_once_and_in_order() -> None:
    kernel = Kernel("kernel")
    n = kernel.parameter("n")
    x = n.to(f32)
    _ = [n + 5, n + 3, n * 5, n.to(i64) + 4, x * 2.5, x + 2, x + 2.0, x.splat(8) * 0.5]
    _ = [kernel.constant(-0.0), kernel.constant(0.0), n.splat(2) * 3]
    names = [line.strip() for line in str(kernel.module()).splitlines() if "constant" in line]
    assert [line.partition("constant ")[2] for line in names] == [
        "3 : i32",
        "5 : i32",
        "4 : i64",
        "dense<3> : vector<2xi32>",
        "-0.000000e+00 : f32",
        "0.000000e+00 : f32",
        "2.000000e+00 : f32",
        "2.500000e+00 : f32",
        "dense<5.000000e-01> : vector<8xf32>",
    ]


WRONG: list[tuple[Callable[[Any, Any], object], str]] = [
    (lambda n, x: bool(n), "the value is known only when the kernel runs"),
    (lambda n, x: n / 2, "values of the type i32 have no such operator"),
    (lambda n, x: x // 2, "values of the type f32 have no such operator"),
    (lambda n, x: n + "1", "expected a value or a constant of the type i32; found '1'"),
    (lambda n, x: n + 1.5, "expected a value or a constant of the type i32; found 1.5"),
    (lambda n, x: n.to(tile(8, 64, bf16)), "no conversion from i32"),
    (lambda n, x: x.to("bf16"), "must be a type of xDSL, such as bf16; found 'bf16'"),
    (lambda n, x: x.splat(4).to(i32), "no conversion from vector<4xf32> to vector<4xi32>"),
    (lambda n, x: n.tanh(), "values of the type i32 have no such function"),
    (lambda n, x: n.fma(n, n), "values of the type i32 have no such function"),
    (lambda n, x: x.splat(4).splat(8), "a vector of one number; found vector<4xf32>"),
    (lambda n, x: x[0], "a value of the type f32 has no elements"),
    (lambda n, x: x.splat(4)[4], "vector<4xf32> has no element 4"),
    (lambda n, x: x.splat(4)[n], "index must be an int, .*; found n : i32"),
    (lambda n, x: max(x, 0.0), "in place of `max\\(a, b\\)`, `a.max\\(b\\)`"),
    (lambda n, x: range(n), "use `role.range\\(value\\)`"),
    (lambda n, x: n == 3, "use `a.eq\\(b\\)`"),
    (lambda n, x: n + 2**70, "a constant of the type i32; found 1180591620717411303424"),
    (lambda n, x: x + 10**400, "a constant of the type f32; found 1000"),
    (lambda n, x: n + x, "different types, n : i32 and x : f32: convert one"),
    (lambda n, x: n.select(n, n), "a condition must be a value of type i1, .*; found n : i32"),
    (lambda n, x: x.splat(4).reduce("addd"), "found 'addd': did you mean add?"),
    (lambda n, x: x.reduce("add"), "a value of the type f32 has no elements"),
    (lambda n, x: x.splat(n), "count must be an int, .*; found n : i32"),
    (lambda n, x: n.named("a b"), "not begin with a digit; found 'a b'"),
]


@pytest.mark.parametrize(("build", "message"), WRONG)
def test_wrong_operands(build: Callable[[Any, Any], object], message: str) -> None:
    with pytest.raises((TypeError, ValueError, IndexError), match=message):
        texts(lambda kernel, n, x: build(n, x))


def test_a_matrix_has_two_extents() -> None:
    kernel = Kernel("kernel")
    n, pointer = kernel.parameter("n"), kernel.parameter("p", i64)
    with pytest.raises(TypeError, match="shape must be the two extents of a matrix"):
        kernel.load(pointer, 0, 0, 4, shape=cast(Any, (n,)))


def test_a_ring_without_buffers() -> None:
    with pytest.raises(TypeError, match="ring r: give the type of at least one buffer"):
        cast(Any, Kernel("kernel")).ring("r", 2)


def total(first: int = 0, box: str | None = None) -> ModuleOp:
    """The sums of 8 columns of n tiles of 64 rows, or twice the sums if n > 3."""
    kernel = Kernel("total")
    a_map = kernel.tensor_map("a_map", 64, 64, element=bf16, swizzle=box)
    out, n = kernel.parameter("out", i64), kernel.parameter("n", at_least=1)
    rows, columns = kernel.parameter("rows", at_least=1), kernel.parameter("columns", at_least=1)
    ring = kernel.ring("ring", 2, tile(64, 64, bf16))
    with kernel.warp_specialize():
        with kernel.role("load", warps=1) as load:
            for block in load.range(n):
                with load.produce(ring, by="tma") as a:
                    a_map.load(a, block, 0)  # the load
        with kernel.role("sum", warps=2) as role:
            loop = role.carry(first, n, values=[role.constant(0.0).splat(8)])
            with loop as (_, sums):
                with role.consume(ring, by="threads") as a:  # the consumption
                    row = a.load(role.thread, 0, 8)
                loop.give(sums + row.to(f32))
            with role.if_(n > 3) as branch:
                branch.give(loop.results[0] * 2)
            with branch.otherwise() as otherwise:
                otherwise.give(loop.results[0])
            role.barrier()
            with role.elected():
                ptx.NanosleepOp(role.constant(1))
            role.store(branch.results[0], out, role.thread, 0, shape=(rows, columns))
    return kernel.module()


def neighbours() -> ModuleOp:
    """The sums of 8 columns of adjacent tiles; a loop carries a tile by the token of its stage."""
    kernel = Kernel("neighbours")
    a_map = kernel.tensor_map("a_map", 64, 64, element=bf16)
    out, n = kernel.parameter("out", i64), kernel.parameter("n", at_least=1)
    ring = kernel.ring("ring", 2, tile(64, 64, bf16))
    with kernel.warp_specialize():
        with kernel.role("load", warps=1) as load, load.range(n) as block:
            free, a = load.acquire(ring, by="tma")
            free.mbarrier()
            a_map.load(a, block, 0)
            free.end()
        with kernel.role("sum", warps=2) as role:
            first, a = role.wait(ring, by="threads")
            loop = role.carry(1, n, values=[first, a])
            with loop as (at, held, before):
                token, after = role.wait(ring, by="threads")
                x, y = (each.load(role.thread, 0, 8).to(f32) for each in (before, after))
                held.end()
                row = (at - 1) * 64 + role.thread
                role.store(x + y, out, row, 0, shape=(n * 64, 8))
                loop.give(token, after)
            loop.results[0].end()
    return kernel.module()


def test_a_loop_carries_a_token() -> None:
    a = np.arange(3 * 64 * 64, dtype=np.float32).reshape(3, 64, 64) % 17
    out = np.zeros((2, 64, 8), np.float32)
    array = a.reshape(-1, 64).astype(ml_dtypes.bfloat16)
    tensor_map = TensorMap.of(array, (64, 64), swizzle="swizzle_128b")
    launch = Launch((1,), dynamic_shared_memory=2 * 64 * 64 * 2)
    report = simulate(neighbours(), [tensor_map, out, 3], launch)
    assert report.findings == ()
    assert np.array_equal(out, (a[:-1] + a[1:])[:, :, :8])


@pytest.mark.parametrize("n", [1, 3, 4])
def test_values_of_regions(n: int) -> None:
    a = np.arange(n * 64 * 64, dtype=np.float32).reshape(n * 64, 64) % 17
    out = np.zeros((64, 8), np.float32)
    tensor_map = TensorMap.of(a.astype(ml_dtypes.bfloat16), (64, 64), swizzle="swizzle_128b")
    launch = Launch((1,), dynamic_shared_memory=2 * 64 * 64 * 2)
    report = simulate(total(), [tensor_map, out, n, 64, 8], launch)
    assert report.findings == ()
    expected = a.reshape(n, 64, 64).sum(0)[:, :8]
    assert np.array_equal(out, expected * (2 if n > 3 else 1))


@pytest.mark.parametrize("stride", [8, 11, 16])
def test_leading_dimension(stride: int) -> None:
    """A copy between matrices whose rows are longer than what the kernel accesses."""
    kernel = Kernel("kernel")
    pointers = [kernel.parameter(name, i64) for name in ("in", "out")]
    m, n, ld = (kernel.parameter(name, at_least=1) for name in ("m", "n", "ld"))
    with kernel.warp_specialize(), kernel.role("role", warps=1) as role:
        row = role.load(pointers[0], role.thread, 0, 8, shape=(m, n), stride=ld)
        role.store(row, pointers[1], role.thread, 0, shape=(m, n), stride=ld)
    given = np.arange(32 * stride, dtype=np.float32).reshape(32, stride)
    out = np.zeros_like(given)
    report = simulate(kernel.module(), {"in": given, "out": out, "m": 30, "n": 7, "ld": stride})
    assert report.findings == ()
    expected = np.zeros_like(given)
    expected[:30, :7] = given[:30, :7]
    assert np.array_equal(out, expected)


def line_of(text: str) -> int:
    """The line of this file that has a comment."""
    lines = Path(__file__).read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.endswith(f"  # {text}"))


def test_findings_name_the_line_of_the_program() -> None:
    (missing,) = check_source(total(first=1))
    assert (missing.file, missing.line) == (__file__, line_of("the consumption"))
    assert missing.rule == "T5-WS-011"
    assert missing.excerpt.splitlines()[0].strip().startswith("with role.consume")
    with pytest.raises(CompileError) as error:
        compile_to_ptx(total(box="swizzle_128b_atom_32b"))
    finding = error.value.findings[0]
    assert (finding.file, finding.line, finding.column) == (__file__, line_of("the load"), 21)


def test_a_verdict_names_the_line_of_the_kernel() -> None:
    (remark,) = check_source(total(), verify="quick")
    assert remark.verdict == "verified"
    assert (remark.file, remark.line) == (__file__, line_of_kernel())


def line_of_kernel() -> int:
    lines = Path(__file__).read_text().splitlines()
    return lines.index('    kernel = Kernel("total")') + 1


def test_the_module_is_its_text() -> None:
    module = total()
    assert parse_module(str(module)).is_structurally_equivalent(module)


def test_break_leaves_no_loop() -> None:
    kernel = Kernel("kernel")
    for _ in kernel.range(kernel.parameter("n")):
        break
    with pytest.raises(RuntimeError, match=rf"{__file__}:\d+: break and return cannot leave"):
        kernel.module()


def test_values_are_used_after_their_regions() -> None:
    """Also after several regions, and together with values that a region gives by itself."""
    kernel = Kernel("kernel")
    a_map = kernel.tensor_map("a_map", 64, 64, element=bf16)
    out = kernel.parameter("out", i64)
    rings = [kernel.ring(name, 1, a_map.tile) for name in "ab"]
    with kernel.warp_specialize():
        with kernel.role("load", warps=1) as load:
            for block, ring in enumerate(rings):
                with load.produce(ring, by="tma") as a:
                    a_map.load(a, block, 0)
        with kernel.role("sum", warps=2) as role:
            outer = role.consume(rings[0], by="threads")
            with outer as a:
                x = a.load(role.thread, 0, 8)
                with role.consume(rings[1], by="threads") as b:
                    y = b.load(role.thread, 0, 8)
                outer.give(y)
            total = x.to(f32) + y.to(f32) + outer.results[0].to(f32)
            role.store(total, out, role.thread, 0, shape=(64, 8))
    module = kernel.module()
    assert check_source(module) == []
    assert " -> vector<8xbf16>, vector<8xbf16>, vector<8xbf16> {" in str(module)


def test_the_target_of_a_module() -> None:
    kernel = Kernel("kernel")
    for given, expected in (
        ({"target": "sm_103a"}, '"sm_103a", "8.8"'),
        ({"ptx_version": "8.7"}, '"sm_100a", "8.7"'),
    ):
        assert f"ptx.target = #ptx.target<{expected}>" in str(kernel.module(**given))
    with pytest.raises(Violation, match="sm_99"):
        kernel.module(target="sm_99")


def test_results_are_known_after_the_region() -> None:
    kernel = Kernel("kernel")
    loop = kernel.carry(4, values=[kernel.parameter("n")])
    with pytest.raises(RuntimeError, match="after the region"), loop as (_, n):
        loop.give(n)
        print(loop.results)


def test_a_role_gives_no_values() -> None:
    kernel = Kernel("kernel")
    with kernel.warp_specialize(), kernel.role("role", 1) as role:
        region = role.elected()
        with pytest.raises(TypeError, match="this region gives no values"), region:
            region.give(1)


def test_a_region_is_entered_once() -> None:
    kernel = Kernel("kernel")
    loop, branch = kernel.range(4), kernel.if_(kernel.parameter("n") < 3)
    with loop, pytest.raises(RuntimeError, match="complete only after its regions"):
        kernel.module()
    with branch, pytest.raises(RuntimeError, match="a region is entered once"), loop:
        pass
    with branch.otherwise():
        pass
    with pytest.raises(RuntimeError, match="`otherwise` comes once"), branch.otherwise():
        pass


def test_a_loop_gives_what_it_carries() -> None:
    kernel = Kernel("kernel")
    n = kernel.parameter("n")
    message = "the loop carries 1 value, and give got 0"
    with pytest.raises(TypeError, match=message), kernel.carry(4, values=[n]):
        pass


def test_pairs_and_buffers_of_a_role() -> None:
    kernel = Kernel("kernel", cluster=[2])
    a_map = kernel.tensor_map("a_map", 1, 64, 64, element=bf16)
    ring = kernel.ring("ring", 1, tile(64, 64, bf16))
    matrix = kernel.alloc("matrix", accumulator(128, 32))
    with kernel.warp_specialize(pair=True), kernel.role("load", warps=1) as load:
        for index in (half(1), 2):
            with load.produce(ring, by="tma") as a:
                a_map.load(a, 0, index, 64, elements=index == 2)
    text = str(kernel.module())
    assert "ws.tma_load %a_map[0, half 1, 64] to" in text
    assert "ws.tma_load %a_map at [0, 2, 64] to" in text
    assert "!ptx.tensor_map<1x64x64xbf16, swizzle_128b>" in text
    assert matrix.type == accumulator(128, 32)


_LOADED = """
import sys
import tcgen05_dialect.compiler
assert not [name for name in sys.modules if "builder" in name and name.startswith("tcgen05")]
import tcgen05_dialect.builder
assert "numpy" not in sys.modules
"""


@pytest.mark.slow
def test_it_is_loaded_alone_and_without_numpy() -> None:
    subprocess.run([sys.executable, "-c", _LOADED], check=True)

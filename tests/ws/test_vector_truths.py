"""Comparisons of vectors and what takes their results, by the values that the emulator computes."""

import re
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp, VectorType, i1
from xdsl.rewriter import Rewriter

from tcgen05_dialect.assembler import assemble
from tcgen05_dialect.compiler import compile_to_ptx, parse_module
from tcgen05_dialect.reporting.diagnostics import CompileError
from tcgen05_dialect.simulator import Launch, simulate

_KERNEL = """
ptx.kernel @k(%p : i64, %q : i64, %m : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c4 = arith.constant 4 : i32
  %rows = arith.constant 32 : i32
  %z = arith.constant dense<0.0> : vector<4xf32>
  %zi = arith.constant dense<0> : vector<4xi32>
  %yes = arith.constant dense<true> : vector<4xi1>
  %outside = arith.cmpf ole, %z, %z : vector<4xf32>
  %all_rows = arith.constant ROWS : i32
  %some = arith.cmpi ne, %m, %c0 : i32
  ws.warp_specialize {
    ws.role @r warps(1) threads(%t) {
      %v = ws.global_load %p[%t, 0] of (%rows, %c4) -> vector<4xf32>
      %c = arith.cmpf ogt, %v, %z : vector<4xf32>
      BODIES
    }
  }
  ptx.ret
}
"""
Numbers = NDArray[np.float32]
_CHOICE = "%w = arith.select %c, %v, %z : vector<4xi1>, vector<4xf32>"
_BODIES: dict[str, tuple[str, Callable[[Numbers], NDArray[np.generic]]]] = {
    "select": (_CHOICE, lambda v: np.maximum(v, 0)),
    "the form of xDSL": (
        "%w = arith.select %c, %v, %z : vector<4xf32>",
        lambda v: np.maximum(v, 0),
    ),
    "one condition": (
        "%one = arith.cmpi slt, %t, %c2 : i32\n%w = arith.select %one, %v, %z : vector<4xf32>",
        lambda v: np.where(np.arange(32)[:, None] < 2, v, 0),
    ),
    "integers": (
        """%i = arith.fptosi %v : vector<4xf32> to vector<4xi32>
        %less = arith.cmpi slt, %i, %zi : vector<4xi32>
        %w = arith.select %less, %z, %v : vector<4xi1>, vector<4xf32>""",
        lambda v: np.where(v.astype(np.int32) < 0, 0, v),
    ),
    "negation": (
        f"%not = arith.xori %c, %yes : vector<4xi1>\n{_CHOICE.replace('%c', '%not')}",
        lambda v: np.minimum(v, 0),
    ),
    "logic": (
        """%one = arith.constant dense<1.0> : vector<4xf32>
        %d = arith.cmpf olt, %v, %one : vector<4xf32>
        %both = arith.andi %c, %d : vector<4xi1>
        %w = arith.select %both, %v, %z : vector<4xi1>, vector<4xf32>""",
        lambda v: np.where((v > 0) & (v < 1), v, 0),
    ),
    "a comparison of truths": (
        """%d = arith.cmpi eq, %c, %yes : vector<4xi1>
        %w = arith.select %d, %v, %z : vector<4xi1>, vector<4xf32>""",
        lambda v: np.maximum(v, 0),
    ),
    "a choice of truths": (
        """%d = arith.select %c, %yes, %c : vector<4xi1>, vector<4xi1>
        %w = arith.select %d, %v, %z : vector<4xi1>, vector<4xf32>""",
        lambda v: np.maximum(v, 0),
    ),
    "unsigned numbers": (
        "%w = arith.uitofp %c : vector<4xi1> to vector<4xf32>",
        lambda v: (v > 0).astype(np.float32),
    ),
    "signed numbers": (
        """%i = arith.extsi %c : vector<4xi1> to vector<4xi32>
        %w = arith.sitofp %i : vector<4xi32> to vector<4xf32>""",
        lambda v: -(v > 0).astype(np.float32),
    ),
    "truncation": (
        """%i = arith.fptosi %v : vector<4xf32> to vector<4xi32>
        %odd = arith.trunci %i : vector<4xi32> to vector<4xi1>
        %w = arith.select %odd, %v, %z : vector<4xi1>, vector<4xf32>""",
        lambda v: np.where(v.astype(np.int32) & 1, v, 0),
    ),
    "an element": (
        """%e = vector.extract %c[1] : i1 from vector<4xi1>
        %w = arith.select %e, %v, %z : vector<4xf32>""",
        lambda v: np.where(v[:, 1:2] > 0, v, 0),
    ),
    "whether any": (
        """%any = vector.reduction <or>, %c : vector<4xi1> into i1
        %w = arith.select %any, %v, %z : vector<4xf32>""",
        lambda v: np.where((v > 0).any(axis=1, keepdims=True), v, 0),
    ),
    "whether all": (
        """%all = vector.reduction <and>, %c : vector<4xi1> into i1
        %w = scf.if %all -> (vector<4xf32>) { scf.yield %v : vector<4xf32> }
             else { scf.yield %z : vector<4xf32> }""",
        lambda v: np.where((v > 0).all(axis=1, keepdims=True), v, 0),
    ),
    "a loop": (
        """%last = scf.for %i = %c0 to %c2 step %c1 iter_args(%now = %yes) -> (vector<4xi1>) : i32 {
          %next = arith.xori %now, %c : vector<4xi1>
          scf.yield %next : vector<4xi1>
        }
        %w = arith.select %last, %v, %z : vector<4xi1>, vector<4xf32>""",
        lambda v: v,
    ),
    "outside of the role": (
        "%w = arith.select %outside, %v, %z : vector<4xi1>, vector<4xf32>",
        lambda v: v,
    ),
}


def _kernel(*bodies: str) -> str:
    """A kernel that computes `%w` by each body, and stores the results one below the other."""
    parts = [
        f"""scf.if %some {{
        {body}
        %first = arith.constant {32 * at} : i32
        %row = arith.addi %t, %first : i32
        ws.global_store %w to %q[%row, 0] of (%all_rows, %c4)
      }}"""
        for at, body in enumerate(bodies)
    ]
    return _KERNEL.replace("BODIES", "\n".join(parts)).replace("ROWS", str(32 * len(bodies)))


def _values() -> Numbers:
    values = np.random.default_rng(0).uniform(-3, 3, (32, 4)).astype(np.float32)
    values[0] = [np.nan, -0.0, 0.0, np.inf]
    return values


def _run(module: str | ModuleOp, bodies: int) -> Numbers:
    q = np.zeros((32 * bodies, 4), np.float32)
    assert not simulate(module, [_values(), q, 1], Launch((1,))).findings
    return q.reshape(bodies, 32, 4)


_ALL = _kernel(*(body for body, _ in _BODIES.values()))


def test_values() -> None:
    found = _run(_ALL, len(_BODIES))
    # numpy's functions treat NaN in another way than a comparison, which does not hold for it.
    finite = np.isfinite(_values())
    for (name, (_, expected)), own in zip(_BODIES.items(), found, strict=True):
        with np.errstate(invalid="ignore"):
            wanted = expected(_values())
        np.testing.assert_array_equal(own[finite], wanted[finite], err_msg=name)


def test_ptxas_takes_them() -> None:
    assert assemble(compile_to_ptx(_ALL), "sm_100a")


def _as_xdsl(text: str) -> ModuleOp:
    """A module whose comparisons, and the logic on them, give i1, as xDSL's constructors do."""
    module = parse_module(text)
    for op in module.walk():
        if isinstance(op, arith.CmpfOp | arith.CmpiOp | arith.AndIOp) and isinstance(
            op.result.type, VectorType
        ):
            Rewriter.replace_value_with_new_type(op.result, i1)
    return module


def test_truths_of_xdsl() -> None:
    """xDSL's verifier takes the module, and it computes the same."""
    text = _kernel(*(_BODIES[name][0] for name in ("select", "the form of xDSL", "logic")))
    module = _as_xdsl(text)
    module.verify()
    np.testing.assert_array_equal(_run(module, 3), _run(text, 3))


def test_a_truth_for_each_element_is_not_one_truth() -> None:
    module = _as_xdsl(_kernel(_CHOICE))
    (branch,) = (op for op in module.walk() if op.name == "scf.if")
    (compared,) = (op for op in module.walk() if op.name == "arith.cmpf" and "%v" in str(op))
    branch.operands[0] = compared.results[0]
    with pytest.raises(CompileError, match=r"scf\.if.*one truth"):
        compile_to_ptx(module)


@pytest.mark.parametrize("pattern", [r"vector<4xi1>, vector<4xf32>", r"vector<4xf32>$"])
def test_wrong_lengths_are_refused(pattern: str) -> None:
    body = re.sub(pattern, lambda found: found[0].replace("4x", "2x"), _CHOICE)
    with pytest.raises(CompileError):
        compile_to_ptx(_kernel(body))

"""
Tests of the way through MLIR: the examples in generic format are read and printed by mlir-opt, and
compile to the same PTX. They need mlir-opt-22.
"""

import re
import shutil
import subprocess
from io import StringIO
from pathlib import Path

import pytest
from xdsl import __version__
from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer

from tcgen05_dialect.compiler import compile_to_ptx, parse_module, verify
from tcgen05_dialect.reporting.diagnostics import CompileError

from ..support.repository import EXAMPLE_KERNELS, EXAMPLES

MLIR_OPT = shutil.which("mlir-opt-22")
pytestmark = pytest.mark.skipif(
    MLIR_OPT is None, reason="mlir-opt-22 (Debian: mlir-22-tools) is not installed"
)
KERNELS = [*EXAMPLE_KERNELS, *sorted((EXAMPLES / "ws").glob("*.mlir"))]
EVERYTHING = """
%c = arith.cmpf ogt, %v, %v : vector<4xf32>
%w = arith.select %c, %v, %v : vector<4xi1>, vector<4xf32>
%s = arith.sitofp %i : vector<4xi32> to vector<4xf32>
%sum = arith.addi %n, %n overflow<nsw> : i32
%low = arith.trunci %sum overflow<nuw> : i32 to i16
%part = arith.divui %n, %n exact : i32
%half = arith.truncf %x to_nearest_even fastmath<fast> : f32 to bf16
%whole = arith.extf %half fastmath<fast> : bf16 to f32
%power = math.exp2 %whole fastmath<afn> : f32
%total = vector.reduction <add>, %w fastmath<reassoc> : vector<4xf32> into f32
%called = func.call @f(%power) {no_inline} : (f32) -> f32
%found = scf.for %at = %n to %n step %n iter_args(%y = %x) -> (f32) : i32 { scf.yield %y : f32 }
cf.cond_br %b weights([1, 2]), ^next(%found : f32), ^next(%total : f32)
"""
"""Operations of MLIR with the properties that it prints, on %v, %i, %n, %x and %b."""
_MODULE = """
func.func @f(%x: f32) -> f32 {{ return %x : f32 }}
func.func @g(%v: vector<4xf32>, %i: vector<4xi32>, %n: i32, %x: f32, %b: i1) -> f32 {{
{body}
^next(%z: f32):
  return %z : f32
}}
"""


def through_mlir(text: str) -> str:
    """A text that mlir-opt has read, and printed in generic format."""
    command = ["mlir-opt-22", "--allow-unregistered-dialect", "--mlir-print-op-generic"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def generic(module: ModuleOp) -> str:
    output = StringIO()
    Printer(output, print_generic_format=True).print_op(module)
    return output.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize("file", KERNELS, ids=lambda file: file.stem)
def test_mlir_opt_keeps_the_examples(file: Path) -> None:
    module = parse_module(file.read_text())
    again = parse_module(through_mlir(generic(module)))
    assert again.is_structurally_equivalent(module)


def test_the_ptx_is_the_same_but_for_names() -> None:
    text = (EXAMPLES / "gemm_pipelined.mlir").read_text()
    before = compile_to_ptx(text)
    after = compile_to_ptx(through_mlir(generic(parse_module(text))))
    assert _without_names(after) == _without_names(before)


def _without_names(ptx: str) -> str:
    """PTX whose shared variables are numbered: mlir-opt does not keep the names of values."""
    for at, name in enumerate(re.findall(r"^\.shared .*?(\w+)\[", ptx, re.MULTILINE)):
        ptx = re.sub(rf"\b{name}\b", f"variable_{at}", ptx)
    return ptx


def test_properties_of_mlir_are_taken() -> None:
    text = through_mlir(_MODULE.format(body=EVERYTHING))
    for name in ("overflowFlags", "isExact", "roundingmode", "branch_weights", "no_inline"):
        assert name in text
    verify(parse_module(text))


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("scf.for unsigned %at = %n to %n step %n : i32 { }", "unsignedCmp"),
        ("%half = arith.truncf %x toward_zero : f32 to bf16", "roundingmode"),
    ],
)
def test_other_properties_are_named_with_the_version(body: str, name: str) -> None:
    text = through_mlir(_MODULE.format(body=f"{body}\ncf.br ^next(%x : f32)"))
    with pytest.raises(CompileError, match=rf"(?s)found {name}.*xDSL {__version__}"):
        verify(parse_module(text))

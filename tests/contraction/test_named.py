"""Tests of the named operations of linalg: they compute what their generic form in MLIR does."""

import re
import shutil
import subprocess
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tcgen05_dialect import Source
from tcgen05_dialect.compiler import lower_tensors, parse
from tcgen05_dialect.tensor_program import TensorProgram

from ..support.effort import sampled
from .linalg_programs import tensor

EXTENTS = dict(zip("bmknxyzcfgwhd", (2, 3, 4, 5, 2, 3, 2, 4, 5, 2, 3, 2, 2), strict=True))
IMAGE = 7
CONTRACTIONS = """
    matmul=mk,kn,mn batch_matmul=bmk,bkn,bmn batch_reduce_matmul=bmk,bkn,mn matvec=mk,k,m
    vecmat=k,kn,n batch_matvec=bmk,bk,bm dot=k,k, batch_vecmat=bk,bkn,bn mmt4d=mkxz,nkyz,mnxy
    batch_mmt4d=bmkxz,bnkyz,bmnxy
"""
# The spatial dimensions of images and results are capital letters.
WINDOWS = """
    conv_1d=W,w,W conv_2d=HW,hw,HW conv_3d=DHW,dhw,DHW
    conv_1d_nwc_wcf=nWc,wcf,nWf conv_1d_ncw_fcw=ncW,fcw,nfW conv_2d_nhwc_hwcf=nHWc,hwcf,nHWf
    conv_2d_nhwc_fhwc=nHWc,fhwc,nHWf conv_2d_nchw_fchw=ncHW,fchw,nfHW
    conv_2d_ngchw_fgchw=ngcHW,fgchw,ngfHW conv_2d_ngchw_gfchw=ngcHW,gfchw,ngfHW
    conv_2d_nhwgc_gfhwc=nHWgc,gfhwc,nHWgf conv_3d_ndhwc_dhwcf=nDHWc,dhwcf,nDHWf
    conv_3d_ncdhw_fcdhw=ncDHW,fcdhw,nfDHW depthwise_conv_1d_nwc_wc=nWc,wc,nWc
    depthwise_conv_1d_ncw_cw=ncW,cw,ncW depthwise_conv_1d_nwc_wcm=nWc,wcm,nWcm
    depthwise_conv_2d_nhwc_hwc=nHWc,hwc,nHWc depthwise_conv_2d_nchw_chw=ncHW,chw,ncHW
    depthwise_conv_2d_nhwc_hwcm=nHWc,hwcm,nHWcm depthwise_conv_3d_ndhwc_dhwc=nDHWc,dhwc,nDHWc
    depthwise_conv_3d_ncdhw_cdhw=ncDHW,cdhw,ncDHW
    depthwise_conv_3d_ndhwc_dhwcm=nDHWc,dhwcm,nDHWcm pooling_nwc_sum=nWc,w,nWc
    pooling_nwc_max=nWc,w,nWc pooling_nwc_min=nWc,w,nWc pooling_ncw_sum=ncW,w,ncW
    pooling_ncw_max=ncW,w,ncW pooling_nhwc_sum=nHWc,hw,nHWc pooling_nhwc_max=nHWc,hw,nHWc
    pooling_nhwc_min=nHWc,hw,nHWc pooling_nchw_sum=ncHW,hw,ncHW pooling_nchw_max=ncHW,hw,ncHW
    pooling_ndhwc_sum=nDHWc,dhw,nDHWc pooling_ndhwc_max=nDHWc,dhw,nDHWc
    pooling_ndhwc_min=nDHWc,dhw,nDHWc
"""
ELEMENTWISE = """
    add=mn,mn,mn sub=mn,mn,mn mul=mn,mn,mn div=mn,mn,mn max=mn,mn,mn min=mn,mn,mn exp=mn,mn
    log=mn,mn sqrt=mn,mn abs=mn,mn ceil=mn,mn erf=mn,mn floor=mn,mn negf=mn,mn round=mn,mn
    rsqrt=mn,mn square=mn,mn tanh=mn,mn
"""
OPERATIONS = [
    *sampled(CONTRACTIONS.split(), 2),
    *sampled(
        WINDOWS.split(), 1, of=lambda window: tuple(re.findall("^[a-z]+|sum|max|min", window))
    ),
    *sampled(ELEMENTWISE.split(), 2),
]


def shapes_of(rows: Sequence[str], step: int) -> list[tuple[int, ...]]:
    """The shapes of the operands; windows move by a step."""
    images = {each.upper(): IMAGE for each in EXTENTS}
    results = {each.upper(): (IMAGE - size) // step + 1 for each, size in EXTENTS.items()}
    sizes = [*[EXTENTS | images] * (len(rows) - 1), EXTENTS | results]
    return [tuple(own[i] for i in row) for own, row in zip(sizes, rows, strict=True)]


def text_of(name: str, shapes: Sequence[tuple[int, ...]], attributes: str) -> str:
    *inputs, result = (tensor(each, "f32") for each in shapes)
    names = [f"%x{at}" for at in range(len(inputs))]
    arguments = ", ".join(f"{a}: {b}" for a, b in zip(names, inputs, strict=True))
    return f"""func.func @f({arguments}, %out: {result}) -> {result} attributes {{tcgen05.tf32}} {{
  %r = linalg.{name} {{{attributes}}} ins({", ".join(names)} : {", ".join(inputs)})
      outs(%out : {result}) -> {result}
  return %r : {result}
}}
"""


def computed(text: str, arrays: Sequence[Any]) -> Any:
    source = Source("kernel.mlir", text)
    (program,) = lower_tensors(parse(source)[0], source)
    return TensorProgram(program).emulate(*arrays)


@pytest.mark.skipif(shutil.which("mlir-opt-22") is None, reason="mlir-opt-22 is not installed")
@pytest.mark.slow
@pytest.mark.parametrize("operation", OPERATIONS)
def test_generic_form(operation: str) -> None:
    name, _, rows = operation.partition("=")
    spatial = sum(each.isupper() for each in rows.split(",")[0])
    has_steps = spatial and name not in ("conv_1d", "conv_2d", "conv_3d")
    steps = f"strides = dense<2> : tensor<{spatial}xi64>, "
    steps += f"dilations = dense<1> : tensor<{spatial}xi64>, "
    shapes = shapes_of(rows.split(","), 2 if has_steps else 1)
    text = text_of(name, shapes, (steps if has_steps else "") + "other = 1 : i32")
    command = ["mlir-opt-22", "--linalg-generalize-named-ops"]
    generic = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    assert f"linalg.{name}" not in generic.stdout
    random = np.random.default_rng(0)
    arrays = [random.integers(-3, 4, each).astype(np.float32) for each in shapes]
    found, expected = computed(text, arrays), computed(generic.stdout, arrays)
    assert np.array_equal(found, expected, equal_nan=True)

"""Tests of the command `launch-file`: what it infers, and that `sim` reads the result."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from tcgen05_dialect.tools.main import main

from ..support.foreign_kernels import foreign_kernel, foreign_kernels
from ..support.foreign_launches import LAUNCHES

_SLOW = "gluon_mma_f16_ldred1_sm103"


def proposed(file: Path, *options: str) -> Any:
    out = file.with_suffix(".toml")
    assert main(["launch-file", str(file), "-o", str(out), *options]) == 0
    return tomllib.loads(out.read_text())


@pytest.mark.parametrize("name", [each for each in foreign_kernels() if each != _SLOW])
def test_boxes_of_foreign_kernels(name: str, tmp_path: Path) -> None:
    """Each box that is not called a guess is the one with which the kernel gives right results."""
    file = tmp_path / "k.ptx"
    file.write_text(foreign_kernel(name))
    given = proposed(file)
    text = file.with_suffix(".toml").read_text()
    maps = given.get("maps", {})
    for parameter, argument in LAUNCHES[name]().arguments.items():
        key, whole = f"param_{parameter}", f"{given['kernel']}_param_{parameter}"
        if f"[{whole}]" not in foreign_kernel(name) and not hasattr(argument, "box"):
            assert whole not in text
            continue
        assert given["args"][whole] == key
        if not hasattr(argument, "box"):
            assert key in given.get("arrays", {}) or key in given.get("sizes", {})
            continue
        found = maps.pop(key)
        comment = text.partition(f"[maps.{key}]")[0].splitlines()[-1]
        assert len(found["box"]) == len(argument.box)
        if "guessed" not in comment:
            assert tuple(found["box"]) == argument.box
            assert found["swizzle"] == argument.swizzle
        if name != "triton_gather_scatter_f16" and "the box" not in comment.split("guessed: ")[-1]:
            assert f"a box has {argument.tile_bytes} bytes" in comment
    assert maps == {}


def test_sim_reads_the_result(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "k.ptx"
    file.write_text(foreign_kernel("gluon_clc"))
    assert proposed(file)["arrays"].keys() == {"param_0"}
    assert main(["sim", str(file)]) == 0
    assert capfd.readouterr().out.startswith("no finding\n")


_STAGED = """
.version 9.0
.target sm_100a
.address_size 64
.extern .shared .align 1024 .b8 tiles[];
.visible .entry k() .maxntid 32
{
	.shared .align 8 .b64 ready;
	.reg .b32 %r<4>;
	.reg .b64 %rd<2>;
	mov.u32 %r1, ready;
	mov.u32 %r2, tiles;
	st.shared.b32 [%r1], %r2;
	tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%r2], 32;
	ld.shared.b32 %r3, [%r2];
	tcgen05.dealloc.cta_group::2.sync.aligned.b32 %r3, 32;
	ret;
}
"""


def test_sizes_of_a_pair_with_dynamic_shared_memory(tmp_path: Path) -> None:
    """A launch has whole CTA pairs, and no more shared memory than its alignment leaves."""
    file = tmp_path / "k.ptx"
    file.write_text(_STAGED)
    given = proposed(file)
    assert (given["grid"], given["cluster"]) == ([2], [2])
    most = given["dynamic_shared_memory"]
    assert most == 227 * 1024 - 1024
    refused = 2
    # The CTAs of the pair free tensor memory too early, which is an error of its own.
    assert main(["sim", str(file)]) < refused
    assert main(["sim", str(file), "--dynamic-shared-memory", str(most + 1)]) == refused


_STRUCTURE = """
.version 9.0
.target sm_100a
.address_size 64
.visible .entry k(.param .align 64 .b8 s[192], .param .f32 x, .param .u64 unused, .param .u8 y)
.maxntid 64
{
.reg .b32 %r<9>; .reg .b64 %rd<9>;
.shared .align 128 .b8 tile[256];
ld.param.b32 %r1, [s+136];
ld.param.b64 %rd1, [s+128];
ld.param.f32 %r2, [x];
ld.param.u8 %r5, [y];
add.u32 %r1, %r1, %r5;
mov.u32 %r3, %ctaid.y;
mul.wide.u32 %rd2, %r3, 4;
add.s64 %rd3, %rd1, %rd2;
st.global.f32 [%rd3], %r2;
st.global.u32 [%rd3+4], %r1;
mov.b64 %rd4, s;
cvta.param.u64 %rd5, %rd4;
mov.b32 %r4, tile;
cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd5, {%r1, %r1}], [%r4];
ret;
}
"""


def test_structures(tmp_path: Path) -> None:
    file = tmp_path / "k.ptx"
    file.write_text(_STRUCTURE)
    given = proposed(file)
    assert given["structures"]["s"] == {
        "0": "s_0",
        "128": "s_128",
        "136": {"type": "u32", "value": 1},
    }
    assert '[expected]\n# s_128 = "a @ b.T"' in file.with_suffix(".toml").read_text()
    assert given["maps"]["s_0"]["array"] == "s_0_tensor"
    assert given["arrays"]["s_128"]["type"] == "f32"
    assert given["sizes"] == {"x": 1.0, "y": 1}
    assert (given["grid"], given["block"]) == ([1], [64])
    assert main(["sim", str(file), "--launch", str(file.with_suffix(".toml"))]) in (0, 1)


_IR = """
ptx.shared_memory @tile alignment 128
ptx.kernel @{name}(%a_map : !ptx.tensor_map, %c : i64, %n : i32)
    attributes {{reqntid = array<i32: 32>, cluster_dims = array<i32: 2>}} {{
  %tile = ptx.address_of @tile
  ptx.cp.async.bulk.tensor.store %a_map, {{%n, %n}}, [%tile]
  ptx.st global b32 [%c], {{%n}}
  ptx.ret
}}
"""


def test_ir_and_several_kernels(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "k.mlir"
    file.write_text(_IR.format(name="one"))
    given = proposed(file)
    assert given["maps"].keys() == {"a_map"}
    assert given["arrays"].keys() == {"a_map_tensor", "c"}
    assert given["sizes"] == {"n": 1}
    assert given["grid"] == [2]
    two = _IR.format(name="two").replace("ptx.shared_memory @tile alignment 128", "")
    file.write_text(_IR.format(name="one") + two)
    assert proposed(file, "--kernel=two")["kernel"] == "two"
    assert main(["launch-file", str(file)]) == 1
    assert "--kernel must name one of the kernels of the module: one, two" in capfd.readouterr().err
    assert main(["launch-file", str(file), "--kernel=three"]) == 1
    assert "no kernel is called three: the kernels of the module" in capfd.readouterr().err

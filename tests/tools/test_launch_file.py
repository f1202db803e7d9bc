"""Tests of the command `launch-file`: what it infers, and that `sim` reads the result."""

import gzip
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from xdsl.dialects.builtin import bf16, i64

from tcgen05_dialect import parse_module
from tcgen05_dialect.builder import Kernel, accumulator
from tcgen05_dialect.proposal.launch_facts import launch_facts
from tcgen05_dialect.simulator.launch.launch import kernel_of
from tcgen05_dialect.tools.main import main

from ..support.effort import sampled
from ..support.foreign_kernels import foreign_kernel
from ..support.foreign_launches import LAUNCHES
from ..support.golden_tables import DATA
from ..support.repository import EXAMPLES

_WITH_MAPS = (
    "gluon_scaled_cp_mxfp8_128x128x128",
    "gluon_tma_2cta_f16_256x128x64",
    "gluon_ws_f16_128x256x64",
    "triton_dotscaled_tma_nvfp4_128x256x256",
    "triton_gather_scatter_f16",
    "triton_persistent_f16_128x256x64_ws",
)


def proposed(file: Path, *options: str) -> Any:
    out = file.with_suffix(".toml")
    assert main(["launch-file", str(file), "-o", str(out), *options]) == 0
    return tomllib.loads(out.read_text())


_TURN = """
.version 8.8
.target sm_100a
.address_size 64
.shared .align 4 .b8 words[1024];
.visible .entry turn()
{
	.reg .b32 %r<5>;
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, words;
	mad.lo.u32 %r3, %r1, 4, %r2;
	st.shared.b32 [%r3], %r1;
	bar.sync 0;
	sub.u32 %r4, 255, %r1;
	mad.lo.u32 %r4, %r4, 4, %r2;
	ld.shared.b32 %r4, [%r4];
	ret;
}
"""
"""Each of 256 threads reads what another one has written."""


def test_threads_that_fit_the_kernel(tmp_path: Path) -> None:
    """The block is the one with which `check` verifies a kernel that gives none."""
    file = tmp_path / "k.ptx"
    file.write_text(_TURN)
    assert proposed(file)["block"] == [256]
    assert main(["sim", str(file)]) == 0
    assert main(["sim", str(file), "--block", "128"]) == 1


@pytest.mark.parametrize("step", ["4", "%ctaid.x", "%n"])
def test_an_address_outside_is_named_in_the_verdict(
    step: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """It is an error if it depends on the number of the thread only."""
    text = _TURN.replace("words[1024]", "words[512]").replace("turn()", "turn(.param .u32 n)")
    more = f"ld.param.u32 %n, [n]; mov.u32 %n, {step};" if step != "%n" else "ld.param.u32 %n, [n];"
    text = text.replace("%r<5>;", f"%r<5>, %n; {more} shl.b32 %n, %n, 2;")
    file = tmp_path / "k.ptx"
    file.write_text(text.replace("%r1, 4, %r2", "%r1, 4, %r2; add.u32 %r3, %r3, %n", 1))
    assert main(["check", str(file), "--block", "256"]) == (step == "4")
    out = capfd.readouterr().out
    assert ("st, line 12, may depend on sizes" in out) == (step != "4")
    assert "error[T5-SIM-002]: st: 4 bytes at" in out or step != "4"
    assert "shared memory: they begin" in out


@pytest.mark.parametrize(
    ("line", "is_error"),
    [
        ("setp.ge.u32 %p, %r1, %n; @%p ret;", False),
        ("setp.lt.u32 %p, %r1, %n; @%p st.shared.b32 [%r3+1024], %r1;", False),
        ("setp.ge.u32 %p, %n, 8; @%p add.u32 %r3, %r3, 1024;", False),
        ("mov.u32 %n, 0; setp.ge.u32 %p, %n, 8; @%p bra L; mov.u32 %n, 1024; L:", True),
        ("setp.ge.u32 %p, %n, 8; @%p bra L; add.u32 %r3, %r3, 1024; L:", False),
        ("setp.ge.u32 %p, %n, 8; @%p bra L; mov.u32 %n, 0; L:", True),
        ("setp.ge.u32 %p, %r1, 128; @%p bra L; mov.u32 %n, 0; L:", True),
    ],
)
def test_an_address_outside_that_only_some_sizes_reach(
    line: str, is_error: bool, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """It is an error only if every launch has it: a kernel need not be made for all sizes."""
    size = 512 if is_error or " ret" in line else 1024
    text = _TURN.replace("words[1024]", f"words[{size}]").replace("turn()", "turn(.param .u32 n)")
    text = text.replace("%r<5>;", "%r<5>, %n; .reg .pred %p; ld.param.u32 %n, [n];")
    text = text.replace("4, %r2;", f"4, %r2;\n{line}\n", 1)
    file = tmp_path / "k.ptx"
    file.write_text(text)
    main(["check", str(file), "--block", "256"])
    assert ("error[T5-SIM-002]" in capfd.readouterr().out) == is_error


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(_WITH_MAPS, 1))
def test_boxes_of_foreign_kernels(name: str, tmp_path: Path) -> None:
    """Each box is the one with which the kernel gives right results, but for its swizzle mode, if
    that is called a guess."""
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
        before, _, after = text.partition(f"[maps.{key}]\n")
        lines = {line.partition(" = ")[0]: line for line in after.partition("\n\n")[0].splitlines()}
        assert len(found["box"]) == len(argument.box)
        if "a guess" not in lines["box"]:
            assert tuple(found["box"]) == argument.box
        assert f"a box has {argument.tile_bytes} bytes" in before.splitlines()[-1]
        if "a guess" not in lines["swizzle"]:
            assert found["swizzle"] == argument.swizzle
    assert maps == {}


@pytest.mark.slow
@pytest.mark.sweep
def test_expected_rows_that_are_scattered(tmp_path: Path) -> None:
    """The last array of the kernel is a list of indices, to which it does not store."""
    file = tmp_path / "k.ptx"
    file.write_text(foreign_kernel("triton_gather_scatter_f16"))
    proposed(file)
    text = file.with_suffix(".toml").read_text()
    assert text.endswith('# param_10_tensor = "reference.py:param_10_tensor"  # a guess\n')


_COPIED = """
.version 9.0
.target sm_100a
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 b) .reqntid 32
{
.reg .b32 %r<4>; .reg .b64 %rd<8>;
ld.param.b64 %rd1, [a];
ld.param.b64 %rd2, [b];
TEXT
ret;
}
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ld.global.b32 %r1, [%rd1]; st.global.b32 [%rd2], %r1;", '# b = "a"'),
        ("ld.global.b32 %r1, [%rd2]; st.global.b32 [%rd1], %r1;", '# a = "b"'),
        ("ld.global.b32 %r1, [%rd2]; red.global.add.u32 [%rd1], %r1;", '# a = "b"'),
        (
            "ld.global.b32 %r1, [%rd2]; st.global.b32 [%rd1], %r1; st.global.b32 [%rd2], %r1;",
            '# b = "reference.py:b"',
        ),
        ("ld.global.b32 %r1, [%rd1]; ld.global.b32 %r2, [%rd2];", None),
    ],
)
def test_expected_array_is_stored(text: str, expected: str | None, tmp_path: Path) -> None:
    file = tmp_path / "k.ptx"
    file.write_text(_COPIED.replace("TEXT", text))
    proposed(file)
    end = "" if expected is None else f"{expected}  # a guess\n"
    assert file.with_suffix(".toml").read_text().endswith(f"[expected]\n{end}")


@pytest.mark.slow
@pytest.mark.sweep
def test_maps_of_several_products(tmp_path: Path) -> None:
    """Three maps are for operands of two products; only that of the result is a guess."""
    file = tmp_path / "k.ptx"
    file.write_text(foreign_kernel("triton_attn_f16_128x128_d64_ws"))
    maps = proposed(file)["maps"]
    assert {each["swizzle"] for each in maps.values()} == {"swizzle_128b"}
    lines = file.with_suffix(".toml").read_text().splitlines()
    found = [line.endswith("a guess") for line in lines if line.startswith("swizzle = ")]
    assert found == [False, False, False, True]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "products"),
    sampled([("gluon_scaled_cp_mxfp8_128x128x128", 16), ("triton_matmul_f16_128x128x64", 28)], 1),
)
def test_kernels_run_with_the_proposal(
    name: str, products: int, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "k.ptx"
    file.write_text(foreign_kernel(name))
    assert "guessed" not in proposed(file)
    assert main(["sim", str(file)]) == 0
    assert f"matrix products       {products}\n" in capfd.readouterr().out


@pytest.mark.slow
def test_numbers_that_must_agree(tmp_path: Path) -> None:
    """K and the number of its blocks are two parameters; other sizes are tried after a deadlock."""
    file = tmp_path / "k.ptx"
    packed = (DATA / "verdict" / "kb_and_k_bfe.ptx.gz").read_bytes()
    file.write_bytes(gzip.decompress(packed))
    proposed(file)
    assert main(["sim", str(file)]) == 0


_CHOSEN_ROWS = """
.version 9.0
.target sm_100a
.address_size 64
.visible .entry k(.param .u64 rows, .param .u64 out) .reqntid 32
{
.reg .b32 %r<4>; .reg .b64 %rd<8>;
ld.param.b64 %rd1, [rows];
ld.param.b64 %rd2, [out];
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd3, %r1, 4;
add.s64 %rd4, %rd1, %rd3;
ld.global.b32 %r2, [%rd4];
mul.wide.s32 %rd5, %r2, 16;
add.s64 %rd6, %rd2, %rd5;
st.global.b32 [%rd6], %r1;
ret;
}
"""


def test_data_that_decide_are_guesses(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """An error may come from the proposed numbers of rows."""
    file, launch = tmp_path / "k.ptx", tmp_path / "k.toml"
    file.write_text(_CHOSEN_ROWS)
    given = proposed(file)
    assert given["guessed"] == ["rows"]
    assert given["arrays"]["rows"] == {"shape": [32], "type": "i32", "fill": "unique"}
    guess = "fill in this guess of the launch file, which may be the cause: rows; otherwise keep"
    for options, is_guess in (([], True), (["--arg", "rows=unique"], False)):
        assert main(["sim", str(file), *options]) == 1
        assert (guess in capfd.readouterr().out) is is_guess
    launch.write_text(launch.read_text().replace('guessed = ["', 'guessed = ["other", "'))
    assert main(["sim", str(file)]) == 2
    assert 'a name in guessed must be block, rows or out; found "other"' in capfd.readouterr().err


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


_MARKED = re.compile(r"[\w.]+ = (.*?)  # a guess(: .+)?")
_DERIVED = re.compile(
    r"#.*|\[[\w.]+\]||(kernel|array|[\w.]+_param_\d+) = .*|(swizzle|element|type|shape|box) = .*"
    r"|\d+ = \"\w+\""
)


@pytest.mark.parametrize("text", [_CHOSEN_ROWS, _STAGED, _STRUCTURE])
def test_values_that_do_not_follow_are_marked(text: str, tmp_path: Path) -> None:
    """The grid, the sizes, the contents and the extents of arrays of PTX have one mark."""
    file = tmp_path / "k.ptx"
    file.write_text(text)
    proposed(file)
    for line in file.with_suffix(".toml").read_text().splitlines():
        if line.startswith("guessed = "):
            continue
        is_marked = _MARKED.fullmatch(line) is not None
        assert is_marked or (_DERIVED.fullmatch(line) and not line.startswith("shape")), line


def test_structures(tmp_path: Path) -> None:
    file = tmp_path / "k.ptx"
    file.write_text(_STRUCTURE)
    given = proposed(file)
    assert given["structures"]["s"] == {
        "0": "s_0",
        "128": "s_128",
        "136": {"type": "u32", "value": 4096},
    }
    assert '[expected]\n# s_128 = "reference.py:s_128"' in file.with_suffix(".toml").read_text()
    assert given["maps"]["s_0"]["array"] == "s_0_tensor"
    assert given["arrays"]["s_128"]["type"] == "f32"
    assert given["sizes"] == {"x": 1.0, "y": 0}
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
    assert given["sizes"] == {"n": 4096}
    assert given["grid"] == [2]
    two = _IR.format(name="two").replace("ptx.shared_memory @tile alignment 128", "")
    file.write_text(_IR.format(name="one") + two)
    assert proposed(file, "--kernel=two")["kernel"] == "two"
    assert main(["launch-file", str(file)]) == 1
    assert "must name one of the kernels of the module: one, two" in capfd.readouterr().err
    assert main(["launch-file", str(file), "--kernel=three"]) == 1
    assert "the name of the kernel must be one or two; found three" in capfd.readouterr().err


@pytest.mark.slow
def test_roles_and_rings(tmp_path: Path) -> None:
    """The grid and the shared memory are those of `calc launch`, and the sizes those of a tile."""
    file = tmp_path / "k.mlir"
    file.write_text((EXAMPLES / "ws" / "gemm_split_k.mlir").read_text())
    facts = launch_facts(kernel_of(parse_module(file.read_text()), None))
    given = proposed(file)
    assert given["grid"] == [*(facts.grid or ())]
    assert given["dynamic_shared_memory"] == facts.dynamic_shared_memory
    assert given["sizes"] == {"m": 128, "n": 128, "k": 1024}
    # The kernel adds products to the content of the result.
    text = file.with_suffix(".toml").read_text()
    assert text.endswith('# c_map_tensor = "reference.py:c_map_tensor"  # a guess\n')
    assert "guessed" not in given
    assert main(["sim", str(file)]) == 0


@pytest.mark.slow
def test_matrix_at_a_pointer(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A kernel of roles gives its extents and its type; the example of a result is a right one."""
    file = tmp_path / "k.mlir"
    file.write_text((EXAMPLES / "ws" / "gemm.mlir").read_text())
    arrays = proposed(file)["arrays"]
    assert arrays["c"] == {"shape": ["m", "n"], "type": "bf16"}
    shapes = [each["shape"] for name, each in arrays.items() if name.endswith("_tensor")]
    assert shapes == [["m", "k"], ["n", "k"]]
    launch = file.with_suffix(".toml")
    launch.write_text(launch.read_text().replace("# c = ", "c = "))
    assert main(["sim", str(file)]) == 0
    assert capfd.readouterr().out.startswith("as expected: c\n")


_UNKNOWN_INSTRUCTION = """
.version 9.0
.target sm_100a
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 stride) .reqntid 32
{
.reg .b32 %r<4>; .reg .b64 %rd<4>;
ld.param.b64 %rd1, [out];
ld.param.b32 %r1, [stride];
mov.u32 %r2, %tid.x;
vadd.u32.u32.u32 %r3, %r2, %r2;
mad.lo.s32 %r2, %r2, %r1, 0;
mul.wide.s32 %rd2, %r2, 4;
add.s64 %rd3, %rd1, %rd2;
st.global.v2.b32 [%rd3], {%r3, %r3};
ret;
}
"""


def test_numbers_of_a_kernel_with_an_unknown_instruction(tmp_path: Path) -> None:
    """They come from a run without the instruction, and are guesses."""
    file = tmp_path / "k.ptx"
    file.write_text(_UNKNOWN_INSTRUCTION)
    given = proposed(file)
    assert given["guessed"] == ["out", "stride"]
    assert given["sizes"] == {"stride": 4096}
    assert given["arrays"]["out"]["shape"] == [31 * 4096 + 2]


_UNKNOWN_ADDRESS = """
.version 8.6
.target sm_100a
.address_size 64
.shared .align 16 .b8 tile[64];
.visible .entry k(.param .b64 source, .param .b32 bytes, .param .b32 barrier) {
.reg .b32 %r<3>; .reg .b64 %rd<2>;
ld.param.b64 %rd1, [*/];
ld.param.b32 %r1, [bytes];
ld.param.b32 %r2, [barrier];
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile+16], [%rd1], %r1, [%r2];
ret;
}
"""


def test_kernel_with_a_wrong_operand(tmp_path: Path) -> None:
    """No run tells anything, because the address is unknown: the launch file has guesses only."""
    file = tmp_path / "k.ptx"
    file.write_text(_UNKNOWN_ADDRESS)
    assert proposed(file)["guessed"] == ["block", "bytes", "barrier"]


def test_unused_tensor_map(tmp_path: Path) -> None:
    """A launch gives each parameter of IR a value; nothing is known of a map without copies."""
    file = tmp_path / "k.mlir"
    kernel = "ptx.kernel @k(%a : !ptx.tensor_map, %b : !ptx.tensor_map<64x32xf16>) { ptx.ret }"
    file.write_text(kernel.replace(") {", ") attributes {reqntid = array<i32: 32>} {"))
    given = proposed(file)
    assert given["guessed"] == ["a"]
    assert given["maps"]["b"]["box"] == [32, 64]
    assert main(["sim", str(file)]) == 0


@pytest.mark.slow
@pytest.mark.sweep
def test_numbers_of_8_bits(tmp_path: Path) -> None:
    """The matrices have the type of the product, along all of K, and scale factors are bytes."""
    file = tmp_path / "k.mlir"
    file.write_text((EXAMPLES / "ws" / "gemm_mxf8.mlir").read_text())
    given = proposed(file)
    types = {name: each["type"] for name, each in given["arrays"].items()}
    assert types.pop("c") == "bf16"
    assert types == {
        "a_map_tensor": "e4m3",
        "b_map_tensor": "e4m3",
        "sa_map_tensor": "u8",
        "sb_map_tensor": "u8",
    }
    assert given["arrays"]["a_map_tensor"]["shape"] == ["m", "k"]
    assert main(["sim", str(file)]) == 0


@pytest.mark.slow
def test_extents_of_packed_elements_and_scale_factors(tmp_path: Path) -> None:
    """They follow the sizes of the kernel by fractions; other numbers are called guesses."""
    file = tmp_path / "k.mlir"
    file.write_text((EXAMPLES / "ws" / "gemm_nvfp4_pair.mlir").read_text())
    arrays = proposed(file)["arrays"]
    assert arrays["a_map_tensor"]["shape"] == ["m", "8 * ceildiv(k, 16)"]
    assert arrays["sb_map_tensor"]["shape"] == ["ceildiv(n, 128)", "ceildiv(k, 64)", 32, 16]
    text = file.with_suffix(".toml").read_text()
    assert "32, 16]  # a guess: 32, 16, as far as a run copies it\n" in text
    assert text.endswith('# c_map_tensor = "reference.py:c_map_tensor"  # a guess\n')


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "shapes"),
    sampled(
        [
            ("attention", [["heads", "queries", 64], ["heads", "keys", 64]] * 2),
            ("gemm_clc", [["m", "k"], ["n", "k"], ["m", "n"]]),
        ],
        1,
    ),
)
@pytest.mark.sweep
def test_extents_of_each_tile(name: str, shapes: list[list[str | int]], tmp_path: Path) -> None:
    """The tiles of blocks of keys, and those that a CTA takes from another one."""
    file = tmp_path / "k.mlir"
    file.write_text((EXAMPLES / "ws" / f"{name}.mlir").read_text())
    found = [each["shape"] for each in proposed(file)["arrays"].values()]
    assert sorted(map(str, found)) == sorted(map(str, shapes))


@pytest.mark.slow
def test_expected_product_fits_the_shapes(tmp_path: Path) -> None:
    kernel = Kernel("k_by_n")
    a_map = kernel.tensor_map("a", 128, 64, element=bf16)
    b_map = kernel.tensor_map("b", 64, 64, element=bf16, major="mn_major")
    out = kernel.parameter("c", i64)
    m, n, k = (kernel.parameter(name, at_least=1, multiple_of=8) for name in "mnk")
    ab, acc = (
        kernel.ring("ab", 2, a_map.tile, b_map.tile),
        kernel.ring("acc", 1, accumulator(128, 64)),
    )
    with kernel.warp_specialize(tiles=[(m, 128), (n, 64)]) as (i, j):
        with kernel.role("load", warps=1) as load:
            for block in load.range(k.ceildiv(64)):
                with load.produce(ab, by="tma") as (a, b):
                    a_map.load(a, i, block)
                    b_map.load(b, block, j)
        with kernel.role("mma", warps=1) as mma, mma.produce(acc, by="mma") as d:
            for _ in mma.range(k.ceildiv(64)):
                with mma.consume(ab, by="mma") as (a, b):
                    d.mma(a, b)
        with kernel.role("store", warps=4) as store, store.consume(acc, by="threads") as d:
            row = i * 128 + store.thread
            store.store(d.load(0, 64), out, row, j * 64, shape=(m, n))
    file = tmp_path / "k.mlir"
    file.write_text(str(kernel.module()))
    proposed(file)
    text = file.with_suffix(".toml").read_text()
    assert text.endswith('# c = "a_tensor @ b_tensor"  # a guess\n')
    file.with_suffix(".toml").write_text(text.replace("# c =", "c ="))
    assert main(["sim", str(file)]) == 0

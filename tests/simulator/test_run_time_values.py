"""Tests of operands that become known in a run: the rules for constants hold for them too."""

import pytest

from tcgen05_dialect import CompileError, compile_to_ptx
from tcgen05_dialect.check import check_source
from tcgen05_dialect.isa.mma.instruction_descriptor import InstructionDescriptor
from tcgen05_dialect.isa.shared_memory.descriptor import SharedMemoryDescriptor
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.simulator import simulate

KERNEL = """
ptx.shared_memory @zeros size 4096 alignment 1024
ptx.shared_memory @done size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @test({parameters}) attributes {{reqntid = array<i32: 128, 1, 1>}} {{
  {constants}
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c128 = arith.constant 128 : i32
  %no = arith.constant false
  %zeros = ptx.address_of @zeros
  %done = ptx.address_of @done
  %slot = ptx.address_of @slot
  %thread = ptx.special_register tid.x
  %row = ptx.mad u32 %thread, %c32, %zeros
  ptx.st "shared::cta" b32 [%row], {{%c0, %c0, %c0, %c0}}
  ptx.st "shared::cta" b32 [%row + 16], {{%c0, %c0, %c0, %c0}}
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  %is_first_warp = arith.cmpi ult, %thread, %c32 : i32
  scf.if %is_first_warp {{
    ptx.tcgen05.alloc cta_group_1 shared_cta [%slot], %c128
    scf.if %is_first {{
      ptx.mbarrier.init [%done], %c1
      ptx.fence.mbarrier_init
    }}
    ptx.bar.warp.sync %all_lanes
  }}
  ptx.fence.proxy.async "shared::cta"
  ptx.bar.sync %c0
  %base = ptx.ld "shared::cta" b32 [%slot] -> i32
  scf.if %is_first {{
    ptx.tcgen05.mma cta_group_1 f16 [%base], %a, %b, %idesc, %no
    ptx.tcgen05.cp cta_group_1 shape_128x256b [%base + 64], %source
    ptx.tcgen05.commit cta_group_1 shared_cluster [%done]
    ptx.mbarrier.wait [%done], %c0
    ptx.tcgen05.fence after_thread_sync
  }}
  ptx.tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
  ptx.tcgen05.fence after_thread_sync
  scf.if %is_first_warp {{
    %v:8 = ptx.tcgen05.ld shape_32x32b x8 [%from] -> 8 x i32
    ptx.tcgen05.wait ld
    ptx.tcgen05.dealloc cta_group_1 %base, %c128
  }}
  ptx.ret
}}
"""
# Shared variables begin 1024 bytes into the window.
TILE = SharedMemoryDescriptor(1024, 16, 256, 0, False, "swizzle_32b").encode()
RIGHT = {
    "a": TILE,
    "b": TILE,
    "source": SharedMemoryDescriptor(1024, 128, 256, 0, False, "no_swizzle").encode(),
    "idesc": InstructionDescriptor(kind="f16", a="bf16", b="bf16", d="f32", m=128, n=64).encode(),
    "from": 0,
    "all_lanes": -1 % (1 << 32),
}
BITS = {"a": 64, "b": 64, "source": 64}
ABSOLUTE = SharedMemoryDescriptor(1024, 1040, 1024, 0, True, "swizzle_128b").encode()
WRONG = {
    "reserved bit of A": ("a", TILE | 1 << 14),
    "constant field of B": ("b", TILE ^ 1 << 46),
    "swizzle mode of A": ("a", TILE | 7 << 61),
    "absolute address with another swizzle": ("a", TILE | 1 << 52),
    "absolute address on sm_100a": ("a", ABSOLUTE),
    "absolute address of cp on sm_100a": ("source", ABSOLUTE),
    "absolute address of cp with another swizzle": ("source", RIGHT["source"] | 1 << 52),
    "reserved bit of the instruction descriptor": ("idesc", RIGHT["idesc"] | 1 << 6),
    "columns of the instruction descriptor": ("idesc", RIGHT["idesc"] & ~(63 << 17)),
    "lane of a load": ("from", 1 << 16),
    "lane outside of tensor memory": ("from", 128 << 16),
}


def kernel(values: dict[str, int], parameters: set[str]) -> str:
    """The kernel with some operands as parameters, and the others as constants."""
    sizes = {name: BITS.get(name, 32) for name in values}
    signed = {
        name: bits - (bits >> sizes[name] - 1 << sizes[name]) for name, bits in values.items()
    }
    return KERNEL.format(
        parameters=", ".join(f"%{name} : i{sizes[name]}" for name in values if name in parameters),
        constants="\n  ".join(
            f"%{name} = arith.constant {signed[name]} : i{sizes[name]}"
            for name in values
            if name not in parameters
        ),
    )


def broken_by_run(values: dict[str, int]) -> list[str]:
    """The rules that a run of the kernel breaks if all operands are parameters."""
    report = simulate(kernel(values, set(values)), [*values.values()], target="sm_100a")
    return [finding.rule for finding in report.findings]


def test_right_values() -> None:
    compile_to_ptx(kernel(RIGHT, set()), target="sm_100a")
    assert broken_by_run(RIGHT) == []


@pytest.mark.parametrize("what", WRONG)
def test_wrong_values_break_the_rule_of_constants(what: str) -> None:
    name, bits = WRONG[what]
    values = RIGHT | {name: bits}
    with pytest.raises(CompileError) as error:
        compile_to_ptx(kernel(values, set()), target="sm_100a")
    assert broken_by_run(values)[:1] == [*error.value.rules][:1] != []


CONSTANT_FIELD = 7 << 46


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a", "b", "source"])
@pytest.mark.parametrize(("field", "rules"), [(0, ["T5-DESC-018"]), (2, ["T5-DESC-001"])])
def test_ptx_may_leave_the_constant_field_0(name: str, field: int, rules: list[str]) -> None:
    values = RIGHT | {name: RIGHT[name] & ~CONSTANT_FIELD | field << 46}
    ptx = compile_to_ptx(kernel(RIGHT, set(RIGHT)), target="sm_100a")
    report = simulate(Source("k.ptx", ptx), [*values.values()])
    assert [finding.rule for finding in report.findings] == rules
    assert broken_by_run(values) == ["T5-DESC-001"]


def test_ptx_may_read_atoms_again() -> None:
    tile = SharedMemoryDescriptor(1024, 16, 32, 0, False, "swizzle_32b").encode()
    values = RIGHT | {"b": tile}
    ptx = compile_to_ptx(kernel(RIGHT, set(RIGHT)), target="sm_100a")
    report = simulate(Source("k.ptx", ptx), [*values.values()])
    assert [finding.rule for finding in report.findings] == ["T5-DESC-019"]
    assert broken_by_run(values) == ["T5-DESC-017"]


def test_ptx_may_set_the_bit_for_a_larger_k() -> None:
    values = RIGHT | {"idesc": RIGHT["idesc"] | 1 << 29}
    ptx = compile_to_ptx(kernel(RIGHT, set(RIGHT)), target="sm_100a")
    report = simulate(Source("k.ptx", ptx), [*values.values()])
    assert [finding.rule for finding in report.findings] == ["T5-IDESC-011"]
    assert broken_by_run(values) == ["T5-IDESC-003"]


def test_an_error_comes_before_a_warning_about_the_same_product() -> None:
    tile = SharedMemoryDescriptor(1024, 16, 32, 0, False, "swizzle_32b").encode()
    ptx = compile_to_ptx(kernel(RIGHT, set(RIGHT)), target="sm_100a").replace(", 128;", ", 32;")
    report = simulate(Source("k.ptx", ptx), [*(RIGHT | {"b": tile}).values()])
    assert [finding.rule for finding in report.findings] == ["T5-SIM-009", "T5-DESC-019"]
    # A check finds both, too, and each once.
    constant = compile_to_ptx(kernel(RIGHT, {"a"}), target="sm_100a")
    constant = constant.replace(str(TILE - (1 << 64)), str(tile - (1 << 64)))
    for allocated, rules in ((128, ["T5-DESC-019"]), (32, ["T5-SIM-009", "T5-DESC-019"])):
        found = check_source(Source("k.ptx", constant.replace(", 128;", f", {allocated};")))
        assert [each.rule for each in found if "tcgen05.mma" in each.message] == rules

"""Tests of variables in local memory that are kept in registers."""

import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.compiler import read_kernels
from tcgen05_dialect.ptx.instructions import LdOp, StOp
from tcgen05_dialect.ptx.kernel import KernelOp
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.verification.static.prepared import verifiable

_KERNEL = """
.version 8.6
.target sm_100a
.address_size 64
.visible .entry kernel(.param .b64 out, .param .b32 n)
.reqntid 32, 1, 1
{
    .reg .b16 %h<4>;
    .reg .b32 %r<9>;
    .reg .f32 %f<4>;
    .reg .b64 %d<9>;
    .reg .pred %p<3>;
    .local .align 8 .b8 depot[16];
    ld.param.b64 %d0, [out];
    ld.param.b32 %r0, [n];
    mov.u32 %r1, 0;
    mov.b64 %d1, depot;
    cvta.local.u64 %d2, %d1;
    setp.eq.u32 %p0, %r0, 7;
    BEFORE
LOOP:
    BODY
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p1, %r1, %r0;
    @%p1 bra LOOP;
    AFTER
    st.global.b32 [%d0], %r2;
    ret;
}
"""


def _kernels(before: str, body: str, after: str) -> tuple[KernelOp, KernelOp]:
    """A kernel, and as runs get it."""
    text = _KERNEL.replace("BEFORE", before).replace("BODY", body).replace("AFTER", after)
    module = read_kernels(Source("kernel", text)).module
    (original,) = (op for op in module.ops if isinstance(op, KernelOp))
    (prepared,) = verifiable(module)
    prepared.kernel.verify()
    return original, prepared.kernel


def _locals(kernel: KernelOp) -> int:
    """The number of accesses that remain, but for the store of the result."""
    return sum(isinstance(op, LdOp | StOp) for op in kernel.walk()) - 1


_STORE, _LOAD = "st.local.b32 [depot+4], %r1;", "ld.local.b32 %r2, [depot+4];"


@pytest.mark.parametrize(
    ("before", "body", "after", "arguments"),
    [
        pytest.param(_STORE, "", _LOAD, 0, id="one store"),
        pytest.param("", _STORE + _LOAD, "", 0, id="one block"),
        pytest.param(_STORE, _LOAD + _STORE, "", 1, id="carried"),
        pytest.param(_STORE, _STORE, _LOAD, 0, id="the last store"),
        pytest.param(
            _STORE, "@%p0 bra OTHER;" + _STORE + "OTHER:", _LOAD, 2, id="on one of two ways"
        ),
        pytest.param("st.b32 [%d2+4], %r1;", "", _LOAD, 0, id="generic address"),
        pytest.param(
            "st.local.u8 [depot+4], %r1;", "", "ld.local.s8 %r2, [depot+4];", 0, id="byte"
        ),
        pytest.param("st.local.f32 [depot+4], %f0;", "", _LOAD, 0, id="bits of a float"),
        pytest.param(
            "add.u64 %d3, %d1, 4; st.local.b32 [%d3], %r1;", "", _LOAD, 0, id="sum of an address"
        ),
        pytest.param(
            "st.local.v2.b32 [depot], {%r0, %r1};", "", _LOAD, 0, id="one register of a vector"
        ),
        pytest.param(
            _STORE + "st.local.f32 [depot], %f0; ld.local.f32 %f1, [depot];",
            "",
            _LOAD,
            0,
            id="two places",
        ),
    ],
)
def test_kept_in_registers(before: str, body: str, after: str, arguments: int) -> None:
    """No access remains; blocks get arguments only where different stores meet before a load."""
    _, kernel = _kernels(before, body, after)
    assert _locals(kernel) == 0
    hints = [each.name_hint or "" for block in kernel.body.blocks for each in block.args]
    assert sum(hint.startswith("depot") for hint in hints) == arguments


@pytest.mark.parametrize(
    ("before", "body", "after"),
    [
        pytest.param("", "", _LOAD, id="no store"),
        pytest.param("@%p0 bra LOOP;" + _STORE, "", _LOAD, id="no store on one way"),
        pytest.param("@%p0 " + _STORE, "", _LOAD, id="guarded store"),
        pytest.param(_STORE, "", "@%p0 " + _LOAD, id="guarded load"),
        pytest.param(
            _STORE + "cvt.u64.u32 %d3, %r0; add.u64 %d3, %d3, %d1; st.local.b32 [%d3], %r0;",
            "",
            _LOAD,
            id="place from a parameter",
        ),
        pytest.param(_STORE + "st.global.b64 [%d0], %d2;", "", _LOAD, id="stored address"),
        pytest.param(_STORE + "st.local.b16 [depot+6], %h0;", "", _LOAD, id="overlap"),
        pytest.param("st.local.b64 [depot], %d0;", "", _LOAD, id="half of a store"),
        pytest.param(
            "st.local.u8 [depot+4], %r1;", "", "ld.local.u16 %r2, [depot+4];", id="more bytes"
        ),
        pytest.param(
            "st.local.b32 [depot+16], %r1;", "", "ld.local.b32 %r2, [depot+16];", id="bounds"
        ),
        pytest.param(_STORE, "", "ld.global.b32 %r2, [%d1+4];", id="another state space"),
    ],
)
def test_left_in_memory(before: str, body: str, after: str) -> None:
    """What is not certain stays as it is."""
    original, kernel = _kernels(before, body, after)
    assert _locals(kernel) == _locals(original)


_ADDRESSES = """
.version 8.6
.target sm_100a
.address_size 64
.visible .entry kernel(.param .b64 data, .param .b32 n)
.reqntid 32, 1, 1
{
    .reg .b32 %r<8>;
    .reg .b64 %d<4>;
    .reg .pred %p;
    .local .align 8 .b8 depot[8];
    .shared .align 4 .b32 base;
    .shared .align 4 .b8 slots[128];
    ld.param.b64 %d0, [data];
    ld.param.b32 %r0, [n];
    mov.u32 %r1, base;
    tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], 64;
    tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
    bar.sync 0;
    ld.shared.b32 %r2, [base];
    add.u32 %r3, %r2, SECOND;
    mov.b64 %d1, depot;
    STORE
    mov.u32 %r4, 0;
LOOP:
    and.b32 %r5, %r4, 1;
    mad.wide.u32 %d2, %r5, 4, %d1;
    ld.local.b32 %r6, [%d2];
    tcgen05.st.sync.aligned.32x32b.x1.b32 [%r6], {%r4};
    tcgen05.wait::st.sync.aligned;
    add.u32 %r4, %r4, 1;
    setp.lt.u32 %p, %r4, %r0;
    @%p bra LOOP;
    tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 64;
    ret;
}
"""


_ELSEWHERE = """
    mov.u32 %r5, %tid.x;
    mov.b32 %r6, slots;
    mad.lo.u32 %r6, %r5, 4, %r6;
    ld.shared.b32 %r7, [base];
    add.u32 %r3, %r7, 32;
    st.shared.b32 [%r6], %r3;
    st.local.v2.b32 [%d1], {%r2, %r3};"""
"""The address is also stored in shared memory, where runs put marks in place of data."""


@pytest.mark.parametrize(
    ("second", "store", "word", "found"),
    [
        ("32", "st.local.v2.b32 [%d1], {%r2, %r3};", "verified", None),
        ("64", "st.local.v2.b32 [%d1], {%r2, %r3};", "not verified", "T5-SIM-009"),
        ("32", _ELSEWHERE, "verified", None),
        (
            "32",
            "ld.global.b32 %r7, [%d0]; st.local.v2.b32 [%d1], {%r2, %r7};",
            "not decided: the address of tcgen05.st, line 29, depends on %r6 loaded at line 28",
            None,
        ),
    ],
    ids=["known", "wrong", "elsewhere", "data"],
)
def test_addresses_of_tensor_memory_that_wait_in_local_memory(
    second: str, store: str, word: str, found: str | None
) -> None:
    """A load with an index reads them again, so they cannot be kept in registers."""
    text = _ADDRESSES.replace("SECOND", second).replace("STORE", store)
    findings = check_source(Source("kernel.ptx", text), verify="quick")
    assert [each.rule for each in findings if each.severity == "error"] == [found] * bool(found)
    (remark,) = (each.message for each in findings if each.severity == "remark")
    assert remark.startswith(f"@kernel: {word}")

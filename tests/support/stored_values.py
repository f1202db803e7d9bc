"""PTX kernels whose threads store values in one place: different ones, or the same."""

from collections.abc import Mapping

_PTX = """
.version 8.8
.target sm_100a
.address_size 64
.visible .entry kernel(.param .u64 x, .param .u64 y, .param .u32 n)
.reqntid 64
{
    .shared .align 16 .b8 buffer[4096];
    .reg .pred %p<4>;
    .reg .b16 %h<4>;
    .reg .b32 %r<30>;
    .reg .f32 %f<8>;
    .reg .b64 %d<20>;
    ld.param.u64 %d1, [x];
    ld.param.u64 %d2, [y];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    shr.u32 %r3, %r1, 5;
    and.b32 %r4, %r1, 31;
    mov.b32 %r5, buffer;
    shl.b32 %r6, %r1, 2;
    add.s32 %r7, %r5, %r6;
    mul.wide.u32 %d3, %r1, 4;
    add.s64 %d4, %d1, %d3;
    add.s64 %d5, %d2, %d3;
    BODY
    ret;
}
"""
_LOAD = "ld.global.b32 %r10, [%d4];"
_STORE = "st.global.b32 [%d2], %r11;"
_OF_WARP = "mul.wide.u32 %d6, %r3, 4; add.s64 %d6, %d1, %d6; ld.global.b32 %r11, [%d6];"
_OF_CTA = "mul.wide.u32 %d6, %r2, 4; add.s64 %d6, %d1, %d6; ld.global.b32 %r11, [%d6];"
_SHARED = f"{_LOAD} st.shared.b32 [%r7], %r10; bar.sync 0;"
_BUTTERFLY = "".join(
    f"shfl.sync.bfly.b32 %f2, %f1, {lanes}, 31, -1; add.f32 %f1, %f1, %f2;"
    for lanes in (16, 8, 4, 2, 1)
)
_ONE_WARP = "setp.ge.u32 %p3, %r1, 32; @%p3 ret;"
DIFFERENT: Mapping[str, str] = {
    "lanes": f"{_LOAD} st.global.b32 [%d2], %r10;",
    "warps": _OF_WARP + _STORE,
    "warps, shared memory": f"{_OF_WARP} st.shared.b32 [%r5], %r11;",
    "lanes, shared memory": f"{_LOAD} st.shared.b32 [%r5], %r10;",
    "CTAs": f"setp.ne.u32 %p1, %r1, 0; @%p1 ret; {_OF_CTA} {_STORE}",
    "CTAs, other order": """xor.b32 %r8, %r1, %r2; mul.wide.u32 %d6, %r8, 4;
        add.s64 %d6, %d1, %d6; ld.global.b32 %r11, [%d6]; st.global.b32 [%d5], %r11;""",
    "half of the lanes": f"""{_LOAD} and.b32 %r8, %r1, 15; mul.wide.u32 %d6, %r8, 4;
        add.s64 %d6, %d2, %d6; st.global.b32 [%d6], %r10;""",
    "through shared memory": f"{_SHARED} ld.shared.b32 %r11, [%r7]; {_STORE}",
    "a word of each warp": f"""{_SHARED} shl.b32 %r8, %r3, 7; add.s32 %r8, %r5, %r8;
        ld.shared.b32 %r11, [%r8]; {_STORE}""",
    "copies by threads": f"""cp.async.ca.shared.global [%r7], [%d4], 4; cp.async.wait_all;
        ld.shared.b32 %r11, [%r7]; {_STORE}""",
    "arithmetic": f"{_LOAD} mad.lo.s32 %r11, %r10, 3, 5; {_STORE}",
    "half precision": """ld.global.f32 %f1, [%d4]; cvt.rn.f16.f32 %h1, %f1;
        st.global.b16 [%d2], %h1;""",
    "bytes": """cvt.u64.u32 %d6, %r1; add.s64 %d6, %d1, %d6; ld.global.u8 %r10, [%d6];
        st.global.u8 [%d2], %r10;""",
    "vectors": """shl.b32 %r8, %r1, 4; cvt.u64.u32 %d6, %r8; add.s64 %d6, %d1, %d6;
        ld.global.v4.b32 {%r10, %r11, %r12, %r13}, [%d6];
        st.global.v4.b32 [%d2], {%r10, %r11, %r12, %r13};""",
    "choice by warp": f"""ld.global.b32 %r8, [%d1]; ld.global.b32 %r9, [%d1+64];
        setp.eq.u32 %p1, %r3, 0; selp.b32 %r11, %r8, %r9, %p1; {_STORE}""",
    "choice by data": f"{_LOAD} setp.gt.s32 %p1, %r10, 7; selp.b32 %r11, 1, 0, %p1; {_STORE}",
    "positive part": """ld.global.f32 %f1, [%d4]; max.f32 %f1, %f1, 0f00000000;
        st.global.f32 [%d2], %f1;""",
    "a lane of each warp": f"{_LOAD} shfl.sync.idx.b32 %r11, %r10, 0, 31, -1; {_STORE}",
    "sum of each warp": f"{_LOAD} redux.sync.add.s32 %r11, %r10, -1; {_STORE}",
    "butterfly of each warp": f"ld.global.f32 %f1, [%d4]; {_BUTTERFLY} st.global.f32 [%d2], %f1;",
    "partial sums of lanes": f"""{_ONE_WARP} ld.global.f32 %f1, [%d4];
        shfl.sync.down.b32 %f2, %f1, 16, 31, -1; add.f32 %f1, %f1, %f2;
        st.global.f32 [%d2], %f1;""",
    "two operations": f"""{_OF_WARP} setp.lt.u32 %p1, %r1, 32; @%p1 bra FIRST; {_STORE} bra END;
        FIRST: {_STORE} END:""",
    "part of a sum": f"""{_LOAD} mov.b32 %f1, %r10; ld.global.f32 %f2, [%d1+400];
        add.f32 %f1, %f1, %f2;
        st.global.f32 [%d2], %f1;""",
}
SAME: Mapping[str, str] = {
    "constant": "mov.b32 %r11, 7;" + _STORE,
    "parameter": "ld.param.u32 %r11, [n];" + _STORE,
    "one address": "ld.global.b32 %r11, [%d1];" + _STORE,
    "one address, arithmetic": "ld.global.b32 %r11, [%d1]; mad.lo.s32 %r11, %r11, 3, 5;" + _STORE,
    "own address": f"{_LOAD} st.global.b32 [%d5], %r10;",
    "word of all": f"{_SHARED} ld.shared.b32 %r11, [%r5]; {_STORE}",
    "lane of all": f"{_ONE_WARP} {_LOAD} shfl.sync.idx.b32 %r11, %r10, 3, 31, -1; {_STORE}",
    "sum of all": f"{_ONE_WARP} {_LOAD} redux.sync.add.s32 %r11, %r10, -1; {_STORE}",
    "butterfly": f"""{_ONE_WARP} ld.global.f32 %f1, [%d4]; {_BUTTERFLY}
        st.global.f32 [%d2], %f1;""",
    "votes of all": f"""{_ONE_WARP} {_LOAD} setp.gt.s32 %p1, %r10, 7;
        vote.sync.ballot.b32 %r11, %p1, -1; {_STORE}""",
    "the same of both": """ld.global.b32 %r8, [%d1]; setp.eq.u32 %p1, %r3, 0;
        selp.b32 %r11, %r8, %r8, %p1;"""
    + _STORE,
    "nothing of it": f"{_LOAD} and.b32 %r11, %r10, 0; {_STORE}",
    "copy for all": f"""cp.async.ca.shared.global [%r7], [%d4], 4; cp.async.wait_all; bar.sync 0;
        ld.shared.b32 %r11, [%r5+16]; {_STORE}""",
    "loaded as a vector by one warp": f"""setp.eq.u32 %p1, %r3, 0; @%p1 bra FIRST;
        ld.global.b32 %r11, [%d1]; bra END;
        FIRST: ld.global.v2.b32 {{%r11, %r12}}, [%d1]; END: {_STORE}""",
}


def kernel_of(body: str) -> str:
    """The kernel with a body, which loads from %d1 and stores at %d2."""
    return _PTX.replace("BODY", body)

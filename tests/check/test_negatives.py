"""Tests of `check` on illegal instructions: one message each, which names the fault."""

import re

import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.isa import targets
from tcgen05_dialect.reporting.diagnostics import Source

from ..support.golden_tables import declarations, golden

_FAULTS = (
    # Matrix products: qualifiers.
    (r"\.ws\S*?(\.ashift|\.block_scale|\.collector::(a|b4)::\w+)", r"found \1"),
    (r"mma\.(?!ws)\S*(\.collector::b0::fill)", r"collector_buffer.*; found \1"),
    (r"\.kind::f16(\.scale_vec::1X)", r"none without \.block_scale; found \1"),
    (r"(\.kind::f16)\.block_scale", r"kind.*\.kind::mxf4.*; found \1"),
    (r"(\.kind::f64|\.kind::bf16)", r"kind.*\.kind::f16.*; found \1"),
    (r"(\.scale_vec::3X)", r"scale_vectorsize.*\.scale_vec::4X.*; found \1"),
    (r"\.block32(\.scale_vec::1X)", r"repeated.*; found \1"),
    (r"\.kind::f16(\.kind::\w+)", r"repeated.*; found \1"),
    (r"\.cta_group::1(\.cta_group::2)", r"repeated.*; found \1"),
    (r"(\.collector::\w+):\w+ ", r"token after \1 must be '::'"),
    (r"\.collector::(a) ", r"op.*fill.*; found none"),
    (r"(mma|mma\.ws)\.kind", r"tcgen05.\1: cta_group.*; found none"),
    (r"mma\.cta_group::1 ", r"tcgen05.mma: kind.*; found none"),
    (r"\.ashift .*%adesc", r"\.ashift needs A in tensor memory; found shared"),
    # Matrix products: operands.
    (r"mma\.ws\S* .*(\[%sfa\]|\{%dol0.*?\})", r"enable_input_d.*; found \1"),
    (r"(\[%sfa\])", r"scale_a must be none without \.block_scale; found \1"),
    (r", 5, (%zmask);", r"; found \1"),
    (r"%dol7\}", r"registers of disable-output-lane.*; found 8"),
    (r"%dol0,%dol1\}", r"registers of disable-output-lane.*; found 2"),
    (r"\.kind::(f8f6f4)\S* .*%p, 5;", r"kind::\1 takes no scale_input_d"),
    (r"%p, (16|-1|255);", r"scale-input-d.*; found \1"),
    (r"%idesc;", r"number of operands.*enable_input_d.*; found 4"),
    (r", (\[%zmask\]);", r"zero_column_mask.*; found \1"),
    # ld and st: qualifiers.
    (r"\.(?:ld|st)\S*(\.32x128b|\.16x32b|\.31x256b)\.", r"shape.*; found \1"),
    (r"\.(?:ld|st)\S*(\.x3)\.", r"num.*; found \1"),
    (r"ld\.red\S*(\.x1)\.", r"num.*; found \1"),
    (r"ld\.red\S*(\.16x64b)", r"shape.*; found \1"),
    (r"ld\.red\S*(\.add)", r"op.*; found \1"),
    (r"ld\.red\S*(\.b32|\.bf16|\.f16|\.f16x2|\.s16) ", r"type.*; found \1"),
    (r"\.32x32b\.x1(\.f32|\.u32|\.b16|\.b64|\.pack::16b|\.unpack::16b)", r"must be \..*; found \1"),
    (r"ld(\.cta_group::1)", r"found \1"),
    (r"\.32x32b\.b32", r"num.*; found none"),
    (r"ld\.sync\.32x32b", r"\.aligned; found none"),
    (r"ld\.(aligned\.)?32x32b", r"\.sync; found none"),
    (r"\.32x32b\.x1 ", r"\.b32; found none"),
    # ld and st: operands.
    (r"\.(16x128b|16x256b)\.(x128|x64)\.", r"needs \.x.*; found \.\2"),
    (
        r"\.16x64b\.x1\.\S* (\{%r0\}, )?\[%taddr\], 16[,;]( \{%r0\};)?$",
        r"takes no split_offset; found 16",
    ),
    (r"\.(16x64b|16x32bx2)\.(x[12])\..*%r127", r"vector of length.*; found 128"),
    (r"\.(16x64b|16x32bx2)\.(x[12])\..*%r3", r"vector of length.*; found 4"),
    (r"\.(16x64b|16x32bx2)\.(x[12])\..*%r1", r"vector of length.*; found 2"),
    (r"\.(16x64b|16x32bx2)\.(x2)\.", r"vector of length.*; found 1"),
    (r"(%r0),%r0\}|(?<=\}, )%r0", r"found %r0 again"),
    (r",_\}", r"values.*; found _"),
    (r"b32 (\[%taddr\], )?(%r0)", r"values must be a vector.*; found \2"),
    (r"(%r5)", r"split_offset must be a constant; found \1"),
    (r"ld\.red.*\}, (\[%taddr\]);", r"reduced.*; found \1"),
    # cp.
    (r"cp\S*(\.16x64b)", r"tcgen05.cp: shape.*; found \1"),
    (
        r"cp\S*?(?<!\.b8x16)(\.b8x16|\.b[46]x16_p\d+)( |\.b8x16 )",
        r"tcgen05.cp: format.*; found \1",
    ),
    (r"cp\S*\.(\d+x\d+b)\.warpx(\d)", r"(needs \.warpx|no multicast).*; found \.warpx\2"),
    (r"cp\S*\.(64x128b)", r"\.64x128b needs \.warpx2::.*; found none"),
    (r"cp\.128", r"cta_group.*; found none"),
    (r"cp.*(\[%sdesc\]|(?<=, )%taddr);", r"descriptor.*; found \1"),
    # alloc, dealloc, relinquish_alloc_permit.
    (r"alloc\.sync|permit\.sync", r"cta_group.*; found none"),
    (r"alloc\S*(\.shared|\.shared::cluster|\.global)\.b32", r"\.shared::cta; found \1"),
    (r"alloc\S*(\.cta_group::3)", r"cta_group.*; found \1"),
    (r"alloc\S*(\.b64)", r"\.b32; found \1"),
    (r"alloc\S*\.cta_group::1\.aligned|permit\.cta_group::1;", r"\.sync; found none"),
    (r"alloc\S*\.sync\.shared", r"\.aligned; found none"),
    (r"alloc\S*(cta|aligned) ", r"\.b32; found none"),
    (r"permit\S*(\.b32)", r"; found \1"),
    (r"dealloc\S* (\[%taddr\])", r"taddr.*; found \1"),
    (r"alloc\S* (%smem)", r"an address; found \1"),
    (r"alloc.*(-32|0xffffffff);", r"number of columns must be .*; found"),
    (r"alloc\S* \S+, (?!32;)(\d+);", r"number of columns.*; found \1"),
    # wait, fence, shift, commit.
    (r"\.wait::ld;", r"tcgen05.wait: qualifier must be \.sync; found none"),
    (r"\.wait::ld\.sync;", r"tcgen05.wait: qualifier must be \.aligned; found none"),
    (r"(\.wait::mma|\.fence::thread_sync)", r"\.(wait::ld|fence::after).*; found \1"),
    (r"fence\S*(\.sync)", r"; found \1"),
    (r"shift\.down|commit\.mbarrier", r"cta_group.*; found none"),
    (r"shift\.cta_group::1 ", r"\.down; found none"),
    (r"shift\S*(\.up)", r"\.down; found \1"),
    (r"commit\S*(\.shared::cta)\.", r"space.*; found \1"),
    (r"commit(?!.*multicast).*(%cmask)", r"none without \.multicast::cluster; found \1"),
    (r"commit\S*multicast\S* \[%mbar\];", r"number of operands.*multicast_mask.*; found 1"),
    (r"commit.*(65536)", r"CTA mask.*; found \1"),
    (r"commit\.cta_group::1\.shared", r"\.mbarrier::arrive::one; found none"),
    (r"commit\S*(\.b32)", r"\.b64; found \1"),
    (r"commit\S*cluster \[%mbar\];", r"\.b64; found none"),
    # Registers and addresses of all of them.
    (r"\[(16|64)\]", r"a register; found \1"),
    (r"(%gsmem|%cmask|%atmem|%ncols)\b", r"found \1, a \.b\d+ register"),
    (r"(?: |\}, )(%dtmem|%taddr)[,;]", r"an address; found \1"),
)
"""An illegal instruction, by what is wrong with it -> what the message has to say."""


def _messages(instruction: str, target: str) -> list[str]:
    declared = declarations(instruction)
    header = f".version {targets.NEWEST}\n.target {target}"
    text = "\n".join((header, ".visible .entry kernel()", "{", declared, instruction, "}"))
    found = check_source(Source("text.ptx", text), target, str(targets.NEWEST))
    return [finding.message for finding in found]


def _expected(instruction: str) -> tuple[str, str]:
    """The pattern of the fault in an instruction, and the pattern of its message."""
    for pattern, said in _FAULTS:
        if (fault := re.search(pattern, instruction)) is not None:
            parts = re.split(r"\\([1-9])", said)
            parts[1::2] = [re.escape(fault[int(number)]) for number in parts[1::2]]
            return pattern, "".join(parts)
    raise AssertionError(f"nothing says what is wrong with {instruction}")


@pytest.mark.slow
def test_every_illegal_instruction_is_refused_for_its_fault() -> None:
    wrong: list[tuple[str, str, list[str]]] = []
    met: set[str] = set()
    for row in golden("negatives"):
        pattern, said = _expected(row["ptx"])
        met.add(pattern)
        messages = _messages(row["ptx"], row["target"])
        # Of several qualifiers that are missing each has a message.
        others = [message for message in messages[1:] if "; found none" not in message]
        if others or not messages or not re.search(said, messages[0]):
            wrong.append((row["ptx"], said, messages))
    assert wrong == []
    assert [pattern for pattern, _ in _FAULTS if pattern not in met] == []

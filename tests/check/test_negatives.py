"""Tests of `check` on illegal instructions: one message each, which names the fault."""

import re

from tcgen05_dialect.check import check_source
from tcgen05_dialect.isa import targets
from tcgen05_dialect.reporting.diagnostics import Source

from ..support.golden_tables import declarations, golden

_FAULTS = (
    # Matrix products: qualifiers.
    (r"\.ws\S*?(\.ashift|\.block_scale|\.collector::(a|b4)::\w+)", r"found \1; legal"),
    (r"mma\.(?!ws)\S*(\.collector::b0::fill)", r"collector_buffer: found \1;"),
    (r"\.kind::f16(\.scale_vec::1X)", r"found \1; legal: none without \.block_scale"),
    (r"(\.kind::f16)\.block_scale", r"kind with \.block_scale: found \1; .*\.kind::mxf4"),
    (r"(\.kind::f64|\.kind::bf16)", r"kind: found \1; .*\.kind::f16"),
    (r"(\.scale_vec::3X)", r"scale_vectorsize: found \1; .*\.scale_vec::4X"),
    (r"\.block32(\.scale_vec::1X)", r"again: found \1;"),
    (r"\.kind::f16(\.kind::\w+)", r"again: found \1;"),
    (r"\.cta_group::1(\.cta_group::2)", r"again: found \1;"),
    (r"(\.collector::\w+):\w+ ", r"qualifier \1: found :; legal: ::"),
    (r"\.collector::(a) ", r"op with .*buffer \1: found none; .*fill"),
    (r"(mma|mma\.ws)\.kind", r"tcgen05.\1: cta_group: found none;"),
    (r"mma\.cta_group::1 ", r"tcgen05.mma: kind: found none;"),
    (r"\.ashift .*%adesc", r"\.ashift, a_memory.*: found shared; legal: tensor"),
    # Matrix products: operands.
    (r"mma\.ws\S* .*(\[%sfa\]|\{%dol0.*?\})", r"enable_input_d: found \1;"),
    (r"(\[%sfa\])", r"scale_a: found \1; legal: none without \.block_scale"),
    (r", 5, (%zmask);", r"operand [78]: found \1; legal: none"),
    (r"%dol7\}", r"registers of disable-output-lane: found 8;"),
    (r"%dol0,%dol1\}", r"registers of disable-output-lane: found 2;"),
    (r"\.kind::(f8f6f4)\S* .*%p, 5;", r"scale_input_d with kind \1"),
    (r"%p, (16|-1|255);", r"scale-input-d: found \1;"),
    (r"%idesc;", r"number of operands: found 4; .*enable_input_d"),
    (r", (\[%zmask\]);", r"zero_column_mask: found \1;"),
    # ld and st: qualifiers.
    (r"\.(?:ld|st)\S*(\.32x128b|\.16x32b|\.31x256b)\.", r"shape: found \1;"),
    (r"\.(?:ld|st)\S*(\.x3)\.", r"num: found \1;"),
    (r"ld\.red\S*(\.x1)\.", r"num: found \1;"),
    (r"ld\.red\S*(\.16x64b)", r"shape: found \1;"),
    (r"ld\.red\S*(\.add)", r"op: found \1;"),
    (r"ld\.red\S*(\.b32|\.bf16|\.f16|\.f16x2|\.s16) ", r"type: found \1;"),
    (r"\.32x32b\.x1(\.f32|\.u32|\.b16|\.b64|\.pack::16b|\.unpack::16b)", r"found \1; legal: \."),
    (r"ld(\.cta_group::1)", r"found \1;"),
    (r"\.32x32b\.b32", r"num: found none;"),
    (r"ld\.sync\.32x32b", r"found none; legal: \.aligned"),
    (r"ld\.(aligned\.)?32x32b", r"found none; legal: \.sync"),
    (r"\.32x32b\.x1 ", r"found none; legal: \.b32"),
    # ld and st: operands.
    (r"\.(16x128b|16x256b)\.(x128|x64)\.", r"num with shape \.\1: found \.\2;"),
    (
        r"\.16x64b\.x1\.\S* (\{%r0\}, )?\[%taddr\], 16[,;]( \{%r0\};)?$",
        r"Splitoff of .*: found 16;",
    ),
    (r"\.(16x64b|16x32bx2)\.(x[12])\..*%r127", r"with shape \.\1, num \2: found 128;"),
    (r"\.(16x64b|16x32bx2)\.(x[12])\..*%r3", r"with shape \.\1, num \2: found 4;"),
    (r"\.(16x64b|16x32bx2)\.(x[12])\..*%r1", r"with shape \.\1, num \2: found 2;"),
    (r"\.(16x64b|16x32bx2)\.(x2)\.", r"with shape \.\1, num \2: found 1;"),
    (r"(%r0),%r0\}|(?<=\}, )%r0", r"found %r0 again;"),
    (r",_\}", r"values: found _;"),
    (r"b32 (\[%taddr\], )?(%r0)", r"values: found \2; legal: a vector"),
    (r"(%r5)", r"split_offset: found \1; legal: a constant"),
    (r"ld\.red.*\}, (\[%taddr\]);", r"reduced: found \1;"),
    # cp.
    (r"cp\S*(\.16x64b)", r"tcgen05.cp: shape: found \1;"),
    (
        r"cp\S*?(?<!\.b8x16)(\.b8x16|\.b[46]x16_p\d+)( |\.b8x16 )",
        r"tcgen05.cp: format: found \1;",
    ),
    (r"cp\S*\.(\d+x\d+b)\.warpx(\d)", r"multicast with shape \.\1: found \.warpx\2"),
    (r"cp\S*\.(64x128b)", r"multicast with shape \.\1: found none;"),
    (r"cp\.128", r"cta_group: found none;"),
    (r"cp.*(\[%sdesc\]|(?<=, )%taddr);", r"descriptor: found \1[;,]"),
    # alloc, dealloc, relinquish_alloc_permit.
    (r"alloc\.sync|permit\.sync", r"cta_group: found none;"),
    (r"alloc\S*(\.shared|\.shared::cluster|\.global)\.b32", r"found \1; legal: \.shared::cta"),
    (r"alloc\S*(\.cta_group::3)", r"cta_group: found \1;"),
    (r"alloc\S*(\.b64)", r"found \1; legal: \.b32"),
    (r"alloc\S*\.cta_group::1\.aligned|permit\.cta_group::1;", r"found none; legal: \.sync"),
    (r"alloc\S*\.sync\.shared", r"found none; legal: \.aligned"),
    (r"alloc\S*(cta|aligned) ", r"found none; legal: \.b32"),
    (r"permit\S*(\.b32)", r"found \1; legal: none"),
    (r"dealloc\S* (\[%taddr\])", r"taddr: found \1;"),
    (r"alloc\S* (%smem)", r"found \1; legal: an address"),
    (r"alloc.*(-32|0xffffffff);", r"nCols: found"),
    (r"alloc\S* \S+, (?!32;)(\d+);", r"nCols: found \1;"),
    # wait, fence, shift, commit.
    (r"\.wait::ld;", r"tcgen05.wait: qualifier: found none; legal: \.sync"),
    (r"\.wait::ld\.sync;", r"tcgen05.wait: qualifier: found none; legal: \.aligned"),
    (r"(\.wait::mma|\.fence::thread_sync)", r"found \1; legal: \.(wait::ld|fence::after)"),
    (r"fence\S*(\.sync)", r"found \1; legal: none"),
    (r"shift\.down|commit\.mbarrier", r"cta_group: found none;"),
    (r"shift\.cta_group::1 ", r"found none; legal: \.down"),
    (r"shift\S*(\.up)", r"found \1; legal: \.down"),
    (r"commit\S*(\.shared::cta)\.", r"space: found \1;"),
    (r"commit(?!.*multicast).*(%cmask)", r"found \1; legal: none without \.multicast::cluster"),
    (r"commit\S*multicast\S* \[%mbar\];", r"number of operands: found 1; .*multicast_mask"),
    (r"commit.*(65536)", r"ctaMask.*found \1"),
    (r"commit\.cta_group::1\.shared", r"found none; legal: \.mbarrier::arrive::one"),
    (r"commit\S*(\.b32)", r"found \1; legal: \.b64"),
    (r"commit\S*cluster \[%mbar\];", r"found none; legal: \.b64"),
    # Registers and addresses of all of them.
    (r"\[(16|64)\]", r"found \1; legal: a register"),
    (r"(%gsmem|%cmask|%atmem|%ncols)\b", r"found \1, a \.b\d+ register;"),
    (r"(?: |\}, )(%dtmem|%taddr)[,;]", r"found \1; legal: an address"),
)
"""An illegal instruction, by what is wrong with it -> what the message has to say."""


def _messages(instruction: str, target: str) -> list[str]:
    declared = declarations(instruction)
    text = "\n".join((".visible .entry kernel()", "{", declared, instruction, "}"))
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


def test_every_illegal_instruction_is_refused_for_its_fault() -> None:
    wrong: list[tuple[str, str, list[str]]] = []
    met: set[str] = set()
    for row in golden("negatives"):
        pattern, said = _expected(row["ptx"])
        met.add(pattern)
        messages = _messages(row["ptx"], row["target"])
        # Of several qualifiers that are missing each has a message.
        others = [message for message in messages[1:] if ": found none;" not in message]
        if others or not messages or not re.search(said, messages[0]):
            wrong.append((row["ptx"], said, messages))
    assert wrong == []
    assert [pattern for pattern, _ in _FAULTS if pattern not in met] == []

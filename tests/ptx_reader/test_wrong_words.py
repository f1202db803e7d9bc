"""Tests of words that no instruction of PTX has; ptxas decides which ones these are."""

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from tcgen05_dialect.assembler import find_tool
from tcgen05_dialect.check import check_source
from tcgen05_dialect.isa.ptx.opcodes import is_word
from tcgen05_dialect.ptx_reader.diagnosis import candidates_of, instructions
from tcgen05_dialect.ptx_reader.pattern import NUMBER

_HEAD = """.version 9.0
.target sm_100a
.address_size 64
.entry kernel()
{
.reg .b16 %h<9>; .reg .b32 %r<99>; .reg .b64 %rd<9>; .reg .pred %p<5>; .reg .f32 %f<99>;
"""
_FIRST = _HEAD.count("\n") + 1
"""The line of the first instruction."""
_MISSPELT = [
    (
        "mbarrier.init.shared::ctaa.b64 [%r1], 1;",
        "must be mbarrier.init.b64, mbarrier.init.shared or mbarrier.init.shared::cta; found "
        "mbarrier.init.shared::ctaa",
        "did you mean mbarrier.init.shared::cta?",
    ),
    (
        "cp.async.bulk.tensor.2d.shared::cluster.globl.mbarrier::complete_tx::bytes "
        "[%r1], [%rd1, {%r1, %r2}], [%r3];",
        "cp.async.bulk.tensor: qualifier must be .global; found .globl",
        "",
    ),
    ("fence.proxy.asynch;", "found fence.proxy.asynch", "did you mean fence.proxy.async?"),
    ("ld.gloobal.b32 %r1, [%rd1];", "or .shared::cta; found .gloobal", "did you mean .global?"),
    # The dialect knows other fields, but not the one that is meant.
    (
        "tensormap.replace.tile.swizle_mode.shared::cta.b1024.b32 [%r1], 0;",
        "no instruction of PTX has the qualifier .swizle_mode",
        "did you mean .swizzle_mode?",
    ),
    (
        "mma.sp.sync.alignd.m16n8k32.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, "
        "{%r1, %r2, %r3, %r4}, {%r5, %r6, %r7, %r8}, {%f5, %f6, %f7, %f8}, %r9, 0x0;",
        "no instruction of PTX has the qualifier .alignd",
        "did you mean .aligned?",
    ),
    # PTX has the qualifier, but not here.
    (
        "prefetch.param::entry.tensormap [%rd1];",
        "this instruction does not have the qualifier .param::entry",
        "",
    ),
    # The dialect has no instruction with this first word.
    ("vadd.s32.s32.s32.satt %r1, %r2, %r3;", "PTX has the qualifier .satt", "did you mean .sat?"),
]
"""An instruction with a misspelt word, and a part of the message and of the help."""
_UNKNOWN = """\
wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 [%r1], {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8};
mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, \
{%r1, %r2, %r3, %r4}, {%r5, %r6, %r7, %r8}, {%f5, %f6, %f7, %f8}, %r9, 0x0;
alloca.u64 %rd1, %rd2;
stacksave.u64 %rd1;
vmad.s32.s32.s32.sat.shr7 %r1, %r2, %r3, %r4;
vset4.u32.u32.eq %r1, %r2, %r3, %r4;
multimem.ld_reduce.relaxed.gpu.global.add.acc::f32.v4.f16x2 {%r1, %r2, %r3, %r4}, [%rd1];
tensormap.replace.tile.swizzle_atomicity.shared::cta.b1024.b32 [%r1], 0;
fence.acquire.sync_restrict::shared::cluster.cluster;
cvt.rs.satfinite.e4m3x4.f32 %r1, {%f1, %f2, %f3, %f4}, %r2;
createpolicy.cvt.L2.b64 %rd1, %rd2;
redux.sync.min.abs.NaN.f32 %f1, %f2, %r3;
isspacep.param::entry %p1, %rd1;
cvta.to.param::entry.u64 %rd2, %rd1;
""".splitlines()
"""Instructions that ptxas accepts. The dialect lacks most of them."""


def _text(lines: Sequence[str]) -> str:
    return "\n".join([_HEAD.rstrip(), *lines, "ret;", "}", ""])


def _refused(lines: Sequence[str], folder: Path) -> str:
    """The messages of ptxas about instructions."""
    source = folder / "kernel.ptx"
    source.write_text(_text(lines))
    command = [find_tool("ptxas"), "-arch=sm_100a", "-o", folder / "kernel.cubin", source]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return result.stdout + result.stderr


def test_no_word_of_an_instruction_is_wrong(tmp_path: Path) -> None:
    assert not _refused(_UNKNOWN, tmp_path)
    assert check_source(_text(_UNKNOWN)) == []


@pytest.mark.parametrize(("line", "message", "help_"), _MISSPELT)
def test_wrong_word_is_named(line: str, message: str, help_: str, tmp_path: Path) -> None:
    (finding,) = check_source(_text([line]))
    assert (finding.line, finding.rule[:8]) == (_FIRST, "T5-PTX-0")
    assert message in finding.message and help_ in finding.help
    is_known = line.partition(".")[0] in instructions()
    assert finding.severity == ("error" if is_known else "warning")
    refused = _refused([line], tmp_path)
    assert refused and re.sub(r".*[.: ]", "", finding.message) in refused


def test_words_of_the_dialect_are_known() -> None:
    words = {
        word
        for first in instructions()
        for each in candidates_of(first)
        for word in (
            *each.instruction.opcode[1:],
            *(word for unit in each.instruction.units for word in unit.words),
        )
        if NUMBER not in word
    }
    assert [word for word in words if not is_word(word)] == []

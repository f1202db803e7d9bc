"""Seeded faults: changes of a PTX text that make a right kernel of Triton or Gluon wrong."""

import re
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

_HIGH_WORD = re.compile(r"(?<=, )1073758272(?=;)")
"""The upper half of their descriptors: swizzle_128b, stride 1024, fixed bits 0b001."""
_D = re.compile(r"(?<= \[ )(%\w+) \+ (\d+)(?= \], (?:%rd|\[))")
_CELL = re.compile(r"(tcgen05\.(?:ld|st)\.\S* (?:\{[^}]*\}, )?(?:\{[^}]*\}, )?\[%\w+ \+ )(\d+)")
_WARP_LANES = re.compile(r"(?<=, )6291456(?=;)")
"""The mask of a number of the warp in its warpgroup, at the bits of the lane of an address."""


class Fault(NamedTuple):
    """A change that `seed` makes to a text, and the rule that the kernel then breaks."""

    seed: Callable[[str], str]
    rule: str


def _high_word(change: Callable[[int], int], text: str) -> str:
    return _HIGH_WORD.sub(lambda match: str(change(int(match[0]))), text)


def _moved_d(columns: int, text: str) -> str:
    lines = text.splitlines(keepends=True)
    for index, line in enumerate(lines):
        if "tcgen05.mma" in line:
            lines[index] = _D.sub(lambda match: f"{match[1]} + {int(match[2]) + columns}", line, 1)
    return "".join(lines)


def _moved_cell(distance: int, text: str) -> str:
    return _CELL.sub(lambda match: f"{match[1]}{int(match[2]) + distance}", text)


def _columns(names: str, change: Callable[[int], int], text: str) -> str:
    return re.sub(
        rf"(tcgen05\.(?:{names})\.\S* .*, )(\d+);",
        lambda match: f"{match[1]}{change(int(match[2]))};",
        text,
    )


def _at_most_32(columns: int) -> int:
    return min(columns, 32)


def _half(columns: int) -> int:
    return max(columns // 2, 32)


FAULTS = {
    "fixed bits": Fault(partial(_high_word, lambda word: word ^ 3 << 14), "T5-DESC-001"),
    "swizzle 3": Fault(partial(_high_word, lambda word: word | 1 << 29), "T5-SWIZZLE-001"),
    "stride": Fault(partial(_high_word, lambda word: word - 32), "T5-DESC-019"),
    "D + 512 columns": Fault(partial(_moved_d, 512), "T5-TMEM-001"),
    "ld, st + 512 columns": Fault(partial(_moved_cell, 512), "T5-TMEM-001"),
    "alloc of 32": Fault(partial(_columns, "alloc|dealloc", _at_most_32), "T5-SIM-009"),
    "dealloc of half": Fault(partial(_columns, "dealloc", _half), "T5-ALLOC-004"),
    "other lanes": Fault(partial(_moved_cell, 32 << 16), "T5-LDST-005"),
    "same lanes": Fault(partial(_WARP_LANES.sub, "0"), "T5-SIM-036"),
    "no dealloc": Fault(partial(re.compile(r".*tcgen05\.dealloc.*").sub, ""), "T5-SIM-009"),
    "no relinquish": Fault(
        partial(re.compile(r".*tcgen05\.relinquish_alloc_permit.*").sub, ""), "T5-ALLOC-006"
    ),
}
NOBODY_WAITS = {
    "gluon_mma_f16_ldred1_sm103": "it is for one CTA",
    "gluon_scaled_cp_mxfp8_128x128x128": "it is for one CTA",
    "gluon_tma_2cta_f16_256x128x64": "it is for one CTA pair",
    "gluon_ws_f16_128x256x64": "a CTA has all registers",
    "triton_attn_f16_128x128_d64_ws": "a CTA has all columns",
    "triton_dotscaled_tma_nvfp4_128x256x256": "a CTA has all columns",
    "triton_hostdesc_f16_256x128x64_2cta_ws": "a CTA has all registers",
    "triton_persistent_f16_128x256x64_ws": "a CTA has all columns",
}
"""Kernels in which no other CTA of the kernel waits for the permit to allocate, and why."""

"""Targets, PTX versions and the features that they support; CTA groups, the CTAs that execute an
instruction together (9.7.16.5)."""

from __future__ import annotations

import re
from typing import NamedTuple

from tcgen05_dialect.isa.instructions.memory import WIDE_BITS
from tcgen05_dialect.isa.model.rule import Rule, alternatives, did_you_mean, rule
from tcgen05_dialect.isa.model.table import Qualifier


class Version(NamedTuple):
    """A PTX ISA version. It is equal to the plain tuple, and its text is the operand of
    `.version`."""

    major: int
    minor: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"


# fmt: off
VERSIONS = tuple(
    Version(*version)
    for version in ((8, 6), (8, 7), (8, 8), (9, 0), (9, 1), (9, 2), (9, 3), (9, 4), (9, 5))
)
# fmt: on
NEWEST = VERSIONS[-1]


class Target(NamedTuple):
    """A `.target` that has tcgen05.

    `suffix` is `a` (architecture-specific) or `f` (family-specific). `first` is the first
    PTX version with this name, and `renamed` the name that replaced it in PTX ISA 9.0, if any.
    `multiprocessor_ctas` is the largest minnctapersm that ptxas does not ignore (measured with
    ptxas 12.9 and 13.5).
    """

    name: str
    suffix: str
    first: Version
    renamed: str | None = None
    multiprocessor_ctas: int = 32

    def __str__(self) -> str:
        return self.name


TARGETS = {
    target.name: target
    for target in (
        Target("sm_100a", "a", Version(8, 6)),
        Target("sm_100f", "f", Version(8, 8)),
        Target("sm_101a", "a", Version(8, 6), "sm_110a", 24),
        Target("sm_101f", "f", Version(8, 8), "sm_110f", 24),
        Target("sm_103a", "a", Version(8, 8)),
        Target("sm_103f", "f", Version(8, 8)),
        Target("sm_110a", "a", Version(9, 0), None, 24),
        Target("sm_110f", "f", Version(9, 0), None, 24),
    )
}

_KIB = 1 << 10
SHARED_BYTES = {"a": 227 * _KIB, "f": 48 * _KIB}
"""Suffix of the target -> maximum size in bytes of a kernel's variables in shared memory
(measured). An architecture offers its own maximum, a family the maximum that all its members
have."""
RESERVED_SHARED_BYTES = 1 << 10
"""Bytes of shared memory that the system reserves before the first variable of a CTA. Special
registers give their position (10, `%reserved_smem_offset_begin`); the size is measured."""
REGISTERS = 1 << 16
"""Number of 32-bit registers of a multiprocessor (CUDA programming guide, compute capabilities)."""
MULTIPROCESSOR_THREADS = 1 << 11
"""Largest number of threads of a multiprocessor (the same table)."""
MULTIPROCESSORS = 148
"""Number of multiprocessors of a B200; each runs a CTA (2.2)."""
SHARED_RULE = rule("T5-PTX-085")

TARGET_RULE = rule("T5-TARGET-001")
VERSION_RULE = rule("T5-TARGET-002")


class Feature(NamedTuple):
    """A form of an instruction that only some targets or versions support; `rule` gives its
    section."""

    what: str
    rule: Rule
    targets: frozenset[str]
    first: Version


def _named(*names: str) -> frozenset[str]:
    return frozenset(f"sm_{name}" for name in names)


_ALL = frozenset(TARGETS)
_EVERY_A = frozenset(name for name in TARGETS if TARGETS[name].suffix == "a")
_F16_SCALED = _named("100a", "100f", "103a", "103f")
_MATRIX = (
    # id, feature, description, section, targets, first version
    ("T5-TARGET-003", "base", "tcgen05 instructions", _ALL, (8, 6)),
    ("T5-TARGET-004", "kind_i8", ".kind::i8", _named("100a", "101a", "110a"), (8, 6)),
    ("T5-TARGET-005", "kind_mxf4nvf4", ".kind::mxf4nvf4", _ALL, (8, 7)),
    ("T5-TARGET-006", "sparse_mxf4", "sparse .kind::mxf4 and mxf4nvf4", _EVERY_A, (8, 6)),
    ("T5-TARGET-007", "scale_input_d", "scale-input-d", _F16_SCALED, (8, 6)),
    ("T5-TARGET-008", "scale_vec", ".scale_vec::NX", _EVERY_A, (8, 6)),
    ("T5-TARGET-009", "block16_block32", ".block16 and .block32", _ALL, (8, 8)),
    ("T5-TARGET-010", "k96", "K = 96", _named("103a"), (8, 8)),
    ("T5-TARGET-011", "lbo_absolute", "absolute leading dimension", _named("103a"), (8, 8)),
    ("T5-TARGET-012", "shift", "tcgen05.shift", _EVERY_A, (8, 6)),
    ("T5-TARGET-013", "ld_red", "tcgen05.ld.red", _ALL - _named("100a", "100f"), (8, 8)),
    ("T5-TARGET-014", "wide_access", f"ld and st of {WIDE_BITS} bits", _ALL, (8, 8)),
    ("T5-TARGET-015", "extrema_of_three", "min and max of three numbers", _ALL, (8, 8)),
    ("T5-TARGET-021", "cvt_stochastic", "cvt with random bits", _named("100a", "103a"), (8, 7)),
    (
        "T5-TARGET-022",
        "cvt_of_halves",
        "cvt of f16x2 to fp6 or fp4, and of bf16x2 to fp8, fp6 or fp4",
        _ALL,
        (9, 1),
    ),
    ("T5-TARGET-023", "cvt_to_bf16x2", "cvt of fp8, fp6 or fp4 to bf16x2", _ALL, (9, 2)),
    ("T5-TARGET-033", "st_async_b128", "st.async of b128", _ALL, (9, 2)),
    ("T5-TARGET-034", "async_global", "st.async and red.async in global memory", _ALL, (8, 7)),
    ("T5-TARGET-036", "swizzle_96b", "the 96-byte swizzle mode", _named("103a"), (8, 8)),
    ("T5-TARGET-035", "packed_tensor_maps", "packed elements of tensormap.replace", _ALL, (8, 7)),
    ("T5-TARGET-031", "bulk_ignore_oob", "bulk copies with .ignore_oob", _ALL, (9, 2)),
    ("T5-TARGET-032", "bulk_sum_of_f32", "bulk additions of f32 with .noftz", _ALL, (9, 4)),
    (
        "T5-TARGET-040",
        "mma_of_fp8",
        "mma.sync of fp8 with the shape m16n8k16 or sums of f16",
        _ALL,
        (8, 7),
    ),
    ("T5-TARGET-041", "exclusive_alloc", "alloc and dealloc with .exclusive", _ALL, (9, 4)),
    ("T5-TARGET-042", "circular_of_turns", "sin and cos with .2pi", _ALL, (9, 5)),
    ("T5-TARGET-016", "redux_f32", "redux.sync of f32", _F16_SCALED, (8, 6)),
)


def _listed(targets: frozenset[str]) -> str:
    return alternatives([name for name in TARGETS if name in targets])


def _needs(targets: frozenset[str], first: Version) -> str:
    version = f"PTX {first} or later"
    if targets == _ALL:
        return version
    comma = "," if len(targets) > 1 else ""
    return f"{_listed(targets)}{comma} and {version}"


def _where(targets: frozenset[str], first: Version) -> str:
    names = "" if targets == _ALL else f"for {_listed(targets)} "
    return f"{names}with PTX {first} or later"


FEATURES = {
    name: Feature(
        what,
        rule(
            id,
            what=what,
            needs=_needs(targets, Version(*first)),
            others="Older" if targets == _ALL else "Other targets and older",
            where=_where(targets, Version(*first)),
        ),
        targets,
        Version(*first),
    )
    for id, name, what, targets, first in _MATRIX
}


def parse_target(name: str) -> Target:
    """The target called `name`. Raises Violation."""
    if name not in TARGETS:
        # A name of this form is a target without tcgen05, not a wrong spelling.
        is_spelled = re.fullmatch(r"sm_\d{2,3}[af]?", name) is not None
        help_ = "" if is_spelled else did_you_mean(name, TARGETS)
        raise TARGET_RULE.violation(name, tuple(TARGETS), help=help_)
    return TARGETS[name]


def parse_version(text: str) -> Version:
    """The PTX version written as `8.8`. Raises Violation."""
    for version in VERSIONS:
        if str(version) == text:
            return version
    raise VERSION_RULE.violation(text, VERSIONS)


def first_version(feature: str, target: str) -> Version | None:
    """The first PTX version in which `target` has `feature`; None if there is none."""
    entry = FEATURES[feature]
    if target not in entry.targets:
        return None
    return max(entry.first, TARGETS[target].first)


def supported_targets(feature: str) -> tuple[str, ...]:
    """The names of the targets that have `feature` in the newest version."""
    return tuple(name for name in TARGETS if name in FEATURES[feature].targets)


def check_feature(feature: str, target: str, version: tuple[int, int]) -> None:
    """Raise Violation unless `target` has `feature` in PTX `version`; it names targets that have
    it."""
    rule = FEATURES[feature].rule
    first = first_version(feature, parse_target(target).name)
    if first is None:
        what = f"target for {FEATURES[feature].what}"
        raise rule.violation(target, supported_targets(feature), what)
    if version < first:
        what = f"PTX version for {FEATURES[feature].what} on {target}"
        legal = f"{first} or later"
        raise rule.violation(
            Version(*version), legal, what, help=f"compile with PTX {legal} for {target}"
        )


CTA_GROUP_RULE = rule("T5-CTA_GROUP-001")
CTA_GROUP = Qualifier("cta_group", {1: ".cta_group::1", 2: ".cta_group::2"}, CTA_GROUP_RULE)

SAME_CTA_GROUP = rule("T5-CTA_GROUP-002")

CTA_PAIR = rule("T5-CTA_GROUP-003")


def cta_group_of(rank: int, ctas: int) -> range:
    """The ranks in the group of `ctas` CTAs that contains the CTA `rank`."""
    first = rank - place_in_group(rank, ctas)
    return range(first, first + ctas)


def place_in_group(rank: int, ctas: int) -> int:
    """The place of the CTA `rank` in its group of `ctas` CTAs: 0, or 1 for an odd CTA of a pair."""
    return rank % ctas


def peer_of(rank: int) -> int:
    """The rank of the other CTA in the pair that contains the CTA `rank`."""
    return rank ^ 1


def check_pairs(ctas: int, cluster: int) -> None:
    """Raise Violation unless a cluster consists of whole groups of `ctas` CTAs (9.7.16.5)."""
    if cluster % ctas:
        raise CTA_PAIR.violation(f"{cluster} with cta_group {ctas}", f"a multiple of {ctas}")

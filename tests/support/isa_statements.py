"""Second statement of tables of the manual, in words and formulas, independent of isa/."""

from collections.abc import Iterator
from typing import Any

Point = tuple[Any, ...]
EITHER = (False, True)
F8 = ("e4m3", "e5m2", "e2m3", "e3m2", "e2m1")
KINDS = ("f16", "tf32", "f8f6f4", "i8", "mxf8f6f4", "mxf4", "mxf4nvf4")


def types(kind: str) -> Iterator[tuple[str, str, str, str | None]]:
    """(d, a, b, scale) that a kind multiplies."""
    if kind == "f16":
        yield "f16", "f16", "f16", None
        yield from (("f32", a, b, None) for a in ("f16", "bf16") for b in ("f16", "bf16"))
    elif kind == "tf32":
        yield "f32", "tf32", "tf32", None
    elif kind == "f8f6f4":
        yield from ((d, a, b, None) for d in ("f16", "f32") for a in F8 for b in F8)
    elif kind == "i8":
        yield from (("s32", a, b, None) for a in ("u8", "s8") for b in ("u8", "s8"))
    elif kind == "mxf8f6f4":
        yield from (("f32", a, b, "ue8m0") for a in F8 for b in F8)
    else:
        yield "f32", "e2m1", "e2m1", "ue8m0"
        if kind == "mxf4nvf4":
            yield "f32", "e2m1", "e2m1", "ue4m3"


def extents(kind: str, ws: bool, cta_group: int, sparse: bool) -> Iterator[tuple[int, int]]:
    """(m, n) that a kind has."""
    if ws:
        # Weight stationary: one CTA, no block scaling, three sizes; the widest is dense only.
        if cta_group == 1 and not kind.startswith("mx"):
            for n in (64, 128) if sparse else (64, 128, 256):
                yield from ((m, n) for m in (32, 64, 128))
        return
    # The smaller M goes to waste with block scaling in one CTA, and with it sparse in two.
    for m in (64 * cta_group, 128 * cta_group):
        if kind.startswith("mx") and (m == 64 or (sparse and m == 128 and cta_group == 2)):
            continue
        # N steps by 8 for each CTA; for integers twice as far, beyond 32 where it is one CTA.
        for n in range(8 * cta_group, 257, 8 * cta_group):
            if kind != "i8" or n % (16 * cta_group) == 0 or (cta_group == 1 and n < 32):
                yield m, n


def depths(kind: str, cta_group: int, sparse: bool, m: int) -> Iterator[int]:
    """K: 32 bytes of the smallest elements that are not padded; twice that when half are zeros."""
    bits = {"f16": 16, "tf32": 32, "mxf4": 4, "mxf4nvf4": 4}.get(kind, 8)
    yield 256 // bits * (2 if sparse else 1)
    if bits == 4 and not sparse and cta_group == 2 and m == 256:
        yield 96


def table_39() -> Iterator[Point]:
    """kind, .ws, cta_group, sparse, d, a, b, scale, m, n, k."""
    for kind in KINDS:
        for ws in EITHER:
            for cta_group in (1, 2):
                for sparse in EITHER:
                    for m, n in extents(kind, ws, cta_group, sparse):
                        for k in depths(kind, cta_group, sparse, m):
                            for d, a, b, scale in types(kind):
                                yield kind, ws, cta_group, sparse, d, a, b, scale, m, n, k


def tables_47_and_48() -> Iterator[Point]:
    """shape, num, registers: as many as there are 32-bit words for each of 32 threads, 128 at
    most."""
    words = {
        "shape_16x32bx2": 16 * 1 * 2,
        "shape_16x64b": 16 * 2,
        "shape_32x32b": 32 * 1,
        "shape_16x128b": 16 * 4,
        "shape_16x256b": 16 * 8,
    }
    for shape, count in words.items():
        for num in (1, 2, 4, 8, 16, 32, 64, 128):
            if count * num <= 32 * 128:
                yield shape, f"x{num}", count * num // 32


def table_49() -> Iterator[Point]:
    """kind, transpose, negate: no transpose of packed 4-bit elements, no negation of integers."""
    for kind in KINDS:
        for transpose in EITHER:
            for negate in EITHER:
                if not (transpose and kind.startswith("mxf4")) and not (negate and kind == "i8"):
                    yield kind, transpose, negate


def table_50() -> Iterator[Point]:
    """cta_group, n: steps of 16 for each CTA."""
    yield from ((ctas, n) for ctas in (1, 2) for n in range(1, 257) if n % (16 * ctas) == 0)


def table_52() -> Iterator[Point]:
    """bits, majorness, swizzle: K-major has all; atoms of 32 bytes transpose 32 bits, and nothing
    else does; less than a byte is never transposed."""
    wide_atom = "swizzle_128b_atom_32b"
    for swizzle in ("no_swizzle", "swizzle_32b", "swizzle_64b", "swizzle_128b", wide_atom):
        for bits in (4, 6, 8, 16, 32):
            yield bits, "k_major", swizzle
            if bits >= 8 and (bits == 32) == (swizzle == wide_atom):
                yield bits, "mn_major", swizzle


SIZES = {
    "mxf8f6f4": (None, "scale_vec_1x", "block32"),
    "mxf4": (None, "scale_vec_2x", "block32"),
    "mxf4nvf4": ("scale_vec_2x", "scale_vec_4x", "block16", "block32"),
}
"""scale_vectorsize by kind; kind::mxf4nvf4 is the one that needs it (9.7.16.10.9.1)."""


def table_54() -> Iterator[Point]:
    """kind, scale_vectorsize, k, scale factors of a row: .scale_vec::NX names them, .blockN
    divides K; half of a sparse K is stored. An omitted one is .block32."""
    stored = {32: 32, 64: 64, 96: 96, 128: 64}
    for kind, sizes in SIZES.items():
        for size in sizes:
            if kind == "mxf8f6f4":
                yield from ((kind, size, k, 1) for k in (32, 64))
            elif size is not None and size.startswith("scale_vec"):
                yield from ((kind, size, k, int(size[-2])) for k in (64, 96, 128))
            else:
                block = int((size or "block32")[-2:])
                yield from ((kind, size, k, stored[k] // block) for k in (64, 96, 128))


def table_55() -> Iterator[Point]:
    """kind, element, scale type, scale_vectorsize: ue4m3 is for four factors of kind mxf4nvf4."""
    for kind, sizes in SIZES.items():
        for element in F8 if kind == "mxf8f6f4" else ("e2m1",):
            for size in sizes:
                yield kind, element, "ue8m0", size
                if size in ("scale_vec_4x", "block16"):
                    yield kind, element, "ue4m3", size

"""
Random matrix products in `ws`: rings and depths, roles, tiles, pairs, kinds, epilogues.

A product is C = A B^T (+ R), with small integers, so that sums are exact in each type.
"""

from dataclasses import dataclass, field
from random import Random
from typing import Any

import ml_dtypes
import numpy as np

from tcgen05_dialect.simulator import Launch

from .ws_attention import shared_bytes

Array = np.ndarray[Any, Any]
ROWS = 128
"""Rows of a tile in one CTA."""


@dataclass(frozen=True)
class Kind:
    """Element types: of A and B in a tile, in a tensor map and in numpy; of the sums; of C."""

    tile: str
    box: str
    array: Any
    sums: str
    outputs: tuple[str, ...]
    bytes: int

    @property
    def is_wide(self) -> bool:
        """Whether threads can load the elements, and a tile can be MN-major."""
        return self.bytes == 2


BF16, F16 = ml_dtypes.bfloat16, np.float16
FLOATS = ("f32", "bf16")
KINDS = (
    Kind("bf16", "bf16", BF16, "f32", FLOATS, 2),
    Kind("f16", "f16", F16, "f32", FLOATS, 2),
    Kind("f16", "f16", F16, "f16", ("f16",), 2),
    Kind("tf32", "tf32", np.float32, "f32", FLOATS, 4),
    Kind("f8E4M3FN", "u8", ml_dtypes.float8_e4m3fn, "f32", FLOATS, 1),
    Kind("f8E5M2", "u8", ml_dtypes.float8_e5m2, "f32", FLOATS, 1),
    Kind("si8", "u8", np.int8, "i32", ("i32",), 1),
)
NUMPY: dict[str, Any] = {"f32": np.float32, "bf16": BF16, "f16": F16, "i32": np.int32}
SIZES = {"f32": 4, "bf16": 2, "f16": 2, "i32": 4}


@dataclass(frozen=True)
class Program:
    """A kernel, and the sizes of a run."""

    kind: Kind
    pair: bool
    persistent: bool
    columns: int
    """Columns of a tile of C."""
    swizzle: int
    """Bytes of a row of a tile of A or B that is K-major."""
    is_joint: bool
    """Whether A and B share a ring."""
    depths: tuple[int, int]
    """Stages of the rings of A and B."""
    sums: int
    """Stages of the ring of sums."""
    a_from: str
    """What fills the stages of A: `tma`, or `shared` or `tensor` memory by threads."""
    b_major: str
    two_loads: bool
    epilogue: str
    output: str
    stores: int
    """Stages of the ring of the epilogue, if it has one."""
    box_rows: int
    order: tuple[int, ...] = field(repr=False)
    tiles: tuple[int, int]
    blocks: int
    tails: tuple[int, int, int]
    """Elements less than whole tiles, along M, N and K."""

    @property
    def ctas(self) -> int:
        return 2 if self.pair else 1

    @property
    def depth(self) -> int:
        """Elements of a block along K."""
        return self.swizzle // self.kind.bytes

    @property
    def sizes(self) -> tuple[int, int, int]:
        """M, N and K."""
        whole = ROWS * self.ctas * self.tiles[0], self.columns * self.tiles[1]
        m, n, k = *whole, self.depth * self.blocks
        return m - self.tails[0], n - self.tails[1], k - self.tails[2]

    @property
    def b_rows(self) -> int:
        return self.columns // self.ctas

    @property
    def part(self) -> int:
        """Columns that the epilogue works on at once."""
        return min(self.columns, 128 // SIZES[self.output])

    # Text.

    def text(self) -> str:
        """The kernel."""
        roles = [self._loads(), *self._fills(), self._products(), *self._epilogue()]
        order = sorted(range(len(roles)), key=lambda at: self.order[at])
        words = " pair" if self.pair else ""
        persistent = " persistent" if self.persistent else ""
        cluster = " attributes {cluster_dims = array<i32: 2>}" if self.pair else ""
        numbers = sorted({0, 1, 2, ROWS, self.columns, self.depth, self.part})
        constants = "".join(f"  %c{n} = arith.constant {n} : i32\n" for n in numbers)
        return (
            f"{self._types()}ptx.kernel @product({self._parameters()}){cluster} {{\n{constants}"
            f"  %blocks = arith.ceildivui %k, %c{self.depth} : i32\n{self._rings()}"
            f"  ws.warp_specialize{words} tiles(%i, %j) of "
            f"(%m by {ROWS * self.ctas}, %n by {self.columns}){persistent} {{\n"
            f"{''.join(roles[at] for at in order)}  }}\n  ptx.ret\n}}\n"
        )

    def _types(self) -> str:
        layout = f"k_major, swizzle_{self.swizzle}b"
        tile, n, depth = self.kind.tile, self.b_rows, self.depth
        a = f"!ws.smem<{ROWS}x{depth}x{tile}, {layout}>"
        if self.a_from == "tensor":
            a = f"!tcgen05.tmem<{ROWS}x{depth}x{tile}, a>"
        b = f"!ws.smem<{n}x{depth}x{tile}, {layout}>"
        if self.b_major == "mn":
            b = f"!ws.smem<{n}x{depth}x{tile}, mn_major, swizzle_{2 * n}b>"
        box = f"{ROWS}x{self.part}x{self.output}"
        own = f"k_major, swizzle_{self.part * SIZES[self.output]}b"
        return (
            f"!a = {a}\n!b = {b}\n!d = !tcgen05.tmem<{ROWS}x{self.columns}x{self.kind.sums}>\n"
            f"!t = !ws.smem<{box}, {own}>\n"
        )

    def _parameters(self) -> str:
        box, swizzle = self.kind.box, f"swizzle_{self.swizzle}b"
        n, depth = self.b_rows, self.depth
        a = f"%a : !ptx.tensor_map<{ROWS}x{depth}x{box}, {swizzle}>"
        b = f"%b : !ptx.tensor_map<{n}x{depth}x{box}, {swizzle}>"
        if self.b_major == "mn":
            b = f"%b : !ptx.tensor_map<{depth}x{n}x{box}, swizzle_{2 * n}b>"
        if self.a_from != "tma":
            a = "%a : i64"
        element = "s32" if self.output == "i32" else self.output
        own = f"{self.part}x{element}, swizzle_{self.part * SIZES[self.output]}b"
        c = "%c : i64"
        if self.epilogue == "tma":
            c = f"%c : !ptx.tensor_map<{self.box_rows}x{own}>"
        if self.epilogue == "residual":
            c += f", %r : !ptx.tensor_map<{ROWS}x{own}>"
        return f"{a}, {b}, {c}, %m : i32, %n : i32, %k : i32"

    def _rings(self) -> str:
        first, second = self.depths
        text = f"  %acc = ws.ring {self.sums} : !d\n"
        if self.is_joint:
            text += f"  %ab = ws.ring {first} : !a, !b\n"
        else:
            text += f"  %a_ring = ws.ring {first} : !a\n  %b_ring = ws.ring {second} : !b\n"
        if self.epilogue in ("tma", "residual"):
            text += f"  %tiles = ws.ring {self.stores} : !t\n"
        if self.epilogue == "relay":
            text += f"  %relay = ws.ring {self.stores} : !d\n"
        return text

    @staticmethod
    def _role(name: str, warps: int, body: str, words: str = "") -> str:
        threads = f" threads(%t){words}" if warps > 1 else words
        return f"    ws.role @{name} warps({warps}){threads} {{\n{body}    }}\n"

    @staticmethod
    def _over_blocks(body: str) -> str:
        return f"scf.for %block = %c0 to %blocks step %c1 : i32 {{\n{body}}}\n"

    @property
    def _loads_a(self) -> str:
        half = "half " if self.pair else ""
        return f"ws.tma_load %a[{half}%i, %block] to %sa\n"

    @property
    def _loads_b(self) -> str:
        half = "half %j" if self.pair else "%j"
        place = f"{half}, %block" if self.b_major == "k" else f"%block, {half}"
        return f"ws.tma_load %b[{place}] to %sb\n"

    def _loads(self) -> str:
        """The roles that load A and B."""
        if self.is_joint:
            both = f"ws.produce %ab by tma (%sa, %sb) {{\n{self._loads_a}{self._loads_b}}}\n"
            return self._role("load", 1, self._over_blocks(both))
        a = f"ws.produce %a_ring by tma (%sa) {{\n{self._loads_a}}}\n"
        b = f"ws.produce %b_ring by tma (%sb) {{\n{self._loads_b}}}\n"
        if self.a_from != "tma":
            a = ""
        if self.two_loads and a:
            roles = (("load_a", a), ("load_b", b))
            return "".join(self._role(name, 1, self._over_blocks(each)) for name, each in roles)
        return self._role("load", 1, self._over_blocks(a + b))

    def _fills(self) -> list[str]:
        """The role whose threads load A, if TMA does not."""
        if self.a_from == "tma":
            return []
        store = "ws.local_store %v to %s[%t, 0]"
        if self.a_from == "tensor":
            store = "ws.tmem_store %v to %s[0]"
        body = (
            f"%column = arith.muli %block, %c{self.depth} : i32\n"
            f"%v = ws.global_load %a[%row, %column] of (%m, %k) -> "
            f"vector<{self.depth}x{self.kind.tile}>\n"
            f"ws.produce %a_ring by threads (%s) {{\n{store}\n}}\n"
        )
        return [self._role("fill", 4, self._row() + self._over_blocks(body))]

    def _row(self) -> str:
        """The row of the thread in C."""
        if not self.pair:
            return f"%first = arith.muli %i, %c{ROWS} : i32\n%row = arith.addi %first, %t : i32\n"
        return (
            "%rank = ptx.special_register cluster_ctarank\n"
            "%twice = arith.muli %i, %c2 : i32\n%own = arith.addi %twice, %rank : i32\n"
            f"%first = arith.muli %own, %c{ROWS} : i32\n%row = arith.addi %first, %t : i32\n"
        )

    def _products(self) -> str:
        multiply = "ws.mma %d, %sa, %sb\n"
        if self.is_joint:
            body = f"ws.consume %ab by mma (%sa, %sb) {{\n{multiply}}}\n"
        else:
            rings = [("%a_ring", "%sa"), ("%b_ring", "%sb")]
            (x, sx), (y, sy) = rings if self.order[-1] % 2 else rings[::-1]
            inner = f"ws.consume {y} by mma ({sy}) {{\n{multiply}}}\n"
            body = f"ws.consume {x} by mma ({sx}) {{\n{inner}}}\n"
        text = f"ws.produce %acc by mma (%d) {{\n{self._over_blocks(body)}}}\n"
        return self._role("mma", 1, text, " leader" if self.pair else "")

    def _over_parts(self, body: str) -> str:
        return f"scf.for %at = %c0 to %c{self.columns} step %c{self.part} : i32 {{\n{body}}}\n"

    def _converted(self, value: str) -> tuple[str, str]:
        """The conversion of a vector of sums to C, and its name."""
        if self.output == self.kind.sums:
            return "", value
        types = f"vector<{self.part}x{self.kind.sums}> to vector<{self.part}x{self.output}>"
        return f"%h = arith.truncf {value} : {types}\n", "%h"

    def _column(self) -> str:
        return (
            f"%first_column = arith.muli %j, %c{self.columns} : i32\n"
            "%column = arith.addi %first_column, %at : i32\n"
        )

    def _load_sums(self) -> str:
        return f"%v = ws.tmem_load %d[%at] -> vector<{self.part}x{self.kind.sums}>\n"

    def _epilogue(self) -> list[str]:
        """The roles that store C."""
        convert, name = self._converted("%v")
        store = f"{self._column()}ws.global_store {name} to %c[%row, %column] of (%m, %n)\n"
        load = self._load_sums() + convert
        consume = "ws.consume %acc by threads (%d) {\n"
        vector = f"vector<{self.part}x{self.output}>"
        index = f"%number = arith.divui %column, %c{self.part} : i32\n"
        half = "half %i" if self.pair else "%i"
        if self.epilogue == "tma":
            body = (
                f"ws.produce %tiles by threads (%s) {{\n{load}{self._column()}{index}"
                f"ws.local_store {name} to %s[%t, 0]\nws.tma_store %s to %c[{half}, %number]\n}}\n"
            )
            return [self._role("store", 4, f"{consume}{self._over_parts(body)}}}\n")]
        if self.epilogue == "residual":
            read = (
                f"%w = ws.consume %tiles by threads (%s) -> {vector} {{\n"
                f"%x = ws.local_load %s[%t, 0] -> {vector}\nws.yield %x\n}}\n"
                f"%y = arith.addf {name}, %w : {vector}\n"
            )
            stored = store.replace(f"global_store {name}", "global_store %y")
            body = f"{consume}{self._over_parts(load + read + stored)}}}\n"
            bring = (
                f"{self._column()}{index}ws.produce %tiles by tma (%s) {{\n"
                f"ws.tma_load %r[{half}, %number] to %s\n}}\n"
            )
            return [
                self._role("bring", 1, self._over_parts(bring)),
                self._role("store", 4, self._row() + body),
            ]
        if self.epilogue == "relay":
            hand = (
                f"{consume}ws.produce %relay by threads (%e) {{\n"
                f"{self._over_parts(self._load_sums() + 'ws.tmem_store %v to %e[%at]' + chr(10))}"
                "}\n}\n"
            )
            body = f"ws.consume %relay by threads (%d) {{\n{self._over_parts(load + store)}}}\n"
            return [self._role("hand", 4, hand), self._role("store", 4, self._row() + body)]
        body = f"{consume}{self._over_parts(load + store)}}}\n"
        return [self._role("store", 4, self._row() + body)]

    # A run.

    def arguments(self, rng: np.random.Generator) -> tuple[list[Any], Array, Array]:
        """The arguments of a launch, C among them, and what C is expected to be."""
        m, n, k = self.sizes
        a, b = (rng.integers(-2, 3, (rows, k)) for rows in (m, n))
        r = rng.integers(-2, 3, (m, n)) * (self.epilogue == "residual")
        c = np.zeros((m, n), NUMPY[self.output])
        given = [a, b if self.b_major == "k" else b.T.copy()]
        tensors: list[Any] = [_bits(each.astype(self.kind.array)) for each in given]
        if self.a_from != "tma":
            tensors[0] = a.astype(self.kind.array).view(np.uint16)
        tensors.append(c if self.epilogue == "tma" else _bits(c))
        if self.epilogue == "residual":
            tensors.append(r.astype(NUMPY[self.output]))
        return [*tensors, m, n, k], c, (a @ b.T + r).astype(c.dtype)

    def launch(self) -> Launch:
        """The launch; persistent CTAs take two tiles each, if there are several."""
        grid = self.tiles[0] * self.ctas, self.tiles[1]
        if self.persistent:
            grid = (self.ctas * max(1, self.tiles[0] * self.tiles[1] // 2),)
        return Launch(grid, dynamic_shared_memory=shared_bytes(self.text()))


def _bits(array: Array) -> Array:
    return array.view(np.uint8) if array.dtype.itemsize == 1 else array


def program_of(seed: int) -> Program:
    """A random program."""
    random = Random(seed)
    kind = random.choice(KINDS)
    pair = random.random() < 0.35
    a_from = random.choice(("tma", "tma", "shared", "tensor")) if kind.is_wide else "tma"
    columns = random.choice((32, 32, 64, 128))
    swizzle = random.choice((32, 64, 128))
    b_rows = columns // (2 if pair else 1)
    b_major = "k"
    if kind.is_wide and b_rows <= 64 and random.random() < 0.4:
        b_major = "mn"
    is_joint = a_from == "tma" and random.random() < 0.5
    epilogues = ["global", "tma", "relay"] + (["residual"] if kind.sums == "f32" else [])
    tiles = random.choice(((1, 1), (1, 1), (1, 2), (2, 1)))
    m_tail = random.choice((0, 0, 1, 37))
    n_tail = random.choice((0, 8, 16))
    return Program(
        kind=kind,
        pair=pair,
        persistent=random.random() < 0.5,
        columns=columns,
        swizzle=swizzle,
        is_joint=is_joint,
        depths=(random.randint(1, 6), random.randint(1, 6)),
        sums=random.randint(1, 2),
        a_from=a_from,
        b_major=b_major,
        two_loads=random.random() < 0.5,
        epilogue=random.choice(epilogues),
        output=random.choice(kind.outputs),
        stores=random.randint(1, 2),
        box_rows=random.choice((8, 32, 64, 128)),
        order=tuple(random.sample(range(8), 8)),
        tiles=tiles,
        blocks=random.randint(1, 3),
        tails=(m_tail, n_tail, random.choice((0, 0, 16 // kind.bytes))),
    )

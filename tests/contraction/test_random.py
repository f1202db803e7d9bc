"""Random contractions with random epilogues: the emulator computes what XLA does on the CPU."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
import pytest

from tcgen05_dialect.jax import lower

from ..support.effort import part
from .jax_programs import BF16, E4M3, F16, F32, I8, jax, jnp

EXTENTS = {
    "b": (1, 2, 3),
    "m": (1, 5, 16, 64, 130),
    "n": (1, 8, 24, 40, 72),
    "k": (1, 8, 16, 33, 64, 72),
    "l": (2, 4),
    "x": (2, 4),
}
EPILOGUES: Mapping[str, Callable[[Any], Any]] = {
    "relu": lambda y: jnp.maximum(y, 0),
    "twice": lambda y: y + y * 2,
    "exchanged": lambda y: jnp.swapaxes(y, 0, -1),
    "squares": lambda y: jnp.minimum(y, y * y),
    "selected": lambda y: jnp.where(y > 1, y, -y),
    "rounded": lambda y: y.astype(BF16) if y.dtype == F32 else y,
    "row_sums": lambda y: y.sum(axis=-1) if y.ndim > 1 else y,
    "softmax": lambda y: jax.nn.softmax(y * 0.1) if y.dtype == F32 else y,
    "matrix": lambda y: y.reshape(-1, y.shape[-1]) if y.ndim else y,
}


@dataclass(frozen=True)
class Program:
    """A contraction, the type of its factors, and what is done with its sums."""

    einsum: str
    element: Any
    extents: tuple[tuple[str, int], ...]
    epilogue: tuple[str, ...]

    def __call__(self, a: Any, b: Any) -> Any:
        sums = jnp.int32 if self.element == I8 else F32
        result = jnp.einsum(self.einsum, a, b, preferred_element_type=sums)
        for name in self.epilogue:
            result = EPILOGUES[name](result)
        return result


def program(seed: int) -> Program:
    random = Random(seed)
    batch, more, inner = ([each] * (random.random() < 0.4) for each in "bxl")
    factors = [*batch, "m", *more, "k", *inner], [*batch, "n", "k", *inner]
    result = [*batch, "m", *more, "n"]
    for letters in (*factors, result):
        random.shuffle(letters)
    text = f"{''.join(factors[0])},{''.join(factors[1])}->{''.join(result)}"
    extents = tuple((letter, random.choice(choices)) for letter, choices in EXTENTS.items())
    element = random.choice((BF16, BF16, F16, E4M3, I8))
    epilogue = random.choices([*EPILOGUES], k=random.randrange(4))
    return Program(text, element, extents, tuple(epilogue))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(part(96)))
def test_random(seed: int) -> None:
    given, numbers = program(seed), np.random.default_rng(seed)
    extents, factors = dict(given.extents), given.einsum.split("->")[0].split(",")
    shapes = [tuple(extents[letter] for letter in each) for each in factors]
    arrays = [jnp.asarray(numbers.integers(-3, 4, shape), given.element) for shape in shapes]
    # XLA on the CPU lacks some products of 16 bits; the numbers are exact in f32.
    wide = [each if given.element == I8 else each.astype(F32) for each in arrays]
    expected, kernels = given(*wide), lower(given, *arrays)
    found = kernels.emulate(*arrays)
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
    a, b = (np.asarray(jnp.asarray(each).astype(F32), np.float64) for each in (found, expected))
    assert np.abs(a - b).max() <= 0.02 * max(np.abs(b).max(), 1e-6)
    assert all(each.verdict.startswith("verified") for each in kernels.verify())

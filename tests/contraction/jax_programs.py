"""Programs of JAX, with the shapes and types of their arguments."""

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple, cast

jax: Any = import_module("jax")  # Many of its types are unknown.
jnp: Any = jax.numpy
BF16, F16, F32, I8, E4M3, BOOL = (
    jnp.bfloat16,
    jnp.float16,
    jnp.float32,
    jnp.int8,
    jnp.float8_e4m3fn,
    jnp.bool_,
)


class Case(NamedTuple):
    """A function, and its arguments: each a shape and a type."""

    function: Callable[..., Any]
    arguments: tuple[tuple[tuple[int, ...], Any], ...]
    kernels: int = 1
    tf32: bool = False


def case(function: Callable[..., Any] | str, *given: Any, **options: Any) -> Case:
    """A function, or the text of a lambda, and shapes, each followed by a type if it differs from
    that before."""
    arguments: list[tuple[tuple[int, ...], Any]] = []
    element: Any = BF16
    for each in given:
        if type(each) is tuple:
            arguments.append((cast("tuple[int, ...]", each), element))
        else:
            element = each
            arguments[-1] = arguments[-1][0], element
    compiled = eval(f"lambda {function}") if isinstance(function, str) else function
    return Case(compiled, tuple(arguments), **options)


def dot(a: Any, b: Any, **more: Any) -> Any:
    return jnp.matmul(a, b, preferred_element_type=more.get("to", F32))


def lora(x: Any, w: Any, a: Any, b: Any) -> Any:
    return dot(x, w) + dot(dot(x, a).astype(BF16), b)


def swiglu(x: Any, w: Any, v: Any) -> Any:
    return (jax.nn.silu(dot(x, w)) * dot(x, v)).astype(BF16)


def mlp(x: Any, a: Any, b: Any, c: Any) -> Any:
    x = jax.nn.relu(x @ a)
    x = jax.nn.gelu(x @ b)
    return x @ c


def int8_scaled(a: Any, b: Any, sa: Any, sb: Any, r: Any) -> Any:
    sums = jax.lax.dot_general(a, b, (((1,), (1,)), ((), ())), preferred_element_type=jnp.int32)
    return (sums.astype(F32) * sa[:, None] * sb[None, :]).astype(BF16) + r


def layer_norm(x: Any) -> Any:
    centred = x - x.mean(axis=1, keepdims=True)
    return centred * jax.lax.rsqrt(x.var(axis=1, keepdims=True) + 1e-5)


def einsum(text: str) -> Callable[..., Any]:
    def compute(*arrays: Any) -> Any:
        return jnp.einsum(text, *arrays, preferred_element_type=F32)

    return compute


CASES: dict[str, Case] = {
    "matmul": case(dot, (128, 64), (64, 128)),
    "bias": case("x, w, b: dot(x, w) + b", (128, 64), (64, 96), (96,)),
    "relu": case("x, w, b: jax.nn.relu(dot(x, w) + b)", (130, 72), (72, 40), (40,)),
    "gelu": case("x, w: jax.nn.gelu(dot(x, w))", (64, 64), (64, 64)),
    "gelu_exact": case("x, w: jax.nn.gelu(dot(x, w), approximate=False)", (64, 64), (64, 64)),
    "silu_residual": case("x, w, r: jax.nn.silu(x @ w) + r", (64, 64), (64, 64), (64, 64)),
    "swiglu": case(swiglu, (64, 64), (64, 128), (64, 128), kernels=2),
    "lora": case(lora, (64, 64), (64, 128), (64, 16), (16, 128), kernels=3),
    "batch": case(einsum("bij,bjk->bik"), (3, 64, 64), (3, 64, 64)),
    "batch_shared": case(einsum("bij,jk->bik"), (3, 40, 64), (64, 48)),
    "batch_inside": case(einsum("ibj,kbj->bik"), (64, 2, 64), (64, 2, 64)),
    "heads": case(einsum("bqhd,bkhd->bhqk"), (2, 64, 2, 64), (2, 64, 2, 64)),
    "heads_out": case(einsum("bqhd,hdo->bqo"), (2, 64, 2, 64), (2, 64, 64)),
    "two_sums": case(einsum("iab,abj->ij"), (64, 4, 32), (4, 32, 64)),
    "two_sums_apart": case(einsum("aib,bja->ij"), (4, 64, 32), (32, 64, 4), kernels=2),
    "mn_major_a": case(einsum("ki,kj->ij"), (64, 128), (64, 64)),
    "mn_major_ab": case(einsum("ki,jk->ij"), (64, 136), (72, 64)),
    "transposed_result": case("x, w: dot(x, w).T", (64, 64), (64, 128)),
    "transposed_operand": case("x, w: x.T @ w.T", (64, 128), (64, 64)),
    "tf32": case(dot, (64, 64), F32, (64, 64), F32, tf32=True, kernels=2),
    "tf32_mn_major": case(einsum("ki,kj->ij"), (64, 64), F32, (64, 64), F32, tf32=True, kernels=3),
    "f16": case(dot, (64, 64), F16, (64, 64), F16),
    "e4m3": case(dot, (64, 128), E4M3, (128, 64), E4M3),
    "e4m3_dequantized": case(
        "x, w, s: dot(x, w.astype(BF16)) * s", (64, 64), (64, 64), E4M3, (64,), F32, kernels=2
    ),
    "int8": case(int8_scaled, (64, 64), I8, (64, 64), I8, (64,), F32, (64,), F32, (64, 64), BF16),
    "mlp": case(mlp, (64, 64), (64, 128), (128, 128), (128, 64), kernels=3),
    "convolution_1x1": case(einsum("nhwc,co->nhwo"), (2, 5, 7, 64), (64, 32)),
    "vmap": case("x, w: jax.vmap(lambda x, w: jnp.tanh(x @ w))(x, w)", (3, 32, 64), (3, 64, 32)),
    "matvec": case(dot, (136, 64), (64,)),
    "vecmat": case(dot, (64,), (64, 136)),
    "outer": case(einsum("i,j->ij"), (64,), (72,)),
    "dot": case(einsum("k,k->"), (136,), (136,)),
    "clip": case("x, w: jnp.clip(dot(x, w), -2, 3)", (64, 64), (64, 64)),
    "where": case("x, w, m: jnp.where(m, dot(x, w), -jnp.inf)", (64, 64), (64, 64), (64, 64), BOOL),
    "padded": case("x, w: jnp.pad(dot(x, w), 1)", (30, 64), (64, 40), kernels=2),
    "comparison": case("x, w: dot(x, w) > 0", (64, 64), (64, 64)),
    "mixed": case(dot, (64, 64), (64, 64), F32, tf32=True, kernels=3),
    "odd_rows": case(dot, (65, 33), (33, 67), kernels=3),
    "odd_int8": case("a, b: dot(a, b, to=jnp.int32)", (65, 33), I8, (33, 67), I8, kernels=3),
    "two_results": case("x, w: (dot(x, w), jnp.exp(dot(x, w)))", (64, 64), (64, 64), kernels=2),
    "scalar": case("x, w, s: dot(x, w) * s", (64, 64), (64, 64), ()),
    "column": case("x, w, s: dot(x, w) * s[:, None]", (64, 64), (64, 64), (64,)),
    "transposed_residual": case("x, w, r: dot(x, w) + r.T", (64, 64), (64, 96), (96, 64)),
    "reshaped": case("x, w: dot(x.reshape(64, 64), w).reshape(4, 16, 8, 8)", (4, 16, 64), (64, 64)),
    "merged_heads": case(
        'q, k, w: dot(einsum("bqk,bkd->qbd")(q, k).astype(BF16).reshape(64, 128), w)',
        (2, 64, 64),
        (2, 64, 64),
        (128, 64),
        kernels=2,
    ),
    "slices": case("x, w: dot(x[:, 64:], w[8:72])", (64, 128), (80, 64), kernels=3),
    "long": case(dot, (32, 1000), (1000, 24)),
    "elementwise": case("x, y: jax.nn.sigmoid(x) * y + 1", (7, 33), (7, 33)),
    "integers": case("x, y: jnp.maximum(x, y) * 2 - y", (5, 40), jnp.int32, (5, 40), jnp.int32),
    "row_mask": case(
        "x, w, m: jnp.where(m[:, None], dot(x, w), 0)", (64, 64), (64, 64), (64,), BOOL
    ),
    "row_scale_e4m3": case(
        "x, w, s: dot(x, w) * s[:, None].astype(F32)", (64, 64), (64, 64), (64,), E4M3
    ),
    "transposed_mask": case(
        "x, w, m: jnp.where(m.T, dot(x, w), 0)", (64, 64), (64, 48), (48, 64), BOOL
    ),
    "uint8": case("a, b: dot(a, b, to=jnp.int32)", (64, 64), jnp.uint8, (64, 64), jnp.uint8),
    "bool_result": case("x, w: dot(x, w).T > 0", (64, 64), (64, 48)),
}
CASES.update(
    {
        "row_sum": case("x, w: dot(x, w).sum(axis=1)", (72, 64), (64, 40)),
        "column_max": case("x, w: dot(x, w).max(axis=0)", (72, 64), (64, 40)),
        "softmax": case("x, w: jax.nn.softmax(dot(x, w))", (72, 64), (64, 40)),
        "layer_norm": case(layer_norm, (40, 72), F32),
        "attention": case(
            "q, k, v: jax.nn.dot_product_attention(q, k, v)",
            (2, 64, 2, 32),
            (2, 48, 2, 32),
            (2, 48, 2, 32),
            kernels=2,
        ),
        "long_softmax": case("x, w: jax.nn.softmax(dot(x, w))", (40, 64), (64, 300), kernels=3),
    }
)


def convolution(
    stride: int, padding: str, x_order: str = "NHWC", w_order: str = "HWIO"
) -> Callable[..., Any]:
    def compute(x: Any, w: Any) -> Any:
        return jax.lax.conv_general_dilated(
            x, w, (stride, stride), padding, dimension_numbers=(x_order, w_order, x_order)
        )

    return compute


def block(x: Any, q: Any, k: Any, v: Any, o: Any, up: Any, down: Any, scale: Any) -> Any:
    """A block of a transformer."""
    h = x * scale
    heads = (jnp.einsum("bsd,dhk->bshk", h, each) for each in (q, k, v))
    x = x + jnp.einsum("bshk,hkd->bsd", jax.nn.dot_product_attention(*heads), o)
    return x + jax.nn.gelu(x @ up) @ down


def convolutions(x: Any, a: Any, b: Any, w: Any) -> Any:
    """Two convolutions, the mean of the pixels, and a classifier."""
    x = jax.nn.relu(convolution(1, "SAME")(x, a))
    x = jax.nn.relu(convolution(2, "SAME")(x, b))
    return x.mean(axis=(1, 2)).astype(BF16) @ w


_HEADS = (64, 2, 32)
CASES.update(
    {
        "block": case(
            block,
            *((2, 48, 64), _HEADS, _HEADS, _HEADS, (2, 32, 64), (64, 128), (128, 64), (64,)),
            kernels=10,
        ),
        "convolutions": case(
            convolutions, (2, 10, 10, 8), (3, 3, 8, 16), (3, 3, 16, 32), (32, 10), kernels=6
        ),
        "repeated": case(
            "x, w, b: jnp.where(dot(x, w) > 0, dot(x, w) + b, dot(x, w))",
            *((40, 64), (64, 32), (32,)),
        ),
        "unsigned": case("x, y: x // y + (x > y)", (5, 40), jnp.uint8, (5, 40), jnp.uint8),
        "unsigned_words": case(
            "x, y: (jnp.maximum(x, 3) // (y + 1)).astype(F32)",
            *((5, 40), jnp.uint32, (5, 40), jnp.uint32),
        ),
        "jit": case(jax.jit(swiglu), (64, 64), (64, 128), (64, 128), kernels=2),
        "signed": case("x, y: (x * y) >> 1", (5, 40), I8, (5, 40), I8),
        "one_column": case(einsum("mck,nkc->nmc"), (130, 3, 64), (1, 64, 3), kernels=2),
        "one_row_sum": case("x, w: jnp.minimum(dot(x, w).sum(axis=1), 3)", (1, 64), (64, 72)),
        "one_row": case(einsum("bkm,bnk->nmb"), (3, 1, 1), (3, 8, 1), kernels=2),
        "one_k": case(einsum("kmc,ckn->cnm"), (1, 1, 2), (2, 1, 24), kernels=2),
        "persistent": case(einsum("bij,bjk->bik"), (150, 8, 16), (150, 16, 8)),
        "pairs": case(dot, (2560, 16), (16, 1040)),
        "bytes_apart": case(
            "x, w: einsum('bmk,bkn->mnb')(x, w).astype(E4M3)", (3, 20, 64), (3, 64, 24), kernels=2
        ),
        "odd_bytes": case("x, w: dot(x, w).astype(jnp.int8)", (5, 64), (64, 33), kernels=2),
        "convolution_3x3": case(convolution(1, "VALID"), (2, 8, 9, 16), (3, 3, 16, 32)),
        "convolution_same": case(convolution(1, "SAME"), (2, 8, 9, 16), (3, 3, 16, 32), kernels=2),
        "convolution_nchw": case(
            convolution(1, "VALID", "NCHW", "OIHW"), (2, 16, 5, 7), (24, 16, 3, 3), kernels=2
        ),
        "convolution_oihw": case(
            convolution(2, "SAME", "NHWC", "OIHW"), (2, 9, 7, 16), (24, 16, 3, 3), kernels=3
        ),
        "convolution_3_channels": case(
            convolution(1, "VALID"), (2, 5, 7, 3), (3, 3, 3, 16), kernels=2
        ),
        "convolution_stride": case(
            convolution(2, "SAME"), (1, 9, 9, 16), (3, 3, 16, 24), kernels=2
        ),
    }
)


def causal(q: Any, k: Any, v: Any) -> Any:
    """Attention in which two heads of queries share one of keys, and no query sees later keys."""
    return jax.nn.dot_product_attention(q, k, v, is_causal=True)


def rotary(x: Any) -> Any:
    """A rotary embedding, with its table."""
    length, _, size = x.shape
    steps = 10000 ** (-jnp.arange(0, size, 2, dtype=F32) / size)
    angles = jnp.arange(length, dtype=F32)[:, None] * steps
    cos, sin = (f(angles)[:, None, :] for f in (jnp.cos, jnp.sin))
    a, b = jnp.split(x.astype(F32), 2, axis=-1)
    return jnp.concatenate([a * cos - b * sin, b * cos + a * sin], axis=-1).astype(x.dtype)


def loss(x: Any, w: Any, labels: Any) -> Any:
    logits = jax.nn.log_softmax(dot(x, w), axis=-1)
    return -(jax.nn.one_hot(labels, w.shape[1]) * logits).sum(axis=-1).mean()


def packed(x: Any, w: Any, scale: Any) -> Any:
    """A product with a matrix of 4 bits, two in each byte."""
    low, high = (w << 4).astype(I8) >> 4, w >> 4
    wide = jnp.stack([low, high], axis=-1).reshape(w.shape[0], -1)
    return x @ (wide.astype(BF16) * scale).T


def pooled(x: Any) -> Any:
    window = (1, 2, 3, 1), (1, 2, 2, 1)
    most = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, *window, "VALID")
    return most + jax.lax.reduce_window(x, 0.0, jax.lax.add, *window, "VALID")


def powers_of_negative_numbers(x: Any) -> Any:
    return sum(jax.lax.pow(x, jnp.full_like(x, each)) for each in (9.0, 10.0, 2.0))


def grouped(groups: int) -> Callable[..., Any]:
    def compute(x: Any, w: Any) -> Any:
        return jax.lax.conv_general_dilated(
            *(x, w, (1, 1), "SAME"),
            rhs_dilation=(2, 1),
            dimension_numbers=("NHWC", "HWIO", "NHWC"),
            feature_group_count=groups,
        )

    return compute


CASES.update(
    {
        "causal": case(causal, (1, 64, 4, 32), (1, 64, 2, 32), (1, 64, 2, 32), kernels=2),
        "rotary": case(rotary, (24, 2, 64), kernels=3),
        "loss": case(loss, (32, 64), (64, 40), (32,), jnp.int32, kernels=4),
        "packed": case(packed, (32, 64), (40, 32), I8, (), BF16, kernels=4),
        "pooled": case(pooled, (2, 6, 9, 8), F32, kernels=4),
        "groups": case(grouped(2), (1, 6, 5, 16), (3, 3, 8, 32), kernels=3),
        "cumsum": case("x: jnp.cumsum(x, axis=1)", (5, 24), F32, kernels=2),
        "cummax": case("x: jax.lax.cummax(x, axis=1)", (5, 24), F32, kernels=3),
        "padded_by_3": case("x: jnp.pad(x, 2, constant_values=3)", (5, 24), F32, kernels=2),
        "unsigned_max": case("x: x.max(axis=1) - x.min(axis=1)", (5, 24), jnp.uint8, kernels=2),
        "powers": case("x: abs(x) ** 1.5 + x ** 3 + (x * x + 1) ** -2", (5, 24), F32),
        "odd_powers": case(powers_of_negative_numbers, (5, 24), F32),
        "rounded": case("x, s: jnp.clip(jnp.round(x / s), -3, 3)", (5, 24), F32, (), F32),
        "remainders": case("x: jnp.where(x % 3 == 1, -x, x // 2)", (5, 24), jnp.int32),
        "f32_matvec": case(dot, (72, 40), F32, (40,), F32),
        "finite": case("x: jnp.where(jnp.isfinite(1 / (x - x[0])), x, 0)", (5, 24), F32),
    }
)


def group_norm(x: Any, g: Any) -> Any:
    """The mean and the variance of groups of channels, which are parts of a dimension."""
    groups = x.reshape(2, 9, 4, 4)
    groups = groups - groups.mean((1, 3), keepdims=True)
    return (groups / jnp.sqrt(groups.var((1, 3), keepdims=True) + 1e-5)).reshape(x.shape) * g


def quantized(x: Any, w: Any) -> Any:
    """A product in e4m3, scaled by the largest number."""
    scale = abs(x).max().astype(F32) / 448
    return dot((x.astype(F32) / scale).astype(E4M3), w) * scale


def gradient(strides: int, argument: int) -> Callable[..., Any]:
    def total(x: Any, w: Any) -> Any:
        return convolution(strides, "SAME")(x, w).astype(F32).sum()

    return jax.grad(total, argument)


def truths(a: Any, b: Any) -> Any:
    return a < b, a >= b, jnp.maximum(a, b), a.any(axis=1), b.all(axis=1)


def bits(x: Any) -> Any:
    return jax.lax.bitcast_convert_type(x, jnp.int16) & 0x7FF0


@jax.checkpoint
def sine(w: Any, x: Any) -> Any:
    return jnp.sin(x @ w)


def sine_total(w: Any, x: Any) -> Any:
    return sine(w, x).astype(F32).sum()


CASES.update(
    {
        "group_norm": case(group_norm, (2, 3, 3, 16), F32, (16,), F32, kernels=7),
        "quantized": case(quantized, (24, 32), (32, 40), E4M3, kernels=5),
        "reversed": case(
            "x, w: jnp.flip(x, (0, 1)) @ jnp.flip(w, 0)", (24, 32), (32, 40), kernels=3
        ),
        "reversed_sums": case("x: jnp.flip(x, 1).sum(axis=0)[:4] + x[::-2, 3]", (8, 8), F32),
        "convolution_transposed": case(
            "x, w: jax.lax.conv_transpose(x, w, (2, 2), 'SAME')",
            *((1, 5, 4, 16), (3, 3, 16, 8)),
            kernels=2,
        ),
        "gradient_of_input": case(gradient(2, 0), (1, 6, 6, 16), (3, 3, 16, 8), kernels=3),
        "gradient_of_filter": case(gradient(1, 1), (1, 6, 6, 16), (3, 3, 16, 8), kernels=3),
        "truths": case(truths, (24, 8), BOOL, (24, 8), BOOL, kernels=5),
        "bits": case(bits, (24, 8)),
        "checkpoint": case(jax.grad(sine_total), (32, 40), (24, 32), kernels=2),
        "f32_matrix_bf16_vector": case("x, v: jax.lax.dot(x, v)", (24, 64), F32, (64,), BF16),
        "cut": case("x: jax.lax.pad(x, 2.0, ((-1, 2, 0), (1, -2, 1)))", (5, 8), F32, kernels=3),
        "f32_outer": case(einsum("i,jk->ijk"), (5,), F32, (4, 24), F32),
        "dilated": case("x: jax.lax.pad(x, 2.0, ((1, 0, 2), (0, 3, 1)))", (5, 24), F32, kernels=2),
    }
)

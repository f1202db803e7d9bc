"""Functions of linalg on tensors, each with the result that numpy computes."""

from collections.abc import Callable
from typing import Any, NamedTuple, cast

import ml_dtypes
import numpy as np

DTYPES: dict[str, Any] = {
    "bf16": ml_dtypes.bfloat16,
    "f16": np.float16,
    "f32": np.float32,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "i8": np.int8,
    "i32": np.int32,
}


class Case(NamedTuple):
    """A text, its arguments, each a shape and a type, and the expected result."""

    text: str
    arguments: tuple[tuple[tuple[int, ...], str], ...]
    expected: Callable[..., Any]
    kernels: int = 1


def tensor(shape: tuple[int, ...], type_: str) -> str:
    return f"tensor<{'x'.join((*map(str, shape), type_))}>"


def maps(letters: str, *operands: str) -> str:
    loops = ", ".join(letters)
    texts = (f"affine_map<({loops}) -> ({', '.join(each)})>" for each in operands)
    return f"[{', '.join(texts)}]"


def function(arguments: Any, result: str, body: str) -> str:
    """A function whose body gives %result; %zero is an f32."""
    given = ", ".join(f"%x{at}: {tensor(*each)}" for at, each in enumerate(arguments))
    return f"""func.func @kernel({given}) -> {result} {{
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i32
{body}
  func.return %result : {result}
}}
"""


def contraction(
    einsum: str,
    extents: dict[str, int],
    types: tuple[str, str, str] = ("bf16", "bf16", "f32"),
    op: str = "linalg.contract indexing_maps = {maps}",
    adds: bool = False,
    tf32: bool = False,
) -> Case:
    """A product with the letters of einsum; with `adds` it is added to the third argument."""
    inputs, out = einsum.split("->")
    shapes = [tuple(extents[i] for i in each) for each in (*inputs.split(","), out)]
    letters = "".join(dict.fromkeys(out + inputs.replace(",", "")))
    arguments = tuple(zip(shapes, types, strict=True))[: 3 if adds else 2]
    result = tensor(shapes[2], types[2])
    zero = "%none : i32" if types[2] == "i32" else "%zero : f32"
    start = "" if adds else f"  %empty = tensor.empty() : {result}\n"
    if not adds and types[2] in ("f32", "i32"):
        start += f"  %x2 = linalg.fill ins({zero}) outs(%empty : {result}) -> {result}\n"
    elif not adds:
        start = f"  %x2 = arith.constant dense<0.0> : {result}\n"
    head = op.format(maps=maps(letters, *inputs.split(","), out))
    operands = f"ins(%x0, %x1 : {tensor(*arguments[0])}, {tensor(*arguments[1])})"
    body = f"{start}  %result = {head} {operands} outs(%x2 : {result}) -> {result}"
    text = function(arguments, result, body)
    if tf32:
        text = text.replace(f"-> {result} {{", f"-> {result} attributes {{tcgen05.tf32}} {{", 1)

    def expected(a: Any, b: Any, *start: Any) -> Any:
        return np.einsum(einsum, a, b) + (start[0] if start else 0)

    return Case(text, arguments, expected)


def pointwise(arguments: Any, result: str, letters: str, operands: Any, body: str) -> str:
    """A linalg.generic without reductions; its result is %result."""
    ins = ", ".join(name for name, _ in arguments)
    types = ", ".join(type_ for _, type_ in arguments)
    kinds = ", ".join('"parallel"' for _ in letters)
    return f"""  %out = tensor.empty() : {result}
  %result = linalg.generic {{indexing_maps = {maps(letters, *operands, letters)},
      iterator_types = [{kinds}]}} ins({ins} : {types}) outs(%out : {result}) {{
  {body}
  }} -> {result}"""


def epilogue(
    block: str,
    more: dict[str, tuple[str, str]],
    expected: Callable[..., Any],
    result: str = "f32",
    m: int = 72,
    n: int = 40,
    k: int = 64,
) -> Case:
    """A product, and a generic operation on it; `more` has the letters and the type of each other
    argument."""
    sizes = {"m": m, "n": n}
    others = tuple((tuple(sizes[i] for i in letters), type_) for letters, type_ in more.values())
    arguments = (((m, k), "bf16"), ((k, n), "bf16"), *others)
    product = tensor((m, n), "f32")
    start = f"""  %empty = tensor.empty() : {product}
  %start = linalg.fill ins(%zero : f32) outs(%empty : {product}) -> {product}
  %product = linalg.matmul ins(%x0, %x1 : {tensor(*arguments[0])}, {tensor(*arguments[1])})
      outs(%start : {product}) -> {product}
"""
    values = [("%product", product)]
    values += [(f"%x{at + 2}", tensor(*each)) for at, each in enumerate(others)]
    letters = ["mn", *(each for each, _ in more.values())]
    body = pointwise(values, tensor((m, n), result), "mn", letters, block)
    text = function(arguments, tensor((m, n), result), start + body)

    def whole(a: Any, b: Any, *rest: Any) -> Any:
        return expected(a @ b, *rest)

    return Case(text, arguments, whole)


def relu_of_sum(p: Any, b: Any) -> Any:
    return np.maximum(p + b, 0)


def tanh_of_scaled(p: Any, s: Any) -> Any:
    return cast(Any, np).tanh(p * s[:, None])


def selected(p: Any, a: Any, t: Any) -> Any:
    return cast(Any, np).where(p < a, t.T, p)


def squares(x: Any) -> Any:
    return (x * x).sum(axis=1)


def row_sums(x: Any, start: Any) -> Any:
    return x.sum(axis=1) + start


S = {"m": 72, "n": 40, "k": 64, "b": 3, "c": 2}
MATMUL, BATCH = "linalg.matmul", "linalg.batch_matmul"
CASES: dict[str, Case] = {
    **{
        f"matmul_{m}x{n}x{k}": contraction("mk,kn->mn", {"m": m, "n": n, "k": k}, op=MATMUL)
        for m, n, k in ((1, 64, 64), (128, 128, 64), (200, 72, 136), (130, 8, 16), (257, 24, 320))
    },
    "transpose_a": contraction("km,kn->mn", S, op="linalg.matmul_transpose_a"),
    "transpose_b": contraction("mk,nk->mn", S, op="linalg.matmul_transpose_b"),
    "matmul_maps": contraction("km,nk->mn", S, op="linalg.matmul indexing_maps = {maps}"),
    "batch": contraction("bmk,bkn->bmn", S, op=BATCH),
    "batch_transpose_a": contraction("bkm,bkn->bmn", S, op="linalg.batch_matmul_transpose_a"),
    "batch_transpose_b": contraction("bmk,bnk->bmn", S, op="linalg.batch_matmul_transpose_b"),
    "batch_broadcast": contraction(
        "mk,bkn->bmn", S, op="linalg.batch_matmul indexing_maps = {maps}"
    ),
    "matvec": contraction("mk,k->m", S, op="linalg.matvec"),
    "vecmat": contraction("k,kn->n", S, op="linalg.vecmat"),
    "contract": contraction("mk,kn->mn", S),
    "contract_transposed": contraction("mk,kn->nm", S),
    "contract_batch_last": contraction("mkb,knb->mnb", {**S, "b": 8}),
    "contract_two_batches": contraction("bcmk,bckn->bcmn", S),
    "contract_two_sums": contraction("mbk,bkn->mn", S),
    "contract_two_rows": contraction("bmk,kn->bmn", S),
    "contract_apart": contraction("bmk,kn->mbn", S),
    "f16": contraction("mk,kn->mn", S, ("f16", "f16", "f32"), MATMUL),
    "f16_result": contraction("mk,kn->mn", S, ("f16", "f16", "f16"), MATMUL),
    "bf16_result": contraction("mk,kn->mn", S, ("bf16", "bf16", "bf16"), MATMUL),
    "e4m3": contraction("mk,nk->mn", S, ("f8E4M3FN", "f8E4M3FN", "f32")),
    "e5m2_e4m3": contraction("mk,nk->mn", S, ("f8E5M2", "f8E4M3FN", "f32")),
    "e4m3_mn_major": contraction(
        "km,kn->mn", {**S, "m": 80, "n": 48}, ("f8E4M3FN", "f8E4M3FN", "f32")
    ),
    "i8": contraction("mk,nk->mn", S, ("i8", "i8", "i32")),
    "i8_mn_major": contraction("mk,kn->mn", {**S, "n": 48}, ("i8", "i8", "i32"), MATMUL),
    "tf32": contraction("mk,nk->mn", S, ("f32", "f32", "f32"), tf32=True),
    "added": contraction("mk,kn->mn", S, op=MATMUL, adds=True),
    "added_bf16": contraction("mk,kn->mn", S, ("bf16", "bf16", "bf16"), MATMUL, adds=True),
    "added_i32": contraction("mk,nk->mn", S, ("i8", "i8", "i32"), adds=True),
    "bias_relu": epilogue(
        """^bb0(%p: f32, %b: f32, %o: f32):
    %s = arith.addf %p, %b : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32""",
        {"b": ("n", "f32")},
        relu_of_sum,
    ),
    "row_scale_tanh": epilogue(
        """^bb0(%p: f32, %s: bf16, %o: bf16):
    %w = arith.extf %s : bf16 to f32
    %r = arith.mulf %p, %w : f32
    %t = math.tanh %r : f32
    %h = arith.truncf %t : f32 to bf16
    linalg.yield %h : bf16""",
        {"s": ("m", "bf16")},
        tanh_of_scaled,
        "bf16",
    ),
    "residual_select": epilogue(
        """^bb0(%p: f32, %a: f32, %t: f32, %o: f32):
    %c = arith.cmpf olt, %p, %a : f32
    %r = arith.select %c, %t, %p : f32
    linalg.yield %r : f32""",
        {"a": ("mn", "f32"), "t": ("nm", "f32")},
        selected,
    ),
}
CASES["reduce"] = Case(
    function(
        (((40, 72), "f32"), ((40,), "f32")),
        "tensor<40xf32>",
        """  %result = linalg.reduce ins(%x0 : tensor<40x72xf32>) outs(%x1 : tensor<40xf32>)
    dimensions = [1]
    (%a: f32, %b: f32) {
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
    }""",
    ),
    (((40, 72), "f32"), ((40,), "f32")),
    row_sums,
)
CASES["sum_of_squares"] = Case(
    function(
        (((40, 72), "f32"),),
        "tensor<40xf32>",
        f"""  %start = arith.constant dense<0.0> : tensor<40xf32>
  %result = linalg.generic {{indexing_maps = {maps("mk", "mk", "m")},
      iterator_types = ["parallel", "reduction"]}}
      ins(%x0 : tensor<40x72xf32>) outs(%start : tensor<40xf32>) {{
  ^bb0(%x: f32, %o: f32):
    %square = arith.mulf %x, %x : f32
    %sum = arith.addf %o, %square : f32
    linalg.yield %sum : f32
  }} -> tensor<40xf32>""",
    ),
    (((40, 72), "f32"),),
    squares,
)
CASES["generic_sum"] = Case(
    function(
        (((40, 72), "f32"), ((40,), "f32")),
        "tensor<40xf32>",
        f"""  %result = linalg.generic {{indexing_maps = {maps("mk", "mk", "m")},
      iterator_types = ["parallel", "reduction"]}}
      ins(%x0 : tensor<40x72xf32>) outs(%x1 : tensor<40xf32>) {{
  ^bb0(%x: f32, %o: f32):
    %sum = arith.addf %x, %o : f32
    linalg.yield %sum : f32
  }} -> tensor<40xf32>""",
    ),
    (((40, 72), "f32"), ((40,), "f32")),
    row_sums,
)


def whole(text: str, types: str, expected: Callable[..., Any]) -> Case:
    """A body that gives %result; `types` are those of the arguments %x0 ... and of the result."""
    found = [each.removeprefix("tensor<").removesuffix(">").split("x") for each in types.split()]
    arguments = tuple((tuple(map(int, shape)), type_) for *shape, type_ in found)
    return Case(function(arguments[:-1], types.split()[-1], text), arguments[:-1], expected)


def convolved(x: Any, w: Any) -> Any:
    """Stride 2 along rows, dilation 2 along columns."""
    parts = (
        np.einsum("nhwc,cf->nhwf", x[:, i : i + 9 : 2, 2 * j : 2 * j + 8], w[i, j])
        for i in range(3)
        for j in range(2)
    )
    return sum(parts)


def depth_wise(x: Any, w: Any, start: Any) -> Any:
    return start + sum(x[:, i : i + 7] * w[i] for i in range(2))


def pooled(x: Any, start: Any) -> Any:
    return np.maximum(start, np.maximum(x[:, :, ::2], x[:, :, 1::2]))


def ninth_powers(x: Any, _: Any) -> Any:
    return x**9


def with_functions(x: Any, y: Any) -> Any:
    f: Any = np
    y = y / 2
    y = f.trunc(y) + f.where(abs(y % 1 - 0.5) < 1e-6, f.sign(y), 0)
    return (abs(x) / 4 - y) ** 2 / f.sqrt(1 + x * x)


CASES.update(
    {
        "convolution": whole(
            """  %start = arith.constant dense<0.0> : tensor<2x5x8x24xf32>
  %result = linalg.conv_2d_nhwc_hwcf
      {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 2]> : vector<2xi64>}
      ins(%x0, %x1 : tensor<2x11x10x8xbf16>, tensor<3x2x8x24xbf16>)
      outs(%start : tensor<2x5x8x24xf32>) -> tensor<2x5x8x24xf32>""",
            "tensor<2x11x10x8xbf16> tensor<3x2x8x24xbf16> tensor<2x5x8x24xf32>",
            convolved,
        ),
        "depthwise": whole(
            """  %result = linalg.depthwise_conv_1d_nwc_wc
      ins(%x0, %x1 : tensor<2x8x16xbf16>, tensor<2x16xbf16>)
      outs(%x2 : tensor<2x7x16xf32>) -> tensor<2x7x16xf32>""",
            "tensor<2x8x16xbf16> tensor<2x16xbf16> tensor<2x7x16xf32> tensor<2x7x16xf32>",
            depth_wise,
        ),
        "pooling": whole(
            """  %window = tensor.empty() : tensor<2xf32>
  %result = linalg.pooling_ncw_max {strides = dense<2> : tensor<1xi64>}
      ins(%x0, %window : tensor<2x8x16xf32>, tensor<2xf32>)
      outs(%x1 : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>""",
            "tensor<2x8x16xf32> tensor<2x8x8xf32> tensor<2x8x8xf32>",
            pooled,
        ),
        "functions": whole(
            """  %a = linalg.abs ins(%x0 : tensor<40x8xf32>) outs(%x1 : tensor<40x8xf32>)
      -> tensor<40x8xf32>
  %four = arith.constant dense<4.0> : tensor<8xf32>
  %fours = linalg.broadcast ins(%four : tensor<8xf32>) outs(%x1 : tensor<40x8xf32>) dimensions = [0]
  %quarter = linalg.div ins(%a, %fours : tensor<40x8xf32>, tensor<40x8xf32>)
      outs(%x1 : tensor<40x8xf32>) -> tensor<40x8xf32>
  %half = linalg.map ins(%x1 : tensor<40x8xf32>) outs(%x1 : tensor<40x8xf32>)
    (%in: f32, %out: f32) {
      %c = arith.constant 0.5 : f32
      %h = arith.mulf %in, %c : f32
      linalg.yield %h : f32
    }
  %rounded = linalg.round ins(%half : tensor<40x8xf32>) outs(%x1 : tensor<40x8xf32>)
      -> tensor<40x8xf32>
  %d = linalg.map { arith.subf } ins(%quarter, %rounded : tensor<40x8xf32>, tensor<40x8xf32>)
      outs(%x1 : tensor<40x8xf32>)
  %s = linalg.square ins(%d : tensor<40x8xf32>) outs(%x1 : tensor<40x8xf32>) -> tensor<40x8xf32>
  %result = linalg.generic {indexing_maps = MAPS, iterator_types = ["parallel", "parallel"]}
      ins(%s, %x0 : tensor<40x8xf32>, tensor<40x8xf32>) outs(%x1 : tensor<40x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %one = arith.constant 1.0 : f32
    %f = math.fma %q, %q, %one : f32
    %r = math.rsqrt %f : f32
    %m = arith.mulf %p, %r : f32
    linalg.yield %m : f32
  } -> tensor<40x8xf32>""".replace("MAPS", maps("mn", "mn", "mn", "mn")),
            "tensor<40x8xf32> tensor<40x8xf32> tensor<40x8xf32>",
            with_functions,
        ),
        "power": whole(
            """  %nine = arith.constant dense<9.0> : tensor<40x8xf32>
  %result = linalg.powf ins(%x0, %nine : tensor<40x8xf32>, tensor<40x8xf32>)
      outs(%x1 : tensor<40x8xf32>) -> tensor<40x8xf32>""",
            "tensor<40x8xf32> tensor<40x8xf32> tensor<40x8xf32>",
            ninth_powers,
        ),
        "short_reduce": whole(
            """  %result = linalg.reduce { arith.addf }
      ins(%x0 : tensor<40x72xf32>) outs(%x1 : tensor<40xf32>) dimensions = [1]""",
            "tensor<40x72xf32> tensor<40xf32> tensor<40xf32>",
            row_sums,
        ),
    }
)


def masked(x: Any) -> Any:
    rows, columns = cast(Any, np).indices(x.shape)
    return cast(Any, np).where(rows > 2 * columns, x, -9)


CASES["indices"] = whole(
    f"""  %out = tensor.empty() : tensor<24x40xf32>
  %low = arith.constant -9.0 : f32
  %result = linalg.generic {{indexing_maps = {maps("mn", "mn", "mn")},
      iterator_types = ["parallel", "parallel"]}}
      ins(%x0 : tensor<24x40xf32>) outs(%out : tensor<24x40xf32>) {{
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %two = arith.constant 2 : index
    %k = arith.muli %j, %two : index
    %c = arith.cmpi sgt, %i, %k : index
    %r = arith.select %c, %x, %low : f32
    linalg.yield %r : f32
  }} -> tensor<24x40xf32>""",
    "tensor<24x40xf32> tensor<24x40xf32>",
    masked,
)


def with_parts(x: Any, y: Any) -> Any:
    padded = np.pad(x[1, 2:12:2, 3:19], ((1, 2), (3, 1)), constant_values=2)
    joined = np.concatenate([padded[:, ::-1], y], axis=1)
    joined[1:5:2, 2:22:5] = y[:2, :4]
    return joined


CASES["parts"] = whole(
    """  %two = arith.constant 2.0 : f32
  %part = tensor.extract_slice %x0[1, 2, 3] [1, 5, 16] [1, 2, 1]
      : tensor<2x12x40xf32> to tensor<5x16xf32>
  %padded = tensor.pad %part low[1, 3] high[2, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %two : f32
  } : tensor<5x16xf32> to tensor<8x20xf32>
  %out = tensor.empty() : tensor<8x20xf32>
  %turned = linalg.generic {
      indexing_maps = [affine_map<(m, n) -> (m, -n + 19)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%padded : tensor<8x20xf32>) outs(%out : tensor<8x20xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<8x20xf32>
  %joined = tensor.concat dim(1) %turned, %x1
      : (tensor<8x20xf32>, tensor<8x8xf32>) -> tensor<8x28xf32>
  %corner = tensor.extract_slice %x1[0, 0] [2, 4] [1, 1] : tensor<8x8xf32> to tensor<2x4xf32>
  %result = tensor.insert_slice %corner into %joined[1, 2] [2, 4] [2, 5]
      : tensor<2x4xf32> into tensor<8x28xf32>""",
    "tensor<2x12x40xf32> tensor<8x8xf32> tensor<8x28xf32>",
    with_parts,
)
CASES["broadcast_a"] = contraction("m,kn->mn", {"m": 24, "k": 40, "n": 16})
CASES["broadcast_b"] = contraction("bmk,n->bmn", {"b": 2, "m": 24, "k": 40, "n": 16})


def low_bits(x: Any, y: Any) -> Any:
    return cast(Any, np).where(x % 2 == 1, 3, y) - x % 2


CASES["low_bits"] = whole(
    f"""  %out = tensor.empty() : tensor<40xf32>
  %three = arith.constant 3.0 : f32
  %result = linalg.generic {{indexing_maps = {maps("m", "m", "m", "m")},
      iterator_types = ["parallel"]}}
      ins(%x0, %x1 : tensor<40xi32>, tensor<40xf32>) outs(%out : tensor<40xf32>) {{
  ^bb0(%x: i32, %y: f32, %o: f32):
    %t = arith.trunci %x : i32 to i1
    %s = arith.sitofp %t : i1 to f32
    %c = arith.select %t, %three, %y : f32
    %r = arith.addf %c, %s : f32
    linalg.yield %r : f32
  }} -> tensor<40xf32>""",
    "tensor<40xi32> tensor<40xf32> tensor<40xf32>",
    low_bits,
)

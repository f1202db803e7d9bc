"""Tests of wrong arguments: each call with one fails at once, with a sentence."""

import inspect
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple, cast

import pytest
from xdsl.dialects.builtin import bf16, f32, i32, i64

from tcgen05_dialect import builder
from tcgen05_dialect.builder import Kernel, Role, accumulator, metadata, scale_factors, tile
from tcgen05_dialect.operations import ptx

ERRORS = (TypeError, ValueError, IndexError)
FACTORIES = [name for name, each in vars(builder).items() if inspect.isfunction(each)]

OBJECTS = (
    "number",
    "float",
    "pointer",
    "vector",
    "condition",
    "map",
    "ring",
    "token",
    "tile",
    "matrix",
    "branch",
    "held",
)


class Place(NamedTuple):
    """An open role, with an object of each kind."""

    kernel: Kernel
    role: Role
    objects: dict[str, Any]


@contextmanager
def place() -> Generator[Place]:
    kernel = Kernel("kernel")
    n, x, p = kernel.parameter("n"), kernel.parameter("x", f32), kernel.parameter("p", i64)
    a_map = kernel.tensor_map("a_map", 64, 64, element=bf16)
    ring = kernel.ring("ring", 2, tile(64, 64, bf16))
    matrices = kernel.ring("matrices", 2, accumulator(128, 64))
    stack = ExitStack()
    stack.enter_context(kernel.warp_specialize())
    role = stack.enter_context(kernel.role("role", 1))
    token, a = role.acquire(ring, by="threads")
    _, d = role.wait(matrices, by="threads")
    branch = role.if_(n > 3)
    held = role.carry(4, values=[n])
    stack.enter_context(held)
    values = n, x, p, x.splat(4), n > 1, a_map, ring, token, a, d, branch, held
    objects: dict[str, Any] = dict(zip(OBJECTS, values, strict=True))
    try:
        yield Place(kernel, role, objects)
    finally:
        error = RuntimeError("the kernel remains incomplete")
        stack.__exit__(type(error), error, None)


def receivers() -> Iterator[tuple[str, Callable[[Place], Any]]]:
    """The objects whose methods are called."""
    yield "kernel", lambda each: each.kernel
    yield "role", lambda each: each.role
    for name in OBJECTS:
        yield name, lambda each, name=name: each.objects[name]


def methods(receiver: object) -> Iterator[str]:
    for name, each in inspect.getmembers_static(type(receiver), inspect.isfunction):
        operator = name in ("__getitem__", "__add__", "__rsub__", "__lt__", "__truediv__")
        if (operator or not name.startswith("_")) and inspect.signature(each).parameters.keys() > {
            "self"
        }:
            yield name


def right(name: str, objects: dict[str, Any]) -> object:
    """A legal argument, by the name of the parameter."""
    known: dict[str, object] = {
        "name": "name",
        "type_": i32,
        "element": bf16,
        "extents": 64,
        "stages": 2,
        "buffers": tile(64, 64, bf16),
        "matrix": scale_factors(128, 4),
        "warps": 1,
        "ring": objects["ring"],
        "by": "threads",
        "tile": objects["tile"],
        "a": objects["tile"],
        "b": objects["tile"],
        "vector": objects["vector"],
        "pointer": objects["pointer"],
        "condition": objects["condition"],
        "shape": (objects["number"], 4),
        "values": [objects["number"]],
        "result": objects["number"].ssa_value,
        "kind": "add",
        "number": 1,
    }
    return known.get(name, 4)


WRONG: Sequence[Callable[[Place], object]] = [
    lambda each: None,
    lambda each: object(),
    lambda each: 0.0,
    lambda each: -1,
    lambda each: 0,
    lambda each: 2**40,
    lambda each: True,
    lambda each: "a word",
    lambda each: "add",
    lambda each: b"bytes",
    lambda each: {"a": 1},
    lambda each: [1, "a"],
    lambda each: [[1, 2], (3,)],
    lambda each: (each.objects["tile"],),
    lambda each: i32,
    lambda each: tile(64, 64, bf16),
    lambda each: metadata(128, 32),
    lambda each: each.kernel,
    lambda each: each.role,
    lambda each: ptx.RetOp,
    lambda each: each.kernel.op,
    lambda each: each.objects["number"].ssa_value,
    lambda each: int,
    *(lambda each, name=name: each.objects[name] for name in OBJECTS),
]
NEVER = [object(), {"a": 1}, b"bytes", int, ptx.RetOp]
"""Objects that no parameter takes."""


def calls(function: Callable[..., object], at: Place) -> Iterator[tuple[str, Callable[..., Any]]]:
    """A call for each parameter: a function of the argument for it; the other ones are legal."""
    parameters = list(inspect.signature(function).parameters.values())
    for wrong in parameters:
        if wrong.kind is not inspect.Parameter.VAR_KEYWORD:

            def call(argument: object, wrong: inspect.Parameter = wrong) -> object:
                positional: list[object] = []
                named: dict[str, object] = {}
                for each in parameters:
                    is_wrong = each.name == wrong.name
                    if each.default is not inspect.Parameter.empty and not is_wrong:
                        continue
                    value = argument if is_wrong else right(each.name, at.objects)
                    if each.kind is inspect.Parameter.KEYWORD_ONLY:
                        named[each.name] = value
                    elif each.kind is inspect.Parameter.VAR_POSITIONAL:
                        positional.extend([value, right(each.name, at.objects)])
                    elif each.default is inspect.Parameter.empty:
                        positional.append(value)
                    elif each.kind is not inspect.Parameter.VAR_KEYWORD:
                        named[each.name] = value
                return function(*positional, **named)

            yield wrong.name, call


def attempt(call: Callable[[object], object], argument: object, what: str) -> bool:
    """Whether an argument is refused, with a sentence."""
    try:
        call(argument)
    except ERRORS as error:
        text = str(error)
        assert "\n" not in text and len(text) < 700, (what, text)
        assert "NoneType" not in text and "object is not" not in text, (what, argument, text)
        return True
    except RuntimeError:
        return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, _ in receivers()])
def test_wrong_arguments_of_methods(name: str) -> None:
    receiver = dict(receivers())[name]
    with place() as at:
        names = list(methods(receiver(at)))
    for method in names:
        with place() as at:
            for parameter, call in calls(getattr(receiver(at), method), at):
                what = f"{name}.{method}: {parameter}"
                for wrong in WRONG:
                    attempt(call, wrong(at), what)
                if parameter not in ("other", "enter"):
                    assert all(attempt(call, each, what) for each in NEVER), what


def test_wrong_tiles_and_roles() -> None:
    kernel = Kernel("kernel", [2])
    n = kernel.parameter("n")
    for wrong, message in (
        ({"tiles": [(n, 0)]}, "extent of a tile must be 1 or more; found 0"),
        ({"tiles": [(n, 8)] * 4}, "dimensions of tiles must be at most 3; found 4"),
        ({"tiles": [(n, 8)] * 2, "group": 3}, "must be a multiple of 2, .*; found 3"),
        ({"persistent": True, "clc": True}, "must be persistent or clc; found both"),
    ):
        with pytest.raises(ValueError, match=message):
            kernel.warp_specialize(**cast(Any, wrong))
    with kernel.warp_specialize([(n, 8)] * 2, persistent=True, pair=True, group=3):
        with kernel.role("a", 1, registers=24):
            pass
        for name, registers, message in (
            ("a", None, "no other role of the kernel has; found 'a' again"),
            ("a b", None, "name must be a letter followed by .*; found 'a b'"),
            ("b", 25, "must be 24, 32, ... 256; found 25"),
        ):
            with pytest.raises(ValueError, match=message):
                kernel.role(name, 1, registers=registers)


@pytest.mark.parametrize("name", FACTORIES)
def test_wrong_arguments_of_functions(name: str) -> None:
    with place() as at:
        for parameter, call in calls(getattr(builder, name), at):
            for wrong in WRONG:
                attempt(call, wrong(at), f"{name}: {parameter}")
            assert all(attempt(call, each, f"{name}: {parameter}") for each in NEVER), name


def test_wrong_arguments_of_a_kernel() -> None:
    for each in ({"name": 3}, {"name": "k", "cluster": 2}, {"name": "k", "cluster": ["x"]}):
        with pytest.raises(TypeError, match=r"Kernel.__init__: (name|cluster) must be"):
            Kernel(**cast(Any, each))


SENTENCES: list[tuple[Callable[[Any, Any, dict[str, Any]], object], str]] = [
    (
        lambda kernel, role, o: role.value(0.0),
        "Scope.value: result must be an operation of xDSL with one result, or a value of xDSL, or "
        "a value of the kernel; found 0.0",
    ),
    (
        lambda kernel, role, o: role.consume(o["map"], by="threads"),
        "Role.consume: ring must be a ring; found a_map : !ptx.tensor_map<64x64xbf16, "
        "swizzle_128b>",
    ),
    (
        lambda kernel, role, o: role.consume(128, by="threads"),
        "Role.consume: ring must be a ring; found 128",
    ),
    (
        lambda kernel, role, o: role.produce(o["ring"], by="thread"),
        "Role.produce: by must be tma, mma or threads; found 'thread': did you mean threads?",
    ),
    (
        lambda kernel, role, o: o["tile"].load(1.5, 0, 4),
        "Tile.load: row must be an index, which is a value of the kernel or an int; found 1.5",
    ),
    (
        lambda kernel, role, o: role.load(0, 0, 0, 4, shape=(4, 4)),
        "Scope.load: pointer must be a value of the kernel; found 0",
    ),
    (
        lambda kernel, role, o: kernel.warp_specialize([(4, o["number"])]),
        "Kernel.warp_specialize: tiles must be a sequence of sizes and extents of tiles, such as "
        "[(m, 128), (n, 256)], in which each extent is an int; found [(4, n : i32)]",
    ),
    (
        lambda kernel, role, o: role.value(ptx.RetOp()),
        "value: expected a value, or an operation with one result; found ptx.ret, which has 0 "
        "results",
    ),
    (
        lambda kernel, role, o: o["matrix"].mma(o["tile"], o["matrix"]),
        "Matrix.mma: b must be a tile in shared memory; found matrix : !tcgen05.tmem<128x64xf32>",
    ),
]


STEP = "step of a loop must be a positive number; found {} [T5-PTX-111] (PTX ISA 9.7.12)"
MISPLACED: list[tuple[Callable[[Any, Any, dict[str, Any]], object], str]] = [
    (
        lambda kernel, role, o: kernel.parameter("n"),
        "the name of a parameter must be one that no other parameter of the kernel has; found 'n' "
        "again",
    ),
    (
        lambda kernel, role, o: kernel.tensor_map("x", 64, 64, element=bf16),
        "the name of a parameter must be one that no other parameter of the kernel has; found 'x' "
        "again",
    ),
    (
        lambda kernel, role, o: kernel.role("other", 1),
        "role other must be in the region of kernel.warp_specialize(); found in another region",
    ),
    (
        lambda kernel, role, o: Kernel("other").role("other", 1),
        "role other must be in the region of kernel.warp_specialize(); found outside of it",
    ),
    (
        lambda kernel, role, o: kernel.warp_specialize(),
        "warp_specialize must be once in a kernel, around all roles; found a second one",
    ),
    (lambda kernel, role, o: kernel.role("other", 0), "warps must be at least 1; found 0"),
    (lambda kernel, role, o: role.range(0, 10, 0), STEP.format(0)),
    (lambda kernel, role, o: role.range(o["number"], 10, role.constant(-1)), STEP.format(-1)),
    (lambda kernel, role, o: kernel.carry(0, o["number"], -2, values=[]), STEP.format(-2)),
]


@pytest.mark.parametrize(("call", "message"), [*SENTENCES, *MISPLACED])
def test_sentences(call: Callable[[Any, Any, dict[str, Any]], object], message: str) -> None:
    with place() as at, pytest.raises(ERRORS) as error:
        call(at.kernel, at.role, at.objects)
    assert str(error.value) == message

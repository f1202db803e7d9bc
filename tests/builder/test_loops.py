"""Tests of values that a loop should carry, and of values that are unknown where they are used."""

import traceback
from collections.abc import Callable
from typing import Any

import pytest
from xdsl.dialects.builtin import f32, i64

from tcgen05_dialect.builder import Kernel, Role, Value


def accumulated(role: Role, n: Value, p: Value) -> None:
    s = 0.0
    for q in role.range(n):  # wrong
        s = s + q.to(f32)
        role.store(s.splat(1), p, role.thread, q, shape=(n, n))


def augmented_vector(role: Role, n: Value, p: Value) -> None:
    s = role.constant(0.0).splat(4)
    with role.range(0, n) as q:  # wrong
        s *= 2.0
        role.store(s, p, role.thread, q, shape=(n, n))


def previous(role: Role, n: Value, p: Value) -> None:
    """The value of the iteration before."""
    row = role.load(p, 0, 0, 4, shape=(n, n))
    for q in role.range(n):  # wrong
        role.store(row, p, role.thread, q, shape=(n, n))
        row = role.load(p, q, 0, 4, shape=(n, n))


def inner_loop(role: Role, n: Value, p: Value) -> None:
    total = role.constant(0.0)
    for q in role.range(n):  # wrong
        loop = role.carry(n, values=[total])
        with loop as (j, s):
            loop.give(s + (j + q).to(f32))
        total = loop.results[0]


def counter(role: Role, n: Value, p: Value) -> None:
    at = 7
    for q in role.range(n):  # wrong
        role.store(q.to(f32).splat(1), p, role.thread + at, q, shape=(n, n))
        at = q + 1


def after_the_loop(role: Role, n: Value, p: Value) -> None:
    inside = n
    for q in role.range(n):
        inside = q + 1
    _ = inside + 1  # wrong


def after_the_branch(role: Role, n: Value, p: Value) -> None:
    with role.if_(n > 3):
        inside = n + 1
    _ = inside + 1  # wrong


def other_kernel(role: Role, n: Value, p: Value) -> None:
    _ = Kernel("other").parameter("m").min(n)  # wrong


CARRY = "the loop reads the variable {} and then changes it, .*role.carry"
WRONG: list[tuple[Callable[[Role, Value, Value], None], str]] = [
    (accumulated, CARRY.format("s")),
    (augmented_vector, CARRY.format("s")),
    (previous, CARRY.format("row")),
    (inner_loop, CARRY.format("total")),
    (counter, CARRY.format("at")),
    (after_the_loop, rf"known only in the loop at {__file__}:\d+: .*role.carry"),
    (after_the_branch, "known only in the region of the condition at .*: .*`give`"),
    (other_kernel, "n is known only in another kernel at .*: use values of one kernel"),
]


def build(body: Callable[[Role, Value, Value], object]) -> Any:
    kernel = Kernel("kernel")
    n, p = kernel.parameter("n"), kernel.parameter("p", i64)
    with kernel.warp_specialize(), kernel.role("role", 1) as role:
        body(role, n, p)
        role.barrier()
    return kernel.module()


@pytest.mark.parametrize(("body", "message"), WRONG, ids=lambda each: getattr(each, "__name__", ""))
def test_a_value_that_a_loop_should_carry(
    body: Callable[[Role, Value, Value], None], message: str
) -> None:
    with pytest.raises(ValueError, match=message) as error:
        build(body)
    lines = [
        each.line
        for each in traceback.extract_tb(error.tb)
        if each.filename == __file__ and each.name == body.__name__
    ]
    assert [line for line in lines if line and line.endswith("# wrong")] == lines


def test_a_value_of_another_role() -> None:
    kernel = Kernel("kernel")
    n = kernel.parameter("n")
    with kernel.warp_specialize():
        with kernel.role("first", 1):
            value = n + 1
        with kernel.role("second", 1), pytest.raises(ValueError, match="known only in the role at"):
            _ = value + 1


def carried(role: Role, n: Value, p: Value) -> None:
    loop = role.carry(n, values=[0.0])
    with loop as (q, s):
        s = s + q.to(f32)
        loop.give(s)
    (s,) = loop.results
    role.store(s.splat(1), p, role.thread, 0, shape=(n, n))


def new_in_each_iteration(role: Role, n: Value, p: Value) -> None:
    """Variables that the body writes before it reads them, twice."""
    for _ in range(2):
        for q in role.range(n):
            x = q.to(f32)
            x = x * 2.0
            role.store(x.splat(1), p, role.thread, q, shape=(n, n))


def python_counter(role: Role, n: Value, p: Value) -> None:
    """Python numbers count what Python does."""
    count = 0
    for q in role.range(n):
        for at in range(3):
            role.store(q.to(f32).splat(1), p, role.thread, at, shape=(n, n))
            count += 1
    assert count == 3


def unused_before(role: Role, n: Value, p: Value) -> None:
    x: Value | None = None
    for q in role.range(n):
        if x is None:
            x = q.to(f32)
        role.store(x.splat(1), p, role.thread, q, shape=(n, n))


@pytest.mark.parametrize("body", [carried, new_in_each_iteration, python_counter, unused_before])
def test_right_loops(body: Callable[[Role, Value, Value], None]) -> None:
    build(body).verify()

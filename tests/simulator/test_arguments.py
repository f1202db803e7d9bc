"""Tests of the arguments of kernels: what `simulate` takes, and the message for anything else."""

import re
from typing import Any

import numpy as np
import pytest

from tcgen05_dialect.reporting.diagnostics import CompileError
from tcgen05_dialect.simulator import Launch, Run, TensorMap, simulate
from tcgen05_dialect.simulator.launch.arrays import TYPES
from tcgen05_dialect.simulator.machine.errors import LaunchError

DOUBLE = """
ptx.kernel @double(%data : i64, %factor : i32) attributes {reqntid = array<i32: 8>} {
  %thread = ptx.special_register tid.x
  %four = ptx.constant 4 : i32
  %at = ptx.mad.wide u32 %thread, %four, %data
  %value = ptx.ld global b32 [%at] -> i32
  %product = ptx.mul lo u32 %value, %factor
  ptx.st global b32 [%at], {%product}
  ptx.ret
}
"""
DATA = np.arange(8, dtype=np.uint32)


def read_only(array: Any) -> Any:
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (read_only(DATA.copy()), "must be an array that the kernel may write to (array.copy() is"),
        (np.zeros(16, np.uint32)[::2], "must be a C-contiguous array"),
        (np.zeros((8, 2), np.uint32).T, "must be a C-contiguous array"),
        (np.broadcast_to(np.uint32(1), 8), "must be "),
        (np.array([1, None]), "must be an array of numbers; found an array of object"),
        (np.zeros(8, ">u4"), "in the byte order of this machine; found an array of >u4"),
        (
            [1, 2, 3],
            "an array, whose address is passed, or an integer; found a value of type list",
        ),
        (None, "found None"),
        ("data", "found a value of type str"),
        (b"1234", "found bytes"),
        (1.5, "found 1.5"),
        (
            1 << 64,
            "must be -9223372036854775808 to 18446744073709551615; found 18446744073709551616",
        ),
        (TensorMap.of(np.zeros((8, 8), np.uint32), (8, 8)), "found a tensor map"),
    ],
)
def test_arguments_that_are_no_address(data: Any, message: str) -> None:
    with pytest.raises(LaunchError, match=re.escape(message)) as caught:
        simulate(DOUBLE, [data, 2])
    assert "argument 0 %data " in str(caught.value)
    assert caught.value.culprits == ("args.0",)


@pytest.mark.parametrize("data", [DATA, 1 << 40, b"1234"])
def test_arguments_that_are_no_tensor_map(data: Any) -> None:
    kernel = """
        ptx.kernel @k(%map : !ptx.tensor_map) attributes {reqntid = array<i32: 1>} {
          ptx.ret
        }
    """
    message = "argument 0 %map of type !ptx.tensor_map must be a tensor map; found "
    with pytest.raises(LaunchError, match=message):
        simulate(kernel, [data])


@pytest.mark.parametrize("factor", [2, np.uint8(2), np.int64(2)])
@pytest.mark.parametrize("data", [DATA.copy(), DATA.reshape(2, 4).copy(), np.ma.array(DATA)])
def test_arguments_that_are_taken(data: Any, factor: Any) -> None:
    data = data.copy()
    assert simulate(DOUBLE, [data, factor]).findings == ()
    assert np.array_equal(np.asarray(data).reshape(-1), DATA * 2)


def test_a_number_of_numpy_may_be_true() -> None:
    data = DATA.copy()
    assert simulate(DOUBLE, [data, np.bool_(False)]).findings == ()
    assert not data.any()


@pytest.mark.parametrize("arguments", [None, DATA, "ab", 2])
def test_argument_lists_that_are_no_lists(arguments: Any) -> None:
    with pytest.raises(LaunchError, match="argument list must be a list of arrays and numbers, on"):
        simulate(DOUBLE, arguments)


STORE = """
ptx.kernel @store(%target : i64, %value : {type}) attributes {{reqntid = array<i32: 1>}} {{
  ptx.st global {ptx_type} [%target], {{%value}}
  ptx.ret
}}
"""


@pytest.mark.parametrize("type_", ["f16", "bf16", "f32", "f64"])
@pytest.mark.parametrize("value", [3, -2.5, np.int8(3), np.float32(0.5), float("inf")])
def test_numbers_for_floating_point_parameters_are_converted(type_: str, value: Any) -> None:
    bits = 8 * np.dtype(TYPES[type_]).itemsize
    out = np.zeros(1, TYPES[type_])
    text = STORE.format(type=type_, ptx_type=f"b{bits}")
    assert simulate(text, [out.view(f"u{bits // 8}"), value]).findings == ()
    assert float(out[0]) == float(value)


@pytest.mark.parametrize(
    ("type_", "value"), [("f16", 70000), ("bf16", 1e39), ("f32", 10**39), ("f64", 10**309)]
)
def test_numbers_that_a_parameter_cannot_hold_are_refused(type_: str, value: Any) -> None:
    bits = 8 * np.dtype(TYPES[type_]).itemsize
    text, out = STORE.format(type=type_, ptx_type=f"b{bits}"), np.zeros(1, f"u{bits // 8}")
    with pytest.raises(CompileError, match=f"must be a number that {type_} can hold"):
        simulate(text, [out, value])


@pytest.mark.parametrize(
    ("arguments", "named", "text"),
    [
        ([Run()], {}, "launch must be a Launch, or None; found Run"),
        ([Launch(), Launch()], {}, "run must be a Run, or None; found Launch"),
        ([], {"expected": np.zeros(3)}, "expected must be a dict with the number of each argument"),
        ([], {"expected": [0]}, "expected must be a dict with the number of each argument"),
        ([], {"module": b""}, "module must be a module, a Source, or a str of text"),
    ],
)
def test_arguments_of_the_wrong_type(
    arguments: list[Any], named: dict[str, Any], text: str
) -> None:
    kernel = "ptx.kernel @k() attributes {reqntid = array<i32: 1>} {\n  ptx.ret\n}"
    parameters = dict(zip(("launch", "run"), arguments, strict=False))
    given: dict[str, Any] = {"module": kernel, "arguments": [], **parameters, **named}
    with pytest.raises(TypeError, match=text):
        simulate(**given)

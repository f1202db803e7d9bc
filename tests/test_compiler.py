"""Tests of the Python interface: parsing with locations, compiling, messages."""

import gc
import re
import subprocess
import sys
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from xdsl.dialects.builtin import FileLineColLoc, ModuleOp

import tcgen05_dialect
from tcgen05_dialect import CompileError, check_source, compile_to_ptx, parse_module, simulate
from tcgen05_dialect.compiler import (
    freeing_garbage,
    parse,
    verify,
    without_garbage_collection,
)
from tcgen05_dialect.reporting.diagnostics import Source, diagnosed

KERNEL = """\
ptx.kernel @scale(%out : i64, %n : i32) {
  %three = arith.constant 3 : i32
  %p = arith.cmpi eq, %n, %three : i32  scf.if %p {
    ptx.st global b32 [%out], {%three}
  }
  ptx.ret
}
"""


def _parsed(text: str, name: str = "k.mlir") -> ModuleOp:
    return parse(Source(name, text))[0]


def _places(module: ModuleOp) -> dict[str, tuple[str, int, int]]:
    """The places of the operations that have one, by their names."""
    return {
        op.name: (location.filename.data, location.line.data, location.column.data)
        for op in module.walk()
        if isinstance(location := op.location, FileLineColLoc)
    }


def test_every_operation_knows_its_place() -> None:
    assert _places(_parsed(KERNEL)) == {
        "ptx.kernel": ("k.mlir", 1, 1),
        "arith.constant": ("k.mlir", 2, 3),
        "arith.cmpi": ("k.mlir", 3, 3),
        "scf.if": ("k.mlir", 3, 41),
        "ptx.st": ("k.mlir", 4, 5),
        "ptx.ret": ("k.mlir", 6, 3),
    }


def test_a_place_that_the_text_gives_is_kept() -> None:
    module = _parsed('ptx.kernel @k() {\n  ptx.ret loc("kernel.py":7:9)\n}')
    assert _places(module)["ptx.ret"] == ("kernel.py", 7, 9)


def test_an_error_shows_no_line_of_another_file() -> None:
    text = 'ptx.shared_memory @x size 8 alignment 3 loc("kernel.py":1:2)'
    source = Source("k.mlir", text)
    with pytest.raises(CompileError) as caught:
        verify(_parsed(text), source)
    assert str(caught.value).startswith("kernel.py:1:2: error[T5-PTX-071]: ptx.shared_memory: ")
    assert all(finding.excerpt == "" for finding in caught.value.findings)


def test_lines_before_a_text_count() -> None:
    text = "\nptx.shared_memory @x size 8 alignment 3"
    source = Source("k.mlir", text, lines_before=10)
    module, _ = parse(source)
    with pytest.raises(CompileError) as caught:
        verify(module, source)
    message = str(caught.value).splitlines()
    assert message[0].startswith("k.mlir:12:1: error[T5-PTX-071]:")
    assert message[1:3] == ["  ptx.shared_memory @x size 8 alignment 3", "  ^^^^^^^^^^^^^^^^^"]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('"ptx.\\66oo"() : () -> ()', "1:12"),
        ("ptx.kernel @k(%n : i32) {\n  ptx.nanosleep %n\n} // }\n// }", "3:1"),
    ],
    ids=["escape", "comment"],
)
def test_an_error_of_the_parser_has_a_place(text: str, place: str) -> None:
    with pytest.raises(CompileError) as caught:
        parse(Source("k.mlir", text))
    assert str(caught.value).startswith(f"k.mlir:{place}: error")


def test_a_long_line_is_cut_around_the_place() -> None:
    text = "//" + "x" * 1000 + "\nptx.shared_memory @x" + " " * 500 + "size \x07 8"
    with pytest.raises(CompileError) as caught:
        parse(Source("k.mlir", text))
    _, line, caret = str(caught.value).splitlines()
    assert len(line) <= 160
    assert "\x07" not in line
    assert caret.strip() == "^"
    assert line[caret.index("^")] == "\N{REPLACEMENT CHARACTER}"


def test_a_long_message_is_cut() -> None:
    with pytest.raises(CompileError) as caught:
        parse(Source("k.mlir", "a" * 10_000))
    assert len(str(caught.value)) < 3_000
    assert "aaa..." in caught.value.message


def test_deep_nesting_is_an_error_of_the_input() -> None:
    depth = 2000
    text = "ptx.kernel @k(%p : i32) {" + '"scf.execute_region"() ({' * depth
    with pytest.raises(CompileError, match="nested too deeply"):
        parse(Source("k.mlir", text))


def test_a_compile_error_passes_unchanged() -> None:
    error = CompileError("no")
    with pytest.raises(CompileError) as caught, diagnosed(Source("k.mlir", "")):
        raise error
    assert caught.value is error


def test_compiles_text() -> None:
    ptx = compile_to_ptx(KERNEL, target="sm_103a", ptx_version="9.0")
    assert ptx.startswith(".version 9.0\n.target sm_103a\n")
    assert ".visible .entry scale(" in ptx


def _simulated(text: str) -> object:
    return simulate(text, [])


@pytest.mark.parametrize("take", [compile_to_ptx, check_source, parse_module, _simulated])
@pytest.mark.parametrize("name", ["round_trip.mlir", "some folder/K.PTX"])
def test_the_name_of_a_file_is_no_text(take: Callable[[str], object], name: str) -> None:
    with pytest.raises(ValueError, match=rf"the name of a file: pass Path\('{name}'\)\.read_text"):
        take(name)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"module": None},
            "module must be a module, or a str of IR text; found None of type NoneType",
        ),
        (
            {"module": Path("k.mlir")},
            r"module must be a module, or a str of IR text; found .*Path.*k\.mlir",
        ),
        ({"target": 100}, "target must be a str such as 'sm_100a', or None; found 100 of type int"),
        (
            {"ptx_version": 8.6},
            r"ptx_version must be a str such as '8\.8', or None; found 8\.6 of type float",
        ),
    ],
)
def test_arguments_of_other_types_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        cast(Any, compile_to_ptx)(**{"module": KERNEL, **arguments})


@pytest.mark.parametrize("order", [("a", "b"), ("b", "a")])
def test_an_undefined_value_is_reported_at_its_first_use_in_its_scope(
    order: tuple[str, str],
) -> None:
    """A name that another kernel uses before it defines it is another value."""
    text = (
        "ptx.kernel @k(%out : i64) {\n  ptx.bra ^a\n^b:\n  ptx.nanosleep %a\n  ptx.ret\n"
        "^a:\n  %a = ptx.constant 1 : i32\n  ptx.bra ^b\n}\n"
        "ptx.kernel @l() {\n"
        f"  ptx.nanosleep %{order[0]}\n  ptx.nanosleep %{order[1]}\n  ptx.ret\n}}"
    )
    with pytest.raises(
        CompileError, match=rf"^k\.mlir:11:17: error: %{order[0]} is used but not defined"
    ):
        _parsed(text)


def test_compiles_a_module_and_leaves_it_as_it_is() -> None:
    module = _parsed(KERNEL)
    before = str(module)
    assert compile_to_ptx(module) == compile_to_ptx(KERNEL)
    assert str(module) == before


def test_the_target_of_the_module_counts_unless_another_is_asked_for() -> None:
    attributes = '{ptx.target = #ptx.target<"sm_110a", "9.1">}'
    module = f"builtin.module attributes {attributes} {{\n{KERNEL}}}"
    assert compile_to_ptx(module).startswith(".version 9.1\n.target sm_110a\n")
    assert compile_to_ptx(module, target="sm_100f").startswith(".version 9.1\n.target sm_100f\n")


@pytest.mark.parametrize(
    ("own", "asked", "version"),
    [
        (("sm_103a", "8.8"), "sm_101a", "8.8"),
        (("sm_100a", "9.0"), "sm_103f", "9.0"),
        (("sm_100a", "8.6"), "sm_103a", "8.8"),
        (("sm_100a", "8.8"), "sm_110a", "9.0"),
    ],
)
def test_the_version_of_the_module_counts_where_another_target_has_it(
    own: tuple[str, str], asked: str, version: str
) -> None:
    attributes = '{{ptx.target = #ptx.target<"{}", "{}">}}'.format(*own)
    module = f"builtin.module attributes {attributes} {{\n{KERNEL}}}"
    ptx = compile_to_ptx(module, target=asked)
    assert ptx.startswith(f".version {version}\n.target {asked}\n")


def test_a_module_that_is_wrong_is_refused() -> None:
    module = _parsed("ptx.shared_memory @x size 8 alignment 3")
    with pytest.raises(CompileError, match=r"^k\.mlir:1:1: error\[T5-PTX-071\]: ptx\.sh"):
        compile_to_ptx(module)


@pytest.mark.parametrize("enabled", [True, False])
@pytest.mark.parametrize("text", [KERNEL, "ptx.kernel"])
def test_garbage_collection_is_as_before(enabled: bool, text: str) -> None:
    was_enabled = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        try:
            compile_to_ptx(text)
        except CompileError:
            assert text != KERNEL
        assert gc.isenabled() is enabled
    finally:
        (gc.enable if was_enabled else gc.disable)()


@pytest.mark.parametrize("name", tcgen05_dialect.__all__)
def test_public_names_are_there(name: str) -> None:
    assert getattr(tcgen05_dialect, name) is not None


def test_other_names_are_not() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = tcgen05_dialect.nonsense  # pyright: ignore


def _modules_after(code: str) -> set[str]:
    program = f"import sys; {code}; print(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
    return set(result.stdout.decode().split())


def test_the_package_loads_nothing() -> None:
    assert "xdsl" not in _modules_after("import tcgen05_dialect")


@pytest.mark.slow
def test_a_compilation_loads_nothing_heavy() -> None:
    modules = _modules_after(f"import tcgen05_dialect; tcgen05_dialect.compile_to_ptx({KERNEL!r})")
    assert not modules & {"numpy", "xdsl.universe", "xdsl.xdsl_opt_main", "importlib.metadata"}
    # Readers of tensors and of LLVM; the test for tensors is a module of a few lines.
    allowed = {"tcgen05_dialect.contraction"}
    readers = r"tcgen05_dialect\.(contraction|passes\.tensors|stablehlo|jax|cutile|llvm_input)"
    assert {each for each in modules if re.match(readers, each)} <= allowed
    assert "tcgen05_dialect.passes.tcgen05_to_nvvm" not in modules


def test_a_refused_argument_is_quoted_in_part() -> None:
    with pytest.raises(TypeError, match=f"found b'{'x' * 50}.* of type bytes") as caught:
        compile_to_ptx(cast(Any, b"x" * 100_000))
    assert len(str(caught.value)) < 200


def test_an_error_names_the_rules_that_are_broken() -> None:
    with pytest.raises(CompileError) as caught:
        compile_to_ptx("ptx.shared_memory @x size 8 alignment 3")
    (rule,) = caught.value.rules
    assert f"[{rule}]" in str(caught.value)
    with pytest.raises(CompileError) as caught:
        compile_to_ptx("nonsense")
    assert caught.value.rules == ()


def test_cycles_of_one_kernel_are_freed_before_the_next() -> None:
    class Cycle:
        def __init__(self) -> None:
            self.itself = self

    alive: list[bool] = []
    before: weakref.ref[Cycle] | None = None
    gc.disable()
    try:
        with without_garbage_collection():
            for _ in range(3):
                with freeing_garbage():
                    alive.append(before is not None and before() is not None)
                    before = weakref.ref(Cycle())
    finally:
        gc.unfreeze()
        gc.enable()
    assert alive == [False, False, False]

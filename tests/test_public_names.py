"""Tests of the public names of the package."""

from typing import Any, cast

import pytest
from xdsl.dialects.builtin import ModuleOp

import tcgen05_dialect
from tcgen05_dialect import CompileError, Source, check_source, parse_module, verify

TEXT = "ptx.kernel @kernel() { ptx.ret }"


@pytest.mark.parametrize("name", tcgen05_dialect.__all__)
def test_name(name: str) -> None:
    assert getattr(tcgen05_dialect, name) is getattr(tcgen05_dialect, name)


def test_other_names_are_refused() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'kernel'"):
        tcgen05_dialect.__getattr__("kernel")


def test_modules_are_parsed_verified_and_checked() -> None:
    module = parse_module(TEXT)
    verify(module)
    assert isinstance(module, ModuleOp)
    assert check_source(module) == []
    assert parse_module(Source("kernel.mlir", TEXT)).is_structurally_equivalent(module)


def test_a_module_is_not_modified_by_its_check() -> None:
    module = parse_module(TEXT)
    before = str(module)
    check_source(module, verify="quick")
    assert str(module) == before


def test_a_wrong_module_is_refused() -> None:
    module = parse_module(TEXT.replace("ptx.ret", "ptx.setmaxnreg inc 25\n ptx.ret"))
    with pytest.raises(CompileError) as error:
        verify(module)
    assert [each.rule for each in check_source(module)] == list(error.value.rules)


def test_wrong_arguments() -> None:
    with pytest.raises(TypeError, match="source must be a Source, or a str of IR text"):
        parse_module(cast(Any, 3))
    with pytest.raises(TypeError, match="module must be a module; found 'text' of type str"):
        verify(cast(Any, "text"))

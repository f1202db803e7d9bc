"""Tests of symbols: one reading of a module finds what each name stands for."""

import pytest
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation

from tcgen05_dialect.compiler import errors_of, parse
from tcgen05_dialect.ptx.analysis import symbols
from tcgen05_dialect.ptx.kernel import SharedMemoryOp
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.verifier import verification_errors

VARIABLE = "ptx.shared_memory @variable size 64 alignment 16"


def module_of(variable: str, *names: str) -> ModuleOp:
    kernels = (
        f"ptx.kernel @kernel{index}() {{ %0 = ptx.address_of @{name} ptx.ret }}"
        for index, name in enumerate(names)
    )
    return parse(Source("test", "\n".join((variable, *kernels))))[0]


def test_a_module_is_read_once_for_all_names_that_are_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module = module_of("", *(f"missing{index}" for index in range(20)))
    read: list[Operation] = []
    definitions = symbols.definitions

    def noted(table: Operation) -> list[tuple[str, Operation]]:
        read.append(table)
        return definitions(table)

    monkeypatch.setattr(symbols, "definitions", noted)
    assert len(list(errors_of(module))) == 20
    assert read == [module]
    # Again after it may have changed.
    assert len(list(errors_of(module))) == 20
    assert read == [module, module]


def test_names_are_found_in_the_module_as_it_is() -> None:
    module = module_of(VARIABLE, "variable", "variable", "other")
    variable = module.body.block.first_op
    assert isinstance(variable, SharedMemoryOp)
    assert len(list(errors_of(module))) == 1
    variable.sym_name = StringAttr("other")
    assert len(list(errors_of(module))) == 2
    variable.detach()
    assert len(list(errors_of(module))) == 3
    first = module.body.block.first_op
    assert first is not None
    module.body.block.insert_op_before(variable, first)
    assert len(list(errors_of(module))) == 2


def test_a_search_ended_early_leaves_nothing_behind() -> None:
    module = module_of("", "variable", "variable")
    next(verification_errors(module))
    variable = module_of(VARIABLE).body.block.first_op
    assert variable is not None
    variable.detach()
    module.body.block.add_op(variable)
    assert not list(errors_of(module))

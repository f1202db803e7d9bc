"""Tests of the errors of the dialects: each names a rule.

test_rules.py tests that a program breaks each rule.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from ..support.looped import looped
from ..support.repository import PACKAGE

FILES = sorted(
    file
    for name in ("tcgen05", "ptx", "isa", "../passes")
    for file in ((PACKAGE / name).rglob("*.py") if (PACKAGE / name).is_dir() else [PACKAGE / name])
)
ERRORS = {"VerifyException", "OperationError", "CompileError", "ParseError"}
"""What the dialects raise; a Violation cannot be made without its rule."""


def name_of(function: ast.expr) -> str:
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


def errors_made(tree: ast.AST) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and name_of(node.func) in ERRORS:
            yield node


def with_cause(tree: ast.AST) -> set[int]:
    """The lines of the errors that are raised from another, or whose cause is set after."""
    found: set[int] = set()
    for function in ast.walk(tree):
        if isinstance(function, ast.Raise) and function.cause is not None and function.exc:
            found.add(function.exc.lineno)
        if not isinstance(function, ast.FunctionDef):
            continue
        caused = {
            ast.unparse(target.value)
            for node in ast.walk(function)
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Attribute) and target.attr == "__cause__"
        }
        found |= {
            node.value.lineno
            for node in ast.walk(function)
            if isinstance(node, ast.Assign) and {ast.unparse(t) for t in node.targets} & caused
        }
    return found


@pytest.mark.slow
@looped(FILES)
def test_errors_come_from_violations(file: Path) -> None:
    tree = ast.parse(file.read_text())
    caused = with_cause(tree)
    unnamed = [f"line {call.lineno}" for call in errors_made(tree) if call.lineno not in caused]
    assert unnamed == []


def test_errors_without_cause_are_seen() -> None:
    tree = ast.parse(
        "def f():\n    raise VerifyException('x')\n"
        "def g():\n    raise VerifyException('x') from violation\n"
        "def h():\n    error = OperationError(op, 'x')\n    error.__cause__ = violation\n"
        "def i():\n    return OperationError(op, 'x')\n"
    )
    caused = with_cause(tree)
    assert [call.lineno for call in errors_made(tree) if call.lineno not in caused] == [2, 9]

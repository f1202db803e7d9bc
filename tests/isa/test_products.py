"""Tests of the table of matrix products: both dialects have an operation for each row."""

import ast
from collections.abc import Iterator

import pytest

from tcgen05_dialect.isa.mma.products import PRODUCTS, Product, product_of
from tcgen05_dialect.ptx.instruction import syntax_of
from tcgen05_dialect.ptx.tcgen05_mma import OPERATIONS
from tcgen05_dialect.tcgen05.dialect import TCGEN05
from tcgen05_dialect.tcgen05.mma_base import MatrixProduct

from ..support.repository import ROOT

SOURCES = [*ROOT.glob("tcgen05_dialect/**/*.py"), *ROOT.glob("passes/**/*.py")]


def test_both_dialects_have_the_six_products() -> None:
    typed = [op.name for op in TCGEN05.operations if issubclass(op, MatrixProduct)]
    assert sorted(typed) == sorted(PRODUCTS) == sorted(OPERATIONS)
    assert len(PRODUCTS) == 6


@pytest.mark.parametrize("product", PRODUCTS.values(), ids=lambda product: product.name)
def test_instruction_has_the_operands_of_the_table(product: Product) -> None:
    assert product_of(product.ws, product.sparse, product.scaled) is product
    names = {each.name for each in product.operands if each.holder != "immediate"}
    assert names == set(syntax_of(OPERATIONS[product.name]).operand_names)


def test_no_product_with_ws_has_scale_factors() -> None:
    with pytest.raises(ValueError, match="scale factors"):
        product_of(ws=True, sparse=False, scaled=True)


def _lists(tree: ast.AST) -> Iterator[set[object]]:
    """The constants of each literal collection."""
    for node in ast.walk(tree):
        items = node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", [])
        yield {item.value for item in items if isinstance(item, ast.Constant)}


@pytest.mark.slow
def test_the_addresses_of_a_product_are_listed_once() -> None:
    listed = [
        path.name
        for path in SOURCES
        for names in _lists(ast.parse(path.read_text(encoding="utf-8")))
        if {"d", "metadata"} <= names or {"d", "scale_a"} <= names
    ]
    assert listed == []

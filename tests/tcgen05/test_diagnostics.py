"""Tests of the diagnostics of operations: each has a case in lit-tests/tcgen05."""

import ast
import inspect
from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

import pytest

import tcgen05_dialect.tcgen05
from tcgen05_dialect.isa.mma import scale, sparse
from tcgen05_dialect.isa.model.bitfield import BitLayout
from tcgen05_dialect.isa.model.rule import Rule
from tcgen05_dialect.isa.model.table import Mnemonic, Qualifier, Table
from tcgen05_dialect.isa.targets import FEATURES, Feature

from ..support.repository import LIT_TESTS

MODULES = tuple(
    import_module(f"{tcgen05_dialect.tcgen05.__name__}.{module.name}")
    for module in iter_modules(tcgen05_dialect.tcgen05.__path__)
)
IMPORTED_WHERE_USED = (scale, sparse)
"""Modules of `isa` that the modules of operations do not hold."""
FORMS = (
    "block16_block32",
    "k96",
    "kind_i8",
    "kind_mxf4nvf4",
    "ld_red",
    "scale_input_d",
    "scale_vec",
    "shift",
    "sparse_mxf4",
)
"""The features that these operations may need."""
CASES = "\n".join(
    path.read_text()
    for kind in ("invalid", "warnings")
    for path in sorted(LIT_TESTS.glob(f"tcgen05/*_{kind}.mlir"))
)

UNREACHABLE = {
    "T5-SHAPE-004": "layouts, which all shapes of Table 39 have",
    "T5-DESC-012": "zero-column masks, which all M of .ws have",
    # The types of operands, or the attributes' syntax, admit nothing that breaks these.
    "T5-SWIZZLE-001": "swizzle modes are keywords",
    "T5-DESC-001": "bits of a descriptor that is given as a number",
    "T5-DESC-006": "absolute leading dimension",
    "T5-DESC-018": "a rule of PTX text; see lit-tests/tools",
    "T5-IDESC-011": "a rule of PTX text; see lit-tests/tools",
    "T5-DESC-019": "a rule of PTX text; see lit-tests/tools",
    "T5-ALLOC-002": "state space of the address",
    "T5-COMMIT-001": "state space of the address",
    "T5-COMMIT-002": "multicast follows from the operand",
    "T5-CTA_GROUP-002": "a rule of whole kernels; see lit-tests/passes",
    "T5-CTA_GROUP-003": "a rule of whole kernels; see lit-tests/passes",
    "T5-LDST-007": "pack and unpack are flags",
    "T5-TMEM-001": "slices lie inside their matrix where verified; see lit-tests/passes",
    "T5-TMEM-008": "addresses are known only after the lowering; see lit-tests/ptx",
    "T5-DESC-017": "the strides of a tile follow from its type; see lit-tests/ptx",
    "T5-MAP-001": "a rule of a type of ptx; see lit-tests/ptx",
    "T5-MAP-002": "a rule of instructions of ptx; see lit-tests/ptx",
    "T5-SIM-026": "a rule of runs; see tests/simulator/synchronization",
    "T5-SIM-027": "a rule of runs; see tests/simulator/synchronization",
    # The module's target is checked when PTX is printed.
    "T5-TARGET-001": "name of the target",
    "T5-TARGET-002": "PTX version",
}


def rules_of(module: ModuleType) -> Iterator[Rule]:
    """The rules that a module of `isa` holds, by themselves or in its tables."""
    for value in vars(module).values():
        match value:
            case Rule():
                yield value
            case Table() | BitLayout():
                yield value.rule
                if isinstance(value, Table):
                    yield from value.column_rules.values()
            case Qualifier():
                yield value.rule
            case Mnemonic():
                yield from (qualifier.rule for qualifier in value.qualifiers.values())
            case Feature():
                yield value.rule
            case _:
                pass


def isa_modules() -> set[ModuleType]:
    """The modules of `isa` that the operations and types use, and what these use in turn."""
    found = set[ModuleType](IMPORTED_WHERE_USED)
    pending: list[ModuleType] = [*MODULES, *IMPORTED_WHERE_USED]
    while pending:
        for value in vars(pending.pop()).values():
            module = value if isinstance(value, ModuleType) else inspect.getmodule(value)
            if module is None or module in found:
                continue
            if module.__name__.startswith("tcgen05_dialect.isa."):
                found.add(module)
                pending.append(module)
    return found


def reachable_rules() -> set[str]:
    rules = {rule.id for module in isa_modules() for rule in rules_of(module)}
    features = {FEATURES[name].rule.id for name in FORMS}
    families = ("T5-PTX-", "T5-TARGET-")
    return {rule for rule in rules if not rule.startswith(families)} | features


def test_every_rule_has_a_case():
    rules = reachable_rules()
    assert len(rules) > 40
    missing = {rule for rule in rules - set(UNREACHABLE) if f"[{rule}]" not in CASES}
    assert missing == set()


def test_rules_that_are_said_to_be_unreachable_are_no_case():
    assert [rule for rule in UNREACHABLE if f"[{rule}]" in CASES] == []


def own_messages() -> list[str]:
    """The longest constant part of each message that operations raise without a rule."""
    messages: list[str] = []
    for module in MODULES:
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            match node:
                case ast.Call(func=ast.Name(id="VerifyException"), args=[message]):
                    pass
                case ast.Call(func=ast.Attribute(attr="raise_error"), args=[message, *_]):
                    pass
                case _:
                    continue
            parts = [
                part.value
                for part in ast.walk(message)
                if isinstance(part, ast.Constant) and isinstance(part.value, str)
            ]
            # The message of a violation is that of its rule.
            if parts:
                messages.append(max(parts, key=len).strip(" ,;"))
    return messages


@pytest.mark.parametrize("message", sorted(set(own_messages())))
def test_every_message_has_a_case(message: str):
    assert message.split("; ")[0] in CASES

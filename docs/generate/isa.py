"""docs/isa.md: the reference of the tcgen05 instructions, from the tables of `isa`."""

from collections.abc import Iterator

from tcgen05_dialect.isa import targets
from tcgen05_dialect.isa.mma import instruction_descriptor, scale, shapes, sparse
from tcgen05_dialect.isa.mma.instruction_descriptor import descriptor_layout
from tcgen05_dialect.isa.model.bitfield import BitLayout
from tcgen05_dialect.isa.model.rule import describe
from tcgen05_dialect.isa.model.table import Table
from tcgen05_dialect.isa.shared_memory import layout
from tcgen05_dialect.isa.shared_memory.descriptor import DESCRIPTOR_LAYOUT
from tcgen05_dialect.isa.tensor_memory import alloc, copies, ld_st
from tcgen05_dialect.operations.syntax import grammar
from tcgen05_dialect.ptx import tcgen05, tcgen05_mma
from tcgen05_dialect.ptx.dialect import PTX
from tcgen05_dialect.ptx.instruction import Instruction, syntax_of

from .markdown import table
from .shown import ROOT

FILE = ROOT / "docs" / "isa.md"
_FAMILIES = (tcgen05.__name__, tcgen05_mma.__name__)
_MODULES = (
    scale,
    sparse,
    instruction_descriptor,
    layout,
    shapes,
    ld_st,
    copies,
    alloc,
)
"""The modules whose tables the page shows, in the order of the page."""


def _features() -> Iterator[str]:
    yield "## Targets and versions\n"
    yield (
        "The first PTX version in which a target supports a feature; `-` means that no version "
        "does. If several rows apply to an instruction, it needs the latest of these versions.\n"
    )
    names = list(targets.TARGETS)

    def first(feature: str, target: str) -> str:
        version = targets.first_version(feature, target)
        return "-" if version is None else str(version)

    rows = [
        (
            feature.what,
            feature.rule.section,
            *(first(name, target) for target in names),
        )
        for name, feature in targets.FEATURES.items()
    ]
    yield from table(("feature", "section", *names), rows)


def _instruction(op_type: type[Instruction]) -> Iterator[str]:
    syntax = syntax_of(op_type)
    yield f"### `{op_type.name}`\n"
    yield f"{' '.join((op_type.__doc__ or '').split())}\n"
    yield f"    {grammar(syntax.line, syntax)};\n"
    if not syntax.qualifiers:
        return
    rows = [
        (
            f"`{each.name}`",
            ", ".join(f"`{word}`" for word in sorted(each.spellings)),
            ", ".join(
                f"`{syntax.spellings.get(each.name, {}).get(word, f'.{word}')}`"
                for word in sorted(each.spellings)
            ),
            "optional" if each.optional else "",
        )
        for each in syntax.qualifiers
    ]
    yield from table(("qualifier", "in IR", "in PTX", ""), rows)


def _instructions() -> Iterator[str]:
    yield "## Instructions\n"
    yield (
        "The instructions as operations of the `ptx` dialect. The section Tables lists the legal "
        "combinations of qualifiers and operands.\n"
    )
    for op_type in PTX.operations:
        if op_type.__module__ in _FAMILIES and issubclass(op_type, Instruction):
            yield from _instruction(op_type)


def _tables() -> Iterator[str]:
    yield "## Tables\n"
    for module in _MODULES:
        for facts in vars(module).values():
            if isinstance(facts, Table) and _home(facts, module.__name__):
                yield f"### {facts.name} ({facts.section})\n"
                yield facts.markdown()


def _home(table: Table, module: str) -> bool:
    """Whether a table belongs to this module, and is not only imported there."""
    homes = [m.__name__ for m in _MODULES if any(value is table for value in vars(m).values())]
    return homes[0] == module


def _layouts() -> Iterator[BitLayout]:
    shown: list[str] = []
    for kind in shapes.KINDS:
        bits = descriptor_layout(kind)
        if bits.name not in shown:
            shown.append(bits.name)
            yield bits
    yield DESCRIPTOR_LAYOUT
    yield sparse.MASK_LAYOUT


def _descriptors() -> Iterator[str]:
    yield "## Descriptors\n"
    for bits in _layouts():
        yield f"### {bits.name} ({bits.section}), {bits.width} bits\n"
        rows = [(field.bits, field.name, describe(field.legal)) for field in bits.fields]
        yield from table(("bits", "field", "legal"), rows)


def text() -> str:
    """The text of the page."""
    lines = [
        "# The tcgen05 instructions",
        "",
        "The facts of `tcgen05_dialect/isa`. `make docs` writes this page.",
        "",
        *_features(),
        *_instructions(),
        *_descriptors(),
        *_tables(),
    ]
    return "\n".join(lines).rstrip() + "\n"

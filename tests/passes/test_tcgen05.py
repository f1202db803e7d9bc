"""Tests of lowered addresses and descriptors, against isa/ and the golden tables."""

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp

from tcgen05_dialect import CompileError, compile_to_ptx
from tcgen05_dialect.isa.shared_memory.descriptor import DESCRIPTOR_LAYOUT, SWIZZLES
from tcgen05_dialect.isa.shared_memory.layout import ATOM_ORDERS, MAJORS, SharedMemoryLayout
from tcgen05_dialect.isa.tensor_memory.alloc import COLUMNS, LANES, pack
from tcgen05_dialect.ptx.instruction import Instruction
from tcgen05_dialect.ptx.instructions import AddOp, MulWideOp, RetOp

from ..support.effort import part
from ..support.golden_rows import shared_memory_layout
from ..support.golden_tables import golden
from ..support.lowering import lowered
from ..support.ptx_interpreter import execute

TYPES = {
    "tf32": "tf32",
    "f16": "f16",
    "bf16": "bf16",
    "e4m3": "f8E4M3FN",
    "e2m1_packed4b": "f4E2M1FN",
}


def kernel(body: str, results: list[tuple[str, str]], parameters: str = "") -> str:
    """A kernel that passes values to a last block."""
    values = ", ".join(f"%{name}" for name, _ in results)
    types = ", ".join(type_ for _, type_ in results)
    arguments = ", ".join(f"%end_{name} : {type_}" for name, type_ in results)
    return (
        f"ptx.kernel @kernel({parameters}) {{\n{body}\ncf.br ^end({values} : {types})\n"
        f"^end({arguments}):\nptx.ret\n}}\n"
    )


def instructions(module: ModuleOp) -> list[Instruction]:
    """The instructions that compute: all but the end of the kernel."""
    return [op for op in module.walk() if isinstance(op, Instruction) and type(op) is not RetOp]


def type_text(layout: SharedMemoryLayout, element: str, k: int = 0) -> str:
    origin = f", k = {k}" if k else ""
    packed = ", packed" if layout.bits < 8 and not layout.pads else ""
    return (
        f"!tcgen05.smem_descriptor<{layout.mn}x{layout.k}x{element}, {layout.major}, "
        f"{layout.swizzle}, {layout.atom_order}{packed}{origin}>"
    )


def descriptors(
    layout: SharedMemoryLayout, element: str, steps: list[int], index: int | None = None
) -> tuple[str, list[tuple[str, str]]]:
    """IR of the descriptor at %address, of its tile %index, and of that advanced along K."""
    type_ = type_text(layout, element)
    body = f"%d = tcgen05.descriptor %address : {type_}\n"
    if index is not None:
        body += f"%t = tcgen05.tile %d[%index] : {type_}\n"
    first = "d" if index is None else "t"
    results = [(first, type_)]
    for number, k in enumerate(steps):
        body += f"%s{number} = tcgen05.advance %{first}, k = {k} : {type_}\n"
        results.append((f"s{number}", type_text(layout, element, k)))
    return body, results


def same_in_used_fields(found: int, expected: int, row: dict[str, Any]) -> bool:
    """
    Whether two descriptors are equal, but for offsets that no instruction of the row steps by.

    The other implementation leaves those 0, and is free in the one that is not read where rows are
    as wide as the swizzle.
    """
    mask = (1 << 64) - 1
    k_major_swizzled = row["major"] == "K" and row["swizzle"] != "NONE"
    for name, held in (("leading_byte_offset", "lbo_bytes"), ("stride_byte_offset", "sbo_bytes")):
        field = DESCRIPTOR_LAYOUT.field(name)
        if row[held] == 0 or (name == "leading_byte_offset" and k_major_swizzled):
            mask &= ~(((1 << (field.hi - field.lo + 1)) - 1) << field.lo)
    return found & mask == expected & mask


@pytest.mark.slow
def test_golden_descriptors() -> None:
    wrong: list[dict[str, Any]] = []
    compared = 0
    for row in golden("sdesc"):
        layout = shared_memory_layout(row)
        steps = [(k * row["mma_k"], int(value, 16)) for mn, k, value in row["steps"] if mn == 0]
        body, results = descriptors(layout, TYPES[row["elem"]], [k for k, _ in steps])
        address = f"%address = arith.constant {row['smem_base']} : i32\n"
        text = kernel(address + body, results)
        if not row["in_table_52"]:
            with pytest.raises(CompileError, match="T5-SWIZZLE-002"):
                compile_to_ptx(text)
            continue
        module = lowered(text)
        # Everything is constant.
        assert not instructions(module)
        _, found = execute(module, [])
        expected = [int(row["value"], 16), *(value for _, value in steps)]
        compared += 1
        if not all(map(lambda f, e: same_in_used_fields(f, e, row), found, expected)):
            wrong.append(row)
    assert not wrong
    assert compared > 200


@st.composite
def layouts(draw: st.DrawFn) -> tuple[SharedMemoryLayout, str]:
    element, bits = draw(
        st.sampled_from((("bf16", 16), ("f8E5M2", 8), ("tf32", 32), ("f4E2M1FN", 4)))
    )
    major, swizzle, order = (
        draw(st.sampled_from(tuple(each))) for each in (MAJORS, SWIZZLES, ATOM_ORDERS)
    )
    unit = SharedMemoryLayout(8, 8, bits, major, swizzle, order, pads=True)
    assume(not {"T5-SWIZZLE-002", "T5-SWIZZLE-003"} & {v.rule.id for v in unit.violations()})
    mn, k = (atom * draw(st.integers(1, 6)) for atom in unit.atom)
    return SharedMemoryLayout(mn, k, bits, major, swizzle, order, pads=True), element


@pytest.mark.slow
@settings(max_examples=part(100), deadline=None)
@given(layouts(), st.data())
def test_descriptors_are_those_of_the_layout(
    layout_and_element: tuple[SharedMemoryLayout, str], data: st.DataObject
) -> None:
    layout, element = layout_and_element
    # K-major: steps of 16 bytes; MN-major: of whole atoms.
    step = layout.atom[1] if layout.transposed else 128 // layout.container_bits
    origins = st.sampled_from(range(0, layout.k, step))
    steps = data.draw(st.lists(origins, max_size=4))
    tiles = layout.size_bytes % layout.alignment == 0
    index = data.draw(st.integers(0, 3)) if tiles else None
    limit = (1 << 18) - layout.size_bytes * (1 + (index or 0))
    assume(limit > 0)
    start = data.draw(st.integers(0, (limit - 1) // layout.alignment)) * layout.alignment
    base = start + layout.size_bytes * (index or 0)
    expected = [layout.descriptor(base + layout.advance(k=k)).encode() for k in (0, *steps)]
    body, results = descriptors(layout, element, steps, index)

    known = f"%address = arith.constant {start} : i32\n%index = arith.constant {index or 0} : i32\n"
    module = lowered(kernel(known + body, results))
    assert not instructions(module)
    assert execute(module, [])[1] == expected

    # At run time the upper bits of the address, such as the rank of a CTA, do not matter.
    module = lowered(kernel(body, results, "%address : i32, %index : i32"))
    assert execute(module, [start | 1 << 24, index or 0])[1] == expected
    adds = [op for op in instructions(module) if isinstance(op, AddOp)]
    # At most one add for each descriptor, and one multiplication for the dynamic index.
    assert len(adds) <= len(steps) + (index is not None)
    assert sum(isinstance(op, MulWideOp) for op in instructions(module)) == (index is not None)


def test_a_step_costs_one_add() -> None:
    layout = SharedMemoryLayout(128, 64, 16, "k_major", "swizzle_128b")
    body, results = descriptors(layout, "bf16", [16, 32, 48], index=1)
    module = lowered(kernel(body, results, "%address : i32, %index : i32"))
    names = [op.name for op in instructions(module)]
    # The descriptor of the ring, of a stage in it, and three steps.
    assert names == [
        *("ptx.shr", "ptx.and", "ptx.or", "ptx.pack"),
        *("ptx.mul.wide", "ptx.add"),
        *("ptx.add", "ptx.add", "ptx.add"),
    ]


@pytest.mark.slow
@settings(max_examples=part(60), deadline=None)
@given(st.data())
def test_slices_add_lanes_and_columns(data: st.DataObject) -> None:
    """Slices of slices, each offset of which is a number, a constant value or a parameter."""
    lanes, columns = LANES, COLUMNS
    depth, type_ = 0, f"!tcgen05.tmem<{lanes}x{columns}xf32>"
    body = f"%m0 = tcgen05.load_address %slot : {type_}\n"
    parameters, arguments = ["%slot : i32"], [0]
    total = {"lane": 0, "column": 0}
    for depth in range(1, data.draw(st.integers(2, 5))):
        offsets: list[str] = []
        for name, extent in (("lane", lanes), ("column", columns)):
            offset = data.draw(st.integers(0, extent - 1))
            total[name] += offset
            match data.draw(st.sampled_from(("number", "constant", "parameter"))):
                case "number":
                    offsets.append(str(offset))
                case "constant":
                    body += f"%{name}{depth} = arith.constant {offset} : i32\n"
                    offsets.append(f"%{name}{depth}")
                case _:
                    parameters.append(f"%{name}{depth} : i32")
                    arguments.append(offset)
                    offsets.append(f"%{name}{depth}")
            if name == "lane":
                lanes = data.draw(st.integers(1, extent - offset))
            else:
                columns = data.draw(st.integers(1, extent - offset))
        before, type_ = type_, f"!tcgen05.tmem<{lanes}x{columns}xf32>"
        body += f"%m{depth} = tcgen05.slice %m{depth - 1}[{', '.join(offsets)}] "
        body += f": {before} to {type_}\n"
    module = lowered(kernel(body, [(f"m{depth}", type_)], ", ".join(parameters)))
    # The allocation begins at 0, since that is what the interpreter loads.
    assert execute(module, arguments)[1] == [pack(**total)]
    if len(arguments) == 1:
        assert [op.name for op in instructions(module)] in (["ptx.ld"], ["ptx.ld", "ptx.add"])

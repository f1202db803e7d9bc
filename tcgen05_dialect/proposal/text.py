"""The text of a launch file that proposes a launch of a kernel."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence, Set
from math import prod

from ..isa.ptx.kernel import EXTENTS
from ..isa.shared_memory.tensor_map import ELEMENTS, PACKED
from ..isa.targets import SHARED_BYTES
from ..ptx.instructions import SpecialRegisterOp
from ..ptx.kernel import KernelOp
from ..ptx.variables import place_shared, used_variables
from ..simulator.launch.arrays import TYPES
from .box_proposals import ELEMENT, SHAPE, SWIZZLE, THE_BOX, BoxProposal, ctas_of
from .launch_facts import LaunchFacts, grid_line, row
from .parameters import Member, Parameter, parameters_of
from .trial import Coordinates, Key, Trial, Trials

_GIVEN = "reqntid", "cluster_dims"
"""Extents that an option may give."""
_BYTE = 8
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_ARRAY_TYPES = {"b8": "u8", "b16": "f16", "b32": "f32", "b64": "u64", "b128": "u64"}
"""Type of an access without a number format -> the proposed element type."""
_INTEGERS = {"b8": "u8", "b16": "i16", "b32": "i32", "b64": "i64"}
"""The same for an array on whose content control or addresses depend."""
_ELEMENTS = 4096
"""Elements of a proposed array, of which the size is not known."""
_MOST = 1 << 24
"""Largest number of elements of a proposed tensor."""
_MARK = "a guess"
"""Words of the comment on each line with a value that does not follow from the kernel."""


_FACTOR = 2
"""Ratio of the values of a size in the two runs."""
_MOST_SIZES = 4
"""Number of sizes that are tried."""


class Following:
    """Expressions for the extents of tensors, by runs with another value of each size."""

    def __init__(self, facts: LaunchFacts, trials: Trials, sizes: Mapping[int, str]):
        self._changed: list[tuple[str, int, int, Trial]] = []
        trial = trials.first
        if not trial.is_run:
            return
        values = {index: trial.numbers[index, 0] for index in sizes if (index, 0) in trial.numbers}
        for index, value in [*values.items()][:_MOST_SIZES]:
            if value < 1:
                continue
            tried = {**values, index: _FACTOR * value}
            other = trials.other(
                tried,
                facts.grid_at({facts.parameters[each]: number for each, number in tried.items()}),
            )
            # A contract may ask for another number.
            changed = other.numbers.get((index, 0), value)
            same = all(other.numbers.get((n, 0)) == tried[n] for n in tried if n != index)
            if other.is_run and same and changed != value:
                self._changed.append((sizes[index], value, changed, other))

    def expressions(
        self, key: Key, box: Coordinates, reached: Coordinates
    ) -> tuple[int | str, ...]:
        """The extents of a tensor, `reached`, innermost first, as expressions where they follow
        one size."""
        found: list[int | str] = [*reached]
        for at, extent in enumerate(reached):
            names = [*self._names(key, at, box[at], extent)]
            if len(names) == 1 and names[0]:
                found[at] = names[0]
        return tuple(found)

    def _names(self, key: Key, at: int, box: int, extent: int) -> Iterator[str]:
        """For each size on which an extent depends, the expression; empty if there is none."""
        for name, value, changed, trial in self._changed:
            corners = [each[at] for each in trial.origins.get(key, ())]
            other = box + max([0, *corners])
            if other == extent:
                continue
            factor, rest = divmod(extent, value)
            divisor = -(-value // extent)
            if not rest and other == factor * changed:
                yield name if factor == 1 else f"{factor} * {name}"
            elif -(-value // divisor) == extent and -(-changed // divisor) == other:
                yield f"ceildiv({name}, {divisor})"
            else:
                yield ""


def launch_file(
    kernel: KernelOp,
    facts: LaunchFacts,
    source: str,
    block: Sequence[int] | None = None,
    cluster: Sequence[int] | None = None,
) -> str:
    """
    The text of a launch file for a kernel in the `ptx` dialect. `facts` is what the kernel says
    about its launch before it is lowered; `source` names its file. `block` and `cluster` are those
    of launches, if the kernel does not give its own. Raises OperationError for a larger block than
    the kernel allows.
    """
    given = {name for name in _GIVEN if kernel.extents(name) is None}
    kernel.assume(block, cluster)
    given = {name for name in given if kernel.extents(name) is not None}
    tile = {facts.parameters.index(name): size for name, size in facts.tiles.items()}
    trials = Trials(kernel, tile)
    trial = trials.first
    parameters = parameters_of(kernel, trial)
    numbers = [each for each in parameters if _is_number(each)]
    lines = [*_head(kernel, facts, source, trials, given), *_guessed(kernel, parameters)]
    used = [each for each in parameters if each.members]
    if any(each.name != each.short_name for each in used):
        lines += ["", "[args]", *(row(_key(each.name), each.short_name) for each in used)]
    lines += _sizes(numbers)
    has_maps = any(m.kind == "map" for each in parameters for m in each.members.values())
    sizes = {
        each.index: each.short_name
        for each in numbers
        if has_maps and each.short_name.isidentifier() and not each.is_float
    }
    following = Following(facts, trials, sizes)
    for parameter in parameters:
        lines += _tables(parameter, facts, following)
    lines += ["", "[expected]", *_expected(parameters, _shapes(parameters, lines))]
    return "\n".join(lines) + "\n"


def _head(
    kernel: KernelOp, facts: LaunchFacts, source: str, trials: Trials, given: Set[str]
) -> Iterator[str]:
    name, trial = kernel.sym_name.data, trials.first
    yield f"# A launch of {name} in {source}, to be filled in."
    runs = "The kernel runs with this launch."
    if not trial.is_run:
        runs = "No run of the whole kernel ended."
    yield f"# {runs} Replace what is marked as {_MARK}."
    yield row("kernel", name)
    cluster = kernel.extents("cluster_dims")
    tried = trial.cluster or (max(map(ctas_of, kernel.walk())),)
    while len(tried) > 1 and tried[-1] == 1:
        tried = tried[:-1]
    if facts.grid is None:
        names = {op.register.data for op in kernel.walk() if isinstance(op, SpecialRegisterOp)}
        used = [f"%{each}" for each in sorted(names) if each.startswith(("ctaid", "clusterid"))]
        reads = f"the kernel reads {', '.join(used)}" if used else "one cluster"
        why = _guess(f"{reads}; launch one CTA for each tile")
        yield row("grid", cluster or tried, why)
    else:
        yield grid_line(facts)
    threads, most = kernel.extents("reqntid"), kernel.extents("maxntid")
    if threads is None:
        why = "the largest that the kernel allows" if most else "the kernel gives none"
        yield row("block", most or (trials.threads,), _guess(why))
    elif "reqntid" in given:
        yield row("block", threads, "as given")
    else:
        yield f"# block: {json.dumps(threads)}, {EXTENTS['reqntid'].ptx} of the kernel"
    if cluster is not None and "cluster_dims" in given:
        yield row("cluster", cluster, "as given")
    elif cluster is not None:
        yield f"# cluster: {json.dumps(cluster)}, as the kernel requires"
    elif prod(tried) > 1:
        yield row("cluster", tried, _guess("the smallest with which the kernel runs"))
    shared = used_variables(kernel, kernel.body.blocks)
    if facts.dynamic_shared_memory is not None:
        if facts.dynamic_shared_memory:
            yield row("dynamic_shared_memory", facts.dynamic_shared_memory)
    elif any(op.size is None for op in shared):
        bytes_ = max(SHARED_BYTES.values()) - place_shared(shared)[1]
        why = "the maximum; the kernel gives no size"
        yield row("dynamic_shared_memory", bytes_, _guess(why))


def _guessed(kernel: KernelOp, parameters: list[Parameter]) -> Iterator[str]:
    """The key with the names of what the kernel does not tell."""
    is_known = kernel.extents("reqntid") or kernel.extents("maxntid")
    names = [] if is_known else ["block"]
    for parameter in parameters:
        for member in parameter.members.values():
            if member.is_guess:
                is_number = member.kind == "number"
                names.append(parameter.short_name if is_number else _name(parameter, member))
    if names:
        why = "fill these in, and remove their names here"
        yield row("guessed", [*dict.fromkeys(names)], why)


def _sizes(numbers: list[Parameter]) -> Iterator[str]:
    if numbers:
        yield from ("", "[sizes]")
    for each in numbers:
        known = each.members[0].value
        value = 1.0 if each.is_float else 1 if known is None else known
        declared = f".{each.declared}, " if each.declared else ""
        what = f"parameter {each.index}, {declared}{each.size} bytes"
        yield row(_key(each.short_name), value, _guess(what))


def _is_number(parameter: Parameter) -> bool:
    kinds = [member.kind for member in parameter.members.values()]
    return not parameter.is_structure and kinds == ["number"]


def _tables(parameter: Parameter, facts: LaunchFacts, following: Following) -> Iterator[str]:
    """The tables of one parameter."""
    members = sorted(parameter.members.values(), key=lambda each: each.offset)
    what = f"parameter {parameter.index}"
    if not members:
        return
    if _is_whole(parameter):
        (member, *_) = members
        matrix = facts.matrices.get(facts.parameters[parameter.index])
        if matrix is not None:
            yield from (
                "",
                f"# {what}, a pointer to a matrix",
                _title("arrays", parameter.short_name),
            )
            yield row("shape", matrix.shape)
            yield row("type", matrix.type)
            if matrix.is_read:
                yield row("fill", "random", _guess())
        elif member.kind == "pointer":
            yield from _pointer(parameter.short_name, member, f"{what}, a pointer")
        elif member.kind == "map":
            key = parameter.index, 0
            what = f"{what}, a tensor map"
            yield from _map(parameter.short_name, member, what, following, key)
        return
    for member in members:
        place, name = f"byte {member.offset} of {what}", _name(parameter, member)
        if member.kind == "pointer":
            yield from _pointer(name, member, f"{place}, a pointer")
        elif member.kind == "map":
            yield from _map(name, member, f"{place}, a tensor map")
    yield from ("", f"# {what}: {parameter.size} bytes", _title("structures", parameter.short_name))
    for member in members:
        if member.kind == "number":
            number = 1 if member.value is None else member.value
            why = _guess("the value, and the type among those of this size")
            given = f'type = "u{8 * member.size}", value = {number}'
            yield f"{member.offset} = {{{given}}}  # {why}"
        else:
            yield row(str(member.offset), _name(parameter, member))


def _pointer(name: str, member: Member, what: str) -> Iterator[str]:
    types = sorted(member.accessed)
    accessed = f", accessed as {', '.join(types)}" if types else ""
    known = _INTEGERS if member.decides else _ARRAY_TYPES
    element = next((known.get(each, each) for each in types), "u8")
    size = TYPES[element](0).itemsize
    elements = _ELEMENTS if member.end is None else -(-member.end // size)
    yield from ("", f"# {what}{accessed}")
    if member.decides:
        yield "# The course of the kernel depends on these numbers."
    yield _title("arrays", name)
    why = "not known" if member.end is None else "as far as a run accesses it"
    yield row("shape", [elements], _guess(why))
    yield row("type", element, "" if element in types else _guess("of this size"))
    yield row("fill", "unique" if member.decides else "random", _guess())


def _map(
    name: str,
    member: Member,
    what: str,
    following: Following | None = None,
    key: Key = (0, 0),
) -> Iterator[str]:
    box, array = member.box, f"{name}_tensor"
    assert box is not None
    bytes_ = prod(box.extents) * ELEMENTS[box.element].bits // 8
    is_doubted = _guess() if ELEMENT in box.doubts else ""
    yield from ("", f"# {what}; a box has {bytes_} bytes", _title("maps", name))
    yield row("array", array)
    about_box = " and ".join(each for each in box.doubts if each in (THE_BOX, SHAPE))
    yield row("box", box.extents, _guess(about_box) if about_box else "")
    yield row("swizzle", box.swizzle, _guess() if SWIZZLE in box.doubts else "")
    yield row("element", box.element, is_doubted)
    yield from ("", _title("arrays", array))
    extents: Sequence[int | str] = _tensor(member, box)
    if following is not None:
        extents = following.expressions(key, box.extents, extents)
    shape = [*reversed(_in_bytes(extents, box.element))]
    guessed = [str(each) for each in shape if not isinstance(each, str)]
    why = _guess(f"{', '.join(guessed)}, as far as a run copies it") if guessed else ""
    yield row("shape", shape, why)
    yield row("type", _array_type(box), is_doubted)
    if box.fill is None:
        yield row("fill", "random", _guess())
    else:
        why = _guess("legal as the metadata of sparse products")
        yield f"fill = {box.fill:#x}  # {why}"


def _array_type(box: BoxProposal) -> str:
    """The type of an array with elements of a tensor map: that of the numbers, if it is known.
    Packed elements are bytes, and the other names of f32 tell how a copy rounds."""
    element = box.element
    if element == "u8" and box.numbers is not None and box.numbers in TYPES:
        return box.numbers
    if ELEMENTS[element].bits < _BYTE:
        return "u8"
    return element if element in TYPES else "f32"


def _tensor(member: Member, box: BoxProposal) -> tuple[int, ...]:
    """The extents of a tensor that has the boxes that a kernel copies."""
    extents = box.extents
    if member.origins:
        corner = map(max, zip(*member.origins, strict=True))
        reached = tuple(a + max(b, 0) for a, b in zip(extents, corner, strict=True))
        if prod(reached) <= _MOST:
            extents = reached
    return extents


def _in_bytes(extents: Sequence[int | str], element: str) -> Sequence[int | str]:
    """The extents of an array: rows of packed elements are bytes, with 16 elements in a group."""
    bits = ELEMENTS[element].bits
    if bits >= _BYTE:
        return extents
    inner, *outer = extents
    size = PACKED * bits // _BYTE
    if isinstance(inner, str):
        return [f"{size} * ceildiv({inner}, {PACKED})", *outer]
    return [-(-inner // PACKED) * size, *outer]


def _shapes(parameters: list[Parameter], lines: Sequence[str]) -> Mapping[str, Sequence[int | str]]:
    """The shapes of the arrays in a file, without those of packed elements, and of results that are
    added to their arrays."""
    left_out = {
        f"{_name(each, member)}_tensor"
        for each in parameters
        for member in each.members.values()
        if (box := member.box) is not None
        and (ELEMENTS[box.element].bits < _BYTE or box.is_reduced)
    }
    arrays = tomllib.loads("\n".join(lines)).get("arrays", {})
    return {name: each["shape"] for name, each in arrays.items() if name not in left_out}


def _product(
    first: str, second: str, result: str, shapes: Mapping[str, Sequence[int | str]]
) -> str | None:
    """The only product of two arrays that has the shape of the result; None if there is none."""
    a, b, c = ([*shapes.get(each, ())] for each in (first, second, result))
    if {len(a), len(b), len(c)} != {2}:
        return None
    forms = (
        (f"{one} @ {other}", rows, columns)
        for one, (rows, inner) in ((first, a), (f"{first}.T", a[::-1]))
        for other, (depth, columns) in ((second, b), (f"{second}.T", b[::-1]))
        if inner == depth
    )
    found = [text for text, *shape in forms if shape == c]
    return found[0] if len(found) == 1 else None


def _expected(
    parameters: list[Parameter], shapes: Mapping[str, Sequence[int | str]]
) -> Iterator[str]:
    """An example: the last array to which the kernel stores; of three arrays, as the product of the
    other two; none if it is not known where the kernel stores."""
    stored = {
        f"{_name(each, member)}_tensor"
        if member.kind == "map"
        else _name(each, member): member.is_stored
        for each in parameters
        for member in sorted(each.members.values(), key=lambda member: member.offset)
        if member.kind != "number"
    }
    results = [name for name in stored if stored[name]]
    if not results:
        return
    result = results[-1]
    expected = None
    match [name for name in stored if name != result]:
        case [first, second] if results == [result]:
            expected = _product(first, second, result, shapes)
        case [first] if results == [result]:
            expected = first
        case _:
            pass
    yield f"# {row(_key(result), expected or f'reference.py:{result}', _guess())}"


def _guess(why: str = "") -> str:
    """The comment of a line with a guess."""
    return f"{_MARK}{why and f': {why}'}"


def _is_whole(parameter: Parameter) -> bool:
    """Whether a parameter is one value, such as a tensor map."""
    members = [*parameter.members.values()]
    is_map = len(members) == 1 and members[0].kind == "map" and not members[0].offset
    return is_map or not parameter.is_structure


def _name(parameter: Parameter, member: Member) -> str:
    """The name of an array or a map in the file."""
    name = parameter.short_name
    return name if _is_whole(parameter) else f"{name}_{member.offset}"


def _title(table: str, name: str) -> str:
    return f"[{table}.{_key(name)}]"


def _key(name: str) -> str:
    return name if _BARE_KEY.fullmatch(name) else json.dumps(name)

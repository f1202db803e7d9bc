"""
The instructions of `ptx` that are operations of MLIR's `nvvm`, as a table.

The columns are an instruction with the words that it must have; the operation; its operands; and
its attributes. `name.3` is an operand as a pointer to the address space 3, and `name&6` one if it
has 32 bits; `name?` is optional, `name*` variadic, and `-` is left out; `>name` is the result.
`group=cta_group<$cta_group>` is an attribute with the word of a qualifier; MLIR writes some as in
`action:increase`. `read=!read` is there if the qualifier is, and `group=#pending` is an immediate.
Words in parentheses say nothing more. An indented line continues a row. An instruction with any
other property or operand has no form here.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, cast

from xdsl.dialects.builtin import UnitAttr, UnregisteredAttr
from xdsl.ir import Attribute

from tcgen05_dialect.ptx.instruction import Instruction, syntax_of
from tcgen05_dialect.ptx.text.syntax import values_of, word_of

_TABLE = """
elect.sync | elect.sync | mask >elected |
bar.sync | barrier | barrier? threads? - |
bar.warp.sync | bar.warp.sync | mask |
barrier.cluster.arrive aligned=aligned | cluster.arrive | | aligned=!aligned
barrier.cluster.wait aligned=aligned | cluster.wait | | aligned=!aligned
fence.mbarrier_init | fence.mbarrier.init | |
fence.proxy.async | fence.proxy | | kind=proxy_kind<async>
fence.proxy.async space=global | fence.proxy | | kind=proxy_kind<async.global>
fence.proxy.async space=shared::cta | fence.proxy | | kind=proxy_kind<async.shared>
    space=shared_space<cta>
fence.proxy.async space=shared::cluster | fence.proxy | | kind=proxy_kind<async.shared>
    space=shared_space<cluster>
setmaxnreg action=inc | setmaxregister | | action=action:increase regCount=#registers
setmaxnreg action=dec | setmaxregister | | action=action:decrease regCount=#registers
mbarrier.init | mbarrier.init | address.3 count |
mbarrier.inval | mbarrier.inval | address.3 |
mbarrier.arrive | mbarrier.arrive | address.3 count? |
mbarrier.arrive.expect_tx | mbarrier.arrive.expect_tx | address.3 bytes |
cp.async.bulk.tensor.load | cp.async.bulk.tensor.shared.cluster.global | destination.7
    tensor_map.0 coordinates* mbarrier.3 - multicast_mask? cache_policy? - |
    group=cta_group<$cta_group>
cp.async.bulk.tensor.store | cp.async.bulk.tensor.global.shared.cta | tensor_map.0 source.3
    coordinates* cache_policy? - |
cp.async.bulk.commit_group | cp.async.bulk.commit.group | |
cp.async.bulk.wait_group | cp.async.bulk.wait_group | | group=#pending read=!read
prefetch.tensormap | prefetch | tensor_map.0 - | tensormap
griddepcontrol action=wait | griddepcontrol | | kind=grid_dep_action:wait
griddepcontrol action=launch_dependents | griddepcontrol | |
    kind=grid_dep_action:launch_dependents
tcgen05.alloc (space) | tcgen05.alloc | address.3 columns | group=cta_group<$cta_group>
tcgen05.dealloc | tcgen05.dealloc | taddr.6 columns | group=cta_group<$cta_group>
tcgen05.relinquish_alloc_permit | tcgen05.relinquish_alloc_permit | |
    group=cta_group<$cta_group>
tcgen05.fence order=before_thread_sync | tcgen05.fence | | kind=tcgen05_fence<before>
tcgen05.fence order=after_thread_sync | tcgen05.fence | | kind=tcgen05_fence<after>
tcgen05.wait operation=st | tcgen05.wait | | kind=tcgen05_wait<store>
tcgen05.commit (space) | tcgen05.commit | mbarrier.3 multicast_mask? |
    group=cta_group<$cta_group>
tcgen05.shift | tcgen05.shift | address.6 | group=cta_group<$cta_group>
tcgen05.cp | tcgen05.cp | address.6 descriptor | group=cta_group<$cta_group>
    shape=tcgen05_cp_shape<$shape> multicast=tcgen05_cp_multicast<$multicast>
    srcFormat=tcgen05_cp_src_fmt<$format>
tcgen05.mma (collector_buffer) | tcgen05.mma | d.6 a&6 b idesc enable_input_d - - |
    kind=tcgen05_mma_kind<$kind> ctaGroup=cta_group<$cta_group>
    collectorOp=tcgen05_mma_collectorop<$collector_op> aShift=!ashift
"""
_OPERAND = re.compile(r"(?P<name>\w+)(?P<sign>[.&?*]?)(?P<space>\d?)")
_ATTRIBUTE = re.compile(
    r"(?P<name>\w+)(?:=(?P<sign>[!#$]?)(?P<word>\w+)(?:<(?P<text>.*)>|:(?P<bare>\w+))?)?"
)
_GROUP = re.compile(r"cta_group\W*_?")


class Operand(NamedTuple):
    """An operand of an operation: `sign` is that of the table; without a name, it is left out."""

    name: str
    sign: str = ""
    space: int = 0


class Form(NamedTuple):
    """An operation of `nvvm` that is an instruction."""

    name: str
    operands: Sequence[Operand]
    result: str
    conditions: Sequence[tuple[str, str]]
    attributes: Sequence[re.Match[str]]
    properties: frozenset[str]
    """The properties of the instruction that the form says."""

    @property
    def is_segmented(self) -> bool:
        """Whether the operation has the sizes of its operand segments."""
        return sum(not each.name or each.sign in "?*" for each in self.operands if each.sign) > 1

    def takes(self, op: Instruction) -> bool:
        """Whether the operation says all that an instruction says."""
        if not op.properties.keys() <= self.properties:
            return False
        if any(word_of(op, name) != word for name, word in self.conditions):
            return False
        syntax = syntax_of(type(op))
        names = {each.name for each in self.operands} | {self.result}
        shown = all(name in names or not values_of(op, name) for name in syntax.operand_names)
        others = (each for each in syntax.results if each.name != self.result)
        return shown and not any(v.uses for each in others for v in values_of(op, each.name))

    def attributes_of(self, op: Instruction) -> dict[str, Attribute]:
        """The attributes of the operation for an instruction."""
        found: dict[str, Attribute] = {}
        for each in self.attributes:
            name, sign, word, text = each.group("name", "sign", "word", "text")
            if sign == "#":
                found[name] = op.properties[word]
            elif sign == "!" or not word:
                if not word or word in op.properties:
                    found[name] = UnitAttr()
            elif text is None:
                found[name] = attribute(f"nvvm.{word}", f" {each['bare']}")
            elif said := word_of(op, text[1:]) if text.startswith("$") else text:
                found[name] = attribute(f"nvvm.{word}", f"<{_GROUP.sub('cta_', said)}>")
        return found


@cache
def attribute(name: str, text: str) -> Attribute:
    """An attribute of MLIR that xDSL does not know; `text` follows its name."""
    return UnregisteredAttr.with_name_and_type(name, False)(name, False, True, text)


def form_of(op: Instruction) -> Form | None:
    """The operation that an instruction is; None if NVVM has none."""
    return next((form for form in _forms().get(op.name, ()) if form.takes(op)), None)


@cache
def _forms() -> dict[str, list[Form]]:
    found: dict[str, list[Form]] = {}
    for line in _TABLE.replace("\n    ", " ").strip().splitlines():
        instruction, name, operands, attributes = map(str.split, line.split("|"))
        shown: list[Operand] = []
        result = ""
        for word in operands:
            if word.startswith(">"):
                result = word[1:]
            elif word == "-":
                shown.append(Operand("", "-"))
            else:
                match = cast("re.Match[str]", _OPERAND.fullmatch(word))
                shown.append(Operand(match["name"], match["sign"], int(match["space"] or 0)))
        said = [cast("re.Match[str]", _ATTRIBUTE.fullmatch(word)) for word in attributes]
        conditions = [(a, b) for a, _, b in (word.partition("=") for word in instruction[1:]) if b]
        properties = {
            *(word.strip("()").partition("=")[0] for word in instruction[1:]),
            *(each["word"] for each in said if each["sign"] in ("!", "#")),
            *(each["text"][1:] for each in said if (each["text"] or "").startswith("$")),
            *(f"{each.name}_offset" for each in shown if each.sign in (".", "&")),
            "operandSegmentSizes",
        }
        form = Form(f"nvvm.{name[0]}", shown, result, conditions, said, frozenset(properties))
        found.setdefault(f"ptx.{instruction[0]}", []).append(form)
    return found

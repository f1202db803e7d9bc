"""Roles: their warps and registers, and the tiles on which all of them work."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar

from xdsl.dialects.builtin import DenseArrayBase, StringAttr, UnitAttr, i32
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoTerminator, RecursiveMemoryEffect

from ..isa.instructions.barriers import MAX_THREADS, REGISTERS, WARPGROUP_WARPS, most_registers
from ..isa.model.rule import Violation, raise_any
from ..isa.practice import PLACE_RULE, REGISTERS_RULE, ROLE_RULE
from ..isa.ptx.kernel import check_identifier
from ..isa.tensor_memory.alloc import WARP_LANES
from ..ptx.analysis.control_flow import operations_of
from ..ptx.kernel import KernelOp
from ..ptx.register_types import B32, INTEGER_32
from ..tcgen05.base import violations_reported
from ..xdsl_support.construction import Operands, Properties
from .base import (
    MMA,
    THREADS,
    HolderOp,
    Parts,
    RingType,
    SpelledOperation,
    WsOperation,
    enclosing,
    only_computes,
    parse_names,
    parse_number,
)
from .boxes import Cluster, order_violations, parse_tiles, print_tiles


class Worker(Protocol):
    """What decides about the warps of a role."""

    @property
    def warps_count(self) -> int: ...

    @property
    def registers_count(self) -> int | None: ...

    @property
    def sym_name(self) -> StringAttr: ...


RoleT = TypeVar("RoleT", bound=Worker)


class Requester(NamedTuple):
    """The warp that asks for tiles; it is a role of its own in the lowered kernel."""

    registers_count: int | None
    warps_count: int = 1
    sym_name: StringAttr = StringAttr("requests")


def is_whole(role: Worker) -> bool:
    """Whether a role consists of whole warpgroups; other roles share warpgroups."""
    return role.warps_count % WARPGROUP_WARPS == 0


def requester_of(roles: Sequence[Worker]) -> Requester:
    """The warp that asks for tiles, with the registers of the roles that share its warpgroup."""
    return Requester(next((each.registers_count for each in roles if not is_whole(each)), None))


def first_warps(roles: Sequence[RoleT]) -> dict[RoleT, int]:
    """The first warp of each role. Roles of whole warpgroups come first, so that warp w of such a
    role accesses lanes 32 w of tensor memory."""
    found: dict[RoleT, int] = {}
    warp = 0
    for role in sorted(roles, key=lambda each: not is_whole(each)):
        found[role] = warp
        warp += role.warps_count
    return found


def threads_of(roles: Sequence[Worker]) -> int:
    """The number of threads of a CTA. If a role has a number of registers, idle warps complete the
    last warpgroup, because all warps of a warpgroup change their registers together."""
    warps = sum(role.warps_count for role in roles)
    if any(role.registers_count is not None for role in roles):
        warps += -warps % WARPGROUP_WARPS
    return warps * WARP_LANES


def registers_at_start(roles: Sequence[Worker]) -> int:
    """The registers of each thread when a kernel starts that takes a whole multiprocessor."""
    return most_registers(threads_of(roles))


def register_violations(roles: Sequence[Worker]) -> Iterator[Violation]:
    """The violations by the numbers of registers of roles."""
    given = [role.registers_count for role in roles]
    if all(each is None for each in given):
        return
    for role, number in zip(roles, given, strict=True):
        if number is not None and REGISTERS.violations(number):
            what = f"the number of registers of @{role.sym_name.data}"
            yield REGISTERS_RULE.violation(number, REGISTERS.values, what)
            return
    sharing = [role for role in roles if not is_whole(role)]
    if len({role.registers_count for role in sharing}) > 1:
        found = ", ".join(
            f"{role.registers_count or 'none'} in @{role.sym_name.data}" for role in sharing
        )
        what = "the number of registers of roles that share a warpgroup"
        yield REGISTERS_RULE.violation(found, "the same", what)
        return
    start, threads = registers_at_start(roles), threads_of(roles)
    rest = threads - WARP_LANES * sum(role.warps_count for role in roles if is_whole(role))
    wanted = rest * (sharing[0].registers_count or start) if sharing else 0
    for role in roles:
        if is_whole(role):
            wanted += WARP_LANES * role.warps_count * (role.registers_count or start)
    most = start * threads
    if wanted > most:
        what = "the number of registers of all threads"
        legal = f"at most {most}, {start} for each of {threads} threads"
        yield REGISTERS_RULE.violation(wanted, legal, what)


_ASYNCHRONOUS = frozenset({"ws.tma_load", "ws.tma_store", "ws.mma", "ws.tmem_copy"})
"""Operations that hand their work to TMA or to the tensor cores."""


@irdl_op_definition
class WarpSpecializeOp(WsOperation):
    """
    The roles of a kernel, which the warps of each CTA execute at the same time.

        ws.warp_specialize (pair)? (<tiles>)? { ... }

    `<tiles>` is `tiles(%index, ...) of (%size by <extent>, ...) (persistent|clc)? (group(<n>))?`.

    With `tiles`, the roles work on one tile of a problem. Along each dimension, `size` is the
    extent of the problem, `extent` the extent of a tile, and `index` the number of the tile. The
    CTA with the position x, y, z in the grid has tile (x, y, z); with `persistent`, CTAs take
    further tiles until all are done. The first dimension changes fastest. The CTAs of a cluster
    have adjacent tiles.

    With `clc`, there is a CTA in the grid for each tile, as without `persistent`, but a CTA that is
    done takes the tile of one that has not started, by cluster launch control. One more warp asks
    for these tiles.

    With `group(8)`, the tiles are in groups of 8 along the first dimension, and all tiles of one
    group come before those of the next. CTAs that run at the same time then read fewer rows and
    columns, which stay in the L2 cache.

    With `pair`, the two CTAs of each pair work on one tile, and the CTA with the even rank issues
    the MMAs of both; the cluster has an even extent along x.

    Before the roles there may be operations that only compute.

    - `sizes`: the extents of the problem in elements
    - `extents`: the extents of a tile; in a pair, of the tile that both CTAs share
    - `group`: a number of tiles, a multiple of those of a cluster; there are two dimensions or more
    """

    name = "ws.warp_specialize"
    sizes = var_operand_def(B32)
    extents = prop_def(DenseArrayBase.constr(i32))
    persistent = opt_prop_def(UnitAttr)
    clc = opt_prop_def(UnitAttr)
    group = opt_prop_def(INTEGER_32)
    pair = opt_prop_def(UnitAttr)
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())

    @classmethod
    def block_arguments(cls, operands: Operands, properties: Properties) -> Sequence[Attribute]:
        return [i32] * len(operands["sizes"])

    @classmethod
    def parse(cls, parser: Parser) -> "WarpSpecializeOp":
        pair = {} if parser.parse_optional_keyword("pair") is None else {"pair": UnitAttr()}
        names, sizes, order = parse_tiles(parser)
        extents = DenseArrayBase.from_list(i32, [extent for _, extent in sizes])
        attributes = parser.parse_optional_attr_dict_with_keyword()
        return cls.create(
            operands=[size for size, _ in sizes],
            properties={"extents": extents, **pair, **order},
            attributes={} if attributes is None else attributes.data,
            regions=[parser.parse_region(names)],
        )

    def print(self, printer: Printer) -> None:
        if self.pair is not None:
            printer.print_string(" pair")
        sizes = [*zip(self.sizes, self.tile, strict=True)]
        print_tiles(printer, self.indices, sizes, self.properties)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)

    @property
    def tile(self) -> tuple[int, ...]:
        """The extents of a tile."""
        return tuple(map(int, self.extents.get_values()))

    @property
    def indices(self) -> tuple[BlockArgument, ...]:
        """The number of the tile along each dimension."""
        return tuple(self.body.block.args)

    @property
    def ctas(self) -> int:
        """The number of CTAs that work on a tile, 1 or 2."""
        return 1 if self.pair is None else 2

    @property
    def cluster(self) -> Cluster:
        """The extents of the cluster in CTAs."""
        kernel = self.parent_op()
        extents = kernel.extents("cluster_dims") if isinstance(kernel, KernelOp) else None
        x, y, z, *_ = (*(extents or ()), 1, 1, 1)
        return x, y, z

    @property
    def cluster_tiles(self) -> tuple[int, int, int]:
        """The number of tiles along each dimension on which a cluster works at a time."""
        x, y, z = self.cluster
        return x // self.ctas, y, z

    @property
    def roles(self) -> "list[RoleOp]":
        """The roles, in the order of the program."""
        return [op for op in self.body.block.ops if isinstance(op, RoleOp)]

    @property
    def is_sequential(self) -> bool:
        """Whether this is the sequential form: a single role works without rings, and loads or
        stores by TMA, or multiplies."""
        if len(self.roles) != 1:
            return False
        inside = operations_of(self.roles[0])
        return any(op.name in _ASYNCHRONOUS for op in inside) and not any(
            isinstance(each.type, RingType) for op in inside for each in op.operands
        )

    @property
    def takes_tiles(self) -> bool:
        """Whether a CTA works on several tiles, one after the other."""
        return self.persistent is not None or self.clc is not None

    @property
    def workers(self) -> "list[Worker]":
        """The roles and, with `clc`, the warp that asks for tiles."""
        return [*self.roles, *([] if self.clc is None else [requester_of(self.roles)])]

    @property
    def threads(self) -> int:
        """The number of threads of a CTA."""
        return threads_of(self.workers)

    def verify_(self) -> None:
        with violations_reported():
            raise_any(self._violations())

    def _violations(self) -> Iterator[Violation]:
        kernel = self.parent_op()
        if not isinstance(kernel, KernelOp):
            found = "nothing" if kernel is None else kernel.name
            yield ROLE_RULE.violation(found, KernelOp.name, "the operation around this one")
            return
        if any(isinstance(op, WarpSpecializeOp) for op in _before(self)):
            yield ROLE_RULE.violation(
                "a second one", "the only one of its kernel", "this operation"
            )
        counts = len(self.sizes), len(self.tile), len(self.indices)
        if len(set(counts)) > 1:
            what = "the numbers of sizes, extents and indices"
            yield ROLE_RULE.violation(counts, "one number", what)
            return
        if not self.roles:
            yield ROLE_RULE.violation("none", "one or more", "the number of roles")
        if self.threads > MAX_THREADS:
            what = "the number of threads of all roles"
            yield ROLE_RULE.violation(self.threads, f"at most {MAX_THREADS}", what)
        threads = kernel.extents("reqntid")
        if threads is not None and (threads[0] != self.threads or any(n > 1 for n in threads[1:])):
            help_ = "leave out reqntid: it follows from the roles"
            what = "reqntid of the kernel"
            yield ROLE_RULE.violation(
                threads, f"{self.threads}, as the roles have", what, help=help_
            )
        if self.cluster[0] % self.ctas:
            what = "the extent along x of the cluster of a pair"
            help_ = "give the kernel {cluster_dims = array<i32: 2>}"
            yield ROLE_RULE.violation(self.cluster[0], "even", what, help=help_)
        yield from self._other_violations()
        yield from register_violations(self.workers)
        group = None if self.group is None else self.group.value.data
        has_two_orders = self.clc is not None and self.persistent is not None
        yield from order_violations(self.tile, group, self.cluster_tiles, has_two_orders)

    def _other_violations(self) -> Iterator[Violation]:
        """Violations by operations between the roles."""
        for op in self.body.block.ops:
            if not isinstance(op, RoleOp) and not only_computes(op):
                legal = "roles, and operations that only compute"
                yield ROLE_RULE.violation(op.name, legal, "an operation of ws.warp_specialize")


def _before(op: Operation) -> Iterator[Operation]:
    before = op.prev_op
    while before is not None:
        yield before
        before = before.prev_op


@irdl_op_definition
class RoleOp(WsOperation):
    """
    The program of some warps of the CTA.

        ws.role @<name> warps(<warps>) (threads(%thread))? (leader)? (registers(<n>))? { ... }

    `%thread` is the number of the thread in the role. In a role that accesses tensor memory it is
    also the row of the thread. In a pair only the leader, the CTA with the even rank, executes a
    role with `leader`; such a role contains the regions by mma.

    - `warps`: the number of warps; 1 for a role with regions by tma or by mma
    - `registers`: the number of registers of each thread, a multiple of 8 from 24 to 256; roles
      that share a warpgroup have the same number. Registers that one role gives up are free for
      another.
    """

    name = "ws.role"
    sym_name = prop_def(StringAttr)
    warps = prop_def(INTEGER_32)
    leader = opt_prop_def(UnitAttr)
    registers = opt_prop_def(INTEGER_32)
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())

    @classmethod
    def parse(cls, parser: Parser) -> "RoleOp":
        name = parser.parse_symbol_name()
        parser.parse_keyword("warps")
        properties: dict[str, Any] = {"sym_name": name, "warps": parse_number(parser)}
        attributes = parser.parse_optional_attr_dict_with_keyword()
        has_thread = parser.parse_optional_keyword("threads") is not None
        names = parse_names(parser, (i32,)) if has_thread else []
        if parser.parse_optional_keyword("leader") is not None:
            properties["leader"] = UnitAttr()
        if parser.parse_optional_keyword("registers") is not None:
            properties["registers"] = parse_number(parser)
        body = parser.parse_region(names)
        return cls.create(
            properties=properties,
            attributes={} if attributes is None else attributes.data,
            regions=[body],
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        printer.print_string(f" warps({self.warps_count})")
        printer.print_op_attributes(self.attributes, print_keyword=True)
        if (thread := self.thread) is not None:
            printer.print_string(" threads")
            with printer.in_parens():
                printer.print_ssa_value(thread)
        printer.print_string(" leader" if self.leader is not None else "")
        if (registers := self.registers_count) is not None:
            printer.print_string(f" registers({registers})")
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)

    @property
    def warps_count(self) -> int:
        """The number of warps."""
        return self.warps.value.data

    @property
    def registers_count(self) -> int | None:
        """The number of registers of each thread; None if the compiler chooses it."""
        return None if self.registers is None else self.registers.value.data

    @property
    def specialized(self) -> WarpSpecializeOp:
        """The operation around the role."""
        around = self.parent_op()
        assert isinstance(around, WarpSpecializeOp)
        return around

    @property
    def thread(self) -> SSAValue | None:
        """The number of the thread in the role; None if the role does not name it."""
        return self.body.block.args[0] if self.body.block.args else None

    def verify_(self) -> None:
        with violations_reported():
            check_identifier(self.sym_name.data)
            raise_any(self._violations())

    def _violations(self) -> Iterator[Violation]:
        around = self.parent_op()
        if not isinstance(around, WarpSpecializeOp):
            found = "nothing" if around is None else around.name
            yield ROLE_RULE.violation(found, WarpSpecializeOp.name, "the operation around ws.role")
            return
        if self.leader is not None and around.pair is None:
            legal = "left out, because the CTAs do not form pairs"
            yield ROLE_RULE.violation("leader", legal, "leader", culprit="leader")
        if self.warps_count < 1:
            yield ROLE_RULE.violation(self.warps_count, "1 or more", "the number of warps")
        same = [role for role in around.roles if role.sym_name == self.sym_name]
        if same[0] is not self:
            found = f"@{self.sym_name.data}, like an earlier role"
            yield ROLE_RULE.violation(found, "a name of its own", "the name of the role")
        yield from self._violations_by_stages(around)

    def _violations_by_stages(self, around: WarpSpecializeOp) -> Iterator[Violation]:
        """The violations by the stages that the role takes: at most one of `warps` and of
        `leader`."""
        holders = [
            each
            for each in self.walk()
            if isinstance(each, HolderOp) and not each.is_by_reading_tma
        ]
        single = next((each for each in holders if each.kind != THREADS), None)
        if single is not None and self.warps_count != 1:
            what = f"the number of warps of a role with {single.NOUN} by {single.kind}"
            help_ = "write warps(1)"
            yield ROLE_RULE.violation(self.warps_count, 1, what, culprit="warps", help=help_)
        is_leader = self.leader is not None
        wrong = next((each for each in holders if (each.kind == MMA) != is_leader), None)
        if around.pair is not None and wrong is not None:
            found, legal, help_ = (
                ("leader", "no leader", "leave out leader")
                if is_leader
                else ("no leader", "leader", f"write leader after warps({self.warps_count})")
            )
            what = f"in a pair, a role with {wrong.NOUN} by {wrong.kind}"
            yield ROLE_RULE.violation(found, legal, what, culprit="leader", help=help_)


def role_of(op: Operation) -> RoleOp | None:
    """The role around an operation; None if there is none."""
    return next((each for each in enclosing(op) if isinstance(each, RoleOp)), None)


@irdl_op_definition
class ElectedOp(WsOperation):
    """
    Operations that one thread of the role executes: always the same one, of its first warp.

        ws.elected { ... }

    Raw operations of TMA and of tcgen05 that one thread issues belong here. The operation contains
    no region of a ring.
    """

    name = "ws.elected"
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())

    @classmethod
    def parse(cls, parser: Parser) -> "ElectedOp":
        attributes = parser.parse_optional_attr_dict_with_keyword()
        return cls.create(
            attributes={} if attributes is None else attributes.data,
            regions=[parser.parse_region([])],
        )

    def print(self, printer: Printer) -> None:
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_empty_block=False)

    def verify_(self) -> None:
        _check_in_role(self)


@irdl_op_definition
class RoleBarrierOp(SpelledOperation):
    """
    A barrier of all threads of the role.

        ws.role_barrier
    """

    name = "ws.role_barrier"
    FORM: ClassVar[Parts] = ()

    def verify_(self) -> None:
        _check_in_role(self)
        if any(isinstance(each, ElectedOp) for each in enclosing(self)):
            with violations_reported():
                raise PLACE_RULE.violation("ws.elected", "outside of it", "the region around it")


def outside_violations(op: Operation) -> Iterator[Violation]:
    """The violation by an operation that is not in a role."""
    if role_of(op) is None:
        what, help_ = "the operation around it", "move the operation into a ws.role"
        yield PLACE_RULE.violation("no ws.role", "a ws.role", what, help=help_)


def _check_in_role(op: Operation) -> None:
    with violations_reported():
        raise_any(outside_violations(op))

"""Rules on whole warp-specialised kernels: rings, roles and memory."""

from collections.abc import Iterator

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import VerifyException

from ..isa.model.rule import Violation
from ..isa.practice import OPERAND_RULE, PLACE_RULE, RING_RULE, ROLE_RULE, SIZE_RULE
from ..isa.targets import SAME_CTA_GROUP, SHARED_BYTES
from ..isa.tensor_memory.alloc import COLUMNS
from ..ptx.analysis.control_flow import operations_of
from ..ptx.kernel import KernelOp
from ..reporting.diagnostics import value_name
from ..tcgen05.base import CtaGroupOperation
from .base import WsOperation, enclosing
from .copies import copy_findings
from .game.games import game_findings, multicast_findings
from .kernel import Kernel, Memory, RingUse, memory_of, specialized, with_roles
from .linear import issue_findings, token_findings, uniformity_findings
from .products import MmaOp
from .regions import HoldOp, holding_of
from .rings import MMA, THREADS, TMA, AllocOp, HoldingOp, RingOp
from .roles import ElectedOp, RoleOp, WarpSpecializeOp, role_of
from .tma import TmaLoadOp, TmaStoreOp
from .uses import Finding, holding_findings, store_findings, uses_of


def kernel_findings(module: ModuleOp) -> Iterator[Finding]:
    """The operations that break a rule on whole warp-specialised kernels. Each operation of the
    module is valid by itself."""
    for function in module.ops:
        if not isinstance(function, KernelOp):
            continue
        own = [op for block in function.body.blocks for op in block.ops]
        roles = specialized(function)
        if roles is not None:
            found = _sequential_findings(function) if roles.is_sequential else _findings(function)
            yield from found
            continue
        for op in own:
            if op.name.startswith("ws."):
                legal = "a kernel with ws.warp_specialize"
                yield op, PLACE_RULE.violation("a kernel without it", legal, "the kernel")


def _sequential_findings(function: KernelOp) -> Iterator[Finding]:
    """The violations that the partition of a kernel in the sequential form finds."""
    # Imported here, because few kernels have this form.
    from .partition.turns import Refusal

    try:
        copy = with_roles(function)
    except Refusal as refusal:
        yield refusal.op, refusal.violation
        return
    for each in operations_of(copy):
        if isinstance(each, WsOperation):
            try:
                each.verify_()
            except VerifyException as error:
                if not isinstance(error.__cause__, Violation):
                    raise
                yield each, error.__cause__
                return
    yield from _findings(copy)


def _findings(function: KernelOp) -> Iterator[Finding]:
    """The violations of a kernel with roles."""
    op = specialized(function)
    assert op is not None
    kernel = Kernel(op)
    found = False
    for each in _local_findings(kernel):
        found = True
        yield each
    memory = memory_of(kernel)
    for violation in _size_violations(kernel, memory):
        found = True
        yield op, violation
    if not found:
        for each in game_findings(function, kernel):
            found = True
            yield each
    if not found:
        yield from multicast_findings(function, kernel)


def _local_findings(kernel: Kernel) -> Iterator[Finding]:
    for use in kernel.rings.values():
        yield from _ring_findings(use)
        for _, holding in use.holdings:
            yield from holding_findings(holding)
        for role, op in (*use.holdings, *use.token_ops):
            noun = "a region" if isinstance(op, HoldOp) else op.name
            yield from uniformity_findings(op, role, f"{noun} of %{use.name}")
    for role in kernel.roles:
        yield from token_findings(role)
        for op in kernel.inside[role]:
            yield from issue_findings(op, role)
    roles, free = kernel.barriers
    for role in roles[len(free) :]:
        what = "the number of roles in which several warps wait for each other"
        yield role, ROLE_RULE.violation(len(roles), f"at most {len(free)}", what)
    for alloc in kernel.allocs:
        yield from _alloc_findings(kernel, alloc)
    yield from store_findings(kernel)
    for op in kernel.op.walk():
        if isinstance(op, CtaGroupOperation) and op.ctas != kernel.op.ctas:
            pair = "no pair" if kernel.op.pair is None else "pair"
            legal = f"{kernel.op.ctas}, because ws.warp_specialize has {pair}"
            yield op, SAME_CTA_GROUP.violation(op.ctas, legal, "cta_group", culprit="cta_group")
    for op in kernel.op.walk():
        if isinstance(op, MmaOp | TmaLoadOp | TmaStoreOp):
            yield from _issue_findings(op)


_BY_A_RING = "hand the data over as a stage of a ring"


def _alloc_findings(kernel: Kernel, alloc: AllocOp) -> Iterator[Finding]:
    using = {role_of(use.operation) for use in alloc.buffer.uses}
    roles = [role for role in kernel.roles if role in using]
    if len(roles) > 1:
        names = " and ".join(f"@{role.sym_name.data}" for role in roles)
        legal = "one role; a ring hands data to another"
        what = "the role that uses a ws.alloc"
        yield alloc, PLACE_RULE.violation(names, legal, what, help=_BY_A_RING)
    # Raw operations may come with synchronisation of their own.
    agents = {use.by for use in uses_of(alloc.buffer) if isinstance(use.op, WsOperation)}
    if {MMA, THREADS} <= agents:
        legal = "threads or mma; a ring hands data from one to the other"
        what = "the agent that uses a ws.alloc"
        yield alloc, PLACE_RULE.violation("both", legal, what, help=_BY_A_RING)
    yield from copy_findings(alloc)


def _ring_findings(use: RingUse) -> Iterator[Finding]:
    op, name = use.op, f"%{use.name}"
    if not use.producers:
        yield op, RING_RULE.violation(0, "1 or more", f"the number of roles that produce {name}")
    elif bool(use.consumers) == use.is_stored:
        what = f"the number of roles that consume {name}"
        legal = "0, because TMA stores each stage" if use.is_stored else "1 or more"
        yield op, RING_RULE.violation(len(use.consumers), legal, what)
    elif not use.is_stored:
        yield from _stray_stores(use)
    first: dict[RoleOp, HoldingOp] = {}
    for role, region in use.holdings:
        other = first.setdefault(role, region)
        found, legal = (f"{each.SIDE} by {each.kind}" for each in (region, other))
        if found != legal:
            what = f"a region of {name} in @{role.sym_name.data}"
            yield region, PLACE_RULE.violation(found, f"{legal}, like the earlier one", what)
    kinds = {kind == MMA for kind in use.consumers.values()}
    if len(kinds) > 1 and _is_paired(op, use):
        what = f"in a pair, the consumers of {name}"
        yield op, PLACE_RULE.violation("both", "all by mma, or all by threads", what)
    if len(use.producers) > 1 and (use.is_stored or set(use.producers.values()) != {THREADS}):
        later = next(each for role, each in use.holdings if role is [*use.producers][1])
        what = f"the number of roles that produce {name}"
        reason = "because TMA stores each stage" if use.is_stored else "unless all are by threads"
        yield later, PLACE_RULE.violation(len(use.producers), f"1, {reason}", what)


def _is_paired(op: RingOp, use: RingUse) -> bool:
    around = [role.parent_op() for role, _ in use.holdings]
    return any(isinstance(each, WarpSpecializeOp) and each.pair is not None for each in around)


def _stray_stores(use: RingUse) -> Iterator[Finding]:
    """Stores by TMA in productions of a ring whose other stages are consumed."""
    for _, region in use.holdings:
        for buffer in region.buffers:
            for each in [*buffer.uses]:
                if isinstance(each.operation, TmaStoreOp):
                    what, legal = f"%{use.name}, from which TMA stores", "a ring without consumers"
                    found = "a ring with consumers"
                    yield each.operation, RING_RULE.violation(found, legal, what)


def _issue_findings(op: MmaOp | TmaLoadOp | TmaStoreOp) -> Iterator[Finding]:
    """The violations by the place of an operation that one thread issues."""
    if isinstance(op, TmaLoadOp | TmaStoreOp):
        holding = holding_of(op.tile)
        kind = TMA if isinstance(op, TmaLoadOp) else THREADS
        if holding is None or holding.kind != kind:
            legal = f"a buffer of a region by {kind}"
            yield op, OPERAND_RULE.violation("another buffer", legal, "the tile", culprit="tile")
        return
    holding = holding_of(op.d)
    for around in enclosing(op):
        if around is holding or isinstance(around, RoleOp):
            return
        if isinstance(around, ElectedOp) or (
            not isinstance(around, HoldOp) and around.name not in ("scf.for", "scf.if")
        ):
            legal = "scf.for, scf.if or a region"
            yield op, PLACE_RULE.violation(around.name, legal, "the operation around ws.mma")
            return


def _size_violations(kernel: Kernel, memory: Memory) -> Iterator[Violation]:
    most = max(SHARED_BYTES.values())
    if memory.shared_bytes > most:
        parts = _parts(kernel, memory, is_shared=True)
        what = f"the bytes of shared memory ({parts})"
        yield SIZE_RULE.violation(memory.shared_bytes, f"at most {most}", what)
    if memory.columns > COLUMNS:
        parts = _parts(kernel, memory, is_shared=False)
        what = f"the columns of tensor memory ({parts})"
        yield SIZE_RULE.violation(memory.columns, f"at most {COLUMNS}", what)


def _parts(kernel: Kernel, memory: Memory, is_shared: bool) -> str:
    """The part of each ring, as a text."""
    owners = [ring.ring for ring in kernel.rings] + [alloc.buffer for alloc in kernel.allocs]
    parts: list[str] = []
    for owner in owners:
        places = [place for place in memory.places[owner] if place.is_shared == is_shared]
        if places:
            stages, stage = places[0].stages, sum(place.step for place in places)
            parts.append(f"{value_name(owner, 'a buffer')}: {stages} x {stage}")
    return ", ".join(parts)

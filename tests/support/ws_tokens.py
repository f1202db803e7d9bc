"""Kernels of `ws` in which tokens take the place of regions."""

from tcgen05_dialect.compiler import parse
from tcgen05_dialect.operations import ws
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.ws.regions import AcquireOp, EndOp, HoldOp, ProduceOp


def with_tokens(text: str) -> str:
    """The kernel with an acquisition and an end in place of each region."""
    module, _ = parse(Source("kernel.mlir", text))
    for op in [*module.walk(reverse=True, region_first=True)]:
        if isinstance(op, HoldOp):
            _replace(op)
    return str(module)


def _replace(op: HoldOp) -> None:
    block, body = op.parent, op.body.block
    assert block is not None
    acquire: AcquireOp
    end: EndOp
    if isinstance(op, ProduceOp):
        acquire = ws.ProducerAcquireOp(op.ring, by=op.by)
        end = ws.ProducerCommitOp(acquire.token)
    else:
        acquire = ws.ConsumerWaitOp(op.ring, by=op.by)
        end = ws.ConsumerReleaseOp(acquire.token)
    block.insert_op_before(acquire, op)
    for old, new in zip(op.buffers, acquire.held, strict=True):
        new.name_hint = old.name_hint
        old.replace_all_uses_with(new)
    results = op.end.operands
    for each in [*body.ops][:-1]:
        each.detach()
        block.insert_op_before(each, op)
    block.insert_op_before(end, op)
    for old, new in zip(op.results, results, strict=True):
        old.replace_all_uses_with(new)
    op.end.detach()
    op.detach()
    op.drop_all_references()

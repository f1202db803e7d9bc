"""The pass `tcgen05-lower-to-ptx`: all lowerings to `ptx`, in order."""

import sys
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from tcgen05_dialect.ptx.kernel import has_roles

from . import convert_arith_to_ptx, convert_cf_to_ptx, convert_tcgen05_to_ptx
from .convert_scf_to_cf import ConvertScfToCf
from .convert_tcgen05_to_ptx import expand_offsets
from .hoist_invariants import hoist_invariants
from .ptx_fold_addresses import PtxFoldAddresses
from .support.conversion import (
    Conversion,
    check_cta_groups,
    check_lowered,
    check_values,
    without_functions,
)

_PARTS = tuple(
    part.CONVERSION for part in (convert_tcgen05_to_ptx, convert_arith_to_ptx, convert_cf_to_ptx)
)


# Folds constants before the main conversion, so that every user of a constant sees its value.
_FOLDING = Conversion(
    convert_arith_to_ptx.CONVERSION.lowerings,
    convert_arith_to_ptx.CONVERSION.registers,
    later=frozenset(convert_tcgen05_to_ptx.CONVERSION.registers),
)
_CONVERSION = Conversion(
    {op_type: lower for part in _PARTS for op_type, lower in part.lowerings.items()},
    {type_: register for part in _PARTS for type_, register in part.registers.items()},
    frozenset[str]().union(*(part.dialects for part in _PARTS)),
)


def _conversion() -> Conversion:
    """The main conversion. Most kernels have no operation of `math`, whose dialect takes long to
    import; there is none before it is."""
    if "xdsl.dialects.math" not in sys.modules:
        return _CONVERSION
    from .convert_math_to_ptx import CONVERSION

    dialects = _CONVERSION.dialects | CONVERSION.dialects
    lowerings = {**_CONVERSION.lowerings, **CONVERSION.lowerings}
    return _CONVERSION._replace(lowerings=lowerings, dialects=dialects)


def lower_roles(ctx: Context, module: ModuleOp, unroll_rings: bool = False) -> None:
    """Inline functions, expand offsets, and lower roles to `ptx`, `tcgen05`, `scf` and `arith`."""
    check_values(without_functions(module))
    expand_offsets(module)
    # The lowering of roles makes descriptors before loops itself.
    others = [each for each in module.ops if not has_roles(each)]
    for each in others:
        hoist_invariants(each)
        if unroll_rings:
            # Imported here, because few compilations ask for it.
            from .unroll_rings import unroll_rings as unroll

            if unroll(each):
                # The descriptors of all stages are now the same in all iterations.
                hoist_invariants(each)
    if len(others) < len(module.ops):
        # Imported here, because most kernels have no roles.
        from .ws_lower import LowerWs

        LowerWs().apply(ctx, module)


@dataclass(frozen=True)
class LowerToPtx(ModulePass):
    """Lowers a module of kernels to operations of `ptx` only. With `unroll_rings`, it runs
    `tcgen05-unroll-rings`, too."""

    name = "tcgen05-lower-to-ptx"
    unroll_rings: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        lower_roles(ctx, op, self.unroll_rings)
        ConvertScfToCf().apply(ctx, op)
        # Functions of several blocks, whose calls were in structured control flow.
        check_values(without_functions(op))
        check_cta_groups(op)
        check_values(_FOLDING.apply(op))
        _conversion().apply(op)
        PtxFoldAddresses().apply(ctx, op)
        check_lowered(op)

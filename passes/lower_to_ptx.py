"""The pass `tcgen05-lower-to-ptx`: all lowerings to `ptx`, in order."""

import sys

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from tcgen05_dialect.ptx.kernel import has_roles

from . import convert_arith_to_ptx, convert_cf_to_ptx, convert_tcgen05_to_ptx
from .convert_scf_to_cf import ConvertScfToCf
from .hoist_invariants import HoistInvariants
from .ptx_fold_addresses import PtxFoldAddresses
from .support.checks import check_cta_groups, check_lowered, check_values
from .support.conversion import Conversion
from .tcgen05.offsets import expand_offsets

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
    """
    The main conversion. Most kernels have no operation of `math`, whose dialect takes long to
    import; there is none before it is.
    """
    if "xdsl.dialects.math" not in sys.modules:
        return _CONVERSION
    from .convert_math_to_ptx import CONVERSION

    dialects = _CONVERSION.dialects | CONVERSION.dialects
    lowerings = {**_CONVERSION.lowerings, **CONVERSION.lowerings}
    return _CONVERSION._replace(lowerings=lowerings, dialects=dialects)


class LowerToPtx(ModulePass):
    """Lowers a module of kernels to operations of `ptx` only."""

    name = "tcgen05-lower-to-ptx"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        expand_offsets(op)
        if has_roles(op):
            # Imported here, because most kernels have no roles.
            from .lower_ws import LowerWs

            LowerWs().apply(ctx, op)
        else:
            # The lowering of roles makes descriptors before loops itself.
            HoistInvariants().apply(ctx, op)
        check_cta_groups(op)
        ConvertScfToCf().apply(ctx, op)
        check_values(_FOLDING.apply(op))
        _conversion().apply(op)
        PtxFoldAddresses().apply(ctx, op)
        check_lowered(op)

"""Entry point for plain `xdsl-opt`: factories of the dialects, passes and target of this project.

`xdsl-opt` imports this module at every start. Everything else is imported at its first use, because
an error here would break `xdsl-opt` for every user.
"""

from xdsl.universe import Universe

from .dialects import OWN
from .xdsl_support.fast_parser import lazy

TCGEN05_UNIVERSE = Universe(
    all_dialects=OWN,
    all_passes={
        "convert-arith-to-ptx": lazy(
            "tcgen05_dialect.passes.convert_arith_to_ptx", "ConvertArithToPtx"
        ),
        "convert-cf-to-ptx": lazy("tcgen05_dialect.passes.convert_cf_to_ptx", "ConvertCfToPtx"),
        "convert-math-to-ptx": lazy(
            "tcgen05_dialect.passes.convert_math_to_ptx", "ConvertMathToPtx"
        ),
        "convert-tcgen05-to-ptx": lazy(
            "tcgen05_dialect.passes.convert_tcgen05_to_ptx", "ConvertTcgen05ToPtx"
        ),
        "linalg-to-ws": lazy("tcgen05_dialect.passes.linalg_to_ws", "LinalgToWs"),
        "ptx-fold-addresses": lazy("tcgen05_dialect.passes.ptx_fold_addresses", "PtxFoldAddresses"),
        "tcgen05-convert-scf-to-cf": lazy(
            "tcgen05_dialect.passes.convert_scf_to_cf", "ConvertScfToCf"
        ),
        "tcgen05-hoist-invariants": lazy(
            "tcgen05_dialect.passes.hoist_invariants", "HoistInvariants"
        ),
        "tcgen05-inline-functions": lazy(
            "tcgen05_dialect.passes.inline_functions", "InlineFunctions"
        ),
        "tcgen05-unroll-rings": lazy("tcgen05_dialect.passes.unroll_rings", "UnrollRings"),
        "tcgen05-verify": lazy("tcgen05_dialect.verification.kernel_findings", "Verify"),
        "tcgen05-lower-ws": lazy("tcgen05_dialect.passes.ws_lower", "LowerWs"),
        "ws-partition": lazy("tcgen05_dialect.passes.ws_partition", "WsPartition"),
        "ws-sink-tiles": lazy("tcgen05_dialect.passes.ws_lower", "WsSinkTiles"),
        "ws-unroll-vectors": lazy("tcgen05_dialect.passes.ws_unroll_vectors", "WsUnrollVectors"),
        "ws-lower": lazy("tcgen05_dialect.passes.ws_lower", "WsLower"),
        "tcgen05-to-nvvm": lazy("tcgen05_dialect.passes.tcgen05_to_nvvm", "Tcgen05ToNvvm"),
        "tcgen05-lower-to-ptx": lazy("tcgen05_dialect.passes.lower_to_ptx", "LowerToPtx"),
    },
    all_targets={"ptx": lazy("tcgen05_dialect.ptx.text.printer", "PTXTarget")},
)

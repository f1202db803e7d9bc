"""Kernels whose steps compilers leave out, as IR and as PTX text."""

from typing import Any

from tcgen05_dialect.compiler import lower, parse, print_ptx
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.simulator import Launch, simulate

SLOT = "ptx.shared_memory @slot size 4 alignment 4\n"
ALLOC = """
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %c32 = arith.constant 32 : i32
  %slot = ptx.address_of @slot
  %thread = ptx.special_register tid.x
  %first_warp = arith.cmpi ult, %thread, %c32 : i32
  %to = ptx.mad.wide u32 %thread, %c4, %out
  scf.if %first_warp { tcgen05.alloc %slot, %c32 }
  ptx.bar.sync %c0
  tcgen05.fence after_thread_sync
  %base = ptx.ld "shared::cta" b32 [%slot] -> i32
"""
FREE = """
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
  tcgen05.fence after_thread_sync
  scf.if %first_warp { ptx.tcgen05.dealloc cta_group_1 %base, %c32 }
"""


def kernel_of(body: str, threads: int, parameters: str = "%out : i64", cluster: int = 1) -> str:
    dims = f"cluster_dims = array<i32: {cluster}, 1, 1>, " * (cluster > 1)
    attributes = f"{{{dims}reqntid = array<i32: {threads}, 1, 1>}}"
    return f"ptx.kernel @k({parameters}) attributes {attributes} {{{body}  ptx.ret\n}}\n"


def ptx_of(text: str) -> str:
    """The PTX of a module, which may be wrong as a whole."""
    module, context = parse(Source("k.mlir", text))
    return print_ptx(module, lower(module, context))


def rules_of(text: str, name: str, arguments: list[Any]) -> tuple[list[str], list[str]]:
    """The rules of errors and of warnings."""
    found = simulate(Source(name, text), arguments, Launch()).findings
    errors, warnings = (
        sorted({str(each.rule) for each in found if (each.severity == "error") is is_error})
        for is_error in (True, False)
    )
    return errors, warnings

"""Commands `tcgen05 compile`, `import` and `launch-file`: from IR to PTX, and from PTX to IR."""

import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from .command import Teller, refuse_rules, refuse_target, translation
from .files import CommandError, complain, is_ptx, read_source, refuse_overwriting, write_output

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ..reporting.diagnostics import Source


def run_compile(options: Namespace) -> None:
    """Compile IR or PTX to what `--emit` names."""
    from ..compiler import (
        NO_KERNEL,
        gpu_binary,
        has_kernel,
        import_source,
        lower_source,
        lower_to_nvvm,
        print_ptx,
        verify_kernels,
    )
    from ..reporting.diagnostics import CompileError

    if options.emit == "cubin" and options.output in (None, "-") and sys.stdout.isatty():
        raise CommandError(
            "--emit cubin writes binary data: give -o FILE or a pipe, not a terminal"
        )
    refuse_target(options.target, options.ptx_version)
    refuse_rules(options.allow)
    source = read_source(options.file, translation(options))
    refuse_overwriting(options.file, options.output)
    tell = Teller(options.strict, source.program, options.allow)
    runs_kernels = options.verify != "off"
    if is_ptx(source):
        if options.emit == "nvvm":
            raise CommandError(f"--emit nvvm: give IR; {source.program.name} is read as PTX text")
        if options.unroll_rings:
            raise CommandError("--unroll-rings: give IR; the loops of PTX text stay as they are")
        if options.tf32:
            raise CommandError(
                "--tf32: give functions of tensors; this file becomes PTX text first"
            )
        runs_kernels = False
        module, target = import_source(source, options.target, options.ptx_version)
    else:
        module, target = lower_source(
            source,
            options.target,
            options.ptx_version,
            tell,
            options.unroll_rings,
            options.tf32,
        )
        verify_kernels(module, source, operands=runs_kernels)
    if not has_kernel(module):
        raise CompileError(NO_KERNEL, source.program.name)
    ptx = ""
    if options.emit not in ("ir", "nvvm"):
        ptx = print_ptx(module, target, source, options.line_info)
    if runs_kernels:
        _run_kernels(module, source, options, tell)
    tell.end()
    if options.emit == "ir":
        write_output(options.output, f"{module!s}\n".encode())
        return
    if options.emit == "nvvm":
        module = lower_to_nvvm(source, target, options.unroll_rings, options.tf32)
        # MLIR does not read all that xDSL prints in its own format.
        _write(options.output, module, print_generic_format=True)
        return
    if options.emit == "gpu-binary":
        ptx = gpu_binary(ptx, target)
    if options.emit in ("ptx", "gpu-binary"):
        write_output(options.output, ptx.encode())
        return
    from ..assembler import ToolError, assemble

    try:
        assembled = assemble(ptx, target.target.data)
    except ToolError as error:
        raise CommandError(error.message) from error
    if assembled.messages:
        complain(assembled.messages)
    write_output(options.output, assembled.cubin)


def _run_kernels(module: "ModuleOp", source: "Source", options: Namespace, tell: Teller) -> None:
    """Run the kernels of a lowered module and tell warnings and failures of the verifier. Raises
    CompileError for the first error."""
    from ..reporting.diagnostics import has_errors
    from ..verification.kernel_findings import Crash, RunOptions, run_findings

    given = options.target, options.ptx_version
    found = [*run_findings(module, source, RunOptions(options.verify, *given, remarks=False))]
    for each in found:
        if isinstance(each, Crash):
            # The PTX text does not depend on the runs.
            complain(str(each))
    found = [each for each in found if not isinstance(each, Crash)]
    errors = [each for each in found if has_errors(each.findings)]
    tell(each for each in found if each not in errors)
    for error in errors:
        raise error


def run_import(options: Namespace) -> None:
    """Print PTX text as a module of the ptx dialect."""
    from ..compiler import import_source

    source = read_source(options.file, translation(options))
    if not is_ptx(source):
        raise CommandError(f"{source.name} is IR, not PTX; `tcgen05 opt` reads IR")
    refuse_overwriting(options.file, options.output)
    module = import_source(source, tell=Teller(strict=False), names=options.names).module
    _write(options.output, module, print_debuginfo=options.locations)


def _write(path: str | None, module: "ModuleOp", **how: Any) -> None:
    """Print a module to a file."""
    from io import StringIO

    from xdsl.printer import Printer

    stream = StringIO()
    Printer(stream, **how).print_op(module)
    write_output(path, f"{stream.getvalue()}\n".encode())


def run_launch_file(options: Namespace) -> None:
    """Print a template of a launch file."""
    from ..compiler import lower_tensors, parse, read_kernels
    from ..proposal.text import launch_file
    from ..simulator.launch.launch import kernel_of
    from .launch_options import given_extents, read_facts

    source = read_source(options.file, translation(options))
    refuse_overwriting(options.file, options.output)
    programs = [] if is_ptx(source) else lower_tensors(parse(source)[0], source)
    programs = [each for each in programs if options.kernel in (None, each.name)]
    if len(programs) == 1:
        write_output(options.output, programs[0].launch_file().encode())
        return
    facts = read_facts(source, options.kernel)
    kernel = kernel_of(read_kernels(source).module, options.kernel)
    text = launch_file(kernel, facts, source.program.name, *given_extents(options))
    write_output(options.output, text.encode())

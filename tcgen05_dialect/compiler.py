"""Compiler from IR text to PTX: the stages of the command line and the Python interface."""

import gc
import re
from collections.abc import Callable, Container, Generator, Iterable, Iterator, Sequence, Set
from contextlib import contextmanager
from itertools import chain
from threading import Lock, get_ident
from types import NoneType
from typing import TYPE_CHECKING, NamedTuple

from xdsl.context import Context
from xdsl.dialects.builtin import UNKNOWN_LOC, ModuleOp
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import ParseError

from .contraction import has_tensors
from .dialects import DIALECTS
from .language import language_of, text_source
from .ptx.analysis.control_flow import has_functions, operations_of
from .ptx.kernel import KernelOp, has_roles
from .ptx.types import ATTRIBUTE, TargetAttr, choose_target
from .ptx.variables import shared_memory_errors
from .reporting.diagnostics import (
    NOT_REPEATED,
    CompileError,
    Finding,
    OperationError,
    Repeated,
    Source,
    diagnosed,
    has_errors,
    located,
    operation_error,
    parse_error,
)
from .reporting.project import check_type
from .verifier import verification_errors, verification_warnings
from .xdsl_support.fast_parser import FamilyContext
from .xdsl_support.operation_format import formats_parsed_at_first_use
from .xdsl_support.parser import LocatedParser

if TYPE_CHECKING:
    from .contraction.program import Program


_STABLEHLO = re.compile(r'^\s*+(?:%[^=\n]*+=\s*+)?+"?(?:stable|c)hlo\.\w', re.MULTILINE)
"""An operation of StableHLO."""


def _is_stablehlo(source: Source) -> bool:
    return "hlo." in source.text and _STABLEHLO.search(source.text) is not None


@contextmanager
def without_garbage_collection() -> Generator[None]:
    """
    Disable Python's garbage collector, unless several threads do so: one of them might always be
    inside, and nothing would ever be freed.

    IR is one large cyclic structure that stays alive. Searching it again and again takes up to half
    of the compile time, and a tenth of the time of a run in the emulator.
    """
    _collection.enter()
    try:
        yield
    finally:
        _collection.leave()


class _Collection:
    """The state of the garbage collector: disabled while exactly one thread works without it."""

    def __init__(self) -> None:
        self._lock, self._threads = Lock(), list[int]()
        self._was_enabled = False

    def enter(self) -> None:
        with self._lock:
            if not self._threads:
                self._was_enabled = gc.isenabled()
            self._threads.append(get_ident())
            self._choose()

    def leave(self) -> None:
        with self._lock:
            self._threads.remove(get_ident())
            self._choose()

    def _choose(self) -> None:
        if self._was_enabled and len({*self._threads}) != 1:
            gc.enable()
        else:
            gc.disable()

    @property
    def is_off(self) -> bool:
        """Whether the process has disabled the collector for good, as the command has."""
        return not self._was_enabled


_collection = _Collection()


@contextmanager
def freeing_garbage() -> Generator[None]:
    """
    Free the objects in reference cycles at the end, if the process has disabled the collector for
    good: the runs of each kernel leave 20 MB. What was there before counts as permanent, so that it
    takes no time.
    """
    if _collection.is_off:
        gc.freeze()
    yield
    if _collection.is_off:
        gc.collect()


def make_context() -> Context:
    """A context with the dialects of kernels, each loaded at its first use."""
    context = FamilyContext()
    for name, load in DIALECTS.items():
        context.register_dialect(name, load)
    return context


def parse(source: Source, names: dict[SSAValue, str] | None = None) -> tuple[ModuleOp, Context]:
    """Parse IR and record the location of every operation and, in `names`, how the text writes each
    value. Raises CompileError."""
    context = make_context()
    with diagnosed(source):
        if _is_stablehlo(source):
            # Imported here, because few modules have this dialect.
            from .stablehlo import parse_stablehlo

            return parse_stablehlo(context, source), context
        return LocatedParser(context, source, names).parse_module(), context


def lower_tensors(
    module: ModuleOp, source: Source | None = None, tf32: bool = False
) -> "list[Program]":
    """Replace the functions of tensors in a module, such as those of linalg, by their kernels;
    returns their launches. With `tf32`, tensor cores multiply f32 as tf32. Raises CompileError."""
    if not any(map(has_tensors, module.ops)):
        return []
    # Imported here, because most modules have no tensors.
    from tcgen05_dialect.passes.linalg_to_ws import lower_functions

    with diagnosed(source):
        return lower_functions(module, tf32)


def parse_module(source: Source | str) -> ModuleOp:
    """
    Parse IR, a `str` or a `Source` with the name of its file.

    The operations have their places in the text. Nothing is verified. Raises CompileError, and
    TypeError for arguments of other types.
    """
    check_type("source", source, (Source, str), "a Source, or a str of IR text")
    return parse(text_source(source) if isinstance(source, str) else source)[0]


def parse_on(source: Source) -> tuple[ModuleOp, Context, list[CompileError], Set[object]]:
    """
    Parse IR, and continue after errors.

    Returns the module without the skipped operations, its context, the errors, and the operations
    whose verification may fail because of skipped text. Raises CompileError if nothing can be read.
    """
    from .xdsl_support.recovery import RecoveringParser

    if _is_stablehlo(source):
        module, context = parse(source)
        return module, context, [], frozenset()
    context = make_context()
    with diagnosed(source):
        parser = RecoveringParser(context, source)  # reads the first token
        module = parser.parse_module()
    errors = [_read_error(error, source) for error in parser.errors]
    return module, context, errors, parser.uncertain(module)


def _read_error(error: ParseError, source: Source) -> CompileError:
    found = parse_error(error, source.lines_before)
    found.__cause__ = error
    return found


def verify(
    module: ModuleOp, source: Source | None = None, repeated: Repeated = NOT_REPEATED
) -> None:
    """
    Verify a module; `source` is the text it was read from, for the message.

    Raises CompileError for the first invalid operation, and TypeError if `module` is no module; for
    `repeated`, see `verification_errors`.
    """
    check_type("module", module, (ModuleOp,), "a module")
    with diagnosed(source):
        for error in errors_of(module, source, repeated=repeated):
            raise error from error.__cause__


def errors_of(
    module: ModuleOp,
    source: Source | None = None,
    left_out: Set[object] = frozenset(),
    repeated: Repeated = NOT_REPEATED,
) -> list[CompileError]:
    """
    The errors of a module: at most one for each operation, none for operations in `left_out`; for
    `repeated`, see `verification_errors`.

    If all operations of `func` are valid, kernels with calls are verified after inlining.
    Operations that contradict each other are reported only if there are no other errors.
    """
    found = [*_verification_errors(module, left_out, repeated)]
    # A wrong call cannot be inlined.
    if not (left_out or repeated or any(each.operation.name.startswith("func.") for each in found)):
        whole = with_functions(module)
        if whole is not module:
            found += _errors_after_inlining(module, whole, found)
        if not found:
            found = [*_different(_contradictions(whole, "error"))]
    errors = [_found(each, source) for each in found]
    if source is None or not errors:
        return errors
    from .reporting.suppressions import errors_at_aliases

    return errors_at_aliases(errors, source)


def _found(error: OperationError, source: Source | None) -> CompileError:
    found = operation_error(error, source)
    found.__cause__ = error
    return found


def _verification_errors(
    module: ModuleOp, left_out: Set[object], repeated: Repeated
) -> Iterator[OperationError]:
    """The errors of a module as it is written."""
    if not has_functions(module):
        yield from verification_errors(module, left_out, repeated)
        return
    from .ptx.analysis.functions import call_violations, verified_inlined

    yield from verification_errors(module, left_out | verified_inlined(module), repeated)
    for call, violation in call_violations(module):
        if call not in left_out:
            yield located(call, violation)


def _errors_after_inlining(
    module: ModuleOp, whole: ModuleOp, found: Iterable[OperationError]
) -> Iterator[OperationError]:
    """The errors of kernels with calls, which `whole` has inlined, except those at the locations of
    `found`, the errors of the module as it is written."""
    from .ptx.analysis.functions import verified_as_written

    places = {each.operation.location for each in found}
    for error in _different(verification_errors(whole, verified_as_written(module, whole))):
        if error.operation.location not in places:
            yield error


def with_functions(module: ModuleOp) -> ModuleOp:
    """A valid module or, if it has functions, a copy with its calls inlined."""
    if not has_functions(module):
        return module
    from tcgen05_dialect.passes.inline_functions import inline_functions

    copy = module.clone()
    inline_functions(copy)
    return copy


def _different(errors: Iterable[OperationError]) -> Iterator[OperationError]:
    """The errors without repetitions: operations may be inlined copies of one operation."""
    seen: set[tuple[object, str]] = set()
    for error in errors:
        location = error.operation.location
        key = (error.operation if location is UNKNOWN_LOC else location, str(error))
        if key not in seen:
            seen.add(key)
            yield error


def warnings_of(
    module: ModuleOp, source: Source | None = None, left_out: Container[object] = ()
) -> Iterator[CompileError]:
    """The warnings about a module: none for operations with errors, which must be in `left_out`."""
    found = verification_warnings(module, left_out)
    if not left_out:
        whole = with_functions(module)
        found = _different(chain(verification_warnings(whole), _contradictions(whole, "warning")))
    for warning in found:
        yield _found(warning, source)


def _contradictions(module: ModuleOp, severity: str) -> Iterator[OperationError]:
    """The operations that contradict the boxes of tensor maps or the rings of roles. The module has
    no other errors."""
    if severity == "error" and any(map(has_roles, module.ops)):
        from .ws.checks import kernel_findings

        for operation, violation in kernel_findings(module):
            yield located(operation, violation)
    for kernel in module.ops:
        if isinstance(kernel, KernelOp) and kernel.has_boxes:
            from .ptx.analysis.places import transaction_violations
            from .tcgen05.copies import copied_tile_violations

            operations = operations_of(kernel)
            for find in (transaction_violations, copied_tile_violations):
                for operation, violation in find(operations):
                    if violation.rule.severity == severity:
                        yield located(operation, violation)


def lower(
    module: ModuleOp,
    context: Context,
    target: str | None = None,
    ptx_version: str | None = None,
    source: Source | None = None,
    unroll_rings: bool = False,
) -> TargetAttr:
    """
    Lower a verified module to the `ptx` dialect, in place, and return its target. For
    `unroll_rings`, see `LowerToPtx`.

    Raises CompileError.
    """
    with formats_parsed_at_first_use():
        from tcgen05_dialect.passes.lower_to_ptx import LowerToPtx

    with diagnosed(source):
        chosen = choose_target(module, target, ptx_version)
        module.attributes[ATTRIBUTE] = chosen
        LowerToPtx(unroll_rings).apply(context, module)
        return chosen


def kernel_violations_of(
    module: ModuleOp, source: Source | None = None, operands: bool = True
) -> Iterator[CompileError]:
    """The errors and warnings of the kernels of a lowered module that no single operation shows;
    without `operands`, none that follow from what is known of operands."""
    from .uniformity.convergence import kernel_errors

    found_errors = chain(shared_memory_errors(module), kernel_errors(module))
    if operands and _has_tensor_cores(module):
        from .dataflow.legality import operand_errors

        found_errors = chain(found_errors, operand_errors(module))
    for error in _different(found_errors):
        yield _found(error, source)


NO_KERNEL = "the file has no kernel, and no function of tensors"


def has_kernel(module: ModuleOp) -> bool:
    """Whether a module has a kernel."""
    return any(isinstance(op, KernelOp) for op in module.ops)


def _has_tensor_cores(module: ModuleOp) -> bool:
    """Whether a kernel has a tcgen05 instruction."""
    kernels = (op for op in module.ops if isinstance(op, KernelOp))
    return any(each.name.startswith("ptx.tcgen05.") for op in kernels for each in op.walk())


def verify_kernels(module: ModuleOp, source: Source | None = None, operands: bool = True) -> None:
    """
    Verify the kernels of a lowered module as a whole, as far as that is possible without a run;
    `operands` as for `kernel_violations_of`.

    Raises CompileError for the first error.
    """
    for error in kernel_violations_of(module, source, operands):
        if has_errors(error.findings):
            raise error from error.__cause__


def print_ptx(
    module: ModuleOp, target: TargetAttr, source: Source | None = None, has_lines: bool = False
) -> str:
    """The PTX text of a lowered module; for `has_lines`, see `print_module`. Raises
    CompileError."""
    from .ptx.text.printer import print_module

    with diagnosed(source):
        return print_module(module, target, has_lines)


def gpu_binary(ptx: str, target: TargetAttr) -> str:
    """A module of MLIR with PTX text in a `gpu.binary`, which `gpu.launch_func` calls."""
    text = "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:02X}"
        for byte in ptx.encode(errors="surrogateescape")
    )
    chip = f'#nvvm.target<chip = "{target.target.data}">'
    return (
        "module attributes {gpu.container_module} {\n"
        f'  gpu.binary @kernels [#gpu.object<{chip}, assembly = "{text}">]\n}}\n'
    )


def lower_to_nvvm(
    source: Source, target: TargetAttr, unroll_rings: bool = False, tf32: bool = False
) -> ModuleOp:
    """The module of IR text in the dialects `llvm` and `nvvm` of MLIR; see `Tcgen05ToNvvm`. For the
    options, see `lower_source`. Raises CompileError."""
    from tcgen05_dialect.passes.tcgen05_to_nvvm import Tcgen05ToNvvm

    module, context = parse(source)
    lower_tensors(module, source, tf32)
    with diagnosed(source):
        module.attributes[ATTRIBUTE] = target
        Tcgen05ToNvvm(unroll_rings).apply(context, module)
    return module


class Lowered(NamedTuple):
    """A lowered module and its target."""

    module: ModuleOp
    target: TargetAttr


def lower_source(
    source: Source,
    target: str | None = None,
    ptx_version: str | None = None,
    tell: Callable[[Iterator[CompileError]], None] | None = None,
    unroll_rings: bool = False,
    tf32: bool = False,
) -> Lowered:
    """
    Parse, verify and lower IR text. Raises CompileError.

    `tell` receives the warnings before the lowering, which may fail. For `unroll_rings`, see
    `LowerToPtx`; for `tf32`, `lower_tensors`.
    """
    module, context = parse(source)
    lower_tensors(module, source, tf32)
    verify(module, source)
    if tell is not None:
        tell(warnings_of(module, source))
    return Lowered(module, lower(module, context, target, ptx_version, source, unroll_rings))


def import_source(
    source: Source,
    target: str | None = None,
    ptx_version: str | None = None,
    tell: Callable[[Iterator[CompileError]], None] | None = None,
    inlines: bool = False,
    names: bool = False,
) -> Lowered:
    """
    Read PTX text as a verified module of `ptx`. Raises CompileError.

    `tell` receives the remarks about instructions that the dialect does not know. With `inlines`,
    calls are inlined; with `names`, `ptx.name` fixes the names of registers.
    """
    from .ptx_import import import_ptx

    imported = import_ptx(source, inlines)
    if tell is not None:
        tell(imported.remarks())
    if names:
        # Imported here, because few readers need the names.
        from .ptx.text.register_names import name_registers

        for op in imported.module.ops:
            name_registers(op)
    if target is not None and ptx_version is not None:
        # The text may be for another target, as that of a driver that compiles it for its device.
        imported.module.attributes.pop(ATTRIBUTE, None)
    try:
        verify(imported.module, source, imported.repeated)
    except CompileError as error:
        raise imported.as_written(error) from error.__cause__
    with diagnosed(source):
        chosen = choose_target(imported.module, target, ptx_version)
        imported.module.attributes[ATTRIBUTE] = chosen
    return Lowered(imported.module, chosen)


def read_kernels(
    source: Source,
    target: str | None = None,
    ptx_version: str | None = None,
    tell: Callable[[Iterator[CompileError]], None] | None = None,
) -> Lowered:
    """
    The kernels of a text in the `ptx` dialect, to be run: IR is lowered; PTX is imported, with its
    calls inlined.

    `tell` receives the warnings about IR, and the remarks about PTX. Raises CompileError.
    """
    is_ptx = language_of(source.name, source.text) == "PTX"
    if is_ptx:
        return import_source(source, target, ptx_version, tell, inlines=True)
    return lower_source(source, target, ptx_version, tell)


def as_written(findings: Iterable[Finding], source: Source | None) -> list[Finding]:
    """Findings about kernels of a text, with the names that PTX text has; see `read_kernels`."""
    if source is None or language_of(source.name, source.text) != "PTX":
        return [*findings]
    from .ptx_import import in_ptx

    return [in_ptx(each, source.text) for each in findings]


def assume_extents(
    module: ModuleOp, block: Sequence[int] | None, cluster: Sequence[int] | None
) -> None:
    """Give the block and the cluster of launches to the kernels of a module that do not give their
    own. Raises OperationError."""
    for op in module.ops:
        if isinstance(op, KernelOp):
            op.assume(block, cluster)


def compile_to_ptx(
    module: ModuleOp | str,
    *,
    target: str | None = None,
    ptx_version: str | None = None,
    unroll_rings: bool = False,
) -> str:
    """
    Compile a module or IR text to PTX text. A module is not modified.

    `target` is a name such as `sm_100a`, and `ptx_version` one such as `8.8`. They default to those
    of the module, or else to `sm_100a` and the first version that supports the target. The
    module's version is ignored if it does not support the `target` given here. With
    `unroll_rings`, loops around matrix products are unrolled by the stages of their rings. Warnings
    are ignored; `check_source` lists them.

    Raises CompileError for errors in the module, the target or the version, and TypeError for
    arguments of other types.
    """
    check_type("module", module, (ModuleOp, str), "a module, or a str of IR text")
    check_type("target", target, (str, NoneType), "a str such as 'sm_100a', or None")
    check_type("ptx_version", ptx_version, (str, NoneType), "a str such as '8.8', or None")
    with without_garbage_collection():
        if isinstance(module, str):
            source = text_source(module)
            lowered = lower_source(source, target, ptx_version, unroll_rings=unroll_rings)
            verify_kernels(lowered.module, source)
            return print_ptx(lowered.module, lowered.target, source)
        verify(module)
        clone = module.clone()
        chosen = lower(clone, make_context(), target, ptx_version, unroll_rings=unroll_rings)
        verify_kernels(clone)
        return print_ptx(clone, chosen)

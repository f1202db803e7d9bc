"""Check of whole files of PTX or IR; it reports every error, not only the first."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from types import NoneType
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation, SSAValue

from .isa.model.rule import Rule
from .isa.practice import RULES_IN_IR
from .isa.ptx.ptx_text import KERNEL
from .isa.targets import parse_target, parse_version
from .language import language_of, misnamed, text_source
from .ptx.kernel import is_read, kernel_around
from .reporting.culprit import declared_culprit
from .reporting.diagnostics import (
    NOT_REPEATED,
    CompileError,
    Finding,
    OperationError,
    Repeated,
    Source,
    diagnosed,
    has_errors,
    operation_error,
    violation_of,
)
from .reporting.formats import Findings, edited, line_before
from .reporting.project import check_type
from .reporting.suppressions import Suppressions
from .verification import EFFORTS, Effort, FirstFix, unheard

_MODULE = "<module>"
"""The name of a module in findings without a place."""
MOST_FIXES = 100
"""Number of fixes of a text, so that fixing ends."""


class _Options(NamedTuple):
    """The options of `check_source`."""

    target: str | None
    ptx_version: str | None
    verify: Effort
    redundant: bool
    fixes: bool | FirstFix
    tf32: bool = False
    allow: Collection[str] = ()
    block: Sequence[int] | None = None
    cluster: Sequence[int] | None = None
    progress: Callable[[str], None] = unheard


def check_source(
    source: Source | str | ModuleOp,
    target: str | None = None,
    ptx_version: str | None = None,
    verify: Effort = "off",
    redundant: bool = False,
    fixes: bool | FirstFix = False,
    allow: Collection[str] = (),
    block: Sequence[int] | None = None,
    cluster: Sequence[int] | None = None,
    tf32: bool = False,
    progress: Callable[[str], None] = unheard,
) -> Findings:
    """
    The errors and warnings for PTX or IR text, or for a module, in the order of the text;
    `language_of` tells the two languages apart.

    A `str` is text without a file name. A module is not modified; its findings have the places of
    its operations. `target` and `ptx_version` override those in the text.
    `verify` says how thoroughly to verify whole kernels, which happens only without other errors; a
    remark gives the verdict on each kernel. With `redundant`, remarks also name the fences, waits
    and barriers that verified kernels do not need. With `fixes`, findings about PTX text have
    fixes, too, which takes several runs of the kernel for each; with a FirstFix, at most one
    finding of each kernel has a fix. `block` and `cluster` are the extents of launches of kernels
    that do not give their own. With `tf32`, tensor cores multiply f32 in functions of tensors.
    `progress` is called with texts about runs, and before each trial of a fix.

    A comment `// tcgen05: allow RULE`, at the end of the line of a warning or alone on the line
    before it, suppresses the warning, and so does a rule in `allow`. `suppressed` of such a finding
    says how. Comments that suppress nothing have findings of their own.

    Raises CompileError for an unknown target or version, ValueError for other `verify`, and
    TypeError for arguments of other types.
    """
    legal = "a Source, a str of text, or a module"
    check_type("source", source, (Source, str, ModuleOp), legal)
    check_type("target", target, (str, NoneType), "a str such as 'sm_100a', or None")
    check_type("ptx_version", ptx_version, (str, NoneType), "a str such as '8.8', or None")
    for what, extents in (("block", block), ("cluster", cluster)):
        check_type(what, extents, (list, tuple, NoneType), "a list such as [128], or None")
        for extent in extents or ():
            check_type(f"each extent of {what}", extent, (int,), "an int")
    if verify not in EFFORTS:
        raise ValueError(f"verify must be one of {', '.join(EFFORTS)}; found {verify!r}")
    if isinstance(source, str):
        source = text_source(source)
    name = _MODULE if isinstance(source, ModuleOp) else source.name
    with diagnosed():
        if target is not None:
            parse_target(target)
        if ptx_version is not None:
            parse_version(ptx_version)
    from .compiler import without_garbage_collection

    options = _Options(
        target, ptx_version, verify, redundant, fixes, tf32, allow, block, cluster, progress
    )
    with without_garbage_collection():
        errors = (
            _checked(source, options) if isinstance(source, ModuleOp) else _errors(source, options)
        )
        text = None if isinstance(source, ModuleOp) else source.program
        suppressions = Suppressions(text, allow)
        found = suppressions.marked(each for error in errors for each in error.findings_in(name))
        # What follows an error may not have been checked.
        problems = suppressions.problems(is_complete=verify == "thorough")
        found += [each for each in problems if each.severity != "remark" or not has_errors(found)]
    found.sort(key=lambda finding: (not finding.line, finding.line, finding.column))
    return Findings(found)


class Fixed(NamedTuple):
    """
    A source with its fixes, and the findings that remain in it.

    `fixes` are the findings that were fixed, in the order of the fixes. The places and the edits of
    each are those of the text with the fixes before it. `before` are the findings in the source
    without fixes.
    """

    source: Source
    fixes: tuple[Finding, ...]
    findings: list[Finding]
    before: list[Finding]


def fix_source(
    source: Source,
    target: str | None = None,
    ptx_version: str | None = None,
    verify: Effort = "thorough",
    allow: Collection[str] = (),
    block: Sequence[int] | None = None,
    cluster: Sequence[int] | None = None,
    progress: Callable[[str], None] = unheard,
) -> Fixed:
    """
    Fix what `check_source` finds and does not suppress, one finding at a time, until no finding has
    a fix. `progress` is called with texts about runs, and before each trial of a fix.

    Raises the errors of `check_source`.
    """
    fixes: list[Finding] = []
    before: Findings | None = None
    old: set[tuple[str, int]] = set()
    """The rules and the lines of the findings that the last fix left."""

    def is_old(finding: Finding) -> bool:
        # What had no fix is unlikely to have one now.
        return bool(fixes) and (finding.rule, line_before(fixes[-1].edits, finding.line)) in old

    def say(text: str) -> None:
        count = len(fixes)
        so_far = f"{count} {'fix' if count == 1 else 'fixes'} so far, " if count else ""
        progress(f"{so_far}{text}")

    while True:
        search = FirstFix(Suppressions(source, allow).allow, is_old)
        options = target, ptx_version, verify, False, search, allow, block, cluster, False, say
        findings = check_source(source, *options)
        before = before or findings
        first = next((each for each in findings if each.edits and not each.suppressed), None)
        if first is None or len(fixes) == MOST_FIXES:
            return Fixed(source, tuple(fixes), findings, before)
        is_first_old = is_old(first)
        old = {
            (each.rule, each.line)
            for each in findings
            if not each.edits and (is_first_old or is_old(each) or each.line <= first.line)
        }
        fixes.append(first)
        source = edited(source, first.edits)


def _errors(source: Source, options: _Options) -> Iterator[CompileError]:
    if (error := misnamed(source)) is not None:
        yield error
    elif language_of(*source[:2]) == "PTX":
        yield from _ptx_errors(source, options)
    else:
        yield from _ir_errors(source, options)


def _checked(module: ModuleOp, options: _Options) -> Iterator[CompileError]:
    """The errors and warnings of a module that was not read from text."""
    from .compiler import lower, make_context, print_ptx

    clone = module.clone()

    def finish() -> None:
        target = lower(clone, make_context(), options.target, options.ptx_version)
        print_ptx(clone, target)

    try:
        yield from _module_errors(clone, None, options, frozenset(), False, finish)
    except CompileError as error:
        yield error


def _ptx_errors(source: Source, options: _Options) -> Iterator[CompileError]:
    """The errors and warnings of the statements of PTX text, and those of its kernels as a module,
    if the text has no syntax errors."""
    from .ptx_reader import read_text, unknown_directives
    from .ptx_reader.text_errors import errors_of

    target, ptx_version = options.target, options.ptx_version
    text = read_text(source)
    if text.faults or KERNEL not in source.text:
        yield from errors_of(text, target, ptx_version)
        return
    from .ptx_import import import_text

    imported = import_text(text)
    yield from map(text.lines.error, imported.faults)
    yield from imported.unknown()
    yield from unknown_directives(text)
    is_wrong = bool(imported.faults)
    told: set[tuple[str, int, int]] = set()
    for error in errors_of(text, target, ptx_version, imported.others, imported.family):
        is_wrong |= has_errors(error.findings)
        told.update((each.rule, each.line, each.column) for each in error.findings)
        yield error
    for found in _module_errors(
        imported.module,
        source,
        options,
        set(),
        is_wrong,
        repeated=imported.repeated,
        written=imported.as_written,
    ):
        if any(
            each.rule and (each.rule, each.line, each.column) in told for each in found.findings
        ):
            continue
        yield found


def _untold(
    errors: Iterable[CompileError], habits: Mapping[StringAttr, set[Rule]]
) -> Iterator[CompileError]:
    """The errors, with one warning about PTX text for each habit of a kernel; `habits` collects the
    rules of these warnings by the name of the kernel."""
    for error in errors:
        cause, violation = error.__cause__, violation_of(error)
        if (
            isinstance(cause, OperationError)
            and violation is not None
            and violation.rule in RULES_IN_IR
            and is_read(cause.operation)
            and (kernel := kernel_around(cause.operation)) is not None
        ):
            if violation.rule in habits[kernel.sym_name]:
                continue
            habits[kernel.sym_name].add(violation.rule)
        yield error


def _ir_errors(source: Source, options: _Options) -> Iterator[CompileError]:
    """The errors and warnings of parsing and verification and, if there are no errors, those of
    lowering, of printing and of whole kernels."""
    from .compiler import lower, lower_tensors, parse_on, print_ptx

    try:
        module, context, unread, uncertain = parse_on(source)
        yield from unread
        if not unread:
            lower_tensors(module, source, options.tf32)

        def finish() -> None:
            """Raise errors that constant folding reveals, and features that the target lacks."""
            target = lower(module, context, options.target, options.ptx_version, source)
            print_ptx(module, target, source)

        yield from _module_errors(module, source, options, uncertain, bool(unread), finish)
    except CompileError as error:
        yield error


def _module_errors(
    module: ModuleOp,
    source: Source | None,
    options: _Options,
    left_out: Set[object],
    is_wrong: bool,
    finish: Callable[[], None] = lambda: None,
    repeated: Repeated = NOT_REPEATED,
    written: Callable[[CompileError], CompileError] = lambda error: error,
) -> Iterator[CompileError]:
    """
    The errors and warnings of the operations of a module and, if there are no errors, those of
    `finish` and of whole kernels. Operations in `left_out` are not verified; for `repeated`, see
    `verification_errors`; `written` gives errors the words of a text.
    """
    from .compiler import (
        NO_KERNEL,
        assume_extents,
        errors_of,
        has_kernel,
        kernel_violations_of,
        warnings_of,
    )
    from .verification.kernel_findings import RunOptions, run_findings, unverified

    wrong: set[Operation] = set()
    try:
        assume_extents(module, options.block, options.cluster)
    except OperationError as error:
        yield written(operation_error(error, source))
        return
    declared: set[tuple[SSAValue, str]] = set()
    for error in errors_of(module, source, left_out, repeated):
        is_wrong = True
        cause, violation = error.__cause__, violation_of(error)
        if isinstance(cause, OperationError):
            wrong.add(cause.operation)
            value = violation and declared_culprit(cause.operation, violation.culprit)
            if value is not None:
                if (key := (value, str(cause))) in declared:
                    continue
                declared.add(key)
        yield written(error)
    habits = defaultdict[StringAttr, set[Rule]](set)
    yield from map(written, _untold(warnings_of(module, source, left_out | wrong), habits))
    if is_wrong:
        if options.verify != "off":
            yield from map(written, unverified(module, wrong))
        return
    finish()
    if source is not None and options.verify != "off" and not has_kernel(module):
        name = source.program.name
        yield CompileError(NO_KERNEL, name, findings=[Finding(name, 0, 0, "remark", "", NO_KERNEL)])
    told: set[tuple[str, int]] = set()
    for error in _untold(kernel_violations_of(module, source), habits):
        if isinstance(error.__cause__, OperationError) and has_errors(error.findings):
            wrong.add(error.__cause__.operation)
        error = written(error)
        told.update((each.rule, each.line) for each in error.findings)
        yield error
    target, ptx_version, verify, redundant, fixes, _, allow, *given, progress = options
    how = RunOptions(
        verify, target, ptx_version, redundant, True, fixes, allow, any(given), progress
    )
    runs = run_findings(module, source, how, wrong, written, habits)
    for error in runs:
        # A run finds again what is known without it.
        if any(each.line and (each.rule, each.line) in told for each in error.findings):
            continue
        if error.about_fix:
            first, *others = error.findings
            help_ = "; ".join(filter(None, (first.help, error.about_fix)))
            error.findings = (first._replace(help=help_), *others)
        yield error

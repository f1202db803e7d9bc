"""Values of options that override keys of the launch file, and what a kernel says about its
launch."""

import os
import re
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..isa.model.rule import meant
from ..isa.ptx.kernel import ONE_TO_THREE, extents_violations
from .files import CommandError, is_ptx

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ..proposal.launch_facts import LaunchFacts
    from ..reporting.diagnostics import Source

_EXTENTS = re.compile(r"[0-9]{1,10}(,[0-9]{1,10}){0,2}")
_NUMBER = re.compile(r"-?[0-9]{1,20}")
_FLOAT = re.compile(r"-?[0-9]{1,20}(\.[0-9]{0,20})?(e-?[0-9]{1,3})?")
_DIRECTIVES = {"block": "reqntid", "cluster": "cluster_dims"}
"""Option that replaces a directive of the kernel -> the attribute with the directive."""
_EXTENT_KEYS = ("grid", *_DIRECTIVES)
_KEYS = (*_EXTENT_KEYS, "dynamic_shared_memory", "tolerance", "kernel", "launch", "only")
"""Parts of a launch that one option gives, which has the same name."""
_OPTIONS = {"arrays": ("arg",), "sizes": ("arg", "size"), "expected": ("expect",)}
"""Table of a launch file -> the options that give values in it."""
_FILE = re.compile(r".+\.(npy|py:\w+)")
_GENERATED = re.compile(r"(?P<fill>[a-z]+)(:(?P<type>[a-z0-9]+)(:(?P<shape>[0-9]+(x[0-9]+)*))?)?")
_ARGUMENT = "FILE.npy, random, unique, ones, zeros, these with :TYPE:ROWSxCOLUMNS, or a number"


def launch_path(options: Namespace) -> Path | None:
    """The path of the launch file; None if there is none, and the options replace it."""
    if options.launch is not None:
        return Path(options.launch)
    beside = Path(options.file).with_suffix(".toml")
    return beside if os.path.exists(beside) else None


def launch_changes(options: Namespace) -> dict[str, Any]:
    """The options in the form of a launch file's keys. Raises CommandError."""
    changes: dict[str, Any] = {}
    for name in _EXTENT_KEYS:
        if (extents := extents_of(options, name)) is not None:
            changes[name] = extents
    if (given := options.dynamic_shared_memory) is not None:
        if not (_NUMBER.fullmatch(given)):
            raise _refused("--dynamic-shared-memory", given, "a number of bytes")
        changes["dynamic_shared_memory"] = int(given)
    if (given := options.tolerance) is not None:
        if not _FLOAT.fullmatch(given):
            raise _refused("--tolerance", given, "a number such as 1e-5")
        changes["tolerance"] = float(given)
    if options.kernel is not None:
        changes["kernel"] = options.kernel
    for name, value in _named("--arg", options.arg, _ARGUMENT):
        table, known = _argument(value)
        for other in ("arrays", "sizes"):
            changes.setdefault(other, {}).pop(name, None)
        changes[table][name] = known
    for name, value in _named(
        "--expect", options.expect, "FILE.npy, FILE.py:FUNCTION or an expression"
    ):
        expected: dict[str, str] = changes.setdefault("expected", {})
        if name in expected:
            raise CommandError(f"--expect gives two values for {name}")
        expected[name] = _absolute(value)
    return changes


def extents_of(options: Namespace, name: str) -> list[int] | None:
    """The extents that an option gives. Raises CommandError."""
    given: str | None = getattr(options, name)
    if given is None:
        return None
    if not _EXTENTS.fullmatch(given):
        commas = given.replace("x", ",")
        hint = meant([commas] if _EXTENTS.fullmatch(commas) else [])
        legal = f"{ONE_TO_THREE} numbers with commas between them, such as 2,1"
        raise _refused(f"--{name.replace('_', '-')}", given, legal, hint and f"; {hint}")
    return [int(extent) for extent in given.split(",")]


def given_extents(options: Namespace) -> tuple[list[int] | None, list[int] | None]:
    """The block and the cluster that options give. Raises CommandError."""
    found: list[list[int] | None] = []
    for name, directive in _DIRECTIVES.items():
        extents = extents_of(options, name)
        if extents is not None:
            for each in extents_violations(directive, tuple(extents)):
                raise CommandError(each.replaced(what=f"--{name}").text)
        found.append(extents)
    block, cluster = found
    return block, cluster


def argument_names(options: Namespace) -> list[str]:
    """The names of the kernel arguments in the options. Raises CommandError."""
    return [name for name, _ in _named("--arg", options.arg, _ARGUMENT)]


def launch_sizes(options: Namespace) -> dict[str, int | float]:
    """The sizes in the options. Raises CommandError."""
    sizes: dict[str, int | float] = {}
    for name, value in _named("--size", options.size, "a number, such as m=256"):
        if (number := _number(value)) is None:
            raise _refused(f"--size {name}", value, "a number")
        sizes[name] = number
    return sizes


def option_of(options: Namespace, parts: Sequence[str]) -> str | None:
    """The option that gives the first of these parts of a launch that any option gives; see
    LaunchError."""
    for part in parts:
        table, _, name = part.partition(".")
        if table in _KEYS and not name and getattr(options, table) is not None:
            return f"--{table.replace('_', '-')}"
        for option in _OPTIONS.get(table, ()):
            if any(each.partition("=")[0].strip() == name for each in getattr(options, option)):
                return f"--{option} {name}"
    return None


def _argument(value: str) -> tuple[str, Any]:
    """The table of a launch file for an argument, and its value there."""
    if value.endswith(".npy"):
        return "arrays", {"fill": _absolute(value)}
    if (number := _number(value)) is not None:
        return "sizes", number
    match = _GENERATED.fullmatch(value)
    if match is None:
        raise _refused("--arg", value, _ARGUMENT)
    known: dict[str, Any] = {k: v for k, v in match.groupdict().items() if v is not None}
    if "shape" in known:
        if len(known["shape"]) > _LONGEST:
            raise _refused("--arg", f"{len(known['shape'])} characters", "a shorter shape")
        known["shape"] = [int(extent) for extent in known["shape"].split("x")]
    return "arrays", known


def _number(value: str) -> int | float | None:
    return next((type_(value) for pattern, type_ in _NUMBERS if pattern.fullmatch(value)), None)


_NUMBERS: tuple[tuple[re.Pattern[str], Callable[[str], int | float]], ...] = (
    (_NUMBER, int),
    (_FLOAT, float),
)
_LONGEST = 1000
"""Maximum number of characters of a shape."""


def _absolute(value: str) -> str:
    """
    Make a path absolute: in options it is relative to the current folder, not the launch file.
    """
    return os.path.abspath(value) if _FILE.fullmatch(value) else value


def _named(option: str, given: list[str], legal: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for text in given:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (name and equals and value):
            raise _refused(option, text, f"NAME=VALUE, where VALUE is {legal}")
        found.append((name, value))
    return found


def _refused(option: str, found: str, legal: str, hint: str = "") -> CommandError:
    return CommandError(f"{option} must be {legal}; found {found!r}{hint}")


def verified_module(source: "Source") -> "ModuleOp":
    """The verified module of a text of IR or PTX. Raises CommandError and CompileError."""
    from ..compiler import import_source, lower_tensors, parse, verify

    if is_ptx(source):
        return import_source(source).module
    module, _ = parse(source)
    lower_tensors(module, source)
    verify(module, source)
    return module


def read_facts(source: "Source", kernel: str | None) -> "LaunchFacts":
    """What a kernel of IR or PTX says about its launch. Raises CommandError and CompileError."""
    from ..compiler import with_functions
    from ..proposal.launch_facts import launch_facts
    from ..simulator.launch.launch import kernel_of

    return launch_facts(kernel_of(with_functions(verified_module(source)), kernel))

"""
Check of the options -p and -t of `tcgen05-opt` before xDSL reads them.

Replaces messages of xDSL, which show Python types and lists. Uses no private names. It can be
deleted when xDSL's messages name the pass and its options.
"""

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping
from types import NoneType
from typing import Literal, get_args, get_origin, get_type_hints

from xdsl.utils.arg_spec import ArgSpec, ArgSpecConvertible
from xdsl.utils.exceptions import ArgSpecParseError

from ..isa.model.rule import alternatives, describe, did_you_mean
from ..xdsl_support.messages import sentence
from .files import CommandError

_PLACE = re.compile(r":1:(?P<column>\d+)\n")
_KINDS = {
    str: "a string in quotes",
    int: "an integer",
    float: "a number such as 8.0",
    bool: "true or false",
}
"""Python type of an option -> its legal values in messages."""


def check_specs(
    option: str,
    read: Callable[[], Iterable[ArgSpec]],
    known: Mapping[str, Callable[[], type[ArgSpecConvertible]]],
) -> None:
    """
    Check the passes or the target in an option, which `read` parses. Raises CommandError.

    `known` loads the class of a pass or a target by its name.
    """
    try:
        specs = tuple(read())
    except ArgSpecParseError as error:
        raise syntax_error(option, error) from error
    for spec in specs:
        if spec.name not in known:
            raise CommandError(f"{option}: unknown pass {spec.name}{_meant(spec.name, known)}")
        _check_parameters(f"{option} {spec.name}", spec, known[spec.name]())


def syntax_error(option: str, error: ArgSpecParseError) -> CommandError:
    """The error for an option that xDSL cannot parse."""
    text = str(error).strip()
    place = _PLACE.search(text)
    column = "" if place is None else f", column {place['column']}"
    said = sentence(text.splitlines()[-1].strip().removesuffix(" here"))
    return CommandError(f"{option}{column}: {said}")


def _check_parameters(what: str, spec: ArgSpec, convertible: type[ArgSpecConvertible]) -> None:
    fields = {
        field.name.replace("_", "-"): field
        for field in dataclasses.fields(convertible)
        if field.name != "name" and field.init
    }
    types = get_type_hints(convertible)
    for name, value in spec.parameters.items():
        field = fields.get(name.replace("_", "-"))
        if field is None:
            legal = f"; its options are {describe(tuple(fields))}" if fields else ""
            raise CommandError(f"{what} has no option {name}{legal}{_meant(name, fields)}")
        legal = get_args(types[field.name]) or (types[field.name],)
        if get_origin(types[field.name]) is Literal:
            _check_choice(f"{what}: {name}", value, legal)
            continue
        kinds = tuple(_KINDS[each] for each in legal if each in _KINDS)
        # xDSL itself checks the options that are lists.
        is_single = all(each in _KINDS or each is NoneType for each in legal)
        if is_single and value and not (len(value) == 1 and type(value[0]) in legal):
            found = ", ".join(map(str, value))
            raise CommandError(f"{what}: {name} must be {alternatives(kinds)}; found {found}")


def _check_choice(what: str, value: Iterable[object], legal: tuple[str, ...]) -> None:
    """Check an option that has one of several words. Raises CommandError."""
    found = ", ".join(map(str, value))
    if found not in legal:
        raise CommandError(f"{what} must be {alternatives(legal)}; found {found}")


def _meant(name: str, known: Iterable[str]) -> str:
    meant = did_you_mean(name, known)
    return meant and f"; {meant}"

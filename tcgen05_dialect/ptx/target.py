"""The target of a module."""

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser

from ..isa import targets
from ..isa.model.rule import Violation

ATTRIBUTE = "ptx.target"
"""The name of the attribute of `builtin.module` that holds its target."""
DEFAULT_TARGET = "sm_100a"


@irdl_attr_definition
class TargetAttr(ParametrizedAttribute):
    """The `.target` and the `.version` of a module, such as `#ptx.target<"sm_100a", "8.6">`."""

    name = "ptx.target"
    target: StringAttr = param_def()
    version: StringAttr = param_def()

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[StringAttr]:
        legal = 'expected a target and a PTX version, as in <"sm_100a", "8.6">'
        with parser.in_angle_brackets():
            target = parser.expect(parser.parse_optional_str_literal, legal)
            if parser.parse_optional_punctuation(",") is None:
                parser.raise_error(legal)
            version = parser.expect(parser.parse_optional_str_literal, legal)
        return StringAttr(target), StringAttr(version)


def target_of(module: ModuleOp) -> TargetAttr | None:
    """The target of a module, if it has one. Raises Violation if the attribute is not a target."""
    attribute = module.attributes.get(ATTRIBUTE)
    if attribute is None or isinstance(attribute, TargetAttr):
        return attribute
    legal = f"an attribute such as {TargetAttr(StringAttr(DEFAULT_TARGET), StringAttr('8.6'))}"
    raise targets.TARGET_RULE.violation(str(attribute), legal, f"attribute {ATTRIBUTE}")


def check_target(module: ModuleOp) -> None:
    """Check the target of a module, if it has one. Raises Violation."""
    carried = target_of(module)
    if carried is not None:
        version = targets.parse_version(carried.version.data)
        targets.check_feature("base", carried.target.data, version)


def known_target_of(module: ModuleOp) -> TargetAttr | None:
    """The target of a module; None if it is absent, or invalid and thus reported elsewhere."""
    try:
        check_target(module)
    except Violation:
        return None
    return target_of(module)


def choose_target(module: ModuleOp, target: str | None, version: str | None) -> TargetAttr:
    """
    The target chosen by the options, or else by the module, or else the default.

    The version defaults to that of the module if it supports the target, or else to the first
    version that does. Raises Violation for an unknown target or version, or if the version does not
    support the target.
    """
    carried = target_of(module)
    own = None if carried is None else targets.parse_version(carried.version.data)
    asked = target
    if target is None:
        target = DEFAULT_TARGET if carried is None else carried.target.data
    first = targets.parse_target(target).first
    if version is not None:
        chosen = targets.parse_version(version)
    elif own is None or (asked is not None and own < first):
        chosen = first
    else:
        chosen = own
    targets.check_feature("base", target, chosen)
    return TargetAttr(StringAttr(target), StringAttr(str(chosen)))

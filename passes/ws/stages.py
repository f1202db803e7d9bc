"""The stages that a role holds, as its lowering knows them."""

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import i1
from xdsl.ir import SSAValue

from tcgen05_dialect.ws.rings import HoldingOp
from tcgen05_dialect.ws.sizes import Place
from tcgen05_dialect.ws.tokens import AcquireOp

from .context import Held, RoleContext
from .edges import Release, Work


class _Token(NamedTuple):
    """The stage of a token, and how the role gives it back."""

    release: Release
    stage: SSAValue


class HeldStages:
    """
    The buffers of stages, and the tokens by which a role holds them.

    Where control flow passes on a token, its lowering passes on the number of the stage; in place
    of a buffer, it passes on whether an MMA has written it, if it is an accumulator.
    """

    def __init__(self, role: RoleContext) -> None:
        self._role = role
        self._tokens: dict[SSAValue, _Token] = {}
        self._owners: dict[SSAValue, SSAValue] = {}
        """The token of the stage of each buffer that may be passed on."""

    def hold(self, op: HoldingOp, stage: SSAValue) -> list[SSAValue]:
        """Place the buffers of a stage; return the values that stand for them."""
        places = self._role.memory.sizes.places[op.ring]
        return [
            self._place(op, buffer, place, stage)
            for buffer, place in zip(op.buffers, places, strict=True)
        ]

    def _place(self, op: HoldingOp, buffer: SSAValue, place: Place, stage: SSAValue) -> SSAValue:
        role = self._role
        found = buffer
        if not place.is_shared:
            if not buffer.uses:
                return buffer
            found = role.memory.buffer(role.emit, place, stage)
            found.name_hint = buffer.name_hint
            buffer.replace_all_uses_with(found)
            if _is_accumulator(op, place):
                role.state["written", found] = role.head.constant(0, i1)
        role.held[found] = Held(op.ring_op, place, stage)
        return found

    def take(self, op: AcquireOp, work: Work, stage: SSAValue) -> None:
        """Hold a stage by a token."""
        self._owners.update(dict.fromkeys(self.hold(op, stage), op.token))
        self._tokens[op.token] = _Token(Release(op, work), stage)

    def stage(self, token: SSAValue) -> tuple[HoldingOp, SSAValue]:
        """The operation that has taken a stage, and the number of the stage."""
        found = self._tokens[token]
        return found.release.op, found.stage

    def end(self, token: SSAValue) -> None:
        """Append the commit or the release of a stage."""
        release, stage = self._tokens[token]
        release.emit(self._role, stage)

    def passed(self, values: Sequence[SSAValue]) -> list[SSAValue]:
        """What the lowering of control flow passes on in place of values."""
        found: list[SSAValue] = []
        for value in values:
            if value in self._tokens:
                found.extend([self._tokens[value].stage] if self._count(value) else [])
            elif value in self._owners:
                found.extend([self._role.state["written", value]] if self._count(value) else [])
            else:
                found.append(value)
        return found

    def _count(self, value: SSAValue) -> int:
        """How many values the lowering passes on in place of one."""
        if value in self._tokens:
            return int(self._tokens[value].release.op.ring_op.stages > 1)
        if value in self._owners:
            op = self._tokens[self._owners[value]].release.op
            return int(_is_accumulator(op, self._role.held[value].place))
        return 1

    def rename(
        self, given: Sequence[SSAValue], names: Sequence[SSAValue], values: Sequence[SSAValue]
    ) -> Sequence[SSAValue]:
        """
        Go on with the values that control flow passes on by other names. `values` is what its
        lowering has for them, as in `passed`; return what it has besides.
        """
        parts: list[Sequence[SSAValue]] = []
        for source in given:
            count = self._count(source)
            parts.append(values[:count])
            values = values[count:]
        renamed: dict[SSAValue, SSAValue] = {}
        for source, name, part in zip(given, names, parts, strict=True):
            if (token := self._tokens.get(source)) is not None:
                renamed[source] = name
                stage = part[0] if part else self._role.zero
                if part:
                    stage.name_hint = f"{name.name_hint or 'token'}_stage"
                self._tokens[name] = _Token(token.release, stage)
        for source, name, part in zip(given, names, parts, strict=True):
            if source in self._owners:
                self._rename_buffer(source, name, renamed[self._owners[source]], part)
            elif source not in self._tokens:
                name.replace_all_uses_with(part[0])
                part[0].name_hint = part[0].name_hint or name.name_hint
        return values

    def _rename_buffer(
        self, source: SSAValue, name: SSAValue, token: SSAValue, part: Sequence[SSAValue]
    ) -> None:
        release, stage = self._tokens[token]
        found = self._place(release.op, name, self._role.held[source].place, stage)
        self._owners[found] = token
        if part:
            part[0].name_hint = f"{name.name_hint or 'buffer'}_written"
            self._role.state["written", found] = part[0]


def _is_accumulator(op: HoldingOp, place: Place) -> bool:
    """Whether the first MMA in a production overwrites a buffer."""
    return not place.is_shared and op.SIDE == "produce" and op.ring_op.in_place is None

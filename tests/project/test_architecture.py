"""Test of docs/architecture.md: its rooms are those of the layering test."""

import re

from ..support.repository import ROOT
from .test_layering import LAYERS

ROOMS = {room: imports for room, imports in LAYERS.items() if not room.startswith("_")}
PAGE = (ROOT / "docs" / "architecture.md").read_text()


def test_the_table_says_what_each_room_may_import() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \|.*\| ([^|]*) \|$", PAGE, re.MULTILINE))
    shown = {room: set(re.findall(r"`(\w+)`", imports)) for room, imports in rows.items()}
    assert shown == {room: set(imports) for room, imports in ROOMS.items()}


def test_in_the_picture_imports_run_downwards() -> None:
    (picture,) = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
    lines = [re.findall(r"\w+", line) for line in picture.splitlines()]
    floors = {room: -number for number, rooms in enumerate(lines) for room in rooms}
    assert sorted(room for rooms in lines for room in rooms) == sorted(ROOMS)
    for room, imports in ROOMS.items():
        for other in imports:
            assert floors[other] < floors[room], f"{room} imports {other}"

"""Test of docs/architecture.md: its rooms are those of the layering test."""

import re

from ..support.repository import ROOT
from .test_layering import LAYERS

ROOMS = {room: imports for room, imports in LAYERS.items() if not room.startswith("_")}
PAGE = (ROOT / "docs" / "architecture.md").read_text()


def test_the_page_describes_each_room() -> None:
    assert sorted(re.findall(r"\*\*`(\w+)`\*\*", PAGE)) == sorted(ROOMS)


def test_in_the_picture_imports_run_downwards() -> None:
    (picture,) = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
    lines = [re.findall(r"\w+", line) for line in picture.splitlines()]
    floors = {room: -number for number, rooms in enumerate(lines) for room in rooms}
    assert sorted(room for rooms in lines for room in rooms) == sorted(ROOMS)
    for room, imports in ROOMS.items():
        for other in imports:
            assert floors[other] < floors[room], f"{room} imports {other}"

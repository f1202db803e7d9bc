"""The machine code of kernels: its loops, as ptxas makes them."""

import re
import subprocess
from collections import deque
from pathlib import Path
from tempfile import TemporaryDirectory

from tcgen05_dialect.assembler import find_tool


def is_mma(instruction: str) -> bool:
    """Whether an instruction is a matrix product."""
    return re.search(r"\bUTC\w*MMA\b", instruction) is not None


class Code:
    """The machine code of a kernel: its instructions in order, and where each may go next."""

    def __init__(self, listing: str):
        self.instructions: list[str] = []
        labels: dict[str, int] = {}
        for line in listing.splitlines():
            if label := re.match(r"(\.L_x_\d+):", line):
                labels[label[1]] = len(self.instructions)
            elif instruction := re.match(r"\s+/\*[0-9a-f]+\*/\s+(.+?)\s*;", line):
                self.instructions.append(instruction[1])
        self.successors = [
            self._successors(index, text, labels) for index, text in enumerate(self.instructions)
        ]

    def _successors(self, index: int, text: str, labels: dict[str, int]) -> list[int]:
        following = [index + 1] if index + 1 < len(self.instructions) else []
        if re.search(r"\bEXIT\b", text):
            return following if text.startswith("@") else []
        target = re.search(r"\bBRA(\S*)\s.*`\((\.L_x_\d+)\)", text)
        if target is None:
            return following
        # A branch is conditional by a guard, or, on uniform predicates, by an operand.
        conditional = text.startswith("@") or ".U" in target[1]
        return [*(following if conditional else []), labels[target[2]]]

    def shortest_cycle(self, start: int) -> list[int]:
        """The instructions of the shortest way from `start` back to it; none if there is no way."""
        before: dict[int, int] = {}
        queue = deque([start])
        while queue:
            at = queue.popleft()
            for successor in self.successors[at]:
                if successor in before:
                    continue
                before[successor] = at
                if successor == start:
                    cycle = [at]
                    while cycle[-1] != start:
                        cycle.append(before[cycle[-1]])
                    return cycle[::-1]
                queue.append(successor)
        return []

    def main_loop(self) -> list[str]:
        """The instructions of the loop with the most MMAs, of those that contain no other."""
        mmas = [index for index, text in enumerate(self.instructions) if is_mma(text)]
        # The first scores of attention are computed before the loop, in no loop or in one of tiles.
        loops = {self._bounds(index) for index in mmas if self.shortest_cycle(index)}
        inner = [each for each in loops if not any(_contains(each, other) for other in loops)]
        found = [self.instructions[first : last + 1] for first, last in inner]
        return max(found, key=lambda loop: sum(map(is_mma, loop)))

    def loop_around(self, start: int) -> list[str]:
        """The instructions of the loop around one of them, from its label to its back edge."""
        first, last = self._bounds(start)
        return self.instructions[first : last + 1]

    def _bounds(self, start: int) -> tuple[int, int]:
        cycle = self.shortest_cycle(start)
        edges = zip(cycle, [*cycle[1:], start], strict=True)
        ((last, first),) = [(a, b) for a, b in edges if b < a]
        return first, last


def _contains(outer: tuple[int, int], inner: tuple[int, int]) -> bool:
    return outer != inner and outer[0] <= inner[0] and inner[1] <= outer[1]


def disassemble(cubin: bytes) -> Code:
    """The machine code of the kernel in a cubin."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "kernel.cubin"
        file.write_bytes(cubin)
        command = [find_tool("nvdisasm"), "-c", file]
        return Code(subprocess.run(command, capture_output=True, check=True, text=True).stdout)

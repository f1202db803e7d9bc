"""Sequential order of the parallel copies that pass the arguments of a block."""

from collections.abc import Callable, Iterator, Mapping


def sequential_moves(
    moves: Mapping[str, str], temporary: Callable[[str], str]
) -> Iterator[tuple[str, str]]:
    """
    A sequence of moves (destination, source) with the same effect as the parallel `moves`.

    `temporary` returns an unused register of the same class as its argument; each cycle, such as a
    swap, needs one.
    """
    pending = {to: source for to, source in moves.items() if to != source}
    readers: dict[str, int] = {}
    for source in pending.values():
        readers[source] = readers.get(source, 0) + 1
    ready = [to for to in pending if to not in readers]
    while pending:
        while ready:
            to = ready.pop()
            source = pending.pop(to)
            yield to, source
            readers[source] -= 1
            if readers[source] == 0 and source in pending:
                ready.append(source)
        if pending:
            to = next(iter(pending))
            saved = temporary(to)
            yield saved, to
            for other, source in pending.items():
                if source == to:
                    pending[other] = saved
            readers[saved] = readers.pop(to)
            ready.append(to)

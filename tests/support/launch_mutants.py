"""Mutants of launch files: values of other kinds, absurd numbers, and keys that are missing, twice
or misspelt."""

import random
import re

_VALUES = (
    *("0", "-1", "1", "7", "1000000", "99999999999999999999", "-9223372036854775808", "1e300"),
    *("nan", "inf", "-inf", "0.5", "true", '""', '"m"', '"17"', '"nothing"', '"a @"', '"1 / 0"'),
    *('"nan"', '"1e999"', '"a.npy"', '"reference.py:f"', '"references.py"', '"../x.py:f"'),
    *("[]", "[1]", "[-1]", '["m", "m"]', "[[1]]", "[nan]", "[1, 2, 3, 4]", "[true]", "[1.5]"),
    *('[""]', "[0, 0, 0]", "[1000000, 1000000]", "{}", "{ x = 1 }", '{ array = "a" }', "[{}]"),
    *("1979-05-27", "07:32:00", '"bf16"', '"u8"', '"random"', '"swizzle_128b"', '["a", "a"]'),
    *('"__import__"', '"lambda: 0"', '"a[0]"', '"max()"', '"sum(1, axis=0)"', '"\\u0000"', "'''"),
    *('"a @ a"', '"9 ** 9 ** 9"', '"reshape(1, 1, 1)"', '"repeat(1, -1)"', "0x10", "1_000", "1."),
    *("9" * 400, f'"{"9" * 400}"', f"-{'9' * 400}", "1e-320", '"(m"', '"m)"', '"m[1"', '"m n"'),
)
"""Values as TOML writes them, some of them wrongly."""
_NAMES = ("a", "m", "grid", "arrays", "shape", "x.y", '""', '"a b"', "kernel", "launches", "0", "-")
_VALUE = re.compile(r"(?<== ).+$")
_PART = re.compile(r'(?<=[\[ ])(?:"[^"]*"|\w+)(?=[],])')
_KEY = re.compile(r"^[\w.]+(?= =)|(?<=\[)[\w.]+(?=\]$)|(?<=\.)\w+(?=\]$)")


def launch_mutant(text: str, chance: random.Random) -> tuple[str, str]:
    """A mutant of a launch file, after the line that was changed, as it is now."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    at = chance.randrange(len(lines))
    pattern, instead = chance.choice(
        ((_VALUE, _VALUES), (_VALUE, _VALUES), (_PART, _VALUES), (_KEY, _NAMES), (None, ()))
    )
    line = lines[at]
    if pattern is None:
        changed = chance.choice(([], [line] * 2, [line[: len(line) // 2]], [line, "[arrays.a]"]))
    else:
        places = [*pattern.finditer(line)]
        if not places:
            return launch_mutant(text, chance)
        start, end = chance.choice(places).span()
        changed = [f"{line[:start]}{chance.choice(instead)}{line[end:]}"]
    lines[at : at + 1] = changed
    return "\n".join(changed) or f"without {line}", "\n".join(lines) + "\n"

"""
Builder of kernels from short bodies: names that a body uses without defining them are declared.

`%c5` is the i32 constant 5, `%h5` the i16 constant 5. A shared variable `tiles` is `@tiles`, and
`%tiles` its address. The names of `_KNOWN` stand for the thread, its warp and the like.
"""

import re
from collections.abc import Iterator, Mapping

_KNOWN: Mapping[str, str] = {
    "thread": "ptx.special_register tid.x",
    "lane": "ptx.special_register laneid",
    "cta": "ptx.special_register ctaid.x",
    "ctas": "ptx.special_register nctaid.x",
    "rank": "ptx.special_register cluster_ctarank",
    "all_lanes": "arith.constant -1 : i32",
    "true": "arith.constant true",
    "false": "arith.constant false",
    "warp_of_thread": "ptx.shr u32 %thread, %c5",
    "warp": "ptx.shfl.sync idx %warp_of_thread, %c0, %c31, %all_lanes",
    "elected": "ptx.elect.sync %all_lanes",
    "first_lane": "ptx.and b32 %thread, %c96",
    "is_first": "arith.cmpi eq, %thread, %c0 : i32",
}
"""Name -> the operation that defines it."""
_PARTNERS = {"warp": "warp, %in_range", "elected": "leader, %elected"}
"""Name -> the results of its operation, if there are several."""
_NAME = re.compile(r"%([A-Za-z_]\w*)")


def kernel(
    name: str,
    body: str,
    parameters: Mapping[str, str],
    shared: Mapping[str, int],
    threads: int,
    header: str = "",
    ctas: int = 1,
) -> str:
    """
    Text of a kernel. `shared` is the size of each shared variable in bytes; sizes from 128 on are
    aligned as swizzled tiles need. `header` are lines before the kernel: arguments, results, types.
    """
    variables = "\n".join(
        f"ptx.shared_memory @{each} size {size} alignment {1024 if size >= 128 else 8}"
        for each, size in shared.items()
    )
    arguments = ", ".join(f"%{each} : {type_}" for each, type_ in parameters.items())
    cluster = f", cluster_dims = array<i32: {ctas}, 1, 1>" if ctas > 1 else ""
    declarations = "\n".join(_declarations(body, shared, {*parameters}))
    return (
        f"{header}\n{variables}\n\nptx.kernel @{name}({arguments})\n"
        f"    attributes {{reqntid = array<i32: {threads}, 1, 1>{cluster}}} {{\n"
        f"{declarations}\n{body}\n  ptx.ret\n}}\n"
    )


def _declarations(body: str, shared: Mapping[str, int], known: set[str]) -> Iterator[str]:
    """The operations that define the names that a body uses."""
    found = dict[str, str]()

    def need(name: str) -> None:
        if name in known or name in found:
            return
        if name in _KNOWN:
            text = _KNOWN[name]
            for each in _NAME.findall(text):
                need(each)
            found[name] = f"  %{_PARTNERS.get(name, name)} = {text}"
        elif name in shared:
            found[name] = f"  %{name} = ptx.address_of @{name}"
        elif match := re.fullmatch(r"([ch])(\d+)", name):
            type_ = "i32" if match[1] == "c" else "i16"
            found[name] = f"  %{name} = arith.constant {match[2]} : {type_}"

    for name in _NAME.findall(re.sub("//.*", "", body)):
        need(name)
    return iter(found.values())

"""Random programs of structured control flow, each with its IR and its value."""

from dataclasses import dataclass
from itertools import count

from hypothesis import strategies as st

MASK = (1 << 32) - 1


# Expressions of i32 over the names in scope. Loops end after at most three turns.
@dataclass(frozen=True)
class Arithmetic:
    operation: str
    a: int
    b: int

    def value(self, env: list[int]) -> int:
        a, b = env[self.a % len(env)], env[self.b % len(env)]
        match self.operation:
            case "addi":
                return (a + b) & MASK
            case "muli":
                return (a * b) & MASK
            case _:
                return a ^ b

    def ir(self, env: list[str], names: "count[int]") -> tuple[str, str]:
        name = f"%v{next(names)}"
        a, b = env[self.a % len(env)], env[self.b % len(env)]
        return name, f"{name} = arith.{self.operation} {a}, {b} : i32\n"


@dataclass(frozen=True)
class Block:
    """Statements one after the other; the value is that of the last."""

    statements: "tuple[Statement, ...]"

    def value(self, env: list[int]) -> int:
        env = list(env)
        for statement in self.statements:
            env.append(statement.value(env))
        return env[-1]

    def ir(self, env: list[str], names: "count[int]") -> tuple[str, str]:
        env, text = list(env), ""
        for statement in self.statements:
            name, lines = statement.ir(env, names)
            env.append(name)
            text += lines
        return env[-1], text


@dataclass(frozen=True)
class If:
    condition: int
    then: Block
    otherwise: Block

    def value(self, env: list[int]) -> int:
        return (self.then if env[self.condition % len(env)] & 1 else self.otherwise).value(env)

    def ir(self, env: list[str], names: "count[int]") -> tuple[str, str]:
        name, bit = (f"%v{next(names)}" for _ in range(2))
        (then, then_text), (other, other_text) = (b.ir(env, names) for b in self.parts)
        return name, (
            f"{bit} = arith.trunci {env[self.condition % len(env)]} : i32 to i1\n"
            f"{name} = scf.if {bit} -> (i32) {{\n{then_text}scf.yield {then} : i32\n}} else {{\n"
            f"{other_text}scf.yield {other} : i32\n}}\n"
        )

    @property
    def parts(self) -> tuple[Block, Block]:
        return self.then, self.otherwise


@dataclass(frozen=True)
class For:
    """`for i in range(turns & 3): carried = body(i, carried)`, over i32 or index."""

    turns: int
    initial: int
    body: Block
    is_index: bool

    def value(self, env: list[int]) -> int:
        carried = env[self.initial % len(env)]
        for i in range(env[self.turns % len(env)] & 3):
            carried = self.body.value([*env, i, carried])
        return carried

    def ir(self, env: list[str], names: "count[int]") -> tuple[str, str]:
        name, turns, iv, i, carried, zero, one, three = (f"%v{next(names)}" for _ in range(8))
        body, text = self.body.ir([*env, i, carried], names)
        type_ = "index" if self.is_index else "i32"
        end = f"{turns}_i" if self.is_index else turns
        lines = f"{three} = arith.constant 3 : i32\n"
        lines += f"{turns} = arith.andi {env[self.turns % len(env)]}, {three} : i32\n"
        lines += f"{zero} = arith.constant 0 : {type_}\n{one} = arith.constant 1 : {type_}\n"
        if self.is_index:
            lines += f"{end} = arith.index_cast {turns} : i32 to index\n"
        start = env[self.initial % len(env)]
        lines += f"{name} = scf.for {iv} = {zero} to {end} step {one} "
        lines += f"iter_args({carried} = {start}) -> (i32) {': i32 ' if type_ == 'i32' else ''}{{\n"
        convert = "arith.index_cast" if self.is_index else None
        if convert:
            lines += f"{i} = {convert} {iv} : index to i32\n"
        else:
            lines = lines.replace(f"scf.for {iv} ", f"scf.for {i} ")
        return name, f"{lines}{text}scf.yield {body} : i32\n}}\n"


@dataclass(frozen=True)
class While:
    """`do: old = carried; carried = after(i, before(i, carried)) while i++ < turns & 3`."""

    turns: int
    initial: int
    before: Block
    after: Block

    def value(self, env: list[int]) -> int:
        i, carried = 0, env[self.initial % len(env)]
        while True:
            carried = self.before.value([*env, i, carried])
            if i >= env[self.turns % len(env)] & 3:
                return carried
            carried = self.after.value([*env, carried])
            i += 1

    def ir(self, env: list[str], names: "count[int]") -> tuple[str, str]:
        result, turns, zero, one, three, i, carried, goes_on, j, passed, following = (
            f"%v{next(names)}" for _ in range(11)
        )
        before, before_text = self.before.ir([*env, i, carried], names)
        after, after_text = self.after.ir([*env, passed], names)
        return f"{result}#1", (
            f"{three} = arith.constant 3 : i32\n"
            f"{zero} = arith.constant 0 : i32\n{one} = arith.constant 1 : i32\n"
            f"{turns} = arith.andi {env[self.turns % len(env)]}, {three} : i32\n"
            f"{result}:2 = scf.while ({i} = {zero}, {carried} = {env[self.initial % len(env)]}) : "
            f"(i32, i32) -> (i32, i32) {{\n{before_text}"
            f"{goes_on} = arith.cmpi slt, {i}, {turns} : i32\n"
            f"scf.condition({goes_on}) {i}, {before} : i32, i32\n}} do {{\n"
            f"^bb0({j} : i32, {passed} : i32):\n{after_text}"
            f"{following} = arith.addi {j}, {one} : i32\n"
            f"scf.yield {following}, {after} : i32, i32\n}}\n"
        )


@dataclass(frozen=True)
class Switch:
    """One block for each of 0, 1, ..., and the last for all other values of `key & 3`."""

    key: int
    blocks: tuple[Block, ...]

    def value(self, env: list[int]) -> int:
        return self.blocks[min(env[self.key % len(env)] & 3, len(self.blocks) - 1)].value(env)

    def ir(self, env: list[str], names: "count[int]") -> tuple[str, str]:
        result, three, key = (f"%v{next(names)}" for _ in range(3))
        lines = (
            f"{three} = arith.constant 3 : i32\n"
            f"{key} = arith.andi {env[self.key % len(env)]}, {three} : i32\n"
            f"{key}_i = arith.index_cast {key} : i32 to index\n"
            f"{result} = scf.index_switch {key}_i -> i32\n"
        )
        for index, block in enumerate(self.blocks):
            value, text = block.ir(env, names)
            label = "default" if index == len(self.blocks) - 1 else f"case {index}"
            lines += f"{label} {{\n{text}scf.yield {value} : i32\n}}\n"
        return result, lines


Statement = Arithmetic | If | For | While | Switch

OPERAND = st.integers(0, 30)
ARITHMETIC = st.builds(Arithmetic, st.sampled_from(("addi", "muli", "xori")), OPERAND, OPERAND)


def blocks(statement: st.SearchStrategy[Statement]) -> st.SearchStrategy[Block]:
    return st.builds(Block, st.lists(statement, min_size=1, max_size=3).map(tuple))


def structured(statement: st.SearchStrategy[Statement]) -> st.SearchStrategy[Statement]:
    block = blocks(statement)
    return st.one_of(
        st.builds(If, OPERAND, block, block),
        st.builds(For, OPERAND, OPERAND, block, st.booleans()),
        st.builds(While, OPERAND, OPERAND, block, block),
        st.builds(Switch, OPERAND, st.lists(block, min_size=1, max_size=4).map(tuple)),
    )


NESTED = ARITHMETIC | structured(ARITHMETIC)
PROGRAMS = blocks(ARITHMETIC | structured(NESTED))


def kernel(program: Block, name: str = "kernel") -> str:
    result, text = program.ir(["%x", "%y"], count())
    return (
        f"ptx.kernel @{name}(%x : i32, %y : i32, %out : i64) {{\n{text}"
        f"ptx.st global b32 [%out], {{{result}}}\nptx.ret\n}}\n"
    )

"""Tests of the extension for VS Code: its grammars, read by the library that VS Code uses, and its
package."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from docs.generate.grammars import FOLDER, grammars
from tcgen05_dialect.compiler import compile_to_ptx

from ..support.repository import EXAMPLE_KERNELS, EXAMPLES, ROOT

EXTENSION = FOLDER.parent
NODE = ROOT / "build" / "node"
GEMM = (EXAMPLES / "gemm_single_tile.mlir").read_text()
TOKENIZE = """
const textmate = require("vscode-textmate"), oniguruma = require("vscode-oniguruma");
const fs = require("fs"), path = require("path");
const [file, text] = process.argv.slice(2).map((name) => fs.readFileSync(name, "utf8"));
const wasm = path.join(path.dirname(require.resolve("vscode-oniguruma")), "onig.wasm");
(async () => {
  await oniguruma.loadWASM(fs.readFileSync(wasm).buffer);
  const onigLib = Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (line) => new oniguruma.OnigString(line),
  });
  const grammar = textmate.parseRawGrammar(file, "a.json");
  const registry = new textmate.Registry({ onigLib, loadGrammar: async () => grammar });
  const loaded = await registry.loadGrammar(grammar.scopeName);
  let stack = textmate.INITIAL;
  const found = [];
  for (const line of text.split("\\n")) {
    const { tokens, ruleStack } = loaded.tokenizeLine(line, stack);
    stack = ruleStack;
    for (const each of tokens) {
      found.push([line.slice(each.startIndex, each.endIndex), each.scopes.at(-1)]);
    }
  }
  console.log(JSON.stringify(found));
})();
"""

_UNREACHABLE = re.compile(r"EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ECONNRESET|ENETUNREACH|ETIMEDOUT")


def _npm(folder: Path, *arguments: str) -> None:
    """Run npm in a folder; skips the test if it is not installed or cannot reach a registry."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        pytest.skip("node and npm are not installed")
    command = ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if _UNREACHABLE.search(done.stderr):
        pytest.skip(f"npm cannot reach a registry: {done.stderr.strip()[:200]}")
    assert done.returncode == 0, done.stderr


def _scopes(suffix: str, text: str, folder: Path) -> dict[str, set[str]]:
    """Text of a token -> its scopes, as VS Code finds them."""
    NODE.mkdir(parents=True, exist_ok=True)
    if not (NODE / "node_modules" / "vscode-textmate").exists():
        _npm(NODE, "vscode-textmate@9", "vscode-oniguruma@2")
    program, kernel = NODE / "tokenize.cjs", folder / "text"
    program.write_text(TOKENIZE)
    kernel.write_text(text)
    command = ["node", str(program), str(FOLDER / f"{suffix}.tmLanguage.json"), str(kernel)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found: dict[str, set[str]] = {}
    for token, scope in json.loads(output):
        found.setdefault(token.strip(), set()).add(scope)
    return found


def test_grammars_are_current() -> None:
    assert all(file.read_text() == text for file, text in grammars().items()), "run make docs"


def _pattern(suffix: str, scope: str) -> re.Pattern[str]:
    grammar = json.loads((FOLDER / f"{suffix}.tmLanguage.json").read_text())
    (pattern,) = (each["match"] for each in grammar["patterns"] if each["name"] == scope)
    return re.compile(pattern)


@pytest.mark.slow
def test_grammars_know_each_operation_of_the_examples() -> None:
    operation = _pattern("mlir", "keyword.other.operation.mlir")
    opcode = _pattern("ptx", "keyword.other.instruction.ptx")
    for file in EXAMPLE_KERNELS:
        text = file.read_text()
        for line in filter(None, map(str.strip, text.split("\n"))):
            if found := re.match(r"(?:%[^=]*= )?([a-z]\w*\.[\w.]+)", line):
                assert operation.search(line)
                assert operation.findall(line)[0] == found[1]
        for line in compile_to_ptx(text).split("\n"):
            if found := re.match(r"\t(?:@!?%\w+ )?([a-z]\w*)[.;]", line):
                assert found[1] in ("bra", "bar", "ret") or opcode.findall(line)[0] == found[1]


@pytest.mark.slow
def test_kernels_are_coloured(tmp_path: Path) -> None:
    scopes = _scopes("mlir", GEMM, tmp_path)
    for token, scope in (
        ("tcgen05.mma", "keyword.other.operation"),
        ("ptx.kernel", "keyword.other.operation"),
        ("%c0", "variable.other"),
        ("@gemm_single_tile", "entity.name.function"),
        ("!tcgen05.tmem", "support.type"),
        ("#tcgen05.idesc", "support.constant"),
        ("i32", "storage.type"),
        ("swizzle_128b", "constant.language"),
        ("128", "constant.numeric"),
    ):
        assert scopes[token] == {f"{scope}.mlir"}, token
    text = compile_to_ptx(GEMM) + "/* a\nret; */ // b\n\tmov.f32 %f1, 0f3F800000;\n"
    scopes = _scopes("ptx", text, tmp_path)
    for token, scope in (
        ("tcgen05", "keyword.other.instruction"),
        (".kind::f16", "storage.modifier"),
        (".version", "storage.type"),
        (".b64", "storage.type"),
        ("%tid.x", "variable.language"),
        ("%rd1", "variable.other"),
        ("bra", "keyword.control"),
        ("0f3F800000", "constant.numeric"),
        ("$L__1", "entity.name.label"),
        ("// b", "comment.line.double-slash"),
    ):
        assert f"{scope}.ptx" in scopes[token], token
    assert "comment.block.ptx" in scopes["ret;"]


@pytest.mark.sweep
def test_extension_packages(tmp_path: Path) -> None:
    folder = tmp_path / "vscode"
    shutil.copytree(EXTENSION, folder)
    _npm(folder, "--omit=dev")
    command = ["npx", "--yes", "@vscode/vsce", "package", "--skip-license", "-o", "t.vsix"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "extension.js" in done.stdout and "ptx.tmLanguage.json" in done.stdout
    assert (folder / "t.vsix").stat().st_size > 100_000

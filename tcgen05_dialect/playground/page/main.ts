// The playground: an editor, and the answers of the commands to its text.

import { EditorView } from "@codemirror/view";
import { type Answer, type Backend, type Check, connect, type Request } from "./backend";
import { calculator } from "./calculator";
import { find, make, tabs } from "./dom";
import { editor, language, markLines, position, replaceAll, typing } from "./editor";
import { type Actions, applyFix, type Finding, findingsOf, item, showMarks, verdictCards } from "./findings";
import * as languages from "./languages";
import { decoded, encoded } from "./link";
import { type Linked, linesFrom, linked } from "./ptx";
import { explained } from "./rule";
import { result } from "./run";

interface Example {
  group: string;
  title: string;
  rule: string;
  text: string;
  launch: string;
}

/** Prefix of the rules whose violations only runs find. */
const FOUND_BY_RUNS = "T5-SIM-";

/** Milliseconds without a key before the text is compiled. */
const PAUSE = 250;

/** The checks, each slower and stronger than the one before, and what is said while the next runs. */
const CHECKS: readonly (readonly [Check, string])[] = [
  ["check without runs", "No errors without a run; running the kernel at two sizes"],
  ["check quickly", "Running the kernel at more sizes"],
  ["check", ""],
];

let backend: Backend | null = null;
let compiled: Linked = { text: "", sources: [] };
let running: AbortController | null = null;
let timer = 0;

const showFile = tabs(find("source").querySelector("[role=tablist]")!, (panel) => {
  find("place").hidden = panel !== "kernel";
});
const showResult = tabs(find("results").querySelector("[role=tablist]")!, (panel) => {
  if (panel === "ptx") linkPtx(true);
});

const kernel = editor(
  find("kernel"),
  "Kernel",
  languages.ir,
  typing,
  EditorView.updateListener.of((update) => {
    if (update.docChanged) changed();
    if (update.selectionSet || update.docChanged) {
      const { head } = update.state.selection.main;
      const line = update.state.doc.lineAt(head);
      find("place").textContent = `${line.number}:${head - line.from + 1}`;
      if (!update.docChanged) linkPtx(true);
    }
  }),
);
const launch = editor(find("launch"), "Launch file", languages.toml, typing);
const ptx = editor(
  find("ptx"),
  "PTX",
  languages.ptx,
  EditorView.editable.of(false),
  EditorView.domEventHandlers({
    mousedown(event, view) {
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
      const source = at === null ? 0 : compiled.sources[view.state.doc.lineAt(at).number];
      if (!source) return;
      markLines(kernel, [source], true);
      markLines(view, linesFrom(compiled, source), false);
    },
  }),
);

function linkPtx(scrolls: boolean): void {
  if (find("ptx").hidden) return;
  const { state } = kernel;
  const line = state.doc.lineAt(state.selection.main.head).number;
  markLines(ptx, linesFrom(compiled, line), scrolls);
  markLines(kernel, [], false);
}

/** Whether the kernel is still a text; if not, the panel says so. */
function isStill(text: string): boolean {
  const still = source().text === text;
  if (!still) find("findings").prepend(make("p", { class: "problem", textContent: "The text has changed since it was checked." }));
  return still;
}

/** The actions of the findings in a text. Fixes do not change another text. */
const actionsFor = (text: string): Actions => ({
  go(line, column) {
    showFile("kernel");
    const at = position(kernel.state.doc, line, column);
    kernel.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    kernel.focus();
  },
  explain(rule) {
    showResult("rule");
    void explain(rule);
  },
  fix(finding) {
    showResult("findings");
    if (isStill(text)) applyFix(kernel, finding);
  },
  async look() {
    const before = source();
    const answer = await asked(find("findings"), { command: "fix", ...before });
    if (!answer || !isStill(before.text)) return;
    if (answer.text && answer.text !== before.text) replaceAll(kernel, answer.text);
    else find("findings").prepend(make("p", { class: "problem", textContent: "No fix was found." }));
  },
});

function source(): Required<Pick<Request, "text" | "language">> {
  const text = kernel.state.doc.toString();
  return { text, language: languages.languageOf(text) };
}

/** The answer to a request; null if it was given up, or if a panel shows why there is none. */
async function asked(panel: HTMLElement, request: Request, signal?: AbortSignal): Promise<Answer | null> {
  if (!backend) return null;
  panel.classList.toggle("waits", !signal);
  try {
    return await backend.ask(request, signal);
  } catch (error) {
    if (!signal?.aborted) panel.replaceChildren(make("p", { class: "problem", textContent: (error as Error).message }));
    return null;
  } finally {
    panel.classList.remove("waits");
  }
}

function changed(): void {
  clearTimeout(timer);
  running?.abort();
  timer = window.setTimeout(() => void update(), PAUSE);
}

/** Compile and check the text, first without runs. */
async function update(): Promise<void> {
  clearTimeout(timer);
  running?.abort();
  const { signal } = (running = new AbortController());
  if (!backend || !kernel.state.doc.length) return;
  const text = source();
  const code = text.language === "ptx" ? languages.ptx : languages.ir;
  find("tab-kernel").textContent = text.language === "ptx" ? "kernel.ptx" : "kernel.mlir";
  kernel.dispatch({ effects: language.reconfigure(code) });
  const compile = async () => {
    const answer = await asked(find("findings"), { command: "compile", ...text }, signal);
    if (answer && !signal.aborted) showPtx(answer);
  };
  const check = async () => {
    for (const [command, next] of backend!.runs ? CHECKS : CHECKS.slice(0, 1)) {
      const answer = await asked(find("findings"), { command, ...text }, signal);
      if (!answer || signal.aborted) return;
      const found = findingsOf(answer.output) ?? [];
      const ends = command === "check without runs" && found.some((each) => each.severity === "error");
      showFindings(found, ends || !backend!.runs ? "" : next, answer, actionsFor(text.text));
      if (ends) return;
    }
  };
  await Promise.all([compile(), check()]);
  document.documentElement.dataset.state = signal.aborted ? "changed" : "checked";
}

function showPtx(answer: Answer): void {
  const failed = answer.status !== 0 || !answer.output;
  find("ptx").classList.toggle("old", failed && compiled.text !== "");
  if (failed) return;
  compiled = linked(answer.output);
  replaceAll(ptx, compiled.text);
  linkPtx(false);
}

function showFindings(found: Finding[], waiting: string, answer: Answer, actions: Actions): void {
  const problems = found.filter((each) => each.severity !== "remark" && !each.suppressed);
  const remarks = found.filter((each) => each.severity === "remark" && !each.verdict);
  const count = find("count");
  count.textContent = problems.length ? String(problems.length) : "";
  count.className = problems.some((each) => each.severity === "error") ? "error" : "warning";
  const cards = verdictCards(found, actions);
  if (waiting) cards.push(make("p", { class: "waiting", textContent: waiting }));
  else if (!cards.length && !problems.length) cards.push(unrun());
  const panel = find("findings");
  panel.replaceChildren(...cards, ...[...problems, ...remarks].map((each) => item(each, actions)));
  if (answer.messages) panel.append(make("pre", { textContent: answer.messages }));
  showMarks(kernel, found, actions);
}

function unrun(): HTMLElement {
  const sentence = backend?.runs
    ? "The text has no kernel that can be run."
    : "Only a run can find races, lost waits and deadlocks. Runs need numpy: start tcgen05 serve.";
  return make("article", { class: "verdict open" }, make("h2", { textContent: "No errors without a run" }), make("p", { textContent: sentence }));
}

async function explain(rule: string): Promise<void> {
  const panel = find("rule");
  const answer = await asked(panel, { command: "explain", subject: rule || "T5" });
  if (!answer) return;
  if (rule) {
    panel.replaceChildren(...explained(answer.output || answer.messages));
    panel.scrollTop = 0;
    return;
  }
  const rows = answer.output.trimEnd().split("\n").map((line) => /^(\S+)\s+(.*)$/.exec(line));
  panel.replaceChildren(
    make(
      "ul",
      { class: "rules" },
      ...rows.map((row) =>
        row && make("li", {}, make("button", { class: "link", type: "button", textContent: row[1], onclick: () => void explain(row[1]!) }), ` ${row[2]}`),
      ),
    ),
  );
}

function runPanel(): void {
  const output = make("div", { class: "output" });
  const button = make("button", { id: "start", class: "primary", type: "button", textContent: "Run", onclick: () => void run() });
  const propose = make("button", { type: "button", textContent: "Propose a launch file", onclick: () => void proposed() });
  const run = async () => {
    button.disabled = true;
    const text = source();
    const answer = await asked(output, { command: "sim", launch: launch.state.doc.toString(), ...text });
    button.disabled = false;
    if (!answer) return;
    const expects = /^\s*\[expected\]|^\s*expected\b/m.test(launch.state.doc.toString());
    output.replaceChildren(...result(answer, expects, actionsFor(text.text)));
  };
  const proposed = async () => {
    const answer = await asked(output, { command: "launch-file", ...source() });
    if (!answer) return;
    if (answer.status !== 0) {
      output.replaceChildren(make("pre", { class: "problem", textContent: answer.messages }));
      return;
    }
    replaceAll(launch, answer.output);
    showFile("launch");
  };
  const sentence = backend?.runs
    ? "The emulator runs the kernel with the launch file, and compares the result."
    : "Runs need numpy, which this page does not have: install tcgen05-dialect[serve] and start tcgen05 serve.";
  button.disabled = propose.disabled = !backend?.runs;
  find("run").replaceChildren(make("div", { class: "bar" }, button, propose, make("span", { class: "quiet", textContent: sentence })), output);
}

function open(text: string, launchText: string): void {
  replaceAll(launch, launchText);
  replaceAll(kernel, text);
  kernel.dispatch({ selection: { anchor: 0 }, effects: EditorView.scrollIntoView(0) });
  showFile("kernel");
  void update();
}

async function share(): Promise<void> {
  const fragment = await encoded({ text: kernel.state.doc.toString(), launch: launch.state.doc.toString() });
  history.replaceState(null, "", `#${fragment}`);
  const button = find("share");
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = "Copied";
  } catch {
    button.textContent = "In the address bar";
  }
  window.setTimeout(() => (button.textContent = "Copy link"), 2000);
}

async function fromAddress(): Promise<boolean> {
  const state = location.hash.length > 1 ? await decoded(location.hash.slice(1)) : null;
  if (state) open(state.text, state.launch);
  return state !== null;
}

async function start(): Promise<void> {
  const menu = find<HTMLSelectElement>("examples");
  const examples: Example[] = await (await fetch("examples.json")).json();
  for (const [group, members] of Map.groupBy(examples, (each) => each.group)) {
    const entries = members.map((each) => make("option", { value: String(examples.indexOf(each)), textContent: each.title }));
    menu.append(make("optgroup", { label: group }, ...entries));
  }
  menu.onchange = () => {
    const chosen = examples[Number(menu.value)];
    if (menu.value && chosen) {
      history.replaceState(null, "", location.pathname);
      open(chosen.text, chosen.launch);
    }
    menu.value = "";
  };
  find("share").onclick = () => void share();
  window.onhashchange = () => void fromAddress();
  calculator(find("calculator"), () => backend, source);
  find("tab-rule").addEventListener("click", () => {
    if (!find("rule").childElementCount) void explain("");
  });
  if (!(await fromAddress()) && examples[0]) open(examples[0].text, examples[0].launch);
  const state = find("backend");
  state.textContent = "Loading";
  find("findings").replaceChildren(make("p", { class: "waiting", textContent: "Loading the compiler" }));
  try {
    backend = await connect();
    state.textContent = backend.name;
    for (const option of backend.runs ? [] : menu.querySelectorAll("option")) {
      if (examples[Number(option.value)]?.rule.startsWith(FOUND_BY_RUNS)) option.textContent += " (needs tcgen05 serve)";
    }
  } catch (error) {
    state.textContent = "";
    find("findings").replaceChildren(make("p", { class: "problem", textContent: (error as Error).message }));
    return;
  }
  runPanel();
  await update();
}

void start();

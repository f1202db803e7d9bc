// Findings of `check` and `sim`: their list, their marks in the editor, and their fixes.

import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import { EditorView } from "@codemirror/view";
import { link, make } from "./dom";
import { position } from "./editor";

interface Edit {
  line: number;
  column: number;
  end_line: number;
  end_column: number;
  text: string;
}

/** A finding, as `check --format json` prints it. */
export interface Finding {
  file: string;
  line: number;
  column: number;
  severity: "error" | "warning" | "remark";
  rule: string;
  message: string;
  section: string;
  help: string;
  excerpt: string;
  verdict: string;
  fix: string;
  edits: readonly Edit[];
  suppressed: string;
  drawing: string;
}

export interface Actions {
  /** Show a place in the editor. */
  go(line: number, column: number): void;
  explain(rule: string): void;
  fix(finding: Finding): void;
  /** Look for a fix that takes runs to find. */
  look(): void;
}

/** The findings in what a command printed; null if it printed none. */
export function findingsOf(output: string): Finding[] | null {
  try {
    const found = JSON.parse(output);
    return Array.isArray(found) ? found : null;
  } catch {
    return null;
  }
}

export function applyFix(view: EditorView, finding: Finding): void {
  const { doc } = view.state;
  const changes = finding.edits.map((edit) => ({
    from: position(doc, edit.line, edit.column),
    to: position(doc, edit.end_line, edit.end_column),
    insert: edit.text,
  }));
  const at = Math.min(...changes.map((each) => each.from));
  view.dispatch({ changes, selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
}

/** The number of characters that the carets below the line of a finding mark. */
function marked(finding: Finding): number {
  return /^\s*(\^+)\s*$/m.exec(finding.excerpt)?.[1]?.length ?? 1;
}

/** Mark findings in the editor. */
export function showMarks(view: EditorView, findings: readonly Finding[], actions: Actions): void {
  const { doc } = view.state;
  const diagnostics: Diagnostic[] = findings
    .filter((each) => each.severity !== "remark" && each.line && !each.suppressed)
    .map((each) => {
      const from = position(doc, each.line, each.column);
      const end = position(doc, each.line, each.column + marked(each));
      return {
        from,
        to: Math.max(end, Math.min(from + 1, doc.length)),
        severity: each.severity === "error" ? "error" : "warning",
        source: each.rule,
        message: each.help ? `${each.message}\n${each.help}` : each.message,
        actions: each.edits.length ? [{ name: "Fix", apply: () => actions.fix(each) }] : [],
      };
    });
  view.dispatch(setDiagnostics(view.state, diagnostics));
}

/** The verdicts: a card for each kernel. */
export function verdictCards(findings: readonly Finding[], actions: Actions): HTMLElement[] {
  return findings
    .filter((each) => each.verdict)
    .map((each) => {
      const [kernel, ...rest] = each.message.split(": ");
      const [word, ...more] = rest.join(": ").split("; ");
      const kind = each.verdict === "verified" ? "good" : each.verdict === "not verified" ? "bad" : "open";
      return make(
        "article",
        { class: `verdict ${kind}` },
        make("h2", {}, link(kernel ?? "", () => actions.go(each.line, each.column)), ` ${word}`),
        more.length > 0 && make("ul", {}, ...more.map((part) => make("li", { textContent: part }))),
      );
    });
}

/** A text in which numbers of lines lead to the lines. */
function withLines(text: string, actions: Actions): (Node | string)[] {
  return text
    .split(/(\bline \d+)/)
    .map((part, index) => (index % 2 ? link(part, () => actions.go(Number(part.slice("line ".length)), 1)) : part));
}

/** One finding, for the list. */
export function item(finding: Finding, actions: Actions): HTMLElement {
  const [head, ...details] = finding.help.split(/; (?=check --fix)/);
  const place = finding.line ? `line ${finding.line}` : "";
  return make(
    "article",
    { class: `finding ${finding.severity}` },
    make(
      "h3",
      {},
      make("span", { class: "severity", textContent: finding.severity }),
      finding.rule !== "" && link(finding.rule, () => actions.explain(finding.rule)),
      place !== "" && link(place, () => actions.go(finding.line, finding.column)),
    ),
    make("p", {}, ...withLines(finding.message, actions)),
    finding.drawing !== "" && make("pre", { class: "drawing" }, ...withLines(finding.drawing, actions)),
    Boolean(head) && make("p", { class: "help", textContent: head }),
    finding.edits.length > 0 &&
      make(
        "p",
        { class: "fix" },
        make("button", { class: "primary", type: "button", textContent: "Fix", onclick: () => actions.fix(finding) }),
        make("span", { textContent: finding.fix }),
      ),
    (details.length > 0 || /^check --fix/.test(head ?? "")) &&
      make(
        "p",
        { class: "fix" },
        make("button", { class: "primary", type: "button", textContent: "Look for a fix", onclick: actions.look }),
      ),
  );
}

// Editors: their parts and their looks, and lines that are marked in two of them.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, type Extension, StateEffect, StateField, type Text } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";

const looks = EditorView.theme({
  "&": { height: "100%", fontSize: "var(--code-size)", color: "var(--text)", backgroundColor: "var(--paper)" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--faint)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--line)" },
  ".cm-activeLineGutter": { color: "var(--text)" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  "&.cm-focused": { outline: "none" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--selection)",
  },
  ".cm-matchingBracket": { backgroundColor: "var(--selection) !important", outline: "none" },
  ".cm-linked": { backgroundColor: "var(--linked)" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--error) 1.5px", textUnderlineOffset: "3px" },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy var(--warning) 1.5px", textUnderlineOffset: "3px" },
  ".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--text)", border: "1px solid var(--border)", borderRadius: "6px" },
  ".cm-diagnostic": { padding: "6px 10px", borderLeft: "3px solid transparent", maxWidth: "60ch", whiteSpace: "pre-wrap" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--error)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warning)" },
  ".cm-diagnosticAction": { backgroundColor: "var(--accent)", color: "var(--on-accent)", borderRadius: "4px", padding: "2px 8px" },
  ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--text)" },
  ".cm-panels-bottom": { borderTop: "1px solid var(--border)" },
  ".cm-panel button, .cm-panel input": { font: "inherit", backgroundImage: "none" },
  ".cm-searchMatch": { backgroundColor: "var(--linked)" },
});

const colours = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.comment, color: "var(--code-comment)" },
    { tag: tags.keyword, color: "var(--code-operation)" },
    { tag: tags.modifier, color: "var(--code-word)" },
    { tag: tags.typeName, color: "var(--code-type)" },
    { tag: [tags.number, tags.bool], color: "var(--code-number)" },
    { tag: tags.string, color: "var(--code-string)" },
    { tag: tags.variableName, color: "var(--code-value)" },
    { tag: tags.labelName, color: "var(--code-label)" },
  ]),
);

const mark = StateEffect.define<readonly number[]>();
const marked = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(found, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(mark)) {
        const { doc } = transaction.state;
        const line = Decoration.line({ class: "cm-linked" });
        return Decoration.set(
          effect.value.filter((each) => each <= doc.lines).map((each) => line.range(doc.line(each).from)),
        );
      }
    }
    return transaction.docChanged ? Decoration.none : found;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Mark lines, in ascending order, and show the first one if none of them is in view. */
export function markLines(view: EditorView, lines: readonly number[], scrolls: boolean): void {
  const effects: StateEffect<unknown>[] = [mark.of(lines)];
  const first = lines[0];
  if (scrolls && first !== undefined && first <= view.state.doc.lines) {
    const box = view.scrollDOM.getBoundingClientRect();
    const seen = lines.some((each) => {
      const place = view.coordsAtPos(view.state.doc.line(Math.min(each, view.state.doc.lines)).from);
      return place !== null && place.top >= box.top && place.bottom <= box.bottom;
    });
    if (!seen) effects.push(EditorView.scrollIntoView(view.state.doc.line(first).from, { y: "center" }));
  }
  view.dispatch({ effects });
}

export const language = new Compartment();

export function editor(parent: HTMLElement, label: string, code: Extension, ...more: Extension[]): EditorView {
  return new EditorView({
    parent,
    extensions: [
      lineNumbers(),
      drawSelection(),
      bracketMatching(),
      highlightSelectionMatches(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      EditorView.contentAttributes.of({ "aria-label": label }),
      indentUnit.of("  "),
      language.of(code),
      looks,
      colours,
      marked,
      ...more,
    ],
  });
}

/** What an editor needs in which the user types. */
export const typing: Extension = [
  history(),
  lintGutter(),
  keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap, indentWithTab]),
];

/** The index of a place in a text; lines and columns count from 1, columns in characters. */
export function position(doc: Text, line: number, column: number): number {
  if (line > doc.lines) return doc.length;
  const { from, text } = doc.line(Math.max(line, 1));
  const before = Array.from(text).slice(0, Math.max(column - 1, 0)).join("");
  return from + before.length;
}

export function replaceAll(view: EditorView, text: string): void {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
}

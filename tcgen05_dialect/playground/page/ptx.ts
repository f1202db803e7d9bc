// PTX beside its source: `.loc` links the lines of both.

export interface Linked {
  /** The text without the lines that link it. */
  text: string;
  /** For each line of the text, counted from 1, the line of the source; 0 if it has none. */
  sources: readonly number[];
}

const DIRECTIVE = /^\s*\.(?:loc\s+\d+\s+(?<line>\d+)|file\s)/;

export function linked(printed: string): Linked {
  const lines: string[] = [];
  const sources = [0];
  let current = 0;
  for (const line of printed.replace(/\n$/, "").split("\n")) {
    const found = DIRECTIVE.exec(line);
    if (found) {
      current = Number(found.groups?.line ?? current);
      continue;
    }
    if (line.startsWith(".visible")) current = 0;
    lines.push(line);
    sources.push(/^\s+\S/.test(line) && !/^\s*\.(?:reg|param)/.test(line) ? current : 0);
  }
  return { text: lines.join("\n"), sources };
}

/** The lines of the text that come from a line of the source, in ascending order. */
export function linesFrom(linked: Linked, source: number): number[] {
  return linked.sources.flatMap((each, line) => (each === source && source > 0 ? [line] : []));
}

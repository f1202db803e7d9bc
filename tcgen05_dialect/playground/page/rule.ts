// The panel of a rule: what `tcgen05 explain` prints, as paragraphs and programs.

import { make } from "./dom";

export function explained(text: string): HTMLElement[] {
  const parts: HTMLElement[] = [];
  let program: string[] = [];
  let paragraph: string[] = [];
  const finish = () => {
    const code = program.join("\n").replace(/^\n+|\n+$/g, "");
    if (code) parts.push(make("pre", { textContent: code }));
    if (paragraph.length) parts.push(make("p", { textContent: paragraph.join(" ") }));
    program = [];
    paragraph = [];
  };
  const lines = text.split("\n");
  const [head, ...rest] = lines;
  parts.push(make("h2", { textContent: head ?? "" }));
  for (const line of rest) {
    if (line.startsWith("  ")) {
      if (paragraph.length) finish();
      program.push(line.slice(2));
    } else if (line === "") {
      if (paragraph.length) finish();
      else if (program.length) program.push("");
    } else {
      if (program.length) finish();
      paragraph.push(line);
    }
  }
  finish();
  return parts;
}

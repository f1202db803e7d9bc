// The panel of a run: its result, its numbers and its timeline.

import type { Answer } from "./backend";
import { make } from "./dom";
import { type Actions, type Finding, item } from "./findings";

interface Launch {
  launch: string | null;
  findings: Finding[];
  differences: { [name: string]: unknown }[];
  printed: string;
  remarks: Finding[];
  statistics: null | {
    instructions: { [warp: string]: number };
    matrix_products: number;
    multiply_adds: number;
    bytes_loaded: number;
    bytes_stored: number;
    tensor_memory_columns: number;
  };
}

const numbers = new Intl.NumberFormat("en");

function statistics(found: NonNullable<Launch["statistics"]>): HTMLElement {
  const warps = Object.values(found.instructions);
  const rows: [string, string][] = [
    ["instructions", `${numbers.format(warps.reduce((sum, each) => sum + each, 0))} of ${warps.length} warps`],
    ["matrix products", numbers.format(found.matrix_products)],
    ["multiply-adds", numbers.format(found.multiply_adds)],
    ["bytes loaded by TMA", numbers.format(found.bytes_loaded)],
    ["bytes stored by TMA", numbers.format(found.bytes_stored)],
    ["tensor memory columns", numbers.format(found.tensor_memory_columns)],
  ];
  return make(
    "table",
    { class: "numbers" },
    ...rows.map(([name, value]) => make("tr", {}, make("th", { scope: "row", textContent: name }), make("td", { textContent: value }))),
  );
}

function difference(found: { [name: string]: unknown }): HTMLElement {
  const parts = Object.entries(found).map(([name, value]) => `${name.replaceAll("_", " ")}: ${JSON.stringify(value)}`);
  return make("article", { class: "finding error" }, make("h3", {}, make("span", { class: "severity", textContent: "difference" })), make("p", { textContent: parts.join(", ") }));
}

export function result(answer: Answer, expects: boolean, actions: Actions): HTMLElement[] {
  let launches: Launch[];
  try {
    launches = JSON.parse(answer.output).launches;
  } catch {
    return [make("article", { class: "verdict bad" }, make("h2", { textContent: "The kernel cannot be run" }), make("pre", { textContent: answer.messages }))];
  }
  const parts: HTMLElement[] = [];
  for (const launch of launches) {
    const errors = launch.findings.filter((each) => each.severity === "error");
    const good = errors.length === 0 && launch.differences.length === 0;
    const sentence = !good
      ? errors.length
        ? "The run found errors"
        : "The result is not the expected one"
      : expects
        ? "As expected"
        : "The run found no error";
    parts.push(
      make(
        "article",
        { class: `verdict ${good ? "good" : "bad"}` },
        make("h2", { textContent: launch.launch ? `${launch.launch}: ${sentence}` : sentence }),
        launch.statistics && statistics(launch.statistics),
        launch.printed !== "" && make("pre", { textContent: launch.printed }),
      ),
      ...launch.differences.map(difference),
      ...[...launch.findings, ...launch.remarks].map((each) => item(each, actions)),
    );
  }
  if (answer.timeline !== null) {
    const frame = make("iframe", { class: "timeline", title: "Timeline of the run", src: answer.timeline });
    frame.setAttribute("sandbox", "allow-scripts");
    const full = make("a", { href: answer.timeline, target: "_blank", rel: "noopener", textContent: "Timeline in a new tab" });
    parts.push(frame, make("p", { class: "full" }, full));
  }
  return parts;
}

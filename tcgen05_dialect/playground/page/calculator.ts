// The panel of the calculator: questions of `tcgen05 calc`, answered by a picture or a table.

import type { Backend, Request } from "./backend";
import { make } from "./dom";

const QUESTIONS: [string, string][] = [
  ["Memory of the kernel", "memory KERNEL --format svg"],
  ["Launch of the kernel", "launch KERNEL"],
  ["Accumulator in tensor memory", "layout D --kind f16 --m 128 --n 64 --format svg --overview"],
  ["Swizzled tile in shared memory", "layout A --kind f16 --memory shared --major k_major --swizzle swizzle_128b --k 64 --rows 0-15 --format svg"],
  ["Scale factors in tensor memory", "layout SFA --kind mxf8f6f4 --format svg --overview"],
  ["Plan of tensor memory", "tmem --accumulator 128x128:2 --a-operand 128x64 --format svg"],
  ["Shared memory descriptor", "sdesc decode 0x4000404000010840"],
  ["Instruction descriptor", "idesc decode 0x8200490 --kind f16"],
  ["Tiles of a product", "plan 8192 8192 4096 bf16"],
  ["All kinds of MMA", "list --target sm_100a"],
];

const WITHOUT_NUMPY = "This answer needs numpy, which this page does not have: run tcgen05 serve.";
/** The word in a question that stands for the file of the kernel. */
const KERNEL = "KERNEL";

type Kernel = Required<Pick<Request, "text" | "language">>;

export function calculator(panel: HTMLElement, backend: () => Backend | null, kernel: () => Kernel): void {
  const input = make("input", { type: "text", spellcheck: false, autocomplete: "off", ariaLabel: "Arguments of tcgen05 calc" });
  const output = make("div", { class: "answer" });
  output.setAttribute("aria-live", "polite");
  const form = make(
    "form",
    {
      class: "question",
      onsubmit: (event: Event) => {
        event.preventDefault();
        void ask();
      },
    },
    make("label", {}, make("code", { textContent: "tcgen05 calc" }), input),
    make("button", { class: "primary", textContent: "Ask" }),
  );
  const ask = async () => {
    const found = backend();
    if (!found) return;
    output.classList.add("waits");
    try {
      const { output: text, messages } = await found.ask({ command: "calc", subject: input.value, ...kernel() });
      if (text.startsWith("<svg")) {
        const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
        const picture = make("img", { src: address, alt: `Picture for ${input.value}` });
        picture.onload = () => URL.revokeObjectURL(address);
        output.replaceChildren(picture);
      } else if (!found.runs && messages.includes("'numpy'")) {
        output.replaceChildren(make("p", { class: "problem", textContent: WITHOUT_NUMPY }));
      } else {
        output.replaceChildren(make("pre", { textContent: text || messages }));
      }
    } catch (error) {
      output.replaceChildren(make("p", { class: "problem", textContent: (error as Error).message }));
    }
    output.classList.remove("waits");
  };
  const chips = QUESTIONS.map(([name, question]) =>
    make("button", {
      class: "chip",
      type: "button",
      textContent: name,
      onclick: () => {
        input.value = question.replace(KERNEL, kernel().language === "ptx" ? "kernel.ptx" : "kernel.mlir");
        void ask();
      },
    }),
  );
  panel.append(form, make("div", { class: "chips" }, ...chips), output);
}

// The two places where commands run: a server on this machine, or Python in this page.

import { find } from "./dom";

export type Language = "ir" | "ptx";

export type Check = "check without runs" | "check quickly" | "check";

export interface Request {
  command: Check | "fix" | "compile" | "sim" | "launch-file" | "explain" | "calc";
  text?: string;
  language?: Language;
  launch?: string;
  subject?: string;
}

export interface Answer {
  status: number;
  output: string;
  messages: string;
  text: string | null;
  /** The address of the page of a timeline. */
  timeline: string | null;
}

export interface Backend {
  readonly name: string;
  /** Whether kernels can be run. */
  readonly runs: boolean;
  /** The answer to a request; rejects with a sentence. */
  ask(request: Request, signal?: AbortSignal): Promise<Answer>;
}

/** A server, which the page was loaded from. */
class Served implements Backend {
  readonly name = "tcgen05 serve";
  readonly runs = true;

  async ask(request: Request, signal?: AbortSignal): Promise<Answer> {
    let response: Response;
    try {
      response = await fetch("run", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(request),
        signal,
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new Error("The server does not answer: is `tcgen05 serve` still running?");
    }
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error);
    return answer;
  }
}

interface Waiting {
  request: Request;
  signal?: AbortSignal;
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/** Python in a worker, which takes one request after the other. */
class InPage implements Backend {
  readonly name = "Python in this page";
  runs = false;
  private readonly worker = new Worker("worker.js", { type: "module" });
  private readonly waiting: Waiting[] = [];
  private current: Waiting | null = null;

  constructor(ready: (problem: string | null) => void) {
    this.worker.onmessage = ({ data }) => {
      if ("ready" in data) {
        this.runs = data.runs;
        ready(null);
        return;
      }
      if ("problem" in data) {
        ready(data.problem);
        return;
      }
      const { current } = this;
      this.current = null;
      if (data.error) current?.reject(new Error(data.error));
      else current?.resolve(data.answer);
      this.next();
    };
    this.worker.onerror = (event) => ready(event.message || "The worker cannot be loaded.");
  }

  ask(request: Request, signal?: AbortSignal): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ request, signal, resolve, reject });
      this.next();
    });
  }

  private next(): void {
    if (this.current) return;
    const next = this.waiting.shift();
    if (!next) return;
    if (next.signal?.aborted) {
      next.reject(new DOMException("aborted", "AbortError"));
      this.next();
      return;
    }
    this.current = next;
    this.worker.postMessage(next.request);
  }
}

/** The back end that the page's folder names. */
export async function connect(): Promise<Backend> {
  const response = await fetch("backend.json");
  const { kind, home } = await response.json();
  if (home) find<HTMLAnchorElement>("home").href = home;
  if (kind === "serve") return new Served();
  return new Promise((resolve, reject) => {
    const backend = new InPage((problem) => {
      if (problem === null) resolve(backend);
      else reject(new Error(problem));
    });
  });
}

// The colours of IR, PTX and launch files, by tokens.

import { StreamLanguage, type StreamParser } from "@codemirror/language";
import type { Language } from "./backend";

type Rule = [RegExp, string | null];

/** A parser that takes the first rule that matches; `isInside` continues comments. */
function rules(list: Rule[], hasBlocks = false): StreamParser<{ isInside: boolean }> {
  return {
    startState: () => ({ isInside: false }),
    token(stream, state) {
      if (state.isInside || (hasBlocks && stream.match("/*"))) {
        state.isInside = !stream.match(/^.*?\*\//);
        if (state.isInside) stream.skipToEnd();
        return "comment";
      }
      if (stream.eatSpace()) return null;
      for (const [pattern, name] of list) if (stream.match(pattern)) return name;
      stream.next();
      return null;
    },
    languageData: { commentTokens: { line: "//" } },
  };
}

export const ir = StreamLanguage.define(
  rules([
    [/^\/\/.*/, "comment"],
    [/^"(?:[^"\\]|\\.)*"/, "string"],
    [/^%[\w$.-]+(?:#\d+)?/, "variableName"],
    [/^@[\w$.-]+/, "labelName"],
    [/^\^[\w$.-]+/, "labelName"],
    [/^[!#][\w$.]+/, "typeName"],
    [/^(?:memref|tensor|vector)(?=<)/, "typeName"],
    [/^(?:(?:\d+|\?)x)+/, "number"],
    [/^(?:[iuf]\d+|bf16|tf32|f8E\w+|index)\b/, "typeName"],
    [/^-?(?:0x[\da-fA-F]+|\d+(?:\.\d+)?(?:e[+-]?\d+)?)\b/, "number"],
    [/^(?:true|false|unit)\b/, "bool"],
    [/^(?:tcgen05|ptx|ws|arith|math|scf|cf|func|linalg|stablehlo|builtin)\.[\w.]+/, "keyword"],
    [/^(?:module|attributes|step|to|of|by|else|do)\b/, "modifier"],
    [/^[\w$]+/, null],
  ]),
);

export const ptx = StreamLanguage.define(
  rules(
    [
      [/^\/\/.*/, "comment"],
      [/^"[^"]*"/, "string"],
      [/^\.(?:version|target|entry|visible|extern|reg|param|shared|global|align|loc|file|\w*ntid|pragma)\b/, "modifier"],
      [/^[$%][\w$]+/, "variableName"],
      [/^-?(?:0[xXfFdD][\da-fA-F]+|\d+(?:\.\d+)?)\b/, "number"],
      [/^tcgen05[\w.:]*/, "keyword"],
      [/^\.?[a-zA-Z_][\w$]*(?:(?:\.|::)[\w$]+)*/, null],
    ],
    true,
  ),
);

export const toml = StreamLanguage.define(
  rules([
    [/^#.*/, "comment"],
    [/^"(?:[^"\\]|\\.)*"/, "string"],
    [/^\[+[^\]]*\]+(?=\s*$)/, "keyword"],
    [/^[\w-]+(?=\s*=)/, "variableName"],
    [/^-?\d[\d_.]*/, "number"],
    [/^(?:true|false)\b/, "bool"],
  ]),
);

/** The language of a text, as the project tells it: PTX begins with its version. */
export function languageOf(text: string): Language {
  const code = text.replace(/\/\/.*|\/\*[^]*?\*\//g, "").trimStart();
  return code.startsWith(".version") ? "ptx" : "ir";
}

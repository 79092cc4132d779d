import { isStepNumber } from "./step-heading.ts";

/** The words of a `Depends on` line, each with its offset. */
export type Token = { readonly at: number } & (
  | { readonly is: "anchor"; readonly anchor: string }
  | { readonly is: "number"; readonly number: string }
  /** In parentheses, nested ones included: a remark. */
  | { readonly is: "aside"; readonly end: number }
  /** `step` or `steps`: numbers follow. */
  | { readonly is: "step" }
  /** Comma, `and`. */
  | { readonly is: "separator" }
  /** `through`, a dash, dots: a range, an empty list, or the start of an explanation. */
  | { readonly is: "dash" }
  | { readonly is: "stop" }
  | { readonly is: "word"; readonly word: string }
);

/** Splits a `Depends on` text. Emphasis, code marks and brackets around a step say nothing and are dropped. */
export function dependencyTokens(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const [end, token] = next(text, at);
    if (token) tokens.push(...token);
    at = end;
  }
  return tokens;
}

type Read = readonly [end: number, tokens?: readonly Token[]];

function next(text: string, at: number): Read {
  const character = text[at]!;
  if (/[\s*`_[\]<>"']/.test(character)) return character === "[" ? link(text, at) : [at + 1];
  if (character === "(") return aside(text, at);
  if (/[,;&+/]/.test(character)) return [at + 1, [{ is: "separator", at }]];
  if (character === "#") return anchor(text, at);
  const [dash] = /^(?:\.{2,3}|[—–…→]|-(?![A-Za-z0-9]))/.exec(text.slice(at, at + 4)) ?? [];
  if (dash !== undefined) return [at + dash.length, [{ is: "dash", at }]];
  if (/[.:!?)|·]/.test(character)) return [at + 1, [{ is: "stop", at }]];
  return word(text, at);
}

/** `[Step 1](#step-1)` is the anchor; of `[#step-1]` only the brackets go; a link elsewhere is a word. */
function link(text: string, at: number): Read {
  // Looking no further than a link is long keeps a line of brackets from costing its square.
  const near = text.slice(at, at + LONGEST_LINK);
  const label = at + near.indexOf("](");
  const close = at + near.indexOf(")", label - at);
  if (label < at || close < label) return [at + 1];
  const [target = ""] = text
    .slice(label + 2, close)
    .trim()
    .split(/\s/, 1);
  return target.startsWith("#")
    ? [close + 1, [{ is: "anchor", at, anchor: target.slice(1) }]]
    : [close + 1, [{ is: "word", at, word: text.slice(at + 1, label) }]];
}

const LONGEST_LINK = 500;

function aside(text: string, at: number): Read {
  let depth = 0;
  for (let end = at; end < text.length; end += 1) {
    if (text[end] === "(") depth += 1;
    else if (text[end] === ")") depth -= 1;
    if (depth === 0) return [end + 1, [{ is: "aside", at, end: end + 1 }]];
  }
  return [text.length, [{ is: "aside", at, end: text.length }]];
}

/** Up to what cannot be in an anchor, or to dots or a dash that make it a range: `#step-2..6`. */
function anchor(text: string, at: number): Read {
  let end = at + 1;
  while (end < text.length && !/[\s,;()[\]`*<>"'|·—–…→]/.test(text[end]!) && !text.startsWith("..", end))
    end += 1;
  const found = trimSentence(text.slice(at + 1, end));
  const isEmphasised = text[at - 1] === "_" && found.endsWith("_");
  const name = isEmphasised ? found.slice(0, -1) : found;
  if (name === "") return [Math.max(end, at + 1), [{ is: "word", at, word: "#" }]];
  return [at + 1 + name.length, [{ is: "anchor", at, anchor: name }]];
}

function word(text: string, at: number): Read {
  let end = at;
  while (end < text.length && !/[\s,;()[\]`*<>"'|·—–…→]/.test(text[end]!) && !text.startsWith("..", end))
    end += 1;
  const found = trimSentence(text.slice(at, end));
  if (found === "") return [Math.max(end, at + 1), [{ is: "word", at, word: text.slice(at, end) }]];
  return [at + found.length, classify(found, at)];
}

/** A full stop ends a sentence, not an anchor. */
function trimSentence(word: string): string {
  let end = word.length;
  while (end > 0 && /[.:!?]/.test(word[end - 1]!)) end -= 1;
  return word.slice(0, end);
}

function classify(word: string, at: number): readonly Token[] {
  const lower = word.toLowerCase();
  if (lower === "and" || lower === "plus") return [{ is: "separator", at }];
  if (lower === "through" || lower === "thru" || lower === "to") return [{ is: "dash", at }];
  if (lower === "step" || lower === "steps") return [{ is: "step", at }];
  if (/^step-[\w.-]{1,200}$/.test(lower)) return [{ is: "anchor", at, anchor: word }];
  const [from = "", to = "", more] = word.split("-", 3);
  if (isStepNumber(word)) return [{ is: "number", at, number: word }];
  if (more === undefined && isStepNumber(from) && isStepNumber(to)) {
    const dash = at + from.length;
    return [
      { is: "number", at, number: from },
      { is: "dash", at: dash },
      { is: "number", at: dash + 1, number: to },
    ];
  }
  return [{ is: "word", at, word }];
}

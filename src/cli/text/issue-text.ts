import { safeBlock, type Severity, shellWord } from "../../domain/index.ts";
import { displayWidth } from "./layout.ts";
import { localTimes } from "./times.ts";
import type { Paint } from "./paint.ts";
import { paragraph } from "./paragraph.ts";
import { pairs } from "./pairs.ts";
import type { Issue } from "../../journal/index.ts";

/** An issue for people: `error[E049] message`, then what to do, then the lists it came with. */
export function issueText(issue: Issue, paint: Paint): string {
  const place =
    issue.line === undefined
      ? ""
      : `${issue.file === undefined ? "" : `${issue.file} `}line ${issue.line}${issue.column === undefined ? "" : `:${issue.column}`}: `;
  const label = LABELS[issue.severity](issue, paint);
  const lines = [said(label, place + localTimes(issue.message), "  ", paint)];
  if (issue.hint !== "") lines.push(said(`  ${paint.cyan("hint:")}`, issue.hint, "    ", paint));
  return [...lines, ...detailLists(issue, paint)].join("\n");
}

const LABELS: Readonly<Record<Severity, (issue: Issue, paint: Paint) => string>> = {
  error: ({ code }, paint) => paint.red(`error[${code}]`),
  warning: (_, paint) => paint.yellow("warning:"),
  info: (_, paint) => paint.blue("note:"),
};

/** A label and what is said behind it. The first line is broken where the terminal ends; the others may be quoted. */
function said(label: string, text: string, indent: string, { columns }: Paint): string {
  const [first = "", ...rest] = body(text, indent).split("\n");
  return [`${label} ${behind(displayWidth(label), first, indent.length, columns)}`, ...rest].join("\n");
}

/** The label takes its room in the first line only: it is wrapped along, as a word of its width. */
function behind(taken: number, text: string, indent: number, columns: number): string {
  if (taken + 1 + displayWidth(text) <= columns) return text;
  const label = "x".repeat(taken - indent);
  return paragraph(`${label} ${text}`, indent, columns).slice(label.length).trimStart();
}

/** A message may quote the output of another program, many lines of it: they stay under their first one. */
const body = (text: string, indent: string): string =>
  safeBlock(text).trimEnd().replaceAll("\n", `\n${indent}`);

/** Single details are in the message already; what the message cannot hold is a list. */
function detailLists({ message, hint, details = {} }: Issue, paint: Paint): readonly string[] {
  const said = `${message} ${hint}`;
  return Object.entries(details).flatMap(([name, list]) => {
    if (!Array.isArray(list) || list.every((entry) => isSaid(entry, said))) return [];
    const label = `  ${body(name.replaceAll("_", " "), "")}:`;
    // What was called is read as one line, however long it is.
    if (name === "command") return [`${label} ${body(list.map(argument).join(" "), "")}`];
    const line = `${label} ${body(list.join(", "), "")}`;
    if (list.every(isWord) && displayWidth(line) <= paint.columns) return [line];
    const shown = list.slice(0, LONGEST_LIST).map((entry) => `    - ${body(entryText(entry), "      ")}`);
    const more = list.length - shown.length;
    return [label, ...shown, ...(more > 0 ? [`    … and ${more} more`] : [])];
  });
}

/** Names and the like: many of them are read in a line as well. */
const isWord = (entry: unknown): boolean => typeof entry === "string" && /^[^\s,]+$/.test(entry);

const argument = (word: unknown): string => (isWord(word) ? String(word) : shellWord(String(word)));

/** Whether the message or the hint has it word for word; a name within another word is not it. */
function isSaid(entry: unknown, said: string): boolean {
  const { message } = (entry ?? {}) as Readonly<Record<string, unknown>>;
  const words = typeof message === "string" ? message : entry;
  return typeof words === "string" && words !== "" && isApart(words, said);
}

function isApart(words: string, said: string): boolean {
  for (let at = said.indexOf(words); at !== -1; at = said.indexOf(words, at + 1)) {
    const around = `${said[at - 1] ?? " "}${said.slice(at + words.length, at + words.length + 2).padEnd(2)}`;
    if (/^[\s"'`(:](?:[\s"'`),;:]|\.\s)/.test(around)) return true;
  }
  return false;
}

/**
 * What was found in a plan reads as `plan check` says it, an item as it is ticked, a loss as `plan convert` tells it; all
 * else by the names of its parts.
 */
function entryText(entry: unknown): string {
  const { line, code, message, kind, ordinal, text, what, count, example } = (entry ?? {}) as Readonly<
    Record<string, unknown>
  >;
  const isFound = typeof line === "number" && typeof code === "string" && typeof message === "string";
  if (isFound) return `line ${line}: ${code} ${message}`;
  const isItem = typeof kind === "string" && typeof ordinal === "number" && typeof text === "string";
  if (typeof what === "string" && typeof count === "number" && typeof example === "string")
    return `${what}, ${count}: ${example}`;
  return isItem ? `${kind} ${ordinal}: ${text}` : pairs(entry);
}

const LONGEST_LIST = 20;

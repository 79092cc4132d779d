import { dependencyTokens, type Token } from "./dependency-tokens.ts";

/** A step named by its anchor or by its number. */
export type Target =
  | { readonly by: "anchor"; readonly anchor: string }
  | { readonly by: "number"; readonly number: string };

export type StepReference =
  | { readonly is: "one"; readonly at: number; readonly target: Target }
  | { readonly is: "range"; readonly at: number; readonly from: Target; readonly to: Target }
  | { readonly is: "all-preceding"; readonly at: number };

export interface Ignored {
  readonly at: number;
  readonly text: string;
  /** It names steps and is no remark in parentheses: perhaps they were meant. */
  readonly suspicious: boolean;
}

export interface DependsOn {
  readonly references: readonly StepReference[];
  readonly ignored: readonly Ignored[];
}

interface Cursor {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly references: StepReference[];
  readonly ignored: Ignored[];
  next: number;
  /** After `Steps 1`, a bare `2` is a step, too. */
  counting: boolean;
}

/**
 * Reads what stands behind `Depends on`.
 *
 * The list comes first. It is read until something else follows a step without a comma or parentheses; the rest is
 * explanation, and steps named there are no dependencies. An entry that names no step at all (`the parser (for …)`) is
 * left out and the list continues behind it. What is left out is reported.
 */
export function readDependsOn(text: string): DependsOn {
  const tokens = dependencyTokens(text);
  const cursor: Cursor = { text, tokens, references: [], ignored: [], next: 0, counting: false };
  if (isNone(tokens)) ignoreFrom(cursor, 1);
  else if (isAllPreceding(tokens)) readAllPreceding(cursor);
  else readList(cursor);
  return { references: cursor.references, ignored: cursor.ignored };
}

const NONE = new Set(["none", "nothing", "no", "n/a", "nil"]);

function isNone([first, second]: readonly Token[]): boolean {
  if (first?.is === "word") return NONE.has(first.word.toLowerCase());
  return first?.is === "dash" && second?.is !== "anchor" && second?.is !== "step";
}

const EVERY = new Set(["all", "every", "each"]);
const BEFORE = new Set(["preceding", "previous", "prior", "earlier", "above", "foregoing", "other"]);

/** `all preceding steps`, `every prior step`, `all of the above`, `all steps`; but not `all of #step-1 and #step-2`. */
function isAllPreceding(tokens: readonly Token[]): boolean {
  const [first, ...rest] = tokens.slice(0, 6);
  if (first?.is !== "word" || !EVERY.has(first.word.toLowerCase())) return false;
  const [second, third] = rest;
  if (second?.is === "step" && third?.is !== "number") return true;
  for (const token of rest) {
    if (token.is === "anchor" || token.is === "number" || token.is === "separator") return false;
    if (token.is === "word" && BEFORE.has(token.word.toLowerCase())) return true;
  }
  return false;
}

function readAllPreceding(cursor: Cursor): void {
  cursor.references.push({ is: "all-preceding", at: cursor.tokens[0]!.at });
  let next = 1;
  while (isWordOfAllPreceding(cursor.tokens[next])) next += 1;
  ignoreFrom(cursor, next);
}

const FILLERS = new Set(["all", "both", "each", "of", "the"]);

function isWordOfAllPreceding(token: Token | undefined): boolean {
  if (token?.is === "step") return true;
  const word = token?.is === "word" ? token.word.toLowerCase() : "";
  return BEFORE.has(word) || FILLERS.has(word);
}

function readList(cursor: Cursor): void {
  while (cursor.next < cursor.tokens.length) {
    while (cursor.tokens[cursor.next]?.is === "separator") cursor.next += 1;
    const start = cursor.next;
    skipFillers(cursor);
    const reference = readReference(cursor);
    if (reference) {
      cursor.references.push(reference);
      passRemarks(cursor);
      const goesOn = cursor.tokens[cursor.next]?.is === "separator" || namesStep(cursor.tokens, cursor.next);
      if (!goesOn) ignoreFrom(cursor, cursor.next);
    } else {
      cursor.next = start;
      passOver(cursor);
    }
  }
}

function skipFillers(cursor: Cursor): void {
  for (let token = cursor.tokens[cursor.next]; token?.is === "word"; token = cursor.tokens[cursor.next]) {
    if (!FILLERS.has(token.word.toLowerCase())) return;
    cursor.next += 1;
  }
}

function readReference(cursor: Cursor): StepReference | undefined {
  const at = cursor.tokens[cursor.next]?.at ?? 0;
  const from = readTarget(cursor);
  if (!from) return undefined;
  if (cursor.tokens[cursor.next]?.is === "dash") {
    const dash = cursor.next;
    const { counting } = cursor;
    cursor.next += 1;
    // `#step-2..6`: behind the dash a bare number is a step.
    cursor.counting = true;
    const to = readTarget(cursor);
    if (to) return { is: "range", at, from, to };
    cursor.next = dash;
    cursor.counting = counting;
  }
  return { is: "one", at, target: from };
}

function readTarget(cursor: Cursor): Target | undefined {
  const announced = cursor.tokens[cursor.next]?.is === "step";
  const index = announced ? cursor.next + 1 : cursor.next;
  const token = cursor.tokens[index];
  if (token?.is === "anchor") {
    cursor.counting = false;
    cursor.next = index + 1;
    return { by: "anchor", anchor: token.anchor };
  }
  if (token?.is !== "number" || (!announced && !cursor.counting)) return undefined;
  cursor.counting = true;
  cursor.next = index + 1;
  return { by: "number", number: token.number };
}

function passRemarks(cursor: Cursor): void {
  for (let token = cursor.tokens[cursor.next]; token?.is === "aside"; token = cursor.tokens[cursor.next]) {
    ignore(cursor, token.at, token.end, false);
    cursor.next += 1;
  }
}

/** Leaves out an entry that names no step; one that names a step in the middle of its words ends the list. */
function passOver(cursor: Cursor): void {
  const start = cursor.next;
  let end = start;
  while (end < cursor.tokens.length && cursor.tokens[end]!.is !== "separator") end += 1;
  const entry = cursor.tokens.slice(start, end);
  if (entry.some((_, index) => namesStep(entry, index))) return ignoreFrom(cursor, start);
  cursor.next = end;
  const first = entry.find(({ is }) => is !== "stop");
  if (first) ignore(cursor, first.at, cursor.tokens[end]?.at ?? cursor.text.length, false);
}

/** Everything from a token on is explanation. */
function ignoreFrom(cursor: Cursor, index: number): void {
  const rest = cursor.tokens.slice(index);
  const first = rest.find(({ is }) => is !== "stop" && is !== "separator" && is !== "dash");
  cursor.next = cursor.tokens.length;
  if (first)
    ignore(
      cursor,
      first.at,
      cursor.text.length,
      rest.some((_, at) => namesStep(rest, at)),
    );
}

function ignore(cursor: Cursor, at: number, end: number, suspicious: boolean): void {
  cursor.ignored.push({ at, text: cursor.text.slice(at, end).trim(), suspicious });
}

const namesStep = (tokens: readonly Token[], index: number): boolean =>
  tokens[index]?.is === "anchor" || (tokens[index]?.is === "step" && tokens[index + 1]?.is === "number");

import type { MarkdownDocument } from "../markdown/document.ts";
import type { HeadedTask } from "./outline.ts";

export type StatedStatus = "done" | "open" | "held";

/** A line `**Status:** Not Started` of a task. */
export interface StatusLine {
  readonly line: number;
  /** What stands before its words. */
  readonly before: string;
  readonly words: string;
  readonly says: StatedStatus;
}

/** The first line of a task itself that says how far it is; undefined where there is none, or its words are others. */
export function statusLineOf({ lines, hidden }: MarkdownDocument, task: HeadedTask): StatusLine | undefined {
  for (let line = task.heading.line + 1; line < task.ownEnd; line += 1) {
    const text = lines[line]!;
    if (hidden[line] === 1 || !(text.includes("tatus") || text.includes("TATUS"))) continue;
    const [, before, words] = STATUS.exec(text.slice(0, 400)) ?? [];
    const says = words === undefined ? undefined : meaningOf(words);
    if (says !== undefined) return { line, before: before!, words: words!, says };
  }
  return undefined;
}

function meaningOf(words: string): StatedStatus | undefined {
  if (HELD.test(words)) return "held";
  if (NOT_DONE.test(words)) return "open";
  return IS_DONE.test(words) ? "done" : undefined;
}

const STATUS = /^(\s*(?:[-*+]\s+)?(?:\*\*|__)?status(?:\*\*|__)?\s*:(?:\*\*|__)?\s*)(\S.*)$/i;

const HELD = /^\W*(?:on[- ]hold|blocked|deferred|postponed|failed)\b/i;

const NOT_DONE =
  /\b(?:not (?:started|done|begun|complete)|pending|to-?do|todo|in[- ]progress|wip|blocked|incomplete|partial\w*|planned|open|ready)\b|⬜|🔲|☐|🚧|⏳|❌/i;

const IS_DONE = /^(?:\s|✅|☑|✔|\ufe0f)*(?:done|complete|completed|finished|shipped|merged)\b|^[\s]*[✅☑✔]/i;

/**
 * The words of a status line once its task is done, or open again; undefined where they stay.
 *
 * Only words that say nothing else are replaced: a remark behind them is a person's. The file's own words come first.
 */
export function rewordStatus(
  { words, says }: StatusLine,
  to: "done" | "open",
  all: readonly StatusLine[],
): string | undefined {
  if (says === to || !(says === "done" ? ONLY_DONE : ONLY_OPEN).test(words)) return undefined;
  const isPlain = to === "done" ? ONLY_DONE : ONLY_OPEN;
  const used = all.find((one) => one.says === to && isPlain.test(one.words) && !TEMPLATE.test(one.words));
  return used?.words.trimEnd() ?? (to === "done" ? "Complete" : "Not Started");
}

const ONLY_OPEN =
  /^(?:(?:⬜|🔲|☐|🚧|⏳|❌)\ufe0f?\s*)?(?:not (?:started|done|begun)|pending|to-?do|to do|in[- ]progress|wip|planned|open|ready)\s*$|^\[not started ?\| ?in progress ?\| ?complete\]\s*$/i;

const ONLY_DONE = /^(?:(?:✅|☑|✔)\ufe0f?\s*)?(?:done|complete|completed|finished)\s*$/i;

const TEMPLATE = /^\[/;

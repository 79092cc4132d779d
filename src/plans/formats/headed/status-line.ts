import type { MarkdownDocument } from "../markdown/document.ts";
import type { HeadedTask } from "./outline.ts";

/** What a status line says; `other` where its words say nothing that Pawl knows, such as `Under review`. */
export type StatedStatus = "done" | "open" | "held" | "other";

/** A line `**Status:** Not Started` of a task. */
export interface StatusLine {
  readonly line: number;
  /** What stands before its words. */
  readonly before: string;
  readonly words: string;
  readonly says: StatedStatus;
}

/**
 * The first line of a task itself that says how far it is; undefined where there is none.
 *
 * Right under the heading, among lines such as `**Files:** …`, it may say so in any words. Further down, a line that
 * begins with "Status:" may be about the work: only words for progress count there.
 */
export function statusLineOf({ lines, hidden }: MarkdownDocument, task: HeadedTask): StatusLine | undefined {
  let isHead = true;
  for (let line = task.heading.line + 1; line < task.ownEnd; line += 1) {
    const text = lines[line]!;
    const isShown = hidden[line] === 0;
    if (isShown && (text.includes("tatus") || text.includes("TATUS"))) {
      const [, before, words] = STATUS.exec(text.slice(0, 400)) ?? [];
      const other = isHead && words !== undefined && FEW_WORDS.test(words) ? "other" : undefined;
      const says = words === undefined ? undefined : (meaningOf(words) ?? other);
      if (says !== undefined) return { line, before: before!, words: words!, says };
    }
    isHead &&= isShown && (text.trim() === "" || LABEL.test(text.slice(0, 80)));
  }
  return undefined;
}

function meaningOf(words: string): StatedStatus | undefined {
  if (HELD.test(words)) return "held";
  if (NOT_DONE.test(words)) return "open";
  return IS_DONE.test(words) ? "done" : undefined;
}

const STATUS = /^(\s*(?:[-*+]\s+)?(?:\*\*|__)?status(?:\*\*|__)?\s*:(?:\*\*|__)?\s*)(\S.*)$/i;

/** `**Files:**`, with or without something behind it. */
const LABEL = /^\s*(?:[-*+]\s+)?(?:\*\*|__)[^*_:]{1,40}(?::(?:\*\*|__)|(?:\*\*|__)\s*:)/;

const FEW_WORDS = /^[^\p{L}\p{N}]*\p{L}.{0,59}$/u;

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
  if (says === to || says === "other" || !(says === "done" ? ONLY_DONE : ONLY_OPEN).test(words))
    return undefined;
  const isPlain = to === "done" ? ONLY_DONE : ONLY_OPEN;
  const used = all.find((one) => one.says === to && isPlain.test(one.words) && !TEMPLATE.test(one.words));
  return used?.words.trimEnd() ?? (to === "done" ? "Complete" : "Not Started");
}

const ONLY_OPEN =
  /^(?:(?:⬜|🔲|☐|🚧|⏳|❌)\ufe0f?\s*)?(?:not (?:started|done|begun)|pending|to-?do|to do|in[- ]progress|wip|planned|open|ready)\s*$|^\[not started ?\| ?in progress ?\| ?complete\]\s*$/i;

const ONLY_DONE = /^(?:(?:✅|☑|✔)\ufe0f?\s*)?(?:done|complete|completed|finished)\s*$/i;

const TEMPLATE = /^\[/;

/** What a heading that names a piece of work says: `Task 3: Title`, `Step 2`, `Phase 1.8 — Title`. */
export interface TaskHeading {
  readonly kind: TaskKind;
  /** `1`, `1.2`, `5.5.a`; undefined for `Task: Title`. */
  readonly number: string | undefined;
  readonly title: string;
  /** A tick in the heading itself, or a word for it at its end: `✅`, `(done)`. */
  readonly isMarkedDone: boolean;
  /** `(parallel)`, `[P]`. */
  readonly isParallel: boolean;
}

export type TaskKind = "task" | "step" | "phase";

const KINDS: Readonly<Record<string, TaskKind>> = {
  task: "task",
  iteration: "task",
  step: "step",
  phase: "phase",
};

/** Undefined where a heading is about something else, or about several tasks at once. */
export function taskHeadingOf(text: string): TaskHeading | undefined {
  const [whole, word = "", number, colon] = HEAD.exec(text.slice(0, LONGEST)) ?? [];
  if (whole === undefined || (number === undefined && colon === undefined)) return undefined;
  const rest = text.slice(whole.length);
  if (SEVERAL.test(rest)) return undefined;
  const bare = rest
    .replace(/^\*\*/, "")
    .replace(/^\s*(?:[:.)—–]|--?(?=\s))\s*/, "")
    .replace(/^\*\*\s*/, "")
    .trim();
  const title = bare.replace(DONE, "").replace(PARALLEL, "").trim();
  return {
    kind: KINDS[word.toLowerCase()]!,
    number,
    title: title === "" ? `${word} ${number ?? ""}`.trim() : title,
    isMarkedDone: DONE.test(bare) || /^[^\p{L}\p{N}]*(?:✅|☑|✔|\[[xX]\])/u.test(text),
    isParallel: PARALLEL.test(bare),
  };
}

/** Whether a heading names work. `Phase 1` is the name of a section as often, so it has to have a part: `Phase 1.8`. */
export function isTaskHeading(text: string): boolean {
  const says = taskHeadingOf(text);
  return says !== undefined && (says.kind !== "phase" || (says.number?.includes(".") ?? false));
}

const LONGEST = 200;

/** Marks before it, the word, and a number; without a number only behind a colon. */
const HEAD =
  /^[^\p{L}\p{N}[]{0,12}(?:\[[ xX~-]\]\s*)?\**(task|iteration|step|phase)(?:\s+#?(\d{1,4}(?:\.\d{1,4}){0,4}(?:\.?[a-z](?![\p{L}\p{N}]))?)(?![\p{L}\p{N}]|\.\d)|(:)(?=\s*\S))/iu;

/** `Task 1-3`, `Step 1 and 2`: a heading over several tasks. */
const SEVERAL =
  /^\s*(?:[-–—]\s?\d|(?:through|thru|to|and|or|&|\+|,|[-–—])\s*(?:task|step|phase)?s?\s*\d+(?:\b|$))/i;

const DONE =
  /\s*(?:✅|☑️?|✔️?|\[[xX]\]|[([]\s*(?:done|complete|completed|finished)\s*[✅✔☑]?\s*[)\]])(?:\s*(?:done|complete|completed|finished))?\s*$/iu;

const PARALLEL = /\s*(?:\[P\]|[([](?:can (?:be )?run in )?parallel(?:izable)?[)\]])\s*$/i;

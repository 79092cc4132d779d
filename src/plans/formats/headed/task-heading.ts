import { isStruckOut } from "../plan-words.ts";

/** What a heading that names a piece of work says: `Task 3: Title`, `Step 2`, `Phase 1.8 — Title`. */
export interface TaskHeading {
  readonly kind: TaskKind;
  /** What its name begins with: its kind, or the word that English has for it besides. */
  readonly word: string;
  /** `1`, `1.2`, `5.5.a`; undefined for `Task: Title`. */
  readonly number: string | undefined;
  readonly title: string;
  /** A tick in the heading itself, or a word for it at its end: `✅`, `(done)`. */
  readonly isMarkedDone: boolean;
  /** `~~Task 2: Title~~`, `Task 2: ~~Title~~`: its author took it back, or strikes out what is done. */
  readonly isStruck: boolean;
  /** `(parallel)`, `[P]`. */
  readonly isParallel: boolean;
  /** `(backlog)`, `(deferred)`: not to be done now. */
  readonly isHeld: boolean;
}

export type TaskKind = "task" | "step" | "phase";

/** What the words are called in the languages in which most plans are written. */
const WORDS: Readonly<Record<TaskKind, string>> = {
  task: "task iteration aufgabe tâche tarea tarefa taak zadanie задача 任务 任務 タスク 작업 태스크",
  step: "step schritt étape paso passo etapa stap krok шаг 步骤 步驟 ステップ 단계",
  phase: "phase stage milestone fase этап 阶段 階段 フェーズ",
};

const KINDS: ReadonlyMap<string, TaskKind> = new Map(
  (["task", "step", "phase"] as const).flatMap((kind) =>
    WORDS[kind].split(" ").map((word) => [word, kind] as const),
  ),
);

/** What a word in a sentence means, such as `stage`. */
export const kindNamed = (word: string): string => KINDS.get(word) ?? word;

/** Undefined where a heading is about something else, or about several tasks at once. */
export function taskHeadingOf(text: string): TaskHeading | undefined {
  const short = text.slice(0, LONGEST);
  const found = HEAD.exec(short);
  const before = short.slice(0, found?.index);
  if (!found || !isBeforeTask(before)) return undefined;
  const [whole, word = "", number] = found;
  const behind = text.slice(found.index + whole.length);
  const isStruck =
    short.includes("~~") && (isWhollyStruck(short) || isStruckOut(behind.replace(/^[\s:.)—–-]+/, "")));
  const rest = isStruck ? behind.replaceAll("~~", "") : behind;
  if (number !== undefined && rest.charCodeAt(0) > LAST_ASCII && /^[\p{L}\p{N}]/u.test(rest))
    return undefined;
  if (!rest.startsWith(":") && SEVERAL.test(rest)) return undefined;
  const bare = rest
    .replace(/^\+?(?:\*\*)?/, "")
    .replace(/^\s*(?:[:.)—–：、．]|--?(?=\s))\s*/, "")
    .replace(/^\*\*\s*/, "")
    .trim();
  const title = bare.replace(DONE, "").replace(PARALLEL, "").trim();
  return {
    kind: KINDS.get(word.toLowerCase())!,
    word: /^(?:stage|milestone)$/i.test(word) ? word.toLowerCase() : KINDS.get(word.toLowerCase())!,
    number,
    title: title === "" ? `${word} ${number ?? ""}`.trim() : title,
    isMarkedDone: DONE.test(bare) || /✅|☑|✔|\[[xX]\]/.test(before),
    isStruck,
    isParallel: PARALLEL.test(bare),
    isHeld: HELD.test(bare),
  };
}

/** Whether a heading names work. `Phase 1` is the name of a section as often, so it has to have a part: `Phase 1.8`. */
export function isTaskHeading(text: string): boolean {
  const says = taskHeadingOf(text);
  return says !== undefined && (says.kind !== "phase" || (says.number?.includes(".") ?? false));
}

const LONGEST = 200;

/** The word and a number; without a number only before a colon. Without `\p`, which costs a short process milliseconds. */
const HEAD = new RegExp(
  `(${[...KINDS.keys()].join("|")})(?:(?:\\s+#?|(?<=[^\\0-\\u04ff]))(\\d{1,4}(?:\\.\\d{1,4}){0,4}(?:\\.?[a-z](?![a-z0-9]))?)(?![a-z0-9]|\\.\\d)|[:：](?=\\s*\\S))`,
  "i",
);

/** Whether what stands before the word is only marks and a box: `✅ [x] **`. */
function isBeforeTask(before: string): boolean {
  if (before === "") return true;
  const [, marks = ""] = /^(.*?)(?:\[[ xX~-]\]\s*)?(?<!\*)\**$/.exec(before) ?? [];
  return [...marks].length <= MOST_MARKS && !marks.includes("[") && !/[\p{L}\p{N}]/u.test(marks);
}

const MOST_MARKS = 12;
const LAST_ASCII = 0x7f;

/** Made when it is needed: `\p` costs a short process a millisecond, and hardly a heading is struck out. */
const isWhollyStruck = (text: string): boolean =>
  /^[^\p{L}\p{N}~]*~~.*~~[^\p{L}\p{N}~]*(?:(?:done|completed?|finished)[^\p{L}\p{N}~]*)?$/iu.test(text);

/** `Task 1-3`, `Step 1 and 2`: a heading over several tasks. */
const SEVERAL =
  /^\s*(?:[-–—]\s?\d|(?:through|thru|to|and|or|&|\+|,|[-–—])\s*(?:(?:(?:task|step|phase)s?|s)\s*)?\d+(?:\b|$))/i;

const DONE =
  /(?<!\s)\s*(?:✅|☑️?|✔️?|\[[xX]\]|[([]\s*(?:done|complete|completed|finished)\s*(?:[✅✔☑]\s*)?[)\]])(?:\s*(?:done|complete|completed|finished))?\s*$/i;

const HELD = /[([]\s*(?:backlog|deferred|on[- ]hold|parked|postponed)\s*[)\]]\s*$/i;

const PARALLEL = /(?<!\s)\s*(?:\[P\]|[([](?:can (?:be )?run in )?parallel(?:izable)?[)\]])\s*$/i;

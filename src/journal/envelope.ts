import { type ErrorName, Failure, fullStop, type Severity } from "../domain/index.ts";

/** One entry of the envelope's `issues`. */
export interface Issue {
  readonly code: string;
  readonly name: string;
  readonly severity: Severity;
  readonly message: string;
  readonly hint: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

export const issueOf = (failure: Failure): Issue => ({
  code: failure.code,
  name: failure.problem satisfies ErrorName,
  severity: "error",
  message: failure.message,
  hint: failure.hint,
  ...(Object.keys(failure.details).length > 0 ? { details: failure.details } : {}),
});

/**
 * The one line that `--json` prints: every answer of every command has this form, failures too.
 *
 * `status` says `error` exactly when an issue is one. An answer such as "nothing to claim now" is ok, whatever its
 * exit code.
 */
export function envelope(
  command: string,
  data: Readonly<Record<string, unknown>>,
  issues: readonly Issue[],
): string {
  const status = issues.some(({ severity }) => severity === "error") ? "error" : "ok";
  return plainJson({ schema_version: "1", command, status, data, issues });
}

/**
 * JSON that is safe to show: it parses back to the same value, and holds no character that acts on a terminal or
 * cannot be seen. `JSON.stringify` escapes only C0 and lone surrogates. The others can stand nowhere but inside a
 * string, so escaping them in the finished text is enough.
 */
export function plainJson(value: unknown): string {
  const json = JSON.stringify(value);
  return /^[\x20-\x7e]*$/.test(json) ? json : json.replace(unseen(), escaped);
}

const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, index) => unitEscape(character.charCodeAt(index))).join("");

const unitEscape = (unit: number): string => `\\u${unit.toString(16).padStart(4, "0")}`;

// Made on first use, and from text: the Unicode classes would take their time at every start.
const unseen = (): RegExp =>
  (madeUnseen ??= new RegExp(String.raw`[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{DI}]`, "gu"));

let madeUnseen: RegExp | undefined;

/**
 * The library speaks camelCase, the envelope snake_case: one conversion, in one place.
 *
 * Only for answers of the verbs. Their keys are names we chose; a map whose keys come from a plan must not pass here.
 */
export function snakeCase(value: object): Readonly<Record<string, unknown>> {
  return convert(value) as Record<string, unknown>;
}

function convert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert);
  if (typeof value !== "object" || value === null) return value;
  const converted: Record<string, unknown> = {};
  // A loop and a memory for keys: a large plan has a million of them, and took half a second the short way.
  for (const key of Object.keys(value)) {
    const part = (value as Record<string, unknown>)[key];
    if (part !== undefined) converted[snake(key)] = convert(part);
  }
  return converted;
}

const known = new Map<string, string>();

function snake(key: string): string {
  let found = known.get(key);
  if (found === undefined) {
    found = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    known.set(key, found);
  }
  return found;
}

/**
 * Whatever was thrown, as a failure: one that was foreseen as it is, a refusal of the system for the person who can do
 * something about it, anything else as a bug of ours. Its stack is for those who ask.
 */
export function toFailure(thrown: unknown, withStack = false): Failure {
  if (thrown instanceof Failure) return thrown;
  if (!(thrown instanceof Error)) {
    return new Failure("internal/bug", `Something that is not an error was thrown: ${typeof thrown}.`);
  }
  if (isOfTheSystem(thrown))
    return new Failure("system/refused", fullStop(thrown.message), {}, { cause: thrown, ...hintOf(thrown) });
  const stack = withStack ? (thrown.stack ?? "").split("\n").map((line) => line.trim()) : [];
  const frames = stack.filter((line) => line.startsWith("at "));
  return new Failure("internal/bug", thrown.message, frames.length > 0 ? { stack: frames } : {}, {
    cause: thrown,
  });
}

/** Checking rights does not find room on a full disk. */
const hintOf = ({ code }: NodeJS.ErrnoException): { readonly hint?: string } =>
  code === "ENOSPC" || code === "EDQUOT" ? { hint: "Free some disk space, then run the command again." } : {};

/** A call to the operating system that failed where no caller expected it: rights, disks, files that are folders. */
const isOfTheSystem = (error: Error): boolean => "syscall" in error && "errno" in error;

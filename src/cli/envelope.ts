import type { Issue } from "./command.ts";

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

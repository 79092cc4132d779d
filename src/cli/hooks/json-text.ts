import type { ConfigText } from "./config-text.ts";
import { cutEntries, type IsOurs, hasEntry, spanAt } from "./json-entries.ts";

/** What is ours in a JSON file: by key, then by key, a value or elements of a list. */
export type Ours = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

interface Fragment {
  readonly path: readonly string[];
  readonly text: string;
}

/**
 * Members and elements in a JSON file that belongs to another program.
 *
 * JSON has no marks, so a fragment is its own mark: it is put in as one fixed text right after an opening bracket, and
 * the same text is taken out. The rest of the file is never parsed and printed again, so comments, order and blanks stay.
 * A program that prints its settings anew changes the text, but not what it says: then `isOurs` knows the entry.
 */
export function jsonSettings(ours: Ours, isOurs: IsOurs): ConfigText {
  const whole = Object.entries(ours).map(([key, value]) => member([], key, value));
  // The blank after the bracket tells a file of ours from one that had brackets already.
  const alone = `{ ${whole.map(({ text }) => text).join(",")}\n}`;
  const fragments = Object.entries(ours).flatMap(([key, value]) => [
    member([], key, value),
    ...Object.entries(value).flatMap(([inner, leaf]) => [
      member([key], inner, leaf),
      ...(Array.isArray(leaf) ? leaf.map((one) => element([key, inner], one)) : []),
    ]),
  ]);
  const paths = Object.entries(ours).flatMap(([key, value]) =>
    Object.keys(value).map((inner) => [key, inner]),
  );
  const takeOut: ConfigText["takeOut"] = (given) => {
    if (given === null || given === `${alone}\n`) return null;
    if (given.endsWith(alone) && given.slice(0, -alone.length).trim() === "")
      return given.slice(0, -alone.length);
    const without = fragments.reduce((text, fragment) => cutOut(text, fragment.text), given);
    return paths.reduce((text, path) => cutEntries(text, path, isOurs), without);
  };
  return {
    nothing: "{}\n",
    takeOut,
    put(given) {
      if (given === null) return `${alone}\n`;
      if (given.replace("\ufeff", "").trim() === "") return given + alone;
      let made: string | undefined = given;
      for (const [key, value] of Object.entries(ours)) {
        const missing = Object.entries(value).filter(([inner]) => !hasEntry(given, [key, inner], isOurs));
        if (made !== undefined && missing.length > 0)
          made = putMember(made, key, Object.fromEntries(missing));
      }
      return made;
    },
  };
}

const indent = (depth: number): string => `\n${"  ".repeat(depth + 1)}`;

const member = (path: readonly string[], key: string, value: unknown): Fragment => ({
  path,
  text: `${indent(path.length)}${JSON.stringify(key)}: ${JSON.stringify(value)}`,
});

const element = (path: readonly string[], value: unknown): Fragment => ({
  path,
  text: `${indent(path.length)}${JSON.stringify(value)}`,
});

/** As little as possible: into what is there, and new only where nothing is. */
function putMember(text: string, key: string, value: Readonly<Record<string, unknown>>): string | undefined {
  const there = spanAt(text, [key]);
  if (there === undefined) return insert(text, member([], key, value));
  let made: string | undefined = text;
  for (const [inner, leaf] of Object.entries(value)) {
    if (made === undefined) return undefined;
    if (spanAt(made, [key])?.kind !== "object") return undefined;
    if (spanAt(made, [key, inner]) === undefined) made = insert(made, member([key], inner, leaf));
    // An entry of the same name that a person made is theirs.
    else if (Array.isArray(leaf))
      for (const one of leaf) made = made === undefined ? made : insert(made, element([key, inner], one));
  }
  return made;
}

function insert(text: string, { path, text: fragment }: Fragment): string | undefined {
  const span = spanAt(text, path);
  const wanted = fragment.trimStart().startsWith('"') ? "object" : "array";
  if (span?.kind !== wanted) return undefined;
  return `${text.slice(0, span.inside)}${fragment}${span.isEmpty ? "" : ","}${text.slice(span.inside)}`;
}

/** With the comma that came with it; where it stands last by now, with the one before it. */
function cutOut(text: string, fragment: string): string {
  const from = text.indexOf(fragment);
  if (from === -1) return text;
  const after = from + fragment.length;
  if (text[after] === ",") return text.slice(0, from) + text.slice(after + 1);
  const before = text.slice(0, from);
  return before.trimEnd().endsWith(",")
    ? before.trimEnd().slice(0, -1) + text.slice(after)
    : before + text.slice(after);
}

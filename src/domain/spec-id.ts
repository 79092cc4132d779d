/** What a code review has left: a spec by its id, the word that there is nothing to do, or neither. */
export type SpecFound = { readonly specId: string } | "nothing to do" | undefined;

/**
 * Finds the spec that a code review wrote.
 *
 * The prompt asks for a last line `Spec: <id>`, and the last such line counts. Older prompts name it in a field or as
 * `iteration-<number>-improvements`. When the words tell nothing, the one spec file that was written does. An id
 * becomes part of a path and of a prompt, so it is a plain word or it is none.
 */
export function findSpecId(answer: string, filesModified: readonly string[]): SpecFound {
  const said = lastOf(answer, SAID)?.replace(/\.$/, "");
  if (said !== undefined && NOTHING.test(said)) return "nothing to do";
  const named = said ?? lastOf(answer, FIELD) ?? lastOf(answer, ITERATION);
  const id = named && (SPEC_FILE.exec(named)?.[1] ?? named);
  if (id !== undefined && isPlain(id)) return { specId: id };
  const files = filesModified
    .map((path) => SPEC_FILE.exec(path)?.[1])
    .filter((name) => name !== undefined && isPlain(name));
  // Two specs are two answers; then a person or a second try decides, not the order of a listing.
  return files.length === 1 ? { specId: files[0]! } : undefined;
}

const SAID =
  /^[ \t>*#-]{0,8}spec(?:[ _-]?id)?[ \t]{0,4}(?:\*\*)?[ \t]{0,4}[:=][ \t]{0,4}(?:\*\*)?[ \t]{0,4}[`"']?([\w./-]{1,120})[`"']?[*. \t\r]{0,4}$/gim;
const FIELD = /"spec_?id"\s{0,8}:\s{0,8}"([^"\s]{1,120})"/gi;
const ITERATION = /\b(iteration-\d{1,20}-improvements)\b/g;
const SPEC_FILE = /(?:^|\/)specs\/(?:[\w.-]+\/)?([\w.-]+)\.md$/;
const NOTHING = /^(?:none|nothing|n\/a|null|-)$/i;

const lastOf = (text: string, pattern: RegExp): string | undefined => [...text.matchAll(pattern)].at(-1)?.[1];

const isPlain = (id: string): boolean => /^[A-Za-z0-9][\w.-]{0,79}$/.test(id) && !id.includes("..");

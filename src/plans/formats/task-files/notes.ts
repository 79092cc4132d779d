import { arrayNode, type JsonNode, nodeText, plainText } from "../../../platform/json/index.ts";
import { TAGS } from "./words.ts";

export interface FoundTag {
  readonly tag: string;
  readonly reason: string;
  /** The words behind the tag, to the end of its line. */
  readonly note: string;
}

/** The notes of a task, one text each, oldest first: they are a list, or one text. */
export const notesOf = (node: JsonNode | undefined): readonly string[] =>
  (arrayNode(node)?.items ?? (node ? [node] : [])).flatMap((item) => nodeText(item) ?? []);

/** The same from plain values. */
export const notesIn = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? (value as readonly unknown[]) : [value]).flatMap((item) => plainText(item) ?? []);

/**
 * The newest tag in the notes.
 *
 * Any program can write a tag, so it only counts where the status says that the task is blocked, and only when the task
 * is read for the first time; from then on the reason is a column of the store.
 */
export function newestTag(notes: readonly string[]): FoundTag | undefined {
  let found: FoundTag | undefined;
  for (const note of notes) {
    let newest = -1;
    for (const { tag, reason } of TAGS) {
      const at = note.lastIndexOf(tag);
      if (at <= newest) continue;
      newest = at;
      const [line = ""] = note.slice(at + tag.length).split(/[\r\n]/, 1);
      found = { tag, reason, note: line.trim() };
    }
  }
  return found;
}

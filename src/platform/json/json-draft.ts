import { type Splice, splice } from "./edit-json.ts";
import { objectNode } from "./json-members.ts";
import { BadJson, type JsonObject, parseJson } from "./parse-json.ts";

/**
 * A JSON text that is changed bit by bit, each change made on what the last one left.
 *
 * Reading it anew after every change is slower than keeping count of shifted places, and cannot go wrong.
 */
export interface JsonDraft {
  readonly text: string;
  readonly root: JsonObject;
  /** Changes that do not overlap, made at once. */
  readonly apply: (changes: Splice | readonly Splice[]) => void;
}

/** Undefined when the text is no JSON object: such a file is left as it is. */
export function jsonDraft(original: string): JsonDraft | undefined {
  let text = original;
  let root: JsonObject | undefined;
  try {
    root = objectNode(parseJson(text));
  } catch (error) {
    if (!(error instanceof BadJson)) throw error;
  }
  if (!root) return undefined;
  let current = root;
  return {
    get text() {
      return text;
    },
    get root() {
      return current;
    },
    apply(changes) {
      const list = [changes].flat();
      if (list.length === 0) return;
      text = splice(text, list);
      current = objectNode(parseJson(text))!;
    },
  };
}

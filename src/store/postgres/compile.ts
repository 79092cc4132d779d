import { createHash } from "node:crypto";
import type { Statement } from "../../ports/database.ts";

/** A statement as the server takes it: numbered parameters, and the lock that the statement asks for. */
export interface Compiled {
  readonly text: string;
  readonly names: readonly string[];
  /** What a connection may call it once it has seen it. */
  readonly label: string;
}

const LOCKS = { wait: "\nfor no key update", skip: "\nfor no key update skip locked" } as const;

const compiled = new WeakMap<object, Compiled>();

/** `no key` lets rows that point here still be written; nothing of ours ever changes a key under a lock. */
export function compile(statement: Statement<never, unknown>): Compiled {
  let found = compiled.get(statement);
  if (!found) {
    const { text: numbered, names } = number(statement.text);
    const text = numbered + (statement.locks ? LOCKS[statement.locks] : "");
    found = { text, names, label: labelOf(text) };
    compiled.set(statement, found);
  }
  return found;
}

/**
 * By text, and the same in every process: should a connection turn out to be shared after all, a name that is known
 * there means what we mean by it.
 */
export const labelOf = (text: string): string =>
  `pawl_${createHash("sha256").update(text).digest("hex").slice(0, 24)}`;

function number(text: string): Pick<Compiled, "text" | "names"> {
  const names: string[] = [];
  const numbered = text.replace(/(?<![:\w]):([a-z_]\w*)/g, (_, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return { text: numbered, names };
}

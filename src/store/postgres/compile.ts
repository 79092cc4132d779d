import type { Statement } from "../../ports/database.ts";

/** A statement as the server takes it: numbered parameters, and the lock that the statement asks for. */
export interface Compiled {
  readonly text: string;
  readonly names: readonly string[];
}

const LOCKS = { wait: "\nfor no key update", skip: "\nfor no key update skip locked" } as const;

const compiled = new WeakMap<object, Compiled>();

/** `no key` lets rows that point here still be written; nothing of ours ever changes a key under a lock. */
export function compile(statement: Statement<never, unknown>): Compiled {
  let found = compiled.get(statement);
  if (!found) {
    const { text, names } = number(statement.text);
    found = { text: text + (statement.locks ? LOCKS[statement.locks] : ""), names };
    compiled.set(statement, found);
  }
  return found;
}

function number(text: string): Compiled {
  const names: string[] = [];
  const numbered = text.replace(/(?<![:\w]):([a-z_]\w*)/g, (_, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return { text: numbered, names };
}

import { sha256 } from "../os/index.ts";
import type { Statement } from "../ports/index.ts";

/** A statement as the server takes it: numbered parameters, and the lock that the statement asks for. */
export interface Compiled {
  readonly text: string;
  readonly names: readonly string[];
  /** What a connection may call it once it has seen it. */
  readonly label: string;
}

const LOCKS = { wait: "\nfor no key update", skip: "\nfor no key update skip locked" } as const;

/** The server's clock in our form; asked once per statement, however many rows it is compared with. */
export const CLOCK = `to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Where a statement has the instant from: a parameter, or, before it is known here, the server's clock itself. */
type Now = "given" | "asked";

const compiled = { given: new WeakMap<object, Compiled>(), asked: new WeakMap<object, Compiled>() } as const;

/** `no key` lets rows that point here still be written; nothing of ours ever changes a key under a lock. */
export function compile(statement: Statement<never, unknown>, now: Now = "given"): Compiled {
  let found = compiled[now].get(statement);
  if (!found) {
    const asked =
      now === "given" ? statement.text : statement.text.replace(NOW_NAME, () => `(select ${CLOCK})`);
    const { text: numbered, names } = number(asked);
    const text = numbered + (statement.locks ? LOCKS[statement.locks] : "");
    found = { text, names, label: labelOf(text) };
    compiled[now].set(statement, found);
  }
  return found;
}

/**
 * By text, and the same in every process: should a connection turn out to be shared after all, a name that is known
 * there means what we mean by it.
 */
export const labelOf = (text: string): string => `pawl_${sha256(text).slice(0, 24)}`;

const NOW_NAME = /(?<![:\w]):now\b/g;

function number(text: string): Pick<Compiled, "text" | "names"> {
  const names: string[] = [];
  const numbered = text.replace(/(?<![:\w]):([a-z_]\w*)/g, (_, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return { text: numbered, names };
}

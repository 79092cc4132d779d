import type { ServerResponse } from "node:http";
import { Failure } from "../domain/index.ts";
import type { PageContext } from "./page-context.ts";

export interface RouteCall {
  readonly query: Query;
  /** Of a POST; empty otherwise. */
  readonly body: Readonly<Record<string, unknown>>;
  /** For routes that go on talking. */
  readonly response: ServerResponse;
  /** The last line of the journal that the caller has received. */
  readonly lastEventId: number | undefined;
}

/** One thing to ask. `answer` gives `data` with the names that verbs use; undefined when it has answered by itself. */
export interface Route {
  readonly method: "GET" | "POST";
  readonly path: `/api/${string}`;
  /** The name in the envelope: that of the command that says the same, where there is one. */
  readonly command: string;
  readonly about: string;
  /** What may stand behind the `?`. */
  readonly takes: readonly string[];
  readonly answer: (context: PageContext, call: RouteCall) => Promise<object | undefined>;
}

export interface Query {
  readonly text: (name: string) => string | undefined;
  readonly needed: (name: string) => string;
  readonly all: (name: string) => readonly string[];
  /** A whole number from 0. */
  readonly number: (name: string) => number | undefined;
}

const LONGEST = 4096;

export function queryOf(search: URLSearchParams): Query {
  const text = (name: string): string | undefined => {
    const value = search.get(name) ?? undefined;
    if (value !== undefined && (value.length > LONGEST || value.includes("\0")))
      throw new Failure("usage/wrong", `${name} is no such name.`, {});
    return value === "" ? undefined : value;
  };
  return {
    text,
    needed(name) {
      const value = text(name);
      if (value !== undefined) return value;
      throw new Failure("usage/wrong", `${name} is missing.`, { missing: name });
    },
    all: (name) => search.getAll(name).filter((value) => value.length <= LONGEST && !value.includes("\0")),
    number(name) {
      const value = text(name);
      if (value === undefined) return undefined;
      if (/^\d{1,15}$/.test(value)) return Number(value);
      throw new Failure("usage/wrong", `${name} is a whole number from 0.`, { value });
    },
  };
}

import type { AgentEvent } from "../domain/index.ts";

/** Longer output is data. */
const LOOKED_AT = 20_000;
const MOST = 3;

/** Paths that a sandbox kept from being written, as shells, Node and Python word it. */
const READ_ONLY = [
  /(?<![^\s:'"])[^\s:'"/]*(\/[^\s:'"]+)['"]?: Read-only file system/g,
  /EROFS: read-only file system, \w+ '([^']+)'/g,
  /Read-only file system: '([^']+)'/g,
];

/** What a command's output tells of writes that its sandbox refused. */
export function refusedWrites(output: string): readonly AgentEvent[] {
  if (!/read-only file system/i.test(output)) return [];
  const text = output.slice(-LOOKED_AT);
  const paths = READ_ONLY.flatMap((pattern) => [...text.matchAll(pattern)].map(([, path]) => path!));
  return [...new Set(paths)].slice(0, MOST).map((path) => ({ kind: "refused", what: `write ${path}` }));
}

const MOST_REMEMBERED = 100;

/** Remembers what each tool was asked for, because a refusal often names only the call. */
export function toolCalls(): {
  readonly note: (id: string | undefined, detail: string | undefined) => void;
  readonly refused: (id: string | undefined, otherwise: string) => AgentEvent;
} {
  const details = new Map<string, string>();
  return {
    note(id, detail) {
      if (id === undefined || detail === undefined) return;
      details.set(id, detail);
      if (details.size > MOST_REMEMBERED) details.delete(details.keys().next().value!);
    },
    refused: (id, otherwise) => ({
      kind: "refused",
      what: (id === undefined ? undefined : details.get(id)) ?? otherwise,
    }),
  };
}

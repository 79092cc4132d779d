import type { Snapshot } from "../../ports/index.ts";

/** What a snapshot's commit message tells: all of it but its own name, which it cannot know. */
export type SnapshotFacts = Omit<Snapshot, "ref" | "commit"> & {
  /** When the index was written, in microseconds; undefined when there was none. */
  readonly indexWrittenAtUs: number | undefined;
};

const MARK = "Pawl-Snapshot: ";

/** A message that people can read in any git tool, with the same once more on one line for Pawl. */
export function writeMessage(told: SnapshotFacts): string {
  const where = told.branch ?? told.head?.slice(0, 12) ?? "an unborn branch";
  const doing = told.operation === undefined ? "" : `, in the middle of a ${told.operation}`;
  const inside = told.repositories.length === 0 ? "" : `Repositories inside: ${told.repositories.length}.\n`;
  return [
    `Uncommitted work on ${line(where)}: ${line(told.because)}`.slice(0, 200),
    "",
    `${told.files} path${told.files === 1 ? "" : "s"} not as committed in ${line(told.worktree)}${doing}.`,
    `${inside}The second parent holds the index and what git was in the middle of.`,
    "",
    `${MARK}${JSON.stringify({ version: 1, ...told })}`,
    "",
  ].join("\n");
}

const line = (text: string): string => text.replace(/[\x00-\x1f\x7f]+/g, " ").trim();

/** Undefined for a commit that Pawl did not make, or a later Pawl that says it otherwise. */
export function readMessage(message: string): SnapshotFacts | undefined {
  const text = message.split("\n").findLast((one) => one.startsWith(MARK));
  if (text === undefined) return undefined;
  let told: unknown;
  try {
    told = JSON.parse(text.slice(MARK.length));
  } catch {
    return undefined;
  }
  if (!isTold(told)) return undefined;
  const { version: _, ...rest } = told;
  return { ...EMPTY, ...rest };
}

const EMPTY = { head: undefined, branch: undefined, operation: undefined, indexWrittenAtUs: undefined };

/** Any program can write a commit, so nothing of it is trusted. */
function isTold(value: unknown): value is SnapshotFacts & { readonly version: 1 } {
  if (typeof value !== "object" || value === null) return false;
  const has = (name: string, type: string, optional = false): boolean => {
    const part = (value as Record<string, unknown>)[name];
    return typeof part === type || (optional && part === undefined);
  };
  const { version, repositories } = value as Record<string, unknown>;
  return (
    version === 1 &&
    ["worktree", "worktreeId", "because", "takenAt"].every((name) => has(name, "string")) &&
    ["head", "branch", "operation"].every((name) => has(name, "string", true)) &&
    has("files", "number") &&
    has("indexWrittenAtUs", "number", true) &&
    Array.isArray(repositories) &&
    repositories.every((path) => typeof path === "string")
  );
}

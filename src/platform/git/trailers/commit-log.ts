import { toInstant, type Instant } from "../../../domain/instant.ts";
import { readStatement, UNREADABLE, type MessageStatement } from "./commit-statement.ts";
import type { RunGit } from "../process/run-git.ts";
import { splitRecords, type StreamRecord } from "../process/split-records.ts";
import { stepTrailerReader } from "./step-trailers.ts";

export interface CommitStatement extends MessageStatement {
  readonly commit: string;
  readonly committedAt: Instant;
}

export interface LogReader {
  /** What the commits reachable from some say about steps and reverts; descendants always before their ancestors. */
  readonly history: (heads: readonly string[]) => Promise<readonly CommitStatement[]>;
  /** The same of single commits, reachable or not, by name. */
  readonly single: (commits: readonly string[]) => Promise<ReadonlyMap<string, CommitStatement>>;
}

/**
 * Reads messages by `git log`, each at most once and never more than a limit of it.
 *
 * Only what may matter leaves git: in a long history nearly every message names neither a step nor a revert. The
 * pattern is wider than the parser, so it decides about speed and never about truth.
 */
export function logReader(run: RunGit, prefixes: readonly string[]): LogReader {
  const readSteps = stepTrailerReader(prefixes);
  const read = async (
    commits: readonly string[],
    args: readonly string[],
  ): Promise<readonly CommitStatement[]> => {
    const statements: CommitStatement[] = [];
    if (commits.length === 0) return statements;
    const onOutput = splitRecords(MAX_MESSAGE_BYTES, (record) => {
      statements.push(readRecord(record, readSteps));
    });
    await run({ args: [...LOG, ...args], access: "read", input: `${commits.join("\n")}\n`, onOutput });
    return statements;
  };
  const pattern = `^[[:space:]]*(${prefixes.join("|")})-Step[[:space:]]*:|This reverts commit `;
  return {
    history: (heads) =>
      read(heads, ["--topo-order", "--extended-regexp", "--regexp-ignore-case", `--grep=${pattern}`]),
    async single(commits) {
      const statements = await read(commits, ["--no-walk=unsorted"]);
      return new Map(statements.map((statement) => [statement.commit, statement]));
    },
  };
}

const MAX_MESSAGE_BYTES = 1 << 20;

const LOG = [
  "log",
  "--stdin",
  "-z",
  "--encoding=UTF-8",
  "--format=tformat:%H%n%ct%n%B",
  // The reader's configuration may ask for signatures, which write between the records and run a program.
  "--no-show-signature",
];

function readRecord(
  { bytes, isCut }: StreamRecord,
  readSteps: Parameters<typeof readStatement>[1],
): CommitStatement {
  const [commit = "", seconds = "", ...message] = bytes.toString("utf8").split("\n");
  const committedAt = toInstant((Number.parseInt(seconds, 10) || 0) * 1000);
  return { ...(isCut ? UNREADABLE : readStatement(message.join("\n"), readSteps)), commit, committedAt };
}

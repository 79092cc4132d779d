import type { Instant } from "../domain/index.ts";
import type { Ports, Worktree } from "../platform/ports/index.ts";
import { heldHere } from "./held-here.ts";
import { pathFileName } from "./path-file-name.ts";
import { openIfThere } from "../journal/index.ts";

/** What an agent leaves for itself before its conversation is cut short. */
export interface HandOver {
  readonly at: Instant;
  /** `auto` or `manual`, as the agent's program calls it. */
  readonly trigger: string;
  readonly plan: string | null;
  readonly step: string | null;
  readonly claim: number | null;
  /** What the person asked to be kept; empty when they asked for nothing. */
  readonly note: string;
}

const MOST_BYTES = 64 * 1024;
const LONGEST_NOTE = 2000;

const fileOf = ({ stateDir }: Pick<Ports, "stateDir">, { path }: Worktree): string =>
  `${stateDir}/hand-over/${pathFileName(path)}.json`;

/**
 * Replaced whole: of two, the newer counts. A person's words are nowhere else, so the agent waits until the disk has
 * them; the rest the store knows too, and what a power cut takes of it is no loss.
 */
function writeHandOver({ files, ...ports }: Ports, worktree: Worktree, handOver: HandOver): void {
  files.makeFolder(`${ports.stateDir}/hand-over`);
  const write = handOver.note === "" ? files.jot : files.replace;
  write(fileOf(ports, worktree), `${JSON.stringify(handOver)}\n`);
}

/** The last hand-over in a worktree. A file that cannot be read says nothing; everything it would say is in the store. */
export function readHandOver(ports: Ports, worktree: Worktree): HandOver | undefined {
  const path = fileOf(ports, worktree);
  if (!ports.files.exists(path)) return undefined;
  try {
    const read = JSON.parse(ports.files.readText(path, MOST_BYTES) ?? "") as HandOver;
    return typeof read.at === "string" && typeof read.note === "string" ? read : undefined;
  } catch {
    return undefined;
  }
}

/** Leaves a hand-over for the agent that continues in a worktree with less memory than it has now. */
export async function handOver(
  ports: Ports,
  request: { readonly worktree?: string | undefined; readonly trigger: string; readonly note: string },
): Promise<{ readonly written: boolean }> {
  const path = request.worktree ?? ports.repository.topLevel;
  const database = await openIfThere(ports);
  if (path === undefined || database === undefined) return { written: false };
  const worktree = ports.repository.worktree(path);
  const { now, step } = await database.read(async (sql) => ({
    now: sql.now,
    step: await heldHere(sql, worktree),
  }));
  writeHandOver(ports, worktree, {
    at: now,
    trigger: request.trigger.slice(0, 20),
    plan: step?.plan_path ?? null,
    step: step?.anchor ?? null,
    claim: step?.claim_seq ?? null,
    note: request.note.slice(0, LONGEST_NOTE),
  });
  return { written: true };
}

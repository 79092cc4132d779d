import type { Instant } from "../../domain/instant.ts";
import type { Ports } from "../../ports/index.ts";
import type { Worktree } from "../../ports/repository.ts";

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
export const LONGEST_NOTE = 2000;

const fileOf = ({ stateDir, sha256 }: Ports, { id }: Worktree): string =>
  `${stateDir}/hand-over/${sha256(id).slice(0, 16)}.json`;

/** Replaced whole: of two, the newer counts. */
export function writeHandOver(ports: Ports, worktree: Worktree, handOver: HandOver): void {
  ports.files.makeFolder(`${ports.stateDir}/hand-over`);
  ports.files.replace(fileOf(ports, worktree), `${JSON.stringify(handOver)}\n`);
}

/** The last hand-over in a worktree. A file that cannot be read says nothing; everything it would say is in the store. */
export function readHandOver(ports: Ports, worktree: Worktree): HandOver | undefined {
  const path = fileOf(ports, worktree);
  if (!ports.files.exists(path)) return undefined;
  try {
    const read = JSON.parse(new TextDecoder().decode(ports.files.read(path, MOST_BYTES))) as HandOver;
    return typeof read.at === "string" && typeof read.note === "string" ? read : undefined;
  } catch {
    return undefined;
  }
}

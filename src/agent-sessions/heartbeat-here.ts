import type { Ports, Worktree } from "../platform/ports/index.ts";
import { heartbeat } from "../steps/index.ts";
import { openIfThere } from "../journal/index.ts";
import { Failure } from "../domain/index.ts";
import { isStampDue, stampName } from "./heartbeat-stamp.ts";
import { heldHere } from "./held-here.ts";

export interface HereAnswer {
  readonly beat: boolean;
}

/**
 * An agent used a tool, so the holder of its worktree's step lives.
 *
 * Only for claims without a session: a session is kept by its own process, and one that is over stays over. Most calls
 * end at the stamp and open no database.
 */
export async function heartbeatHere(
  ports: Ports,
  request: { readonly worktree?: string | undefined },
): Promise<HereAnswer> {
  const path = request.worktree ?? ports.repository.topLevel;
  if (path === undefined) return { beat: false };
  const worktree = ports.repository.worktree(path);
  if (!isDue(ports, worktree)) return { beat: false };
  const database = await openIfThere(ports);
  const step = database && (await database.read((sql) => heldHere(sql, worktree)));
  if (database) stamp(ports, worktree);
  if (!step || step.session_id !== null) return { beat: false };
  try {
    await heartbeat(ports, {
      plan: step.plan_path,
      step: step.anchor,
      caller: { worktree, claim: step.claim_seq },
    });
    return { beat: true };
  } catch (error) {
    // Another worker took it at this moment; the agent learns that with its next verb.
    if (error instanceof Failure) return { beat: false };
    throw error;
  }
}

const stampFile = ({ stateDir }: Ports, worktree: Worktree): string =>
  `${stateDir}/${stampName(worktree.path)}`;

function isDue(ports: Ports, worktree: Worktree): boolean {
  const path = stampFile(ports, worktree);
  if (!ports.files.exists(path)) return true;
  return isStampDue(ports.files.readText(path, 64) ?? "", ports.clock.wallMs());
}

/** Jotted down: after a power cut there is one beat more, and no agent waits for the disk. */
function stamp(ports: Ports, worktree: Worktree): void {
  ports.files.makeFolder(`${ports.stateDir}/beats`);
  ports.files.jot(stampFile(ports, worktree), String(ports.clock.wallMs()));
}

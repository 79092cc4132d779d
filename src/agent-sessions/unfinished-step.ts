import type { Ports, Worktree } from "../platform/ports/index.ts";
import { openIfThere } from "../journal/index.ts";
import { asEntered } from "../sessions/index.ts";
import { pathFileName } from "./path-file-name.ts";
import { heldHere } from "./held-here.ts";
import { type PrimeStep, primeStep } from "./prime.ts";

export interface UnfinishedStep {
  /** The step that is not done; null when there is none, or it was reported already. */
  readonly step: PrimeStep | null;
}

/**
 * What an agent that wants to stop leaves undone in its worktree. Reported once for each claim and conversation: an agent that
 * stops a second time has a reason, and a gate that never opens is a loop.
 */
export async function unfinishedStep(
  ports: Ports,
  request: { readonly worktree?: string | undefined; readonly conversation: string },
): Promise<UnfinishedStep> {
  const path = request.worktree ?? ports.repository.topLevel;
  const database = await openIfThere(asEntered(ports));
  if (path === undefined || database === undefined) return { step: null };
  const worktree = ports.repository.worktree(path);
  const found = await database.read(async (sql) => {
    const held = await heldHere(sql, worktree);
    if (held === undefined) return undefined;
    const told = JSON.stringify([request.conversation, held.plan_path, held.anchor, held.claim_seq]);
    if (wasTold(ports, worktree, told)) return undefined;
    return { step: await primeStep(ports, sql, held), told };
  });
  if (found === undefined || found.step.isAbandoned) return { step: null };
  const { step, told } = found;
  ports.files.makeFolder(`${ports.stateDir}/told`);
  ports.files.jot(toldFile(ports, worktree), told);
  return { step };
}

const toldFile = ({ stateDir }: Ports, { path }: Worktree): string =>
  `${stateDir}/told/${pathFileName(path)}`;

function wasTold(ports: Ports, worktree: Worktree, told: string): boolean {
  const path = toldFile(ports, worktree);
  return ports.files.exists(path) && ports.files.readText(path, 64 * 1024) === told;
}

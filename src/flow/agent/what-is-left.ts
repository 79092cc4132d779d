import type { Ports } from "../../ports/index.ts";
import type { Worktree } from "../../ports/repository.ts";
import { type PrimeStep, prime } from "./prime.ts";

export interface WhatIsLeft {
  /** The step that is not done; null when there is none, or it was told already. */
  readonly step: PrimeStep | null;
}

/**
 * What an agent that wants to stop leaves undone in its worktree. Told once for each claim and conversation: whoever
 * stops a second time has a reason, and a gate that never opens is a loop.
 */
export async function whatIsLeft(
  ports: Ports,
  request: { readonly worktree?: string | undefined; readonly conversation: string },
): Promise<WhatIsLeft> {
  const seen = await prime(ports, request);
  const { step } = seen;
  if (step === null || seen.worktree === null || step.isAbandoned) return { step: null };
  const worktree = ports.repository.worktree(seen.worktree);
  const told = JSON.stringify([request.conversation, step.planPath, step.anchor, step.claim]);
  if (wasTold(ports, worktree, told)) return { step: null };
  ports.files.makeFolder(`${ports.stateDir}/told`);
  ports.files.replace(toldFile(ports, worktree), told);
  return { step };
}

const toldFile = ({ stateDir, sha256 }: Ports, { id }: Worktree): string =>
  `${stateDir}/told/${sha256(id).slice(0, 16)}`;

function wasTold(ports: Ports, worktree: Worktree, told: string): boolean {
  const path = toldFile(ports, worktree);
  return ports.files.exists(path) && new TextDecoder().decode(ports.files.read(path, 64 * 1024)) === told;
}

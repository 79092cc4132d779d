import { fileURLToPath } from "node:url";
import { Failure } from "../domain/index.ts";
import type { AgentSession, Supervised } from "../agent-sessions/index.ts";
import type { Pawl } from "../api.ts";

/** Where the client works now. */
export interface ClientSession {
  readonly pawl: Pawl;
  readonly agentSession: AgentSession;
}

export interface ClientSessionOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly leaseSeconds: number | undefined;
  /** Where the agent works, whatever the client says about its folders. */
  readonly worktree?: string | undefined;
  readonly pawlAt: (cwd: string) => Promise<Pawl>;
}

export interface ClientSessions {
  /** The place of the client; fails as often as it is asked while there is none. */
  readonly now: () => Promise<ClientSession>;
  /** The place as it is, without looking for one. */
  readonly current: () => ClientSession | undefined;
  /** The client says where it works. A agentSession with a step on it stays where it is. */
  readonly follow: (roots: readonly string[]) => Promise<void>;
}

export function followClient(options: ClientSessionOptions): ClientSessions {
  let candidates: readonly string[] = [options.worktree ?? options.cwd];
  let current: ClientSession | undefined;
  let opening: Promise<ClientSession> | undefined;
  const open = async (): Promise<ClientSession> => {
    let failed: unknown;
    for (const folder of candidates) {
      try {
        return await openAt(options, folder);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        failed ??= error;
      }
    }
    throw failed;
  };
  const now = () => {
    if (current) return Promise.resolve(current);
    opening ??= open()
      .then((place) => (current = place))
      .finally(() => {
        opening = undefined;
      });
    return opening;
  };
  return {
    now,
    current: () => current,
    async follow(roots) {
      if (options.worktree !== undefined) return;
      candidates = [...roots.map(folderOf).filter((folder) => folder !== undefined), options.cwd];
      if (current === undefined || current.agentSession.held() !== undefined) return;
      const next = await open().catch(() => undefined);
      if (!next || next.agentSession.worktree.id === current.agentSession.worktree.id) {
        await next?.pawl.close();
        return;
      }
      const before = current;
      current = next;
      await before.agentSession.leave("hangup");
      await before.pawl.close();
    },
  };
}

/** Agents that a run has started are given everything by it; what they call is then about that step. */
async function openAt(
  { env, pawlAt, leaseSeconds }: ClientSessionOptions,
  folder: string,
): Promise<ClientSession> {
  const worktree = env["PAWL_WORKTREE"] || undefined;
  const supervised = supervisedBy(env);
  const pawl = await pawlAt(supervised ? (worktree ?? folder) : folder);
  const agentSession = await pawl.openAgentSession({
    supervised,
    leaseSeconds,
    ...(supervised ? { worktree } : {}),
  });
  return { pawl, agentSession };
}

function supervisedBy(env: ClientSessionOptions["env"]): Supervised | undefined {
  const { PAWL_SESSION: session, PAWL_PLAN: plan, PAWL_STEP: step, PAWL_CLAIM: claim } = env;
  if (!session || !plan || !step || !claim || !/^\d{1,15}$/.test(claim)) return undefined;
  return { session, plan, step, claim: Number(claim) };
}

function folderOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

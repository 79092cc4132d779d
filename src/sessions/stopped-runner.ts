import { type LeaseClock, type RunningProcess, shellWord } from "../domain/index.ts";
import type { Ports, Sql } from "../platform/ports/index.ts";
import { listHeldSteps } from "../plans/index.ts";
import type { StepRow } from "../platform/index.ts";

/** A runner that a person stopped (Ctrl-Z, `kill -STOP`): it lives, keeps its step, and does nothing. */
export interface StoppedRunner {
  readonly pid: number;
  /** For people. Never automatic: the person who stopped it may be about to continue it. */
  readonly takeOverWith: string;
}

export const isStoppedRunner = (
  { machine, processes }: Pick<Ports, "machine" | "processes">,
  session: RunningProcess,
): boolean =>
  session.status === "in_progress" &&
  session.host_id === machine.hostId &&
  session.boot_id === machine.bootId &&
  processes.isStopped({ pid: session.pid, startedAt: session.process_started_at });

const stoppedRunnerOf = (pid: number, plan: string, step: string): StoppedRunner => ({
  pid,
  takeOverWith: `pawl state release ${shellWord(plan)} ${shellWord(step)} --force`,
});

/** The runner of a held step, where it is stopped. */
export const stoppedOwner = (
  session: RunningProcess | undefined,
  { plan_path, anchor }: { readonly plan_path: string; readonly anchor: string },
  moment: LeaseClock,
): StoppedRunner | null =>
  session !== undefined && moment.isStopped?.(session)
    ? stoppedRunnerOf(session.pid, plan_path, anchor)
    : null;

/** What a session holds, each with its substeps. */
export const heldBySession = async (sql: Sql, session: string): Promise<readonly StepRow[]> =>
  (await sql.all(listHeldSteps, {})).filter(
    ({ session_id, parent_anchor }) => session_id === session && parent_anchor === null,
  );

/** In words, with both ways out. */
export const stoppedWords = ({ pid, takeOverWith }: StoppedRunner): string =>
  `stopped (pid ${pid}): continue it with fg, or take its step over with: ${takeOverWith}`;

/** The same of a whole session, by the first step that it holds; undefined where its process is not stopped. */
export const stoppedText = (
  ports: Pick<Ports, "machine" | "processes">,
  session: RunningProcess,
  [held]: readonly StepRow[],
): string | undefined => {
  if (!isStoppedRunner(ports, session)) return undefined;
  const { pid } = session;
  return held
    ? stoppedWords(stoppedRunnerOf(pid, held.plan_path, held.anchor))
    : `stopped (pid ${pid}): continue it with fg`;
};

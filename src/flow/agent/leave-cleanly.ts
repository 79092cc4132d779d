import { toInstant } from "../../domain/instant.ts";
import type { Ports } from "../../ports/index.ts";
import { listHeldSteps } from "../../store/statements/list-held-steps.ts";
import { listPlans } from "../../store/statements/list-plans.ts";
import { openIfThere } from "../worktree-use.ts";

const FILE = "last-clean-exit.json";
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Says that an agent ended in order, so that the next start need not look at everything.
 *
 * A sentinel that somebody has open is theirs to close: their crash must not be taken for a clean end.
 */
export async function leaveCleanly(ports: Ports): Promise<{ readonly written: boolean }> {
  const database = await openIfThere(ports);
  if (database === undefined) return { written: false };
  const path = `${ports.stateDir}/${FILE}`;
  if (isOpen(ports, path)) return { written: false };
  const { plans, held } = await database.read(async (sql) => ({
    plans: await sql.all(listPlans, {}),
    held: await sql.all(listHeldSteps, {}),
  }));
  const sentinel = {
    timestamp: toInstant(ports.clock.wallMs()),
    task_count: plans.reduce((sum, { steps_total }) => sum + steps_total, 0),
    in_progress_tasks: held.map(({ plan_path, anchor }) => `${plan_path}#${anchor}`),
    open: false,
  };
  ports.files.replace(path, `${JSON.stringify(sentinel)}\n`);
  return { written: true };
}

function isOpen({ files }: Ports, path: string): boolean {
  if (!files.exists(path)) return false;
  try {
    const read = JSON.parse(new TextDecoder().decode(files.read(path, MOST_BYTES))) as {
      readonly open?: unknown;
    };
    return read.open === true;
  } catch {
    // It says nothing; what is written now says something.
    return false;
  }
}

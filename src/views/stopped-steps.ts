import type { Ports, Sql } from "../platform/ports/index.ts";
import { listStoppedSteps } from "../steps/index.ts";
import { type AgentWords, agentWordsIn, openIfThere } from "../journal/index.ts";
import { CHECKLIST, listVerdicts } from "../verification/index.ts";
import { type FailedCheck, failureIn } from "./explain-evidence.ts";

/** A step that continues only when a person decides. */
export interface StoppedStep extends AgentWords {
  readonly planPath: string;
  readonly anchor: string;
  readonly title: string;
  readonly status: string;
  readonly reason: string | null;
  readonly note: string | null;
  /** The check that did not pass, with what it printed; null where none has failed. */
  readonly failure: FailedCheck | null;
}

const MOST = 100;

export async function stoppedSteps(ports: Ports): Promise<readonly StoppedStep[]> {
  const database = await openIfThere(ports);
  if (database === undefined) return [];
  return database.read(async (sql) => {
    const rows = await sql.all(listStoppedSteps, { most: MOST });
    return Promise.all(
      rows.map(async ({ plan_path, anchor, title, status, block_reason, block_note }) => ({
        planPath: plan_path,
        anchor,
        title,
        status,
        reason: block_reason,
        note: block_note,
        ...(status === "blocked"
          ? await agentWordsIn(sql, { plan_path, anchor })
          : { said: [], refused: [] }),
        failure: status === "blocked" ? await failedCheck(sql, { plan_path, anchor }) : null,
      })),
    );
  });
}

/** Open items are counted in the reason already, and the agent's own words say why they are open. */
async function failedCheck(
  sql: Sql,
  step: { readonly plan_path: string; readonly anchor: string },
): Promise<FailedCheck | null> {
  const failure = failureIn((await sql.all(listVerdicts, step)).at(-1));
  return failure?.checked === CHECKLIST ? null : failure;
}

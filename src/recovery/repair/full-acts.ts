import { toInstant } from "../../domain/index.ts";
import { journal } from "../../journal/index.ts";
import { findStep, planPathFromHere } from "../../plans/index.ts";
import type { Ports, Sql } from "../../platform/ports/index.ts";
import { loadRevertLanded } from "../../runs/index.ts";
import { loadOperate, loadReopen } from "../../steps/index.ts";
import {
  countAttempts,
  insertAttempt,
  insertVerdict,
  listVerdicts,
  ownEvidence,
} from "../../verification/index.ts";
import type { SeenOf } from "../rules/index.ts";
import type { ActContext } from "./act-context.ts";

type Full = SeenOf<"full">;

const short = (commit: string): string => commit.slice(0, 12);

/** The step is done again, and its agent gets what the check said. Evidence comes first: it is there when work begins. */
export async function reopenBlamed({ ports }: ActContext, { facts }: Full): Promise<string> {
  const { plan, anchor, commit } = facts;
  await keepEvidence(ports, facts);
  if ((await statusOf(ports, plan, anchor!)) === "completed") await reopenStep(ports, facts);
  await decide(ports, facts, { decision: "reopen" });
  return `pending; its commit ${short(commit)} stays, and the next run corrects it`;
}

/** A commit takes the change back, and the step waits for a person. */
export async function revertBlamed(
  { ports, onEvent, interruption }: ActContext,
  { facts }: Full,
): Promise<string> {
  const { plan, anchor, commit, parent, branch, found } = facts;
  const { revertLanded } = await loadRevertLanded();
  const reverted = await revertLanded(ports, { plan, branch, commit, parent, found, onEvent, interruption });
  if (anchor !== undefined) {
    if ((await statusOf(ports, plan, anchor)) === "completed") await reopenStep(ports, facts);
    const reason = `commit ${short(commit)} was reverted by ${short(reverted)}: ${found}`;
    const { hold } = await loadOperate();
    await hold(ports, { plan: planPathFromHere(ports, plan), step: anchor, reason });
  }
  await decide(ports, facts, { decision: "revert", reverted });
  return `reverted by ${short(reverted)}${anchor === undefined ? "" : `; ${anchor} is on hold`}`;
}

export async function leaveBlamed({ ports }: ActContext, { facts }: Full): Promise<string> {
  await decide(ports, facts, { decision: "leave" });
  return "left as it is";
}

async function statusOf(ports: Ports, plan_path: string, anchor: string): Promise<string | undefined> {
  const database = await ports.database();
  return (await database.read((sql) => sql.get(findStep, { plan_path, anchor })))?.status;
}

async function reopenStep(ports: Ports, { plan, anchor, found }: Full["facts"]): Promise<void> {
  const { reopen } = await loadReopen();
  await reopen(ports, { plan: planPathFromHere(ports, plan), step: anchor!, reason: found });
}

async function decide(
  ports: Ports,
  { plan, commit, tree }: Full["facts"],
  decision: Readonly<Record<string, unknown>>,
): Promise<void> {
  const database = await ports.database();
  await database.write((sql) =>
    journal(sql, { event: "full-decided", plan, detail: { ...decision, commit, tree } }),
  );
}

/** As a verdict on the step, so that its next prompt and its history have it. A second call adds nothing. */
async function keepEvidence(ports: Ports, facts: Full["facts"]): Promise<void> {
  const { plan: plan_path, anchor, check, output, found, tree } = facts;
  const at = toInstant(ports.clock.wallMs());
  const text = [found, "", `What ${check} said:`, output].join("\n");
  const evidence = ownEvidence({
    checked: `full check: ${check}`,
    outcome: "failed",
    output: text,
    tree,
    at,
  });
  const database = await ports.database();
  await database.write(async (sql: Sql) => {
    const step = { plan_path, anchor: anchor! };
    const last = (await sql.all(listVerdicts, step)).at(-1);
    if (last?.tree === tree && last.because === found) return;
    const number = ((await sql.get(countAttempts, step))?.most ?? 0) + 1;
    const nobody = { claim: null, session_id: null };
    await sql.run(insertAttempt, { ...step, ...nobody, number, tree, now: sql.now });
    await sql.run(insertVerdict, {
      ...step,
      ...nobody,
      attempt: number,
      outcome: "failed",
      because: found,
      evidence: JSON.stringify([evidence]),
      tree,
      now: sql.now,
    });
  });
}

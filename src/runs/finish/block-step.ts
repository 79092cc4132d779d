import { freeHeldStep, lockedStep, writeBackOrNotice } from "../../plans/index.ts";
import { type AgentWords, agentWordsIn, journal } from "../../journal/index.ts";
import { type ClaimedStep, ownsIt, whyRefused } from "../../steps/index.ts";
import { HELD_STATUSES } from "../../domain/index.ts";
import type { Heartbeat } from "../../platform/ports/index.ts";
import { keepUnverified } from "../land/kept-work.ts";
import type { Blocked } from "./step-end.ts";
import { type Worker, workerCaller, workerEntry } from "../work/worker.ts";

/** Why a runner takes a step out of the work until a person decides. */
export type BlockReason =
  | "verification_escalated"
  | "verification_timeout"
  | "agent_timeout"
  | "agent_failed"
  | "cut_off"
  | "merge_conflict"
  /** The work passes alone, and not together with what landed meanwhile. */
  | "landing_rejected"
  | "commit_unclear"
  /** Git cannot take the files as the agent left them. */
  | "not_committable"
  /** The work passed, and signing or a hook refused the commit. */
  | "commit_refused"
  /** The work passed, and the remote that it lands on cannot be reached. */
  | "waiting_to_land"
  /** The work passed, and the server refuses the push. */
  | "push_refused"
  /** Something failed that is about this step alone. */
  | "step_failed";

/** What is worth continuing once a person has decided, and whether its agent had come to its end. */
const KEEPS: Readonly<Partial<Record<BlockReason, "whole" | "rejected" | "part">>> = {
  verification_timeout: "whole",
  verification_escalated: "rejected",
  agent_timeout: "part",
  agent_failed: "part",
  cut_off: "part",
};

/** Takes a step that this worker holds out of the work, and says why. */
export async function blockStep(
  worker: Worker,
  held: ClaimedStep,
  heart: Heartbeat | undefined,
  { reason, note, ...rest }: Omit<Blocked, "kind">,
): Promise<Blocked> {
  // An agent that ends with a question or a reason says it last, and people see it wherever the step is stopped.
  const words = await wordsOf(worker, held);
  const said = rest.said ?? words.said;
  const more = {
    ...rest,
    ...(said.length > 0 ? { said } : {}),
    ...(words.refused.length > 0 ? { refused: words.refused } : {}),
  };
  const extent = KEEPS[reason];
  const kept = more.kept ?? (extent && (await keepUnverified(worker, held, extent)));
  const caller = workerCaller(worker, held);
  // The number rises with the block, and a heart that still beats would take that for a loss.
  await heart?.stop();
  const database = await worker.ports.database();
  await database.write(async (sql) => {
    const step = await lockedStep(sql, held.plan, held.anchor);
    if (!ownsIt(step, caller)) throw await whyRefused(sql, step, caller, HELD_STATUSES, "block");
    await freeHeldStep(sql, step, "blocked", { reason, note });
    const detail = { reason, note, ...(kept ? { kept } : {}), ...(rest.aside ? { aside: rest.aside } : {}) };
    await journal(sql, { event: "blocked", ...workerEntry(worker, held), detail });
  });
  await writeBackOrNotice(worker.ports, held.plan);
  if (rest.said === undefined)
    for (const text of said) worker.report({ event: "said", step: held.anchor, text });
  worker.report({ event: "blocked", step: held.anchor, reason, note });
  return { kind: "blocked", reason, note, ...more };
}

async function wordsOf({ ports }: Worker, { plan: plan_path, anchor }: ClaimedStep): Promise<AgentWords> {
  const database = await ports.database();
  return database.read((sql) => agentWordsIn(sql, { plan_path, anchor }));
}

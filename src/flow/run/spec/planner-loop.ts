import { PAUSES } from "../../../domain/exit-verdict.ts";
import { DEFAULT_TIMEOUT_MS } from "../../../domain/workflow.ts";
import { SPEC_FILE } from "../../../formats/plan-folder.ts";
import { EMPTY_CONTEXT } from "../../../prompts/prompt-context.ts";
import { PROMPTS } from "../../../prompts/templates/index.ts";
import { listCheckpoints } from "../../../store/statements/list-checkpoints.ts";
import { chooseAgent, runCommand } from "../run-command.ts";
import { wasCut } from "../verify-step.ts";
import { pause } from "../pause.ts";
import type { LoopEnd, Tally } from "../work-loop.ts";
import type { Worker } from "../worker.ts";
import { type Judgement, judgePlan } from "./judge-plan.ts";
import { landPlan } from "./land-plan.ts";

/** How often a planner is told what is wrong with its plan before a person must look. */
const MOST_RETURNS = 3;

/** Not a command of the run's workflow. */
const NOWHERE = -1;

const COMMAND = { name: "plan", type: "plan", timeoutMs: DEFAULT_TIMEOUT_MS, maxTurns: undefined } as const;

/**
 * Asks the planner until there is a plan that can be carried out.
 *
 * It works in a worktree of its own, so whatever else it writes reaches nobody; only a plan that was read without an
 * error is taken over. The session's checkpoints say how often it was asked, so a kill in between gives it no more turns.
 */
export async function plannerLoop(worker: Worker, tally: Tally): Promise<LoopEnd> {
  const { ports, config, session } = worker;
  const key = config.spec!;
  const folder = `${session.worktree.path}/${key}`;
  for (;;) {
    if (worker.interruption.signal() !== undefined) return { kind: "interrupted" };
    const judged = judgePlan(ports.files, folder);
    if (judged.kind === "valid") {
      for (const text of landPlan(ports, key, judged.bytes)) worker.tell({ event: "note", text });
      return { kind: "all-completed" };
    }
    const asked = await timesAsked(worker);
    if (asked >= mostTimes(worker)) {
      tally.blocked.push({
        anchor: "plan",
        title: key,
        reason: "planning_failed",
        note: noteOf(judged, asked),
      });
      return { kind: "stuck", waiting: [] };
    }
    const agent = chooseAgent(worker, undefined);
    const askedMs = worker.ports.clock.wallMs();
    const done = await runCommand(worker, {
      command: COMMAND,
      place: { iteration: asked + 1, position: NOWHERE, specId: undefined },
      held: undefined,
      agent,
      prompt: promptFor(key, judged),
      heart: undefined,
      again: asked > 0,
    });
    if (wasCut(worker, undefined, done.end)) return { kind: "interrupted" };
    if (PAUSES.has(done.end.verdict.outcome)) {
      const over = await pause(worker, { kind: "paused", verdict: done.end.verdict, agent: agent.name });
      if (over) return over;
    } else worker.pauses.clear(agent.name, askedMs);
  }
}

/** A plan that was invalid from the start is handed back with the first call already. */
const mostTimes = ({ config }: Worker): number =>
  config.specWas === "invalid" ? MOST_RETURNS : MOST_RETURNS + 1;

/** Calls that ended in a limit or were cut off are not the planner's fault. */
async function timesAsked({ ports, session }: Worker): Promise<number> {
  const database = await ports.database();
  const rows = await database.read((sql) => sql.all(listCheckpoints, { session_id: session.id }));
  return rows.filter(({ outcome }) => outcome !== null && !(PAUSES as ReadonlySet<string>).has(outcome))
    .length;
}

const promptFor = (key: string, judged: Judgement): string =>
  PROMPTS.plan.write({
    ...EMPTY_CONTEXT,
    plan: { path: `${key}/${SPEC_FILE}` },
    focus: FORMAT,
    done: [`What is to be built is described in \`${key}/\`; read all of it first.`],
    diagnostics: judged.kind === "invalid" ? judged.problems : [],
  });

/** Planners know Markdown plans; this one is JSON, and its shape must be told. */
const FORMAT = `The plan is JSON: {"feature": title, "workflow_type": text, "phases": [{"id": "phase-1", "name": title, \
"depends_on": [ids of phases], "subtasks": [{"id": "subtask-1-1", "description": what is to be done, "status": "pending", \
"files_to_modify": [], "files_to_create": [], "verification": {"type": "command", "command": how to check it}}]}]}. Ids are \
unique, every phase has at least one subtask, and each subtask can be done and checked on its own.`;

function noteOf(judged: Judgement, asked: number): string {
  const [first = ""] = judged.kind === "invalid" ? judged.problems : [`${SPEC_FILE} was not written`];
  return `the planner was asked ${asked} times: ${first}`;
}

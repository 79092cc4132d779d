import { DEFAULT_TIMEOUT_MS } from "../../domain/index.ts";
import { SPEC_FILE } from "../../plans/formats/index.ts";
import { EMPTY_CONTEXT, PROMPTS } from "../../agents/index.ts";
import { askPlanner, notWritten } from "./ask-planner.ts";
import type { LoopEnd, Tally } from "../finish/run-answer.ts";
import type { Worker } from "../work/worker.ts";
import { checkSpecPlan } from "./check-spec-plan.ts";
import { landPlan } from "./land-plan.ts";

/**
 * Has a planner write the plan of a spec folder.
 *
 * It works in a worktree of its own, so whatever else it writes goes nowhere; only a plan that was read without an
 * error is taken over.
 */
export async function plannerLoop(worker: Worker, tally: Tally): Promise<LoopEnd> {
  const { ports, config, session } = worker;
  const key = config.spec!;
  const asked = await askPlanner(worker, {
    name: "plan",
    timeoutMs: DEFAULT_TIMEOUT_MS,
    beginsWithReturn: config.specWas === "invalid",
    prompt: (diagnostics) => promptFor(key, diagnostics),
    read(done) {
      const judged = checkSpecPlan(ports.files, `${session.worktree.path}/${key}`);
      if (judged.kind === "valid") return { kind: "good", value: judged.bytes };
      if (judged.kind === "invalid") return { kind: "bad", diagnostics: judged.problems };
      return { kind: "bad", diagnostics: done ? [notWritten(SPEC_FILE, done)] : [] };
    },
  });
  if (asked.kind === "stopped") return asked.end;
  if (asked.kind === "good") {
    for (const text of landPlan(ports, key, asked.value)) worker.report({ event: "note", text });
    return { kind: "all-completed" };
  }
  tally.blocked.push({
    anchor: "plan",
    title: key,
    reason: "planning_failed",
    note: asked.diagnostics.slice(0, 3).join("; "),
  });
  return { kind: "stuck", waiting: [] };
}

const promptFor = (key: string, diagnostics: readonly string[]): string =>
  PROMPTS.plan.write({
    ...EMPTY_CONTEXT,
    plan: { path: `${key}/${SPEC_FILE}` },
    focus: FORMAT,
    done: [`What is to be built is described in \`${key}/\`; read all of it first.`],
    diagnostics,
  });

/** Planners know Markdown plans; this one is JSON, and its shape must be described. */
const FORMAT = `The plan is JSON: {"feature": title, "workflow_type": text, "phases": [{"id": "phase-1", "name": title, \
"depends_on": [ids of phases], "subtasks": [{"id": "subtask-1-1", "description": what is to be done, "status": "pending", \
"files_to_modify": [], "files_to_create": [], "verification": {"type": "command", "command": how to check it}}]}]}. Ids are \
unique, every phase has at least one subtask, and each subtask can be done and checked on its own.`;

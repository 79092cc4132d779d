import { Failure } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import { findPlan, type Spec } from "../../plans/index.ts";
import { enter } from "../../sessions/index.ts";
import { openIfThere } from "../../journal/index.ts";
import { withSentinel } from "../prepare/sentinel.ts";
import { gaveUp } from "./ask-planner.ts";
import type { RunConfig } from "../prepare/run-config.ts";
import type { RunAnswer, RunCallbacks } from "../finish/run-answer.ts";
import { openAndRun } from "../prepare/open-sessions.ts";
import type { WorkerWorktree } from "../prepare/worker-worktree.ts";
import { checkSpecPlan } from "./check-spec-plan.ts";
import { plannerLoop } from "./planner-loop.ts";
import { planningWorktree, removePlanningWorktree } from "./planning-worktree.ts";

/**
 * Has a plan written for a spec folder that has none, or none that can be carried out.
 *
 * Undefined when there is a plan to go on with; else how planning ended. A plan that has state is left to people:
 * another one in its place would not be the plan that the state is about.
 */
export async function planSpec(
  ports: Ports,
  spec: Spec,
  asked: RunConfig,
  request: RunCallbacks,
): Promise<RunAnswer | undefined> {
  const judged = checkSpecPlan(ports.files, spec.path);
  if (judged.kind === "valid" || (await hasState(ports, spec))) return undefined;
  const config: RunConfig = {
    ...asked,
    plan: undefined,
    spec: spec.key,
    specWas: judged.kind,
    workers: 1,
    worktree: undefined,
  };
  await ports.database({ create: true });
  return withSentinel(ports, spec.key, () => writePlanFor(ports, spec, { config, request }));
}

/** In a worktree and a session of its own. Undefined when the plan is there; else how planning ended. */
async function writePlanFor(
  ports: Ports,
  spec: Spec,
  { config, request }: { readonly config: RunConfig; readonly request: RunCallbacks },
): Promise<RunAnswer | undefined> {
  let worktree: WorkerWorktree | undefined;
  const answer = await openAndRun(ports, {
    config,
    kind: "plan",
    lock: `plan ${spec.key}`,
    async choose() {
      worktree = await planningWorktree(ports, spec.key);
      await enter(ports, { stop: [{ worktreeId: worktree.worktree.id, graceMs: config.graceMs }] });
      copySpec(ports, spec, worktree);
      return worktree;
    },
    request,
    warnings: [],
    loop: plannerLoop,
  });
  const [failed] = answer.blocked;
  if (failed)
    throw gaveUp(`${spec.key}: ${failed.note ?? "no plan was written"}`, {
      plan_path: spec.key,
      session_id: answer.sessions[0],
      worktree_path: worktree?.worktree.path,
    });
  if (answer.ended !== "all_completed") return answer;
  await removePlanningWorktree(ports, worktree!.branch!);
  return undefined;
}

async function hasState(ports: Ports, { key }: Spec): Promise<boolean> {
  const database = await openIfThere(ports);
  return (await database?.read((sql) => sql.get(findPlan, { plan_path: key }))) !== undefined;
}

const MOST_FILES = 200;
const MOST_BYTES = 1024 * 1024;

/** Spec folders are often kept out of git; then the planner's worktree has none, or an old one. */
function copySpec({ files }: Ports, { key, path }: Spec, { worktree }: WorkerWorktree): void {
  const folder = `${worktree.path}/${key}`;
  files.makeFolder(folder);
  const entries = (files.list(path) ?? []).filter(({ kind }) => kind === "file").slice(0, MOST_FILES);
  for (const { name } of entries) {
    try {
      files.replace(`${folder}/${name}`, files.read(`${path}/${name}`, MOST_BYTES));
    } catch (error) {
      // One that is too large or gone is no reason not to plan.
      if (!(error instanceof Failure) || !error.problem.startsWith("plan/")) throw error;
    }
  }
}

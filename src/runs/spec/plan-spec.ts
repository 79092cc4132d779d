import { Failure } from "../../domain/errors.ts";
import { BRANCH_PREFIX, planSlug } from "../../domain/plan-branch.ts";
import type { Ports } from "../../platform/ports/index.ts";
import type { ListedWorktree } from "../../platform/ports/worktrees.ts";
import { findPlan } from "../../plans/sql/find-plan.ts";
import { openSession } from "../../sessions/open-session.ts";
import { takeDown } from "../../worktrees/remove/remove-worktree.ts";
import { openIfThere } from "../../journal/open-if-there.ts";
import { worktreeUse } from "../../worktrees/worktree-use.ts";
import { withSentinel } from "../prepare/sentinel.ts";
import { gaveUp } from "./ask-planner.ts";
import { runWorkers } from "../assign/run-workers.ts";
import { sessionDetails } from "../prepare/session-details.ts";
import { addOwnWorktree } from "../prepare/own-worktree.ts";
import type { RunConfig } from "../prepare/run-config.ts";
import type { RunAnswer, RunRequest } from "../run.ts";
import { enter } from "../../sessions/enter.ts";
import type { WorkerWorktree } from "../prepare/worker-worktree.ts";
import type { Spec } from "../../plans/find-spec.ts";
import { checkSpecPlan } from "./check-spec-plan.ts";
import { plannerLoop } from "./planner-loop.ts";
import { runSettingsOf } from "../../agents/settings/run-settings.ts";

/**
 * Has a plan written for a spec folder that has none, or none that can be carried out.
 *
 * Undefined when there is a plan to go on with; else how planning ended. A plan that has state is left to people:
 * another one in its place would not be the plan that the state is about.
 */
export async function planSpec(
  ports: Ports,
  spec: Spec,
  given: { readonly config: RunConfig; readonly request: RunRequest },
): Promise<RunAnswer | undefined> {
  const judged = checkSpecPlan(ports.files, spec.path);
  if (judged.kind === "valid" || (await hasState(ports, spec))) return undefined;
  const config: RunConfig = {
    ...given.config,
    plan: undefined,
    spec: spec.key,
    specWas: judged.kind,
    workers: 1,
    worktree: undefined,
  };
  await ports.database({ create: true });
  return withSentinel(ports, spec.key, () => writePlanFor(ports, spec, { config, request: given.request }));
}

/** In a worktree and a session of its own. Undefined when the plan is there; else how planning ended. */
async function writePlanFor(
  ports: Ports,
  spec: Spec,
  { config, request }: { readonly config: RunConfig; readonly request: RunRequest },
): Promise<RunAnswer | undefined> {
  const settings = runSettingsOf(ports);
  const runId = `r-${ports.newId()}`;
  const { place, session } = await (
    await ports.locks()
  ).during(`plan ${spec.key}`, async () => {
    const found = await placeFor(ports, spec);
    await enter(ports, { stop: [{ worktreeId: found.worktree.id, graceMs: config.graceMs }] });
    bringSpec(ports, spec, found);
    const run = await sessionDetails(ports, { runId, config, place: found, base: undefined, kind: "plan" });
    return { place: found, session: await openSession(ports, { worktree: found.worktree, run }) };
  });
  const answer = await runWorkers(ports, {
    runId,
    config,
    settings,
    operand: undefined,
    integration: undefined,
    sessions: [{ session, branch: place.branch, checkpoints: 0, resumed: false }],
    request,
    warnings: place.warnings,
    loop: plannerLoop,
  });
  const [failed] = answer.blocked;
  if (failed)
    throw gaveUp(`${spec.key}: ${failed.note ?? "no plan was written"}`, {
      plan_path: spec.key,
      session_id: session.id,
      worktree_path: place.worktree.path,
    });
  if (answer.ended !== "all_completed") return answer;
  await putAway(ports, place);
  return undefined;
}

async function hasState(ports: Ports, { key }: Spec): Promise<boolean> {
  const database = await openIfThere(ports);
  return (await database?.read((sql) => sql.get(findPlan, { plan_path: key }))) !== undefined;
}

/** A worktree for planning only: what a planner leaves in it besides the plan is nobody's work. */
async function placeFor(ports: Ports, { key }: Spec): Promise<WorkerWorktree> {
  const worktrees = await ports.worktrees();
  const listed = await worktrees.list();
  const name = `${planSlug(key)
    .slice(0, 60)
    .replace(/[.-]+$/, "")}-plan-${ports.sha256(key).slice(0, 8)}`;
  const branch = `${BRANCH_PREFIX}${name}`;
  const present = listed.find((one) => one.branch === branch && !one.isMissing);
  if (present) {
    const use = (await worktreeUse(ports))(present);
    if (use.state === "running")
      throw new Failure("run/worktree-in-use", `Session ${use.session!.id} is planning ${key} already.`, {
        session_id: use.session!.id,
        worktree_path: present.path,
      });
    await putAway(ports, { branch });
  }
  return addOwnWorktree(ports, name, listed);
}

/** Taken down like any other worktree: what is in it is kept. */
async function putAway(ports: Ports, { branch }: Pick<WorkerWorktree, "branch">): Promise<void> {
  const [worktrees, locks] = await Promise.all([ports.worktrees(), ports.locks()]);
  const find = async (): Promise<ListedWorktree | undefined> =>
    (await worktrees.list()).find((one) => one.branch === branch);
  await locks.during(branch!, async () => {
    const listed = await find();
    if (listed) await takeDown(ports, listed, { deleteBranch: true, because: "the plan is written" });
  });
}

const MOST_FILES = 200;
const MOST_BYTES = 1024 * 1024;

/** Spec folders are often kept out of git; then the planner's worktree has none, or an old one. */
function bringSpec({ files }: Ports, { key, path }: Spec, { worktree }: WorkerWorktree): void {
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

import { BRANCH_PREFIX, Failure, plural, shellWord } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import type { RepairName, Seen, SeenOf } from "../rules/index.ts";
import { findStep, loadSaveAgain, loadWriteBack, planPathFromHere } from "../../plans/index.ts";
import { MOST_ATTEMPTS } from "../../verification/index.ts";
import type { ActContext } from "./act-context.ts";
import {
  about,
  bringStepsBack,
  moveBack,
  rebuild,
  reopenLost,
  setDamagedObjectsAside,
} from "./damage-acts.ts";
import { leaveBlamed, reopenBlamed, revertBlamed } from "./full-acts.ts";
import { settleEdit } from "./settle-edit.ts";
import { freeAbandonedStep } from "./free-abandoned-step.ts";
import { loadEndSessions, loadMergeApproval, loadResume, loadVerifyNow } from "../../runs/index.ts";
import { loadWorktreeCreate, loadWorktreeRemove } from "../../worktrees/index.ts";
import { loadEnter, loadFindSession } from "../../sessions/index.ts";
import { loadFinishIntents, loadReconcile } from "../../commits/index.ts";

/** A repair that ended without what it was for: the finding stays. */
interface NotRepaired {
  readonly outcome: string;
  readonly hint: string;
}

/** Says what came of it. */
type Act<S extends Seen = Seen> = (context: ActContext, seen: S) => Promise<string | NotRepaired>;

const onStep =
  (act: Act<SeenOf<"step">>): Act =>
  (context, seen) => {
    if (seen.kind !== "step")
      throw new Failure("internal/bug", `A repair of a step was asked of a ${seen.kind}.`, {});
    return act(context, seen);
  };

/**
 * How each repair is carried out.
 *
 * All of them look again before they write, and can be carried out twice: a kill in the middle of one, or between two,
 * leaves a situation that some rule recognises.
 */
export const ACTS: Readonly<Record<RepairName, Act>> = {
  verify: onStep((context, seen) =>
    verify(context, seen, seen.now.place === "here" ? context.ports.repository.topLevel : undefined),
  ),
  "verify-here": onStep((context, seen) => verify(context, seen, context.ports.repository.topLevel)),
  escalate: onStep(async ({ ports, because }, seen) => {
    const note = `${MOST_ATTEMPTS} verification attempts exhausted, requires human review`;
    await freeAbandonedStep(ports, seen, {
      event: "blocked",
      because,
      reason: "verification_escalated",
      note,
    });
    return "escalated to a person";
  }),
  retry: onStep(async ({ ports, because }, seen) => {
    await freeAbandonedStep(ports, seen, { event: "retried", because });
    return "pending";
  }),
  "break-down": onStep(async (context, seen) => (await import("./break-down.ts")).breakDown(context, seen)),
  skip: async () => "left as it is",
  continue: async () => "stays in progress; the next run continues it",
  reset: onStep(async ({ ports, because }, seen) => {
    const event = seen.now.status === "blocked" ? "retried" : "reset";
    return `pending${await freeAbandonedStep(ports, seen, { event, because, fresh: true })}`;
  }),
  hold: onStep(async ({ ports, because }, seen) => {
    const saved = await freeAbandonedStep(ports, seen, {
      event: "held",
      because,
      note: "put on hold by recovery",
    });
    return `on hold${saved}`;
  }),
  release: onStep(
    async ({ ports, because }, seen) =>
      `pending${await freeAbandonedStep(ports, seen, { event: "released", because })}`,
  ),
  complete: onStep(complete),
  "write-pending": onStep(async ({ ports }, { facts: { plan } }) => {
    const { writeBack } = await loadWriteBack();
    const { files, problems } = await writeBack(ports, plan);
    const [problem] = problems;
    if (problem)
      throw new Failure("plan/file-behind", `${problem.name}: ${problem.message}.`, { plan_path: plan });
    return files.length === 0 ? "up to date" : `wrote ${files.join(", ")}`;
  }),
  async "mark-interrupted"({ ports }, seen) {
    return ["recorded", ...(await stopAgent(ports, seen))].join("; ");
  },
  "stop-agent": async ({ ports }, seen) => (await stopAgent(ports, seen))[0] ?? "it had ended already",
  async resume({ ports, onEvent, interruption }, seen) {
    const { resume } = await loadResume();
    const { repairOrRefuse } = await import("./repair-damage.ts");
    const request = { id: sessionOf(seen).id, onEvent, interruption };
    const { ended } = await resume(ports, request, {
      repairDamage: (plan) => repairOrRefuse(ports, plan),
    });
    return ended.replace("_", " ");
  },
  async abandon({ ports }, seen) {
    const { abandon } = await loadEndSessions();
    const { snapshotRef } = await abandon(ports, { id: sessionOf(seen).id });
    return snapshotRef === null ? "abandoned" : `abandoned; its uncommitted work is at ${snapshotRef}`;
  },
  show: async () => "shown",
  rebuild: about("worktree", rebuild),
  "set-aside": (context) => setDamagedObjectsAside(context),
  "move-back": about("branch", moveBack),
  "bring-back": about("branch", bringStepsBack),
  reopen: (context, seen) => (seen.kind === "full" ? reopenBlamed(context, seen) : reopenLost(context, seen)),
  revert: about("full", revertBlamed),
  leave: about("full", leaveBlamed),
  recreate,
  async clean(context, seen) {
    if (seen.kind === "session") return ACTS.abandon(context, seen);
    const { removeWorktree } = await loadWorktreeRemove();
    const { path } = worktreeOf(seen);
    const { saved } = await removeWorktree(context.ports, { target: path, reason: context.because });
    return [
      "removed",
      ...saved.map(({ what, bringBack }) => `${what} saved; restore with: ${bringBack}`),
    ].join("; ");
  },
  keep: async () => "left as it is",
  "accept-edit": about("edit", (context, seen) => settleEdit(context, seen, "accept")),
  "begin-again": about("edit", (context, seen) => settleEdit(context, seen, "begin-again")),
  "forget-step": about("edit", (context, seen) => settleEdit(context, seen, "accept")),
  "new-plan": about("edit", async ({ ports }, { facts: { plan } }) => {
    const { saveAgain } = await loadSaveAgain();
    const { savedTo } = await saveAgain(ports, {
      plan: planPathFromHere(ports, plan),
      discardProgress: true,
    });
    return `begun as a new plan; the state of the old one is in ${savedTo ?? "no file: there was none"}`;
  }),
  async "read-again"({ ports }, seen) {
    if (seen.kind !== "plan") throw new Failure("internal/bug", `A ${seen.kind} cannot be read again.`, {});
    const { saveAgain } = await loadSaveAgain();
    const { keptSteps, droppedSteps } = await saveAgain(ports, {
      plan: planPathFromHere(ports, seen.facts.plan),
    });
    const dropped = droppedSteps.map(({ anchor, because }) => `${anchor} (${because})`);
    return `read again, progress of ${plural(keptSteps.length, "step")} kept${dropped.length === 0 ? "" : `, not of ${dropped.join(", ")}`}`;
  },
};

function sessionOf(seen: Seen): SeenOf<"session">["facts"] {
  if (seen.kind === "session") return seen.facts;
  throw new Failure("internal/bug", `A repair of a session was asked of a ${seen.kind}.`, {});
}

function worktreeOf(seen: Seen): SeenOf<"worktree">["facts"] {
  if (seen.kind === "worktree") return seen.facts;
  throw new Failure("internal/bug", `A repair of a worktree was asked of a ${seen.kind}.`, {});
}

/** No process would ever stop it, or notice what it does. */
async function stopAgent(ports: Ports, seen: Seen): Promise<readonly string[]> {
  const { enter } = await loadEnter();
  const { stopped: pids } = await enter(ports, { stop: [{ session: sessionOf(seen).id }] });
  return pids.length === 0 ? [] : [`what it left running is stopped (process ${pids.join(", ")})`];
}

async function verify(
  { ports, agent, onEvent, interruption }: ActContext,
  { facts: { plan, anchor }, now }: SeenOf<"step">,
  worktree: string | undefined,
): Promise<string | NotRepaired> {
  const { verifyNow } = await loadVerifyNow();
  const answer = await verifyNow(ports, {
    plan: planPathFromHere(ports, plan),
    step: anchor,
    worktree,
    agent,
    onEvent,
    interruption,
  });
  const { outcome, because, commit } = answer;
  if (outcome === "passed" || outcome === "failed")
    return `${outcome}: ${because}${commit === null ? "" : `, completed with ${commit.slice(0, 12)}`}`;
  // Without a verdict the step waits for the verification as before.
  const repeat = `Run \`pawl recover ${shellWord(plan)}\` to verify it again.`;
  return outcome === "timed_out"
    ? {
        outcome: `timed out${now.reason === "verification_timeout" ? " again" : ""}: ${because}`,
        hint: `${repeat} If the check needs more time, raise \`timeout\` under [verify] in pawl.toml first.`,
      }
    : { outcome: `${outcome}: ${because}`, hint: repeat };
}

/** A commit that was begun is finished as its owner would have done it; any other signed one proves the step. */
async function complete({ ports }: ActContext, { facts: { plan, anchor } }: SeenOf<"step">): Promise<string> {
  const [{ enter }, { finishIntents }, { reconcile }] = await Promise.all([
    loadEnter(),
    loadFinishIntents(),
    loadReconcile(),
  ]);
  const database = await ports.database();
  const step = () => database.read((sql) => sql.get(findStep, { plan_path: plan, anchor }));
  await enter(ports, { finish: finishIntents });
  const isDone = (await step())?.status === "completed";
  const answer = isDone
    ? undefined
    : await reconcile(ports, { plan: planPathFromHere(ports, plan) }, async (merge) =>
        (await loadMergeApproval()).mergeApproval(ports)(merge),
      );
  const after = await step();
  if (after?.status === "completed")
    return `completed with ${after.commit_hash?.slice(0, 12) ?? "its commit"}`;
  const reason = answer?.proposals.find(({ stepAnchor }) => stepAnchor === anchor)?.reason;
  throw new Failure(
    "step/wrong-status",
    `${anchor} is ${after?.status ?? "gone"}; its commit does not settle it${reason ? `: ${reason}` : ""}.`,
    {
      plan_path: plan,
      anchor,
    },
  );
}

/** From the branch, with everything that was committed on it. */
async function recreate({ ports }: ActContext, seen: Seen): Promise<string> {
  const { createWorktree } = await loadWorktreeCreate();
  const branch = await branchFor(ports, seen);
  const mark = (await (await ports.branches()).planBranches()).find(({ name }) => name === branch)?.mark;
  if (branch === undefined || mark === undefined)
    throw new Failure("worktree/not-found", "Pawl has no record of the branch it was made from.", {});
  const made = await createWorktree(ports, {
    plan: planPathFromHere(ports, mark.plan),
    base: mark.base,
    name: branch.slice(BRANCH_PREFIX.length),
  });
  return `made again at ${made.worktreePath}`;
}

async function branchFor(ports: Ports, seen: Seen): Promise<string | undefined> {
  if (seen.kind === "worktree") return seen.facts.branch;
  const { sessionNamed } = await loadFindSession();
  return (await sessionNamed(ports, sessionOf(seen).id)).branch ?? undefined;
}
